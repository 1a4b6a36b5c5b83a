"""Which seeds methods play in the normal run, where any seed of a family would show the same."""

from __future__ import annotations

USUAL = 3
SHORT = {
    "cheaper_substitute": 0,
    "checkout_exact": 1,
    "fitting_set": 1,
    "gifts_for_people": 1,
    "ledger_audit": 1,
    "restock": 5,
    "return_by_policy": 0,
    "subscriptions_in_order": 34,
    "booking_figures": 7,
    "cancelled_flight": 11,
    "changes_in_one_call": 6,
    "find_by_name": 11,
    "move_one_leg": 10,
    "split_party": 4,
    "ticket_change": 7,
    "ticket_refund": 10,
}
"""Of families with long episodes a seed with a short one. At the airlines all three are met."""


def short_seed(family: str) -> int:
    """The seed of the family that the normal run plays."""
    return SHORT.get(family, USUAL)
