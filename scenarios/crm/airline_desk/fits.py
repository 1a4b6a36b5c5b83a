"""Offers that a wish leaves: conditions of which each excludes a cheaper one.

The target is drawn first; then such conditions are looked for that it is the cheapest that meets
all of them, by `CLEAR_DOLLARS`, and that without any one of them something cheaper would be right.
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
"""No offer is so near to a limit of time."""
GRID = 30
FEWEST, MOST = 4, 6
"""So many conditions a wish has."""
TARGETS = 40
"""So many targets of a route are tried."""
WAITS = (75, 90, 100, 120, 150)


@dataclass(frozen=True)
class Option:
    """A fare of an offer, and what it costs a party with its bags."""

    day: str
    offer: Offer
    brand: str
    total: int

    @property
    def hub(self) -> str:
        return self.offer.flights[0].destination if self.offer.stops else ""


@dataclass(frozen=True)
class Condition:
    """`kind` and what it is about: minutes of the day, hours, minutes, a hub's code."""

    kind: str
    value: int | str = 0

    def admits(self, option: Option) -> bool:
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
    """`target` is right; `rivals` are by condition what would be right without it."""

    target: Option
    conditions: tuple[Condition, ...]
    rivals: Mapping[str, Option]


def options(
    network: Network, route: tuple[str, str], days: Sequence[str], kinds: Sequence[str]
) -> list[Option]:
    """All that has seats for the party, with a bag for each who has a seat; the cheapest first."""
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
    """A target and its conditions; None where none of those that are tried has any."""
    later = [option for option in found[FEWEST:] if option.brand != "business"]
    for target in rng.sample(later, min(TARGETS, len(later))):
        conditions = _conditions(rng, target, found)
        if conditions:
            rivals = {
                each.kind: fitting(found, [other for other in conditions if other != each])[0]
                for each in conditions
            }
            return Wish(target, conditions, rivals)
    return None


def fitting(found: Sequence[Option], conditions: Sequence[Condition]) -> list[Option]:
    """All that meet the conditions, the cheapest first."""
    return [each for each in found if all(one.admits(each) for one in conditions)]


def _conditions(
    rng: Random, target: Option, found: Sequence[Option]
) -> tuple[Condition, ...] | None:
    """Conditions that leave the target as the cheapest, each needed for that."""
    able = [*_candidates(rng, target, found)]

    def excluded_by(limit: int) -> set[int]:
        """Of each option that costs less, which conditions exclude it, as bits."""
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
    """Whether the chosen conditions exclude every rival, and each alone something clearly cheaper:
    what costs the same must go too, but no wish becomes another one by it."""
    single = {mask & chosen for mask in cheaper}
    return all(mask & chosen for mask in rivals) and all(
        1 << at in single for at in range(chosen.bit_length()) if chosen >> at & 1
    )


def _candidates(rng: Random, target: Option, found: Sequence[Option]) -> Iterator[Condition]:
    """Conditions that the target meets, one of each kind."""
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
    """Not to leave before a time shortly before the target does."""
    own = target.offer.departs
    times = [each for each in _grid(own - 3 * GRID, own) if own - each >= CLEAR_MINUTES]
    clear = [time for time in times if _is_clear(time, [each.offer.departs for each in found])]
    if clear:
        yield Condition("after", rng.choice(clear))


def _late(rng: Random, target: Option, found: Sequence[Option]) -> Iterator[Condition]:
    """To arrive by a time shortly after the target does, on the same day."""
    own = target.offer.arrives
    times = [each for each in _grid(own, own + 3 * GRID) if each - own >= CLEAR_MINUTES]
    clear = [time for time in times if _is_clear(time, [each.offer.arrives for each in found])]
    if clear and not target.offer.days:
        yield Condition("by", rng.choice(clear))


def _grid(first: int, last: int) -> range:
    """Half hours of the day from one minute to another."""
    start = -(-max(0, first) // GRID) * GRID
    return range(start, min(last, 24 * 60 - GRID) + 1, GRID)


def _is_clear(time: int, others: Sequence[int]) -> bool:
    return all(abs(time - each) >= CLEAR_MINUTES for each in others)
