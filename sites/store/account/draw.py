"""Draw the account of a customer who buys without a cart: orders and addresses from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from random import Random

from sites.store.account.account import COUNTRIES, OPEN_STATUSES, Address
from sites.store.catalogue.clock import TODAY
from sites.store.catalogue.product import Product
from sites.store.catalogue.tables import words
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder
from sites.store.shop import operations
from sites.store.shop.data import StoreData

ORDERS, LINES = range(18, 31), (1, 1, 1, 2, 2, 3)
DAYS = 913
"""The largest age of randomly drawn orders in days (two and a half years)."""
RECENT_DAYS = 150
FIRST_NUMBER, MOST_BETWEEN = 100_000_000, 4_000
QUANTITIES = (1, 1, 1, 1, 2, 3)
DISCOUNTS = (1.0, 1.0, 1.0, 0.95, 0.9, 0.8)
"""Possible prices at the time of an order, as shares of today's price."""


def draw_account(rng: Random, data: StoreData) -> MarketAccount:
    """Draw a customer's account with 18 to 30 orders of 1 to 3 lines; the same random state gives
    the same account.

    Some products are ordered twice, perhaps with other options. Not every account has an order of
    every status.
    """
    lists = {**words("people"), **words("accounts")}
    first = rng.choice(lists["people"]).split()[0]
    family = rng.choice(lists["family_names"])
    name = f"{first} {family}"
    addresses = tuple(_address(name, lists, rng) for _ in range(2))
    return MarketAccount(
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


def _orders(addresses: Sequence[Address], data: StoreData, rng: Random) -> list[MarketOrder]:
    """Draw the customer's orders in the order of their dates; return them with the newest first."""
    ages = sorted(rng.sample(range(1, DAYS), rng.choice(ORDERS)), reverse=True)
    statuses = rng.sample(OPEN_STATUSES, rng.randint(2, len(OPEN_STATUSES)))
    number = FIRST_NUMBER + rng.randrange(MOST_BETWEEN)
    bought: list[Product] = []
    orders: list[MarketOrder] = []
    for age in ages:
        number += rng.randint(1, MOST_BETWEEN)
        lines = tuple(_lines(bought, data, rng))
        orders.append(
            MarketOrder(
                number=str(number),
                placed=TODAY - timedelta(days=age),
                status=_status(age, statuses, rng),
                lines=lines,
                ship_to=addresses[0] if rng.random() < 0.8 else addresses[1],
                method="",
            )
        )
    return orders[::-1]


def _status(age: int, of_open: Sequence[str], rng: Random) -> str:
    """Draw an order's status from its age in days: most orders are complete, few old ones open."""
    if rng.random() < (0.6 if age <= RECENT_DAYS else 0.12):
        return rng.choice(of_open)
    return "Canceled" if rng.random() < 0.25 else "Complete"


def _lines(bought: list[Product], data: StoreData, rng: Random) -> Iterator[MarketLine]:
    """Draw one to three lines of an order, all of different products, and add these products to
    `bought`.
    """
    inside: set[str] = set()
    for _ in range(rng.choice(LINES)):
        product = rng.choice(bought) if bought and rng.random() < 0.15 else draw_product(rng, data)
        if product.asin in inside:
            continue
        inside.add(product.asin)
        bought.append(product)
        yield MarketLine(
            asin=product.asin,
            options={kind: rng.choice(given) for kind, given in product.options.items() if given},
            cents=round(round(product.price * rng.choice(DISCOUNTS), 2) * 100),
            quantity=rng.choice(QUANTITIES),
        )


def draw_product(rng: Random, data: StoreData) -> Product:
    """Draw a random product of the catalogue."""
    [asin] = data.catalogue.at([rng.randrange(len(data.catalogue))])
    return operations.product(data, asin)
