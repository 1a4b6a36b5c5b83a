"""The forms by which a desk gives money back."""

from __future__ import annotations

from scenarios.crm.airline_desk.forms import Errand
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import Cancel, Collect, Refund
from scenarios.crm.tickets import ticket_forms
from scenarios.crm.tickets.refund.case import RefundCase
from scenarios.crm.tickets.ticket_forms import NAIVE

NAME = "ticket_refund"
CHANGING = ("confirm-cancel", "give-refund", "charge", "add-note")
"""What may be pressed for who has the right to ask."""


def steps_of(case: RefundCase, number: int, decision: Decision, article: str = "") -> list[Errand]:
    """The forms of a decision, in turn: offers, what was not paid yet, money back, the end."""
    reference = (case.held.reference,)
    refunds = {each.payment: each.amount for each in decision.changes if isinstance(each, Refund)}
    due = [each.amount for each in decision.changes if isinstance(each, Collect)]
    steps = []
    if refunds:
        steps.append(ticket_forms.offer(number, "refund", sum(refunds.values())))
    for amount in due:
        steps.append(ticket_forms.offer(number, "fee", amount))
        owed = {"fee-kind": "balance", "fee-amount": str(amount), "card-amount": str(amount)}
        steps.append(Errand("charge", reference, "charge", {**owed, **case.card}))
    if any(isinstance(each, Cancel) for each in decision.changes):
        back = {f"refund-amount.{payment}": str(part) for payment, part in refunds.items()}
        steps.append(Errand("cancel", reference, "confirm-cancel", back))
    decides = article or next(iter(decision.grounds), NAIVE)
    return [*steps, ticket_forms.close(number, decision.outcome, decides, decision.amount)]
