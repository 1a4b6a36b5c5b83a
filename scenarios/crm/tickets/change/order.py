"""In which order the flights of a day are wished for, so that of two one comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from sites.crm.base.network import Offer
from sites.crm.base.timetable import DAY

ARRIVES, LEAVES, NEAR, NAMED = "arrives", "leaves", "near", "named"
"""First at the end, last at the start, nearest to a time at the start, or one flight alone."""
FEWEST = 5
"""So many offers an order has at least."""
GRID, EARLIEST, LATEST = 30, 8 * 60, 20 * 60


@dataclass(frozen=True)
class Order:
    """`offers` in the order of the wish; `clock` are the minutes of the time that they are to be
    near."""

    kind: str
    offers: tuple[Offer, ...]
    clock: int = 0


def orders(offers: Sequence[Offer]) -> Iterator[Order]:
    """All that tell the offers apart."""
    if len(offers) < FEWEST:
        return
    for kind, clock, key in _keys():
        if len({key(each) for each in offers}) == len(offers):
            yield Order(kind, tuple(sorted(offers, key=key)), clock)


def by_times(rng: Random, offers: Sequence[Offer], able: Sequence[Offer]) -> Order | None:
    """One of these, known by its times; None where another has the same."""
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
