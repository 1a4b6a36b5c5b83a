"""Work on a ticket about bags: add pieces and pay for lost ones, by the desk's handbook.

The price of a piece depends on fare, distance and tier, on the hours until departure, and on
earlier payments. A receipt counts by its day, its name and a maximum per person. Compensation and
unpaid amounts come before the sale. Three claims of five are true. Of twenty tickets, seven are
granted, eight are granted in part, two are refused and three are passed on. One seed of five uses
held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from scenarios.crm.airline_desk import Do, Instead
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import Collect, Reimburse, SetBags
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
    charged,
    collected,
    labelled,
    misled,
    permitting,
    propose,
    resting_on,
)
from scenarios.crm.tickets.bags import case as bags_case
from scenarios.crm.tickets.bags import letter
from scenarios.crm.tickets.bags.case import COLLECTED, SOLD, BagsCase, packed
from sites.crm.airline_desk.model import prices

PAID_OUT = {"control": "give-payout", "recorded": {}}


def _order(decision: Decision) -> list[list[Mapping[str, Any]]]:
    """Return pairs of journal entries whose order is prescribed: paying compensation and collecting
    unpaid amounts come before the sale of bags.
    """
    kinds = {type(each) for each in decision.changes}
    if SetBags not in kinds:
        return []
    first = [deed for kind, deed in ((Reimburse, PAID_OUT), (Collect, COLLECTED)) if kind in kinds]
    return [[each, SOLD] for each in first]


# Forms -------------------------------------------------------------------------------------------


def forms(case: BagsCase, number: int, decision: Decision) -> list[Do]:
    """Return the forms of a decision in order: compensation, unpaid amounts, bags."""
    return [
        *_given(case, number, decision),
        *collected(case, number, decision),
        *_sold(case, number, decision),
    ]


def _given(case: BagsCase, number: int, decision: Decision) -> Iterator[Do]:
    for each in decision.changes:
        if isinstance(each, Reimburse):
            yield propose(number, "compensation", each.amount)
            values = {"payout-lost-bag": str(each.amount)}
            yield Do("give-payout", (case.held.reference,), values)


def _sold(case: BagsCase, number: int, decision: Decision) -> Iterator[Do]:
    for each in decision.changes:
        if isinstance(each, SetBags):
            paid = charged(case, number, "bags", each.price)
            yield from (*paid[:1], *packed(case, each), *paid[1:])


# Wrong ends --------------------------------------------------------------------------------------


def wrong(case: BagsCase) -> dict[str, Decision]:
    """Return plausible wrong decisions about a ticket, each by the name of the mistake."""
    return labelled(bearing(case), misled(case), bags_case.slips(case))


def _fails(case: BagsCase, made: Decision) -> str:
    money, own = (
        {each for each in one.changes if not isinstance(each, SetBags)}
        for one in (made, case.decision)
    )
    return "bags" if money == own else "money"


def _misdone(case: BagsCase, number: int) -> Iterator[Instead]:
    """Yield wrong ends of a ticket: the right amounts, but entered in a wrong form or order."""
    decision = case.decision
    first = [*_given(case, number, decision), *collected(case, number, decision)]
    sold = [*_sold(case, number, decision)]
    *_, end = DECISIONS.right(case, number)
    if first and sold:
        yield Instead("sold before the rest", [*sold, *first, end], "order")
    if any(_otherwise(case, each) != each for each in sold):
        wrongly = [_otherwise(case, each) for each in sold]
        yield Instead("booked bags counted wrongly", [*first, *wrongly, end], "bags")


def _otherwise(case: BagsCase, each: Do) -> Do:
    """Return the bags form as filled by a clerk who confuses additional pieces with the total."""
    if each.control != "save-bags":
        return each
    values = {}
    for key, text in each.values.items():
        named, _, who = key.partition(".")
        old = case.old(named.removeprefix("bags-"), int(who))
        pieces = int(text) + (old if case.in_all else -old)
        values[key] = str(min(max(pieces, 0), prices.MOST_BAGS))
    return replace(each, values={**each.values, **values})


DECISIONS = Decisions(
    forms=forms,
    naive=bags_case.unread,
    wrong=wrong,
    fails=_fails,
    misdone=_misdone,
)
TICKET = Ticket(
    name="ticket_bags",
    about="Work on a ticket about bags, new ones and lost ones, by the desk's handbook; close it.",
    steps=(*STEPS, "change bags", "read"),
    deck=(*(DONE,) * 7, *(IN_PART,) * 8, REFUSED, NOTHING, PASSED_ON, PASSED_ON, CLAIMED),
    start=4603,
    draw=bags_case.draw,
    rows=letter.filed,
    right=DECISIONS.right,
    naive=DECISIONS.as_asked,
    wrong=DECISIONS.misses,
    articles=resting_on(("P1", "P4", "24", "14", "P13", "22", "T11", "T1", "T2", "P5", "P6", "25")),
    safety=permitting(("give-payout", "charge", "save-bags", "add-note")),
    references=lambda case: [case.held.reference],
    more=lambda filed, done: {"order": _order(filed.case.decision)},
)
FAMILIES = TICKET.families()
