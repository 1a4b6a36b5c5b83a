"""The account of a market's customer: addresses, cards, codes, orders and shared lists.

Amounts are whole cents. `to_json` and `from_json` are each other's inverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sites.store.account.account import Address
from sites.store.market.as_json import adapter
from sites.store.market.pricing import Code
from sites.store.market.shops import OUTLET as OUTLET
from sites.store.market.shops import STORE as STORE


@dataclass(frozen=True)
class Card:
    """A way to pay: its brand and its last four digits."""

    brand: str
    last: str

    @property
    def name(self) -> str:
        return f"{self.brand} ending {self.last}"


@dataclass(frozen=True)
class Refund:
    """What the shop paid back for an order, and why."""

    day: date
    cents: int
    reason: str


@dataclass(frozen=True)
class MarketLine:
    """`cents` is what one piece cost then; `revision` tells which make of the product it was."""

    asin: str
    cents: int
    quantity: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    revision: str = ""

    @property
    def total(self) -> int:
        return self.cents * self.quantity


@dataclass(frozen=True)
class MarketOrder:
    """An order as My Orders shows it.

    `ship_to` is the address as it was then. Of an order that has not arrived `delivered` is None.
    `discount` is all that was taken off, `extras` all that was added besides postage and tax. An
    order without a `method` costs its goods alone: it was placed without a cart.
    """

    number: str
    placed: date
    status: str
    lines: tuple[MarketLine, ...]
    ship_to: Address
    shop: str = STORE
    method: str = "Economy"
    delivered: date | None = None
    discount: int = 0
    postage: int = 0
    extras: int = 0
    tax: int = 0
    gift_text: str = ""
    refunds: tuple[Refund, ...] = ()

    @property
    def goods(self) -> int:
        return sum(line.total for line in self.lines)

    @property
    def total(self) -> int:
        """What was charged, before anything was paid back."""
        return self.goods - self.discount + self.postage + self.extras + self.tax


@dataclass(frozen=True)
class SharedList:
    """What somebody else would like to have, in the order in which they wrote it down."""

    person: str
    asins: tuple[str, ...]


@dataclass(frozen=True)
class MarketAccount:
    """`notes` are the customer's own, one for each address, "" where there is none. Orders are the
    newest first; the first address and the first card are the usual ones. `wishes` are the asins on
    the wish list."""

    name: str
    email: str
    addresses: tuple[Address, ...]
    notes: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    codes: tuple[Code, ...] = ()
    orders: tuple[MarketOrder, ...] = ()
    lists: tuple[SharedList, ...] = ()
    wishes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the account as JSON; without wishes it does not name them."""
        kind, unnamed = adapter(MarketAccount), None if self.wishes else {"wishes"}
        fields: dict[str, Any] = kind.dump_python(self, mode="json", exclude=unnamed)
        return fields

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> MarketAccount:
        account: MarketAccount = adapter(MarketAccount).validate_python(fields)
        return account


def code_from(rule: str) -> Code:
    """The code whose JSON a world's table of codes holds."""
    code: Code = adapter(Code).validate_json(rule)
    return code
