"""Drawing among a customer's orders: times as people tell them, and products bought then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from random import Random

from sites.months import MONTHS
from sites.store import StoreData, operations
from sites.store.account import Account, Order, OrderLine
from sites.store.clock import spoken

CANCELED = "Canceled"


def month(day: date) -> str:
    """March 2024"""
    return f"{MONTHS[day.month - 1]} {day.year}"


def at(when: str) -> str:
    """in March 2024, on March 14, 2024"""
    return f"{'on' if ',' in when else 'in'} {when}"


@dataclass(frozen=True)
class Bought:
    """A line of an order, the only order of the time that is told; `index` is its place."""

    index: int
    order: Order
    line: OrderLine
    name: str
    when: str
    """The time alone: "March 2024" or "March 14, 2024"."""

    @property
    def told(self) -> str:
        """ "in March 2024" or "on March 14, 2024"."""
        return at(self.when)


def bought(account: Account, rng: Random, data: StoreData) -> list[Bought]:
    """Every line that its product and its time name without doubt, in a drawn order."""
    found = list(_bought(account, rng, data))
    rng.shuffle(found)
    return found


def _bought(account: Account, rng: Random, data: StoreData) -> Iterator[Bought]:
    busy = Counter(month(each.placed) for each in account.orders)
    for index, order in enumerate(account.orders):
        if order.status == CANCELED:
            continue
        alone = busy[month(order.placed)] == 1 and rng.random() < 0.7
        when = month(order.placed) if alone else spoken(order.placed)
        for line in order.lines:
            yield Bought(index, order, line, operations.product(data, line.asin).name, when)
