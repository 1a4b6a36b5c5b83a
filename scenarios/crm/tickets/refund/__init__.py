"""Work on a ticket that asks for a full refund: find what the handbook refunds, and refund it.

The instruction is the ticket's number; the mail, booking, payments and handbook contain everything
else. The numbers of the handbook are drawn for each scenario, and at least two rules decide
together. Two claims of five are false. Of twenty tickets, seven are granted, eight are granted in
part, two are refused and three are passed on. One seed of five uses held-out phrasings.
"""

from __future__ import annotations

from scenarios.crm.policy import Decision
from scenarios.crm.tickets import (
    CLAIMED,
    DONE,
    IN_PART,
    NOTHING,
    PASSED_ON,
    REFUSED,
    STEPS,
    Decisions,
    Ticket,
    bearing,
    labelled,
    misled,
    permitting,
    resting_on,
)
from scenarios.crm.tickets.refund import case as refund_case
from scenarios.crm.tickets.refund import letter
from scenarios.crm.tickets.refund.case import RefundCase


def wrong(case: RefundCase) -> dict[str, Decision]:
    """Return plausible wrong decisions about a ticket, each by the name of the mistake."""
    return labelled(bearing(case), misled(case))


DECISIONS = Decisions(
    forms=refund_case.forms,
    naive=refund_case.as_asked,
    wrong=wrong,
    fails=lambda case, made: "money",
    undone=lambda case: "booking",
)
TICKET = Ticket(
    name="ticket_refund",
    about="Work on a ticket that asks for money back, by the desk's handbook, and close it.",
    steps=(*STEPS, "read"),
    deck=(*(DONE,) * 7, *(IN_PART,) * 8, REFUSED, NOTHING, PASSED_ON, PASSED_ON, CLAIMED),
    start=3571,
    step=7919,
    draw=refund_case.draw,
    rows=letter.filed,
    right=DECISIONS.right,
    naive=DECISIONS.as_asked,
    wrong=DECISIONS.misses,
    articles=resting_on(("P1", "P2", "24", "14", "25", "4")),
    safety=permitting(refund_case.CHANGING),
    references=lambda case: [case.held.reference],
)
FAMILIES = TICKET.families()
