"""The outlet's products: some of the market's products, shown as another shop would show them.

Measures are metric, sizes European, and prices without tax. Both shops show a product's maker's
number, which is drawn from its asin (product code); nothing else identifies the product in both.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from sites.store.market.goods import charts, goods
from sites.store.market.goods.goods import Good
from sites.store.market.goods.units import METRIC
from sites.store.market.offers import USUAL
from sites.store.market.pricing import half_up
from sites.store.market.shops import OUTLET

ONE_IN = 3
"""The outlet sells one in this number of the market's designs, roughly."""
TAX = USUAL[OUTLET].tax
"""The tax on the outlet's prices, in thousandths, unless a visitor's special rules say
otherwise.
"""
FACTOR = (0.78, 1.0)
NUMBER = re.compile(r"[A-Z]{2}-\d{4}-[A-Z]")
LETTERS = "ABCDEFGHKLMNPRSTVX"


@cache
def sold() -> Mapping[str, Good]:
    """Return the outlet's products by asin (product code); of a design it sells either all similar
    products (siblings) or none.
    """
    return {asin: _as_sold(good) for asin, good in goods.goods().items() if _is_sold(good)}


def _is_sold(good: Good) -> bool:
    return hashlib.sha256(f"outlet/{good.design}".encode()).digest()[0] % ONE_IN == 0


def _as_sold(good: Good) -> Good:
    sizes = charts.options(good.kind.name, good.brand, METRIC, good.model)
    return replace(
        good, convention=METRIC, price=_price(good) / 100, options={**good.options, **sizes}
    )


def _price(good: Good) -> int:
    """Return a product's price in the outlet before tax, in cents.

    It is similar for siblings, and mostly lower than in the store.
    """
    usual = random.Random(f"outlet/price/{good.design}").uniform(*FACTOR)
    own = usual * random.Random(f"outlet/price/{good.asin}").uniform(0.97, 1.03)
    return int(good.price * own) * 100 + 50


@cache
def _numbers() -> Mapping[str, str]:
    """Return the maker's numbers of all products of the market, by asin (product code).

    The numbers of siblings differ in the last letter.
    """
    last: dict[str, int] = {}
    numbers = {}
    for asin, good in goods.goods().items():
        place = last[good.design] = last.get(good.design, -1) + 1
        rng = random.Random(f"outlet/number/{good.design}")
        start = "".join(rng.sample(LETTERS, 2))
        numbers[asin] = f"{start}-{rng.randrange(1000, 10_000)}-{chr(ord('A') + place)}"
    return numbers


def maker_number(asin: str) -> str:
    """Return the number that the maker gave a product, such as `KX-2207-B`; both shops show it."""
    return _numbers()[asin]


@cache
def by_number() -> Mapping[str, Good]:
    """Return the outlet's products by their maker's number."""
    return {maker_number(asin): good for asin, good in sold().items()}


def title(good: Good) -> str:
    """Return the title of a product in the outlet: its maker's number and its design."""
    return f"{maker_number(good.asin)} {good.design}"


def slug(good: Good) -> str:
    """Return the part of the address of a product's page that names the product, such as
    `kx-2207-b-acme-desk`.
    """
    return re.sub(r"[^a-z0-9]+", "-", title(good).lower()).strip("-")


@cache
def by_slug() -> Mapping[str, Good]:
    """Return the outlet's products by the part of their page's address that names them."""
    return {slug(good): good for good in sold().values()}


def net_cents(good: Good) -> int:
    """Return a product's price before tax, in cents."""
    return round(good.price * 100)


def tax_cents(good: Good) -> int:
    """Return the tax on a product's price, in cents."""
    return half_up(net_cents(good) * TAX, 1000)


def gross_cents(good: Good) -> int:
    """Return the amount that a customer pays for a product, in cents."""
    return net_cents(good) + tax_cents(good)
