"""Conditions on a flight such that exactly one offer is the cheapest that meets all of them.

A target offer is drawn first. Then conditions are sought under which the target is the cheapest
offer by at least `CLEAR_DOLLARS`, and each condition is needed: without it a cheaper offer would be
right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from sites.crm.airline_desk.model import prices
from sites.crm.base.network import Network, Offer

CLEAR_DOLLARS = 2
CLEAR_MINUTES = 5
"""The fewest minutes between a time limit in a request and any offer's time."""
GRID = 30
FEWEST, MOST = 4, 6
"""The fewest and the most conditions in a wish."""
TARGETS = 40
"""The number of target offers (offers to be the right one) to try on a route."""
WAITS = (75, 90, 100, 120, 150)


@dataclass(frozen=True)
class Option:
    """An offer in one of its fare brands, with the total in dollars for the whole party and its
    bags.
    """

    day: str
    offer: Offer
    brand: str
    total: int

    @property
    def hub(self) -> str:
        return self.offer.flights[0].destination if self.offer.stops else ""


@dataclass(frozen=True)
class Condition:
    """A condition that a customer puts on a flight.

    Attributes:
        kind: A key of `_TESTS`, such as "direct" or "by".
        value: Depending on the kind, a minute of the day, hours, minutes or a hub's airport code.
    """

    kind: str
    value: int | str = 0

    def admits(self, option: Option) -> bool:
        """Return whether an option meets the condition."""
        return _TESTS[self.kind](option, self.value)


def _by(option: Option, value: int | str) -> bool:
    return not option.offer.days and option.offer.arrives <= int(value)


_TESTS: Mapping[str, Callable[[Option, int | str], bool]] = {
    "direct": lambda option, _: not option.offer.stops,
    "after": lambda option, value: option.offer.departs >= int(value),
    "later": lambda option, value: option.offer.departs >= int(value),
    "by": _by,
    "hours": lambda option, value: option.offer.minutes <= int(value) * 60,
    "wait": lambda option, value: not option.offer.stops or option.offer.waiting >= int(value),
    "avoid": lambda option, value: option.hub != value,
    "change": lambda option, _: prices.BRAND_RULES[option.brand].change_fee is not None,
    "free_change": lambda option, _: prices.BRAND_RULES[option.brand].change_fee == 0,
}


@dataclass(frozen=True)
class Wish:
    """A customer's conditions on a flight, and the right offer.

    Attributes:
        instead: For each kind of condition, the offer that would be right without it.
    """

    target: Option
    conditions: tuple[Condition, ...]
    instead: Mapping[str, Option]


def options(
    network: Network, route: tuple[str, str], days: Sequence[str], kinds: Sequence[str]
) -> list[Option]:
    """Return the offers by fare brand that have enough seats for the party, the cheapest first.

    Each total includes a bag for every passenger with a seat of their own.
    """
    seats = sum(kind != "infant" for kind in kinds)
    found = []
    for day in days:
        for offer in network.offers(*route, day):
            for fare in offer.fares:
                if fare.seats >= seats:
                    luggage = seats * prices.bags(fare.brand, 1)
                    total = prices.fares(fare.price, kinds) + luggage
                    found.append(Option(day, offer, fare.brand, total))
    return sorted(found, key=lambda each: (each.total, each.day, each.offer.id, each.brand))


def draw(rng: Random, found: Sequence[Option]) -> Wish | None:
    """Draw the offer to be right (the target) and conditions that make it so; None if no tried
    target has conditions.
    """
    later = [option for option in found[FEWEST:] if option.brand != "business"]
    for target in rng.sample(later, min(TARGETS, len(later))):
        conditions = _conditions(rng, target, found)
        if conditions:
            instead = {
                each.kind: fitting(found, [other for other in conditions if other != each])[0]
                for each in conditions
            }
            return Wish(target, conditions, instead)
    return None


def fitting(found: Sequence[Option], conditions: Sequence[Condition]) -> list[Option]:
    """Return the options that meet all conditions, the cheapest first."""
    return [each for each in found if all(one.admits(each) for one in conditions)]


def _conditions(
    rng: Random, target: Option, found: Sequence[Option]
) -> tuple[Condition, ...] | None:
    """Return conditions under which the target is the cheapest offer and each is needed; None if
    there are none.
    """
    able = [*_candidates(rng, target, found)]

    def excluded_by(limit: int) -> set[int]:
        """Return, for each option that costs less than `limit`, a bit mask of the conditions that
        exclude it.
        """
        return {
            sum(1 << at for at, each in enumerate(able) if not each.admits(option))
            for option in found
            if option != target and option.total < limit
        }

    rivals = excluded_by(target.total + CLEAR_DOLLARS)
    cheaper = excluded_by(target.total - CLEAR_DOLLARS + 1)
    if 0 in rivals:
        return None
    for size in rng.sample(range(FEWEST, MOST + 1), MOST + 1 - FEWEST):
        sets = [*combinations(range(len(able)), size)]
        for places in rng.sample(sets, len(sets)):
            if _is_needed(sum(1 << at for at in places), rivals, cheaper):
                return tuple(able[at] for at in places)
    return None


def _is_needed(chosen: int, rivals: set[int], cheaper: set[int]) -> bool:
    """Return whether the conditions in the bit mask `chosen` exclude every rival, and each of them
    is needed.

    A condition is needed if it alone excludes a clearly cheaper option; excluding options of nearly
    the same price is not enough.
    """
    single = {mask & chosen for mask in cheaper}
    return all(mask & chosen for mask in rivals) and all(
        1 << at in single for at in range(chosen.bit_length()) if chosen >> at & 1
    )


def _candidates(rng: Random, target: Option, found: Sequence[Option]) -> Iterator[Condition]:
    """Yield conditions that the target meets, at most one of each kind."""
    offer = target.offer
    if not offer.stops:
        yield Condition("direct")
    yield from _early(rng, target, found)
    yield from _late(rng, target, found)
    hours = offer.minutes // 60 + 1
    if all(abs(each.offer.minutes - hours * 60) >= CLEAR_MINUTES for each in found):
        yield Condition("hours", hours)
    if offer.stops:
        waits = [each for each in WAITS if each <= offer.waiting - CLEAR_MINUTES]
        yield from (Condition("wait", each) for each in waits[-1:])
    hubs = sorted({each.hub for each in found} - {"", target.hub})
    if hubs and (offer.stops or rng.random() < 0.3):
        yield Condition("avoid", rng.choice(hubs))
    if target.brand == "flex":
        yield Condition("free_change")
    elif target.brand == "classic":
        yield Condition("change")


def _early(rng: Random, target: Option, found: Sequence[Option]) -> Iterator[Condition]:
    """Yield a condition to leave no earlier than a time shortly before the target's departure."""
    own = target.offer.departs
    times = [each for each in _grid(own - 3 * GRID, own) if own - each >= CLEAR_MINUTES]
    clear = [time for time in times if _is_clear(time, [each.offer.departs for each in found])]
    if clear:
        yield Condition("after", rng.choice(clear))


def _late(rng: Random, target: Option, found: Sequence[Option]) -> Iterator[Condition]:
    """Yield a condition to arrive on the same day by a time shortly after the target does."""
    own = target.offer.arrives
    times = [each for each in _grid(own, own + 3 * GRID) if each - own >= CLEAR_MINUTES]
    clear = [time for time in times if _is_clear(time, [each.offer.arrives for each in found])]
    if clear and not target.offer.days:
        yield Condition("by", rng.choice(clear))


def _grid(first: int, last: int) -> range:
    """Return the half hours of the day from the minute `first` to the minute `last`."""
    start = -(-max(0, first) // GRID) * GRID
    return range(start, min(last, 24 * 60 - GRID) + 1, GRID)


def _is_clear(time: int, others: Sequence[int]) -> bool:
    return all(abs(time - each) >= CLEAR_MINUTES for each in others)
