"""Vouchers of a booking's customer: issue a new one, extend an old one.

`values` are the normal texts of a form by the fields' keys. A wrong value raises `Invalid`, and a
booking that cannot be changed raises `Refusal`; then nothing is changed. The operations do not
check whether the amount and the day are right.
"""

from __future__ import annotations

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import booked, checks
from sites.crm.base import fields, forms
from sites.crm.base.forms import Invalid
from sites.site_app import Refusal
from sites.world import Row, World


def issue_voucher(world: World, reference: str, values: Values, version: int | None = None) -> str:
    """Issue a new voucher to the customer of a booking and return its code.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `voucher-worth` in dollars and `voucher-until`, its last day.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("issue-voucher", (reference,))
    with booked.change(world, "issue-voucher", place, values, version) as (found, entry):
        if found.customer is None:
            raise Refusal(409, f"Booking {found.reference} has no customer to give a voucher to.")
        readers = {"voucher-worth": _worth, "voucher-until": fields.day}
        read = forms.read(values, readers)
        code = _new_code(world, found)
        row = {"customer": found.customer, "balance": int(read["voucher-worth"])}
        add(world, "vouchers", {"code": code, **row, "expires": read["voucher-until"]})
        entry.recorded = {"voucher": code}
        entry.slots = {**entry.slots, "amount": read["voucher-worth"]}
    return code


def extend_voucher(
    world: World, reference: str, values: Values, version: int | None = None
) -> None:
    """Extend a voucher of the booking's customer to a later last day.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `voucher-held`, its code, and `voucher-until`, its new last day.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("extend-voucher", (reference,))
    with booked.change(world, "extend-voucher", place, values, version) as (found, entry):
        known = [row["code"] for row in held(world, found)]
        readers = {"voucher-held": _code, "voucher-until": fields.day}
        read = forms.read(values, readers)
        if read["voucher-held"] not in known:
            raise Invalid({"voucher-held": "Choose a voucher of this customer."})
        world.write(
            "UPDATE vouchers SET expires = ? WHERE code = ?",
            (read["voucher-until"], read["voucher-held"]),
        )
        entry.recorded = dict(read)
        entry.slots = {**entry.slots, "voucher": read["voucher-held"]}


def held(world: World, found: Booking) -> list[Row]:
    """Return the vouchers of the booking's customer as rows, sorted by their last day."""
    return world.read(
        "SELECT code, balance, expires FROM vouchers WHERE customer = ? ORDER BY expires, code",
        (found.customer,),
    )


def _code(text: str) -> str:
    """Return a voucher's code in upper case without blanks."""
    return "".join(text.split()).upper()


def _worth(text: str) -> str:
    """Return the worth of a voucher in a text, which must not be 0, as text. Raises
    `ValueError`.
    """
    amount = checks.amount(text)
    if not amount:
        raise ValueError("Give what the voucher is worth.")
    return str(amount)


def _new_code(world: World, found: Booking) -> str:
    """Return a voucher code that is not used yet: the booking's reference and a number."""
    taken = {row["code"] for row in world.read("SELECT code FROM vouchers")}
    number = 1
    while (code := f"{found.reference}{number}") in taken:
        number += 1
    return code
