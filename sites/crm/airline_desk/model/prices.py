"""The prices of a journey other than an adult's fare: infants, children, bags, and the rules of
fare brands.

The prices of seats are in the module `cabin`. The figures stand on the pages, not in prompts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

INFANT = 30
"""The price of an infant for each direction, in dollars."""
CHILD_PERCENT = 75
"""A child's fare as a percentage of an adult's, rounded up to a dollar."""
MOST_BAGS = 4
"""Maximum number of bags per passenger and direction."""


@dataclass(frozen=True)
class BrandRules:
    """The rules of a fare brand.

    Attributes:
        bags: The number of bags included for each passenger with a seat.
        bag: The price of a further bag for each direction.
        change_fee: The fee for each passenger; None means that the flights may not be changed.
        refund: Whether the whole price is refunded.
    """

    bags: int
    bag: int
    change_fee: int | None
    refund: bool


BRAND_RULES: Mapping[str, BrandRules] = {
    "light": BrandRules(0, 38, None, refund=False),
    "classic": BrandRules(0, 30, 50, refund=False),
    "flex": BrandRules(1, 30, 0, refund=False),
    "business": BrandRules(2, 30, 0, refund=True),
}


def fare(adult: int, kind: str) -> int:
    """Return the price of one passenger for a direction in dollars, given an adult's fare."""
    if kind == "infant":
        return INFANT
    return adult if kind == "adult" else -(-adult * CHILD_PERCENT // 100)


def fares(adult: int, kinds: Iterable[str]) -> int:
    """Return the price of several passengers for a direction in dollars, given an adult's fare."""
    return sum(fare(adult, kind) for kind in kinds)


def bags(brand: str, pieces: int) -> int:
    """Return the price in dollars of one passenger's bags in one direction."""
    rules = BRAND_RULES[brand]
    return max(0, pieces - rules.bags) * rules.bag
