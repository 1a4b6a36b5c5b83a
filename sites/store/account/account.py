"""The account of a customer who has signed in: orders, addresses and wishes, drawn from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from sites.store.catalogue.clock import TODAY
from sites.store.catalogue.product import Product
from sites.store.catalogue.tables import words
from sites.store.shop import operations
from sites.store.shop.data import StoreData

STATUSES = ("Complete", "Processing", "Pending", "Shipped", "Canceled", "On Hold")
WAITING_STATUSES = ("Pending", "On Hold")
"""An order in one of these can still be sent to another address of the customer's."""
OPEN_STATUSES = tuple(status for status in STATUSES if status not in ("Complete", "Canceled"))
COUNTRIES = ("United States", "Canada", "United Kingdom", "Ireland", "Australia", "New Zealand")

ORDERS, LINES = range(18, 31), (1, 1, 1, 2, 2, 3)
DAYS = 913
"""Orders were placed in the two and a half years before today."""
RECENT_DAYS = 150
FIRST_NUMBER, MOST_BETWEEN = 100_000_000, 4_000
QUANTITIES = (1, 1, 1, 1, 2, 3)
DISCOUNTS = (1.0, 1.0, 1.0, 0.95, 0.9, 0.8)
"""What was paid then, as a share of today's price."""


@dataclass(frozen=True)
class Address:
    """`city` holds the state where there is one ("Fordville, SD")."""

    name: str
    street: str
    city: str
    postcode: str
    country: str
    phone: str


@dataclass(frozen=True)
class OrderLine:
    """`price` is what one piece cost, in dollars; `options` are those that were chosen."""

    asin: str
    options: dict[str, str]
    price: float
    quantity: int

    @property
    def subtotal(self) -> float:
        return round(self.price * self.quantity, 2)


@dataclass(frozen=True)
class Order:
    """`number` has nine digits; `ship_to` is the address as it was when the order was placed."""

    number: str
    placed: date
    status: str
    lines: tuple[OrderLine, ...]
    ship_to: Address

    @property
    def total(self) -> float:
        """The total in dollars that the order shows, whatever its status is."""
        return round(sum(line.subtotal for line in self.lines), 2)


@dataclass(frozen=True)
class Account:
    """`orders` are the newest first, of different days; the first address is the default."""

    name: str
    email: str
    orders: tuple[Order, ...]
    addresses: tuple[Address, ...]
    wishes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON from which `from_json` makes an equal account."""
        fields = asdict(self)
        for entry, order in zip(fields["orders"], self.orders, strict=True):
            entry["placed"] = order.placed.isoformat()
        return fields

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Account:
        return cls(
            name=fields["name"],
            email=fields["email"],
            orders=tuple(_order_from(entry) for entry in fields["orders"]),
            addresses=tuple(Address(**entry) for entry in fields["addresses"]),
            wishes=tuple(fields["wishes"]),
        )


def _order_from(fields: Mapping[str, Any]) -> Order:
    return Order(
        number=fields["number"],
        placed=date.fromisoformat(fields["placed"]),
        status=fields["status"],
        lines=tuple(OrderLine(**line) for line in fields["lines"]),
        ship_to=Address(**fields["ship_to"]),
    )


def draw_account(rng: Random, data: StoreData) -> Account:
    """A customer with 18 to 30 orders of 1 to 3 lines; the same draws give the same account.

    Some products are ordered twice, perhaps with other options. Not every account has an order of
    every status.
    """
    lists = {**words("people"), **words("accounts")}
    first = rng.choice(lists["people"]).split()[0]
    family = rng.choice(lists["family_names"])
    name = f"{first} {family}"
    addresses = tuple(_address(name, lists, rng) for _ in range(2))
    return Account(
        name=name,
        email=f"{first}.{family}@example.com".lower(),
        orders=tuple(_orders(addresses, data, rng)),
        addresses=addresses,
    )


def _address(name: str, lists: Mapping[str, Sequence[str]], rng: Random) -> Address:
    return Address(
        name=name,
        street=f"{rng.randint(1, 999)} {rng.choice(lists['streets'])}",
        city=rng.choice(lists["towns"]),
        postcode=f"{rng.randint(10_000, 99_999)}",
        country=COUNTRIES[0],
        phone=f"{rng.randint(201, 989)}-555-01{rng.randint(0, 99):02}",
    )


def _orders(addresses: Sequence[Address], data: StoreData, rng: Random) -> list[Order]:
    """Drawn in the order of their dates, returned the newest first."""
    ages = sorted(rng.sample(range(1, DAYS), rng.choice(ORDERS)), reverse=True)
    statuses = rng.sample(OPEN_STATUSES, rng.randint(2, len(OPEN_STATUSES)))
    number = FIRST_NUMBER + rng.randrange(MOST_BETWEEN)
    bought: list[Product] = []
    orders: list[Order] = []
    for age in ages:
        number += rng.randint(1, MOST_BETWEEN)
        lines = tuple(_lines(bought, data, rng))
        orders.append(
            Order(
                number=str(number),
                placed=TODAY - timedelta(days=age),
                status=_status(age, statuses, rng),
                lines=lines,
                ship_to=addresses[0] if rng.random() < 0.8 else addresses[1],
            )
        )
    return orders[::-1]


def _status(age: int, of_open: Sequence[str], rng: Random) -> str:
    """Most orders are complete; few old ones are still open."""
    if rng.random() < (0.6 if age <= RECENT_DAYS else 0.12):
        return rng.choice(of_open)
    return "Canceled" if rng.random() < 0.25 else "Complete"


def _lines(bought: list[Product], data: StoreData, rng: Random) -> Iterator[OrderLine]:
    """One to three different products; `bought` grows by them."""
    inside: set[str] = set()
    for _ in range(rng.choice(LINES)):
        product = rng.choice(bought) if bought and rng.random() < 0.15 else draw_product(rng, data)
        if product.asin in inside:
            continue
        inside.add(product.asin)
        bought.append(product)
        yield OrderLine(
            asin=product.asin,
            options={kind: rng.choice(given) for kind, given in product.options.items() if given},
            price=round(product.price * rng.choice(DISCOUNTS), 2),
            quantity=rng.choice(QUANTITIES),
        )


def draw_product(rng: Random, data: StoreData) -> Product:
    [asin] = data.catalogue.at([rng.randrange(len(data.catalogue))])
    return operations.product(data, asin)
