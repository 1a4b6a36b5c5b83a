"""The forms by which a desk gives money back."""

from __future__ import annotations

from scenarios.crm.airline_desk.forms import Errand
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import Act, Cancel, Collect, Refund
from scenarios.crm.tickets import ticket_forms
from scenarios.crm.tickets.refund.case import RefundCase

CHANGING = ("confirm-cancel", "give-refund", "charge", "add-note")
"""What may be pressed for who has the right to ask."""


def forms(case: RefundCase, number: int, decision: Decision) -> list[Errand]:
    """Return the forms of a decision, in turn: offers, what was not paid yet, money back."""
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
    return steps


def as_asked(case: RefundCase) -> Decision:
    """Return all money to where it came from, as the mail asks; no handbook was read."""
    paid = case.facts.booking.payments
    changes: tuple[Act, ...] = (*(Refund(each.number, each.left) for each in paid), Cancel())
    return Decision(changes, "done", sum(each.left for each in paid), offer=True)
