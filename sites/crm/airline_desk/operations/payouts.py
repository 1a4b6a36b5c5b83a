"""Money that is given to customers: for a late flight, meals, a hotel, for a bag that was lost.

`values` are normal texts by the fields' keys. A wrong value raises `Invalid`, a booking that cannot
be changed `Refusal`; then nothing is changed. How much is given is up to the desk.
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
"""What money is given for; the fields are `payout-<kind>`."""


def give_payout(world: World, reference: str, values: Values, version: int | None = None) -> None:
    """Give the party of a booking what stands in `payout-<kind>`, a row for each kind."""
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
    """What was given on a booking, in order."""
    return world.read(
        "SELECT kind, amount FROM payouts WHERE reference = ? ORDER BY number", (reference,)
    )
