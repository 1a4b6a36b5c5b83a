"""What travelling costs besides an adult's fare, in whole dollars, and what a brand includes.

Seats have their prices in the cabin. The figures stand on the pages, not in prompts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

INFANT = 30
"""For each direction."""
CHILD_PERCENT = 75
"""Of an adult's fare, rounded up to a dollar."""
MOST_BAGS = 4
"""Of one passenger in one direction."""


@dataclass(frozen=True)
class BrandRules:
    """`bags` are included for each passenger with a seat; a further one costs `bag` for each
    direction. `change_fee` is for each passenger; None: it may not be changed. `refund`: whether
    all is paid back."""

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
    """What one passenger of a kind pays for a direction that costs an adult so much."""
    if kind == "infant":
        return INFANT
    return adult if kind == "adult" else -(-adult * CHILD_PERCENT // 100)


def fares(adult: int, kinds: Iterable[str]) -> int:
    """What a party pays for a direction."""
    return sum(fare(adult, kind) for kind in kinds)


def bags(brand: str, pieces: int) -> int:
    """What so many bags of one passenger cost in one direction."""
    rules = BRAND_RULES[brand]
    return max(0, pieces - rules.bags) * rules.bag
