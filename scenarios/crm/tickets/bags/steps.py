"""The forms by which a desk changes bags."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.crm.airline_desk.forms import Errand
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import Collect, SetBags
from scenarios.crm.tickets import ticket_forms
from scenarios.crm.tickets.bags.case import BagsCase
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.operations.seating import bags_key

SOLD = {"control": "charge", "recorded": {"fee": "bags"}}
COLLECTED = {"control": "charge", "recorded": {"fee": "balance"}}


def collected(case: BagsCase, number: int, decision: Decision) -> Iterator[Errand]:
    for each in decision.changes:
        if isinstance(each, Collect):
            yield ticket_forms.offer(number, "fee", each.amount)
            yield charged(case, "balance", each.amount)


def packed(case: BagsCase, bags: SetBags) -> Iterator[Errand]:
    """The pieces of those who have other ones than before, at most as many as a form takes."""
    values = {
        bags_key(who, way): str(min(pieces, prices.MOST_BAGS))
        for way, who, pieces in bags.pieces
        if pieces != case.old(way, who)
    }
    if values:
        yield Errand("bags", (case.held.reference,), "save-bags", values)


def charged(case: BagsCase, kind: str, amount: int) -> Errand:
    owed = {"fee-kind": kind, "fee-amount": str(amount), "card-amount": str(amount)}
    return Errand("charge", (case.held.reference,), "charge", {**owed, **case.card})
