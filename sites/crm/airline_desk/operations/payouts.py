"""Payments to customers: for a late flight, meals, a hotel, or a lost bag.

`values` are the normal texts of a form by the fields' keys. A wrong value raises `Invalid`, and a
booking that cannot be changed raises `Refusal`; then nothing is changed. The operations do not
check whether an amount is right.
"""

from __future__ import annotations

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import booked, checks
from sites.crm.base import forms
from sites.crm.base.forms import Invalid
from sites.world import Row, World

KINDS = ("late", "meals", "hotel", "lost-bag")
"""The kinds of payments to customers. Their fields are `payout-<kind>`."""


def give_payout(world: World, reference: str, values: Values, version: int | None = None) -> None:
    """Pay money to the passengers of a booking; each kind of payment gets a row.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `payout-<kind>` in dollars.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("payout", (reference,))
    with booked.change(world, "give-payout", place, values, version) as (found, entry):
        amounts = forms.read(values, {f"payout-{each}": checks.amount for each in KINDS})
        total = sum(amounts.values())
        if not total:
            raise Invalid({f"payout-{KINDS[0]}": "Give an amount for one of these."})
        for kind in KINDS:
            amount = amounts[f"payout-{kind}"]
            if amount:
                row = {"reference": found.reference, "kind": kind, "amount": amount}
                add(world, "payouts", row)
        entry.recorded = {"payouts": {kind: amounts[f"payout-{kind}"] for kind in KINDS}}
        entry.slots = {**entry.slots, "amount": str(total)}


def given(world: World, reference: str) -> list[Row]:
    """Return the payments to the passengers of a booking, as rows with `kind` and `amount`, in
    order.
    """
    return world.read(
        "SELECT kind, amount FROM payouts WHERE reference = ? ORDER BY number", (reference,)
    )
