"""Vouchers of a booking's customer: a new one is issued, an old one is good for longer.

`values` are normal texts by the fields' keys. A wrong value raises `Invalid`, a booking that cannot
be changed `Refusal`; then nothing is changed. How much one is worth, and how long, is up to the
desk.
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
    """Give the customer of a booking a voucher: `voucher-worth`, `voucher-until`. Its code."""
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
    """Have a voucher of the booking's customer, `voucher-held`, good until `voucher-until`."""
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
    """The vouchers of the booking's customer, by the day on which they end."""
    return world.read(
        "SELECT code, balance, expires FROM vouchers WHERE customer = ? ORDER BY expires, code",
        (found.customer,),
    )


def _code(text: str) -> str:
    return "".join(text.split()).upper()


def _worth(text: str) -> str:
    amount = checks.amount(text)
    if not amount:
        raise ValueError("Give what the voucher is worth.")
    return str(amount)


def _new_code(world: World, found: Booking) -> str:
    """One that no voucher has: the reference and a number."""
    taken = {row["code"] for row in world.read("SELECT code FROM vouchers")}
    number = 1
    while (code := f"{found.reference}{number}") in taken:
        number += 1
    return code
