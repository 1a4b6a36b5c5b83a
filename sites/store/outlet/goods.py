"""What the outlet sells: some of the market's goods, as another shop would show them.

Measures are metric, sizes European, prices without tax. A good is known in both shops by its
maker's number only, which is drawn from its asin.
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
"""So many of the market's designs there are for one that the outlet sells."""
TAX = USUAL[OUTLET].tax
"""What comes on top of its prices where nothing else is said, in thousandths."""
FACTOR = (0.78, 1.0)
NUMBER = re.compile(r"[A-Z]{2}-\d{4}-[A-Z]")
LETTERS = "ABCDEFGHKLMNPRSTVX"


@cache
def sold() -> Mapping[str, Good]:
    """The outlet's goods by their asin; a design with all its siblings, or not at all."""
    return {asin: _as_sold(good) for asin, good in goods.goods().items() if _is_sold(good)}


def _is_sold(good: Good) -> bool:
    return hashlib.sha256(f"outlet/{good.design}".encode()).digest()[0] % ONE_IN == 0


def _as_sold(good: Good) -> Good:
    sizes = charts.options(good.kind.name, good.brand, METRIC, good.model)
    return replace(
        good, convention=METRIC, price=_price(good) / 100, options={**good.options, **sizes}
    )


def _price(good: Good) -> int:
    """Cents before tax: near for siblings, and mostly less than in the store."""
    usual = random.Random(f"outlet/price/{good.design}").uniform(*FACTOR)
    own = usual * random.Random(f"outlet/price/{good.asin}").uniform(0.97, 1.03)
    return int(good.price * own) * 100 + 50


@cache
def _numbers() -> Mapping[str, str]:
    """By asin; siblings differ in the last letter."""
    last: dict[str, int] = {}
    numbers = {}
    for asin, good in goods.goods().items():
        place = last[good.design] = last.get(good.design, -1) + 1
        rng = random.Random(f"outlet/number/{good.design}")
        start = "".join(rng.sample(LETTERS, 2))
        numbers[asin] = f"{start}-{rng.randrange(1000, 10_000)}-{chr(ord('A') + place)}"
    return numbers


def maker_number(asin: str) -> str:
    """The number that the maker gave a good, `KX-2207-B`: the same in every shop."""
    return _numbers()[asin]


@cache
def by_number() -> Mapping[str, Good]:
    """The outlet's goods by their maker's number."""
    return {maker_number(asin): good for asin, good in sold().items()}


def title(good: Good) -> str:
    return f"{maker_number(good.asin)} {good.design}"


def slug(good: Good) -> str:
    """What stands in the address of a good's page."""
    return re.sub(r"[^a-z0-9]+", "-", title(good).lower()).strip("-")


@cache
def by_slug() -> Mapping[str, Good]:
    return {slug(good): good for good in sold().values()}


def net_cents(good: Good) -> int:
    return round(good.price * 100)


def tax_cents(good: Good) -> int:
    return half_up(net_cents(good) * TAX, 1000)


def gross_cents(good: Good) -> int:
    """What a customer is charged."""
    return net_cents(good) + tax_cents(good)
