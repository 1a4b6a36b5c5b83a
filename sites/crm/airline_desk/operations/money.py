"""Money of a booking after the sale: give it back, charge a fee.

`values` are normal texts by the fields' keys. A wrong value raises `Invalid`, a booking that cannot
be changed `Refusal`; then nothing is changed. How much is charged or given back is up to the desk;
only more than was paid cannot be given back.
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
"""The kinds of fees."""
BALANCE = "balance"
"""The kind of a charge that pays what was charged before and is not paid yet."""


@dataclass(frozen=True)
class Paid:
    """A payment of a booking, and how much of it was given back."""

    number: int
    at: str
    method: str
    source: str
    amount: int
    refunded: int

    @property
    def left(self) -> int:
        return self.amount - self.refunded


def give_refund(world: World, reference: str, values: Values, version: int | None = None) -> None:
    """Give back what stands in `refund-amount.<number of the payment>`."""
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
    """Charge a fee: its kind (`fee-kind`), whom it is for (`passenger`: a number, or nothing for
    all), `fee-amount`, and what it is paid with, as in a sale."""
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


# What is known -----------------------------------------------------------------------------------


def paid(world: World, reference: str) -> tuple[Paid, ...]:
    """The payments of a booking, in their order."""
    rows = world.read(
        "SELECT number, at, method, source, payments.amount, (SELECT coalesce(sum(refunds.amount),"
        " 0) FROM refunds WHERE refunds.payment = payments.number) AS refunded"
        " FROM payments WHERE reference = ? ORDER BY number",
        (reference,),
    )
    return tuple(Paid(**row) for row in rows)


def unpaid(world: World, reference: str) -> int:
    """What was charged on a booking and is not paid."""
    if not has_tickets(world):
        return 0
    rows = world.read("SELECT balance FROM terms WHERE reference = ?", (reference,))
    return int(rows[0]["balance"]) if rows else 0


def fee_kinds(world: World, found: Booking) -> tuple[str, ...]:
    """The kinds of fees, and the balance where there is one."""
    return (*FEES, BALANCE) if unpaid(world, found.reference) else FEES


def fee(values: Values) -> int:
    """The amount of `fee-amount`; nothing is 0."""
    return forms.read(values, {"fee-amount": checks.amount})["fee-amount"]


def read_refunds(world: World, found: Booking, values: Values) -> dict[int, int]:
    """What is given back, by the number of the payment, of the fields `refund-amount.<number>`."""
    of = {f"refund-amount.{each.number}": each for each in paid(world, found.reference)}
    amounts = forms.read(values, dict.fromkeys(of, checks.amount))
    problems = {key: _too_much(of[key]) for key, amount in amounts.items() if amount > of[key].left}
    if problems:
        raise Invalid(problems)
    return {of[key].number: amount for key, amount in amounts.items() if amount}


# What is written ---------------------------------------------------------------------------------


def pay_back(world: World, found: Booking, refunds: Mapping[int, int]) -> None:
    """Write refunds by payment; what a voucher paid goes back to the voucher."""
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
    row = {"kind": kind, "passenger": passenger, "amount": amount}
    add(world, "fees", {"reference": found.reference, **row})


def _pay_balance(world: World, found: Booking, amount: int) -> None:
    left = unpaid(world, found.reference)
    if amount > left:
        raise Invalid({"fee-amount": f"{left} dollars are to be paid yet. Give no more."})
    world.write(
        "UPDATE terms SET balance = balance - ? WHERE reference = ?", (amount, found.reference)
    )


def _for_whom(found: Booking, text: str) -> str:
    typed = text.strip()
    if typed and typed not in {str(each.number) for each in found.passengers}:
        raise ValueError("Choose a traveller of this booking, or nobody.")
    return typed


def _too_much(one: Paid) -> str:
    if not one.left:
        return "All of this payment was given back already."
    return f"At most {one.left} dollars of this payment can be given back."


def _named(refunds: Mapping[int, int]) -> dict[str, int]:
    return {str(number): amount for number, amount in refunds.items()}
