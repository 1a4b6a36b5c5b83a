"""Number the past orders of a customer's account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random

from sites.store.market.account.account import MarketOrder
from sites.store.market.account.draw import FIRST_NUMBER


def numbered(orders: Sequence[MarketOrder], rng: Random) -> list[MarketOrder]:
    """Return the orders, the newest first, with numbers that rise with their days."""
    numbers = (FIRST_NUMBER + 4_000 + step * 3_000 + rng.randrange(3_000) for step in count())
    in_turn = sorted(orders, key=lambda each: each.placed)
    return [replace(each, number=str(next(numbers))) for each in in_turn][::-1]
