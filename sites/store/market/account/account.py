"""The account of a signed-in customer: addresses, cards, codes, orders and shared lists.

Amounts are whole cents. `from_json` reverses `to_json`.
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
    """A payment card: its brand and its last four digits."""

    brand: str
    last: str

    @property
    def name(self) -> str:
        return f"{self.brand} ending {self.last}"


@dataclass(frozen=True)
class Refund:
    """An amount that the shop paid back for an order, with the reason."""

    day: date
    cents: int
    reason: str


@dataclass(frozen=True)
class MarketLine:
    """A line of an order: a product, its options and the number of pieces.

    Attributes:
        cents: The price of one piece at the time of the order.
        revision: The revision of the product that was delivered; "" if it has none.
    """

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
    """An order as My Orders shows it. Amounts are cents.

    Attributes:
        ship_to: The address at the time of the order.
        method: The name of the delivery method; "" for an order without a cart, for which
            only the goods were charged.
        delivered: The day of the delivery; None until the order arrives.
        discount: The sum of all reductions.
        extras: The sum of all charges other than postage and tax.
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
        """The sum of the order's lines, in cents."""
        return sum(line.total for line in self.lines)

    @property
    def total(self) -> int:
        """The amount that was charged for the order, in cents, before any refund."""
        return self.goods - self.discount + self.postage + self.extras + self.tax


@dataclass(frozen=True)
class SharedList:
    """A wish list that another person shares with the customer: its asins (product codes) in the
    order in which they were added.
    """

    person: str
    asins: tuple[str, ...]


@dataclass(frozen=True)
class MarketAccount:
    """The account of a customer of the market.

    Attributes:
        addresses: The address book; the first address is the default.
        notes: The customer's own note for each address, "" for none.
        cards: The payment cards; the first card is the default.
        orders: The orders, the newest first.
        wishes: The asins on the wish list.
    """

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
        """Return the account as JSON; the key `wishes` is left out if the wish list is empty."""
        kind, unnamed = adapter(MarketAccount), None if self.wishes else {"wishes"}
        fields: dict[str, Any] = kind.dump_python(self, mode="json", exclude=unnamed)
        return fields

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> MarketAccount:
        """Return the account that `to_json` has written."""
        account: MarketAccount = adapter(MarketAccount).validate_python(fields)
        return account


def code_from(rule: str) -> Code:
    """Return the discount code in a row of the table of codes, parsed from its JSON `rule`."""
    code: Code = adapter(Code).validate_json(rule)
    return code
