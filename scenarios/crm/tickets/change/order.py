"""Orders of preference for the flights of a day in which no two flights are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from sites.crm.base.network import Offer
from sites.crm.base.timetable import DAY

ARRIVES, LEAVES, NEAR, NAMED = "arrives", "leaves", "near", "named"
"""Earliest arrival, latest departure, departure nearest to a time, or a named flight."""
FEWEST = 5
"""The least number of offers in an order."""
GRID, EARLIEST, LATEST = 30, 8 * 60, 20 * 60


@dataclass(frozen=True)
class Order:
    """Offers of flights in the customer's order of preference; `clock` is the preferred departure
    in minutes after midnight.
    """

    kind: str
    offers: tuple[Offer, ...]
    clock: int = 0


def orders(offers: Sequence[Offer]) -> Iterator[Order]:
    """Yield every order of preference for these offers in which no two offers rank equal."""
    if len(offers) < FEWEST:
        return
    for kind, clock, key in _keys():
        if len({key(each) for each in offers}) == len(offers):
            yield Order(kind, tuple(sorted(offers, key=key)), clock)


def by_times(rng: Random, offers: Sequence[Offer], able: Sequence[Offer]) -> Order | None:
    """Return an order that names a single flight by its times; None if no offer has times of its
    own.
    """
    ends = [(each.departs, each.arrives) for each in offers]
    unique = [each for each in able if ends.count((each.departs, each.arrives)) == 1]
    return Order(NAMED, (rng.choice(unique),)) if unique else None


def _keys() -> Iterator[tuple[str, int, Callable[[Offer], int]]]:
    yield ARRIVES, 0, lambda each: each.days * DAY + each.arrives
    yield LEAVES, 0, lambda each: -each.departs
    for clock in range(EARLIEST, LATEST, GRID):
        yield NEAR, clock, partial(_apart, clock)


def _apart(clock: int, offer: Offer) -> int:
    return abs(offer.departs - clock)
