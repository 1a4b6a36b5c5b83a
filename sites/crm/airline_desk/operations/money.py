"""Money of a booking after the sale: give it back or charge a fee.

`values` are the normal texts of a form by the fields' keys. A wrong value raises `Invalid`, and a
booking that cannot be changed raises `Refusal`; then nothing is changed. The operations do not
check whether an amount is right; only more than was paid cannot be given back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking
from sites.crm.airline_desk.model.world import add, has_tickets
from sites.crm.airline_desk.operations import booked, checks
from sites.crm.airline_desk.operations.paying import VOUCHER, payments
from sites.crm.airline_desk.operations.selling import BOUGHT
from sites.crm.base import fields, forms
from sites.crm.base.forms import Invalid
from sites.world import World

FEES = ("change", "name", "seats", "bags", "service")
"""The kinds of fees that can be charged on a booking."""
BALANCE = "balance"
"""The kind of charge that pays an unpaid balance of a booking."""


@dataclass(frozen=True)
class Paid:
    """A payment of a booking, with the amount of it that was given back."""

    number: int
    at: str
    method: str
    source: str
    amount: int
    refunded: int

    @property
    def left(self) -> int:
        """The dollars of the payment that can still be given back."""
        return self.amount - self.refunded


def give_refund(world: World, reference: str, values: Values, version: int | None = None) -> None:
    """Refund parts of a booking's payments.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `refund-amount.<number of the payment>`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("refund", (reference,))
    with booked.change(world, "give-refund", place, values, version) as (found, entry):
        refunds = read_refunds(world, found, values)
        if not refunds:
            first = next((each.number for each in paid(world, found.reference)), None)
            key = "" if first is None else f"refund-amount.{first}"
            raise Invalid({key: "Give the amount that is paid back."})
        pay_back(world, found, refunds)
        entry.recorded = {"refunds": _named(refunds)}


def charge(world: World, reference: str, values: Values, version: int | None = None) -> None:
    """Charge a fee on a booking and take the payment for it.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: The kind (`fee-kind`), the passenger (`passenger`: a number, or empty for all), the
            amount (`fee-amount`), and the payment as in a sale.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("charge", (reference,))
    with booked.change(world, "charge", place, values, version) as (found, entry):
        read = forms.read(
            values,
            {
                "fee-kind": lambda text: fields.choice(text, fee_kinds(world, found)),
                "passenger": lambda text: _for_whom(found, text),
            },
        )
        amount = fee(values)
        if not amount:
            raise Invalid({"fee-amount": "Give the amount of the fee."})
        sources = payments(world, values, amount)
        if read["fee-kind"] == BALANCE:
            _pay_balance(world, found, amount)
        else:
            add_fee(world, found, read["fee-kind"], amount, int(read["passenger"] or 0) or None)
        for each in sources:
            each.take(world, found.reference, BOUGHT)
        entry.recorded = {"fee": read["fee-kind"], "amount": amount}


# Queries -----------------------------------------------------------------------------------------


def paid(world: World, reference: str) -> tuple[Paid, ...]:
    """Return the payments of a booking, in order."""
    rows = world.read(
        "SELECT number, at, method, source, payments.amount, (SELECT coalesce(sum(refunds.amount),"
        " 0) FROM refunds WHERE refunds.payment = payments.number) AS refunded"
        " FROM payments WHERE reference = ? ORDER BY number",
        (reference,),
    )
    return tuple(Paid(**row) for row in rows)


def unpaid(world: World, reference: str) -> int:
    """Return the dollars that a booking still owes (charged but not paid)."""
    if not has_tickets(world):
        return 0
    rows = world.read("SELECT balance FROM terms WHERE reference = ?", (reference,))
    return int(rows[0]["balance"]) if rows else 0


def fee_kinds(world: World, found: Booking) -> tuple[str, ...]:
    """Return the kinds of charges that are possible: all fees, and `BALANCE` if the booking owes
    money.
    """
    return (*FEES, BALANCE) if unpaid(world, found.reference) else FEES


def fee(values: Values) -> int:
    """Return the fee that a form states in `fee-amount`, in dollars; an empty field is 0."""
    return forms.read(values, {"fee-amount": checks.amount})["fee-amount"]


def read_refunds(world: World, found: Booking, values: Values) -> dict[int, int]:
    """Return the refunds that a form states in `refund-amount.<number>`: dollars by number of the
    payment. Raises `Invalid`.
    """
    of = {f"refund-amount.{each.number}": each for each in paid(world, found.reference)}
    amounts = forms.read(values, dict.fromkeys(of, checks.amount))
    problems = {key: _too_much(of[key]) for key, amount in amounts.items() if amount > of[key].left}
    if problems:
        raise Invalid(problems)
    return {of[key].number: amount for key, amount in amounts.items() if amount}


# Writing -----------------------------------------------------------------------------------------


def pay_back(world: World, found: Booking, refunds: Mapping[int, int]) -> None:
    """Write refunds, given as dollars by payment, to the database. Money that a voucher paid goes
    back to the voucher.
    """
    of = {each.number: each for each in paid(world, found.reference)}
    for number, amount in refunds.items():
        row = {"reference": found.reference, "payment": number, "amount": amount}
        add(world, "refunds", row)
        if of[number].method == VOUCHER:
            world.write(
                "UPDATE vouchers SET balance = balance + ? WHERE code = ?",
                (amount, of[number].source),
            )


def add_fee(
    world: World, found: Booking, kind: str, amount: int, passenger: int | None = None
) -> None:
    """Write a fee of a booking to the database; without `passenger` it is for all."""
    row = {"kind": kind, "passenger": passenger, "amount": amount}
    add(world, "fees", {"reference": found.reference, **row})


def _pay_balance(world: World, found: Booking, amount: int) -> None:
    """Reduce the balance that a booking owes. Raises `Invalid` for more than that."""
    left = unpaid(world, found.reference)
    if amount > left:
        raise Invalid({"fee-amount": f"{left} dollars are to be paid yet. Give no more."})
    world.write(
        "UPDATE terms SET balance = balance - ? WHERE reference = ?", (amount, found.reference)
    )


def _for_whom(found: Booking, text: str) -> str:
    """Return the passenger number that a form's text states, "" for all. Raises `ValueError`."""
    typed = text.strip()
    if typed and typed not in {str(each.number) for each in found.passengers}:
        raise ValueError("Choose a traveller of this booking, or nobody.")
    return typed


def _too_much(one: Paid) -> str:
    """Return the error message for a refund that is too high."""
    if not one.left:
        return "All of this payment was given back already."
    return f"At most {one.left} dollars of this payment can be given back."


def _named(refunds: Mapping[int, int]) -> dict[str, int]:
    """Return refunds by payment with text keys, as JSON needs them."""
    return {str(number): amount for number, amount in refunds.items()}
