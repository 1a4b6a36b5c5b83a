"""Sizes of options with a number and a unit, such as 0.5 l, as the shop's families draw them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scenarios.kit import Draw, Found
from sites.shop.texts import CATEGORIES

OPTIONS = "SELECT * FROM variants WHERE product = ? ORDER BY price, sku"
MEASURE = re.compile(r"([0-9.]+) ([a-z]+)")
MEASURED = tuple(
    each.name for each in CATEGORIES.values() if all(map(MEASURE.fullmatch, each.sizes))
)
"""The categories whose sizes are a number and a unit."""


@dataclass(frozen=True)
class Option:
    """An option of a product whose size has a number and a unit.

    Attributes:
        sku: The number of the variant.
        product: The number of the product.
        colour: Its colour; "" for none.
        size: The number of its size.
        unit: The unit of its size.
        price: Its price in cents.
    """

    sku: str
    product: str
    colour: str
    size: float
    unit: str
    price: int


def options(d: Draw, product: Found) -> list[Option]:
    """Return the options of a product that have a measured size, the cheapest first."""
    read = [(row, MEASURE.fullmatch(row.size)) for row in d.all(OPTIONS, product.sku)]
    return [
        Option(row.sku, row.product, row.colour, float(found[1]), found[2], row.price)
        for row, found in read
        if found
    ]


def between(d: Draw, sizes: list[float]) -> str:
    """Draw a number above one size and below, or equal to, the next larger one."""
    at = d.rng.randrange(1, len(sizes))
    low, high = sizes[at - 1], sizes[at]
    return f"{d.some(((low + high) / 2, high)):g}"
