"""What the clerk does on a ticket once it is decided, whatever it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import Collect, Refund
from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Unreadable
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets

OUTCOMES = {"done": "done", "in part": "in-part", "refused": "refused", "passed on": "passed-on"}
"""As the words of the form are called."""


def agree(desk: Tickets, number: str, what: str, amount: int, flights: str = "") -> None:
    """Send an offer. Raises `Unreadable` where it is not agreed to."""
    desk.offer(number, what, amount, flights)
    if desk.answers()[-1] != desk.word("answer-yes"):
        raise Unreadable(f"no to {what} {amount}")


def collect(
    desk: Tickets, number: str, reference: str, decision: Decision, card: Mapping[str, str]
) -> None:
    """Offer and charge what was not paid yet."""
    for each in decision.changes:
        if isinstance(each, Collect):
            agree(desk, number, "fee", each.amount)
            desk.collect(reference, each.amount, typed(card))


def charge(
    desk: Tickets,
    number: str,
    reference: str,
    kind: str,
    amount: int,
    card: Mapping[str, str],
    passenger: str = "",
) -> None:
    """Offer and charge a fee of a kind, where there is one; for one passenger where one is
    named."""
    if amount:
        agree(desk, number, "name" if kind == "name" else "fee", amount)
        desk.collect(reference, amount, typed(card), kind, passenger)


def refunds(decision: Decision) -> dict[int, int]:
    """The amounts by the numbers of the payments."""
    return {each.payment: each.amount for each in decision.changes if isinstance(each, Refund)}


def give_back(desk: Tickets, case: TicketFacts, decision: Decision) -> None:
    """Cancel the booking, with money back to its payments."""
    back = refunds(decision)
    parts = [back.get(each.number, 0) for each in case.booking.payments if each.left]
    desk.give_back(case.booking.reference, parts)


def close(desk: Tickets, number: str, decision: Decision) -> None:
    """Close the ticket as it is decided."""
    desk.close(number, OUTCOMES[decision.outcome], decision.grounds[0], decision.amount)


def end(decisions: Iterable[Decision]) -> str:
    """How a ticket of several wishes ends."""
    ends = {each.outcome for each in decisions}
    return OUTCOMES[ends.pop()] if len(ends) == 1 else "in-part"


def typed(card: Mapping[str, str]) -> dict[str, str]:
    """As the form takes it."""
    return {
        "card-number": re.sub(r"\D", "", card["card"]),
        "expiry": request_reader.expiry(card["expiry"]),
        "cvc": card["cvc"],
    }
