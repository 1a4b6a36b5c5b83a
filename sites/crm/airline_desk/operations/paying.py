"""Payments by voucher and by card, read from a form and written to the database."""

from __future__ import annotations

from dataclasses import dataclass

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import checks
from sites.crm.base import fields, forms
from sites.crm.base.clock import TODAY
from sites.crm.base.forms import Invalid
from sites.world import World

CARD, VOUCHER = "card", "voucher"


@dataclass(frozen=True)
class Payment:
    """A payment; `source` is the last four digits of a card, or the code of a voucher."""

    method: str
    source: str
    amount: int

    def take(self, world: World, reference: str, at: str) -> None:
        """Write the payment to the database and reduce the voucher's balance."""
        add(
            world,
            "payments",
            {
                "reference": reference,
                "at": at,
                "method": self.method,
                "source": self.source,
                "amount": self.amount,
            },
        )
        if self.method == VOUCHER:
            world.write(
                "UPDATE vouchers SET balance = balance - ? WHERE code = ?",
                (self.amount, self.source),
            )


def payments(world: World, values: Values, due: int) -> list[Payment]:
    """Return the payments that a form describes.

    Args:
        world: The visit's database (its world).
        values: `voucher`, `voucher-amount`, `card-amount`, `card-number`, `expiry` and `cvc`.
        due: The dollars to pay.

    Raises:
        Invalid: A value is wrong, or the amounts do not add up to `due`.
    """
    amounts = forms.read(values, {"voucher-amount": checks.amount, "card-amount": checks.amount})
    by_voucher, by_card = amounts["voucher-amount"], amounts["card-amount"]
    problems: dict[str, str] = {}
    found = []
    for read, amount in ((_voucher, by_voucher), (_card, by_card)):
        try:
            found += read(world, values, amount)
        except Invalid as problem:
            problems |= problem.errors
    if by_voucher + by_card != due:
        problems.setdefault(
            "card-amount", f"The amounts add up to {by_voucher + by_card}; {due} dollars are due."
        )
    if problems:
        raise Invalid(problems)
    return found


def _voucher(world: World, values: Values, amount: int) -> list[Payment]:
    """Return the payment by voucher that a form states, as a list of one; empty if there is none.
    Raises `Invalid`.
    """
    code = "".join(values.get("voucher", "").split()).upper()
    if not code and not amount:
        return []
    rows = world.read("SELECT * FROM vouchers WHERE code = ?", (code,))
    if not rows:
        raise Invalid({"voucher": f"There is no voucher {fields.short(code)}. Check its code."})
    if rows[0]["expires"] < TODAY.isoformat():
        raise Invalid({"voucher": "This voucher ran out. Take another one, or a card."})
    if not 1 <= amount <= rows[0]["balance"]:
        worth = rows[0]["balance"]
        raise Invalid({"voucher-amount": f"This voucher has {worth} dollars. Give 1 to {worth}."})
    return [Payment(VOUCHER, code, amount)]


def _card(world: World, values: Values, amount: int) -> list[Payment]:
    """Return the payment by card that a form states, as a list of one; empty if there is none.
    Raises `Invalid`.
    """
    typed = any(values.get(key, "").strip() for key in ("card-number", "expiry", "cvc"))
    if not amount and not typed:
        return []
    card = forms.read(
        values, {"card-number": fields.card_number, "expiry": fields.expiry, "cvc": fields.cvc}
    )
    if not amount:
        raise Invalid({"card-amount": "Give what the card pays, or leave the card out."})
    return [Payment(CARD, card["card-number"][-4:], amount)]
