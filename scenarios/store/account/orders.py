"""Draw among a customer's orders: the products bought, and the times as people write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from random import Random

from sites.months import MONTHS
from sites.store import StoreData
from sites.store.catalogue.clock import spoken
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder
from sites.store.shop import operations

CANCELED = "Canceled"


def month(day: date) -> str:
    """Return the month of a day, such as "March 2024"."""
    return f"{MONTHS[day.month - 1]} {day.year}"


def at(when: str) -> str:
    """Return the time with its preposition: "in March 2024" or "on March 14, 2024"."""
    return f"{'on' if ',' in when else 'in'} {when}"


@dataclass(frozen=True)
class Bought:
    """An order line that can be asked for by its time: no other order has the time `when`.

    `index` is the position of the order in the customer's list.
    """

    index: int
    order: MarketOrder
    line: MarketLine
    name: str
    when: str
    """The time without a preposition: "March 2024" or "March 14, 2024"."""

    @property
    def at_time(self) -> str:
        """Return the time with its preposition: "in March 2024" or "on March 14, 2024"."""
        return at(self.when)


def bought(account: MarketAccount, rng: Random, data: StoreData) -> list[Bought]:
    """Return every order line that its product and its time identify, in a random order."""
    found = list(_bought(account, rng, data))
    rng.shuffle(found)
    return found


def _bought(account: MarketAccount, rng: Random, data: StoreData) -> Iterator[Bought]:
    busy = Counter(month(each.placed) for each in account.orders)
    for index, order in enumerate(account.orders):
        if order.status == CANCELED:
            continue
        by_month = busy[month(order.placed)] == 1 and rng.random() < 0.7
        when = month(order.placed) if by_month else spoken(order.placed)
        for line in order.lines:
            yield Bought(index, order, line, operations.product(data, line.asin).name, when)
