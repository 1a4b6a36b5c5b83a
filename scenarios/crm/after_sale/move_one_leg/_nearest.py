"""The offer nearest in time to the present flight, among the offers that meet a request's
conditions.

Each condition excludes a nearer offer. If nothing is to fit, each condition excludes an offer that
all other conditions admit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from scenarios.crm.airline_desk.fits import WAITS, Condition, Option, fitting
from sites.crm.airline_desk.model import prices
from sites.crm.base.network import Offer

MEASURES = DEPARTURE, ARRIVAL = "departure", "arrival"
CLEAR_MINUTES = 10
"""Minutes by which the second nearest offer must be farther away than the nearest, and which limits
keep from every time.
"""
GRID = 30
LONG_WAITS = (*WAITS, 180, 210, 240)


@dataclass(frozen=True)
class Wish:
    """A wish to move to the offer that is nearest in time to the present one and meets conditions.

    Attributes:
        measure: Whether departures or arrivals are compared.
        target: The right offer, or None if no offer meets the conditions.
        instead: For each condition, the offer that would be right without it.
    """

    present: Offer
    measure: str
    conditions: tuple[Condition, ...]
    target: Option | None
    instead: dict[str, Option]


def apart(present: Offer, measure: str) -> Callable[[Option], int]:
    """Return a function from an offer to the minutes between its time of day and that of the
    present offer.
    """
    if measure == DEPARTURE:
        return lambda option: abs(option.offer.departs - present.departs)
    return lambda option: abs(option.offer.arrives - present.arrives)


def can_be_measured(present: Offer, found: Sequence[Option], measure: str) -> bool:
    """Return whether the offers' times can be compared; arrivals can only if all are on the day of
    departure.
    """
    all_ = [present, *(each.offer for each in found)]
    return measure == DEPARTURE or not any(each.days for each in all_)


def options(offers: Sequence[Offer], brand: str, kinds: Sequence[str]) -> list[Option]:
    """Return the offers with seats for the party in the fare brand, with their prices."""
    seats = sum(kind != "infant" for kind in kinds)
    return [
        Option(each.date, each, brand, prices.fares(each.fare(brand).price, kinds))
        for each in offers
        if each.fare(brand).seats >= seats
    ]


def draw(
    rng: Random,
    present: Offer,
    measure: str,
    found: Sequence[Option],
    size: int,
    *,
    possible: bool,
) -> Wish | None:
    """Draw conditions on the wanted offer, each of which is needed, or return None.

    Args:
        size: The number of conditions.
        possible: Whether an offer meets the conditions; otherwise none does.
    """
    if not possible:
        return _impossible(rng, present, measure, found, size)
    far = apart(present, measure)
    ordered = sorted(found, key=far)
    later = ordered[size:]
    for target in rng.sample(later, len(later)):
        close = [each for each in ordered if far(each) < far(target) + CLEAR_MINUTES]
        close = [each for each in close if each != target]
        nearer = [each for each in close if far(each) < far(target)]
        able = [*_candidates(target, found, present)]
        chosen = _needed(rng, able, close, nearer, size)
        fits = fitting(found, chosen) if chosen else []
        if len(fits) > 1 and _is_nearest_around(target, fits, far):
            return Wish(present, measure, chosen, target, _instead(ordered, chosen))
    return None


def _is_nearest_around(
    target: Option, fits: Sequence[Option], far: Callable[[Option], int]
) -> bool:
    """Return whether the target stays the nearest offer if times of day are compared across
    midnight.
    """

    def around(option: Option) -> int:
        return min(far(option), 24 * 60 - far(option))

    return all(around(each) >= around(target) + CLEAR_MINUTES for each in fits if each != target)


def _impossible(
    rng: Random, present: Offer, measure: str, found: Sequence[Option], size: int
) -> Wish | None:
    """Draw conditions that no offer meets together, taken from two offers that meet them partly;
    None if there are none.
    """
    if len(found) < size:
        return None
    ordered = sorted(found, key=apart(present, measure))
    able = [
        each for option in rng.sample(ordered, 2) for each in _candidates(option, found, present)
    ]
    chosen = _needed(rng, able, ordered, ordered, size)
    return Wish(present, measure, chosen, None, _instead(ordered, chosen)) if chosen else None


def _instead(ordered: Sequence[Option], chosen: Sequence[Condition]) -> dict[str, Option]:
    return {
        each.kind: fitting(ordered, [other for other in chosen if other != each])[0]
        for each in chosen
    }


def _needed(
    rng: Random,
    able: Sequence[Condition],
    close: Sequence[Option],
    nearer: Sequence[Option],
    size: int,
) -> tuple[Condition, ...]:
    """Choose conditions that exclude all close offers and are all needed, or return ().

    Args:
        able: The possible conditions.
        close: Offers that must be excluded.
        nearer: Offers nearer than the target; each condition must be alone in excluding some of
            them.
        size: The number of conditions.
    """
    able = _different(rng, able, close, nearer)
    masks, better = ({_mask(able, option) for option in each} for each in (close, nearer))
    if len(able) < size or len(better) < size or 0 in masks:
        return ()
    sets = [*combinations(range(len(able)), size)]
    for places in rng.sample(sets, len(sets)):
        chosen = sum(1 << at for at in places)
        left, single = ({mask & chosen for mask in each} for each in (masks, better))
        distinct = len({able[at].kind for at in places}) == size
        if distinct and 0 not in left and all(1 << at in single for at in places):
            return tuple(able[at] for at in places)
    return ()


def _different(
    rng: Random, able: Sequence[Condition], close: Sequence[Option], nearer: Sequence[Option]
) -> list[Condition]:
    """Return the conditions that exclude some nearer offer, without conditions of the same kind
    that exclude the same offers.
    """
    found: dict[tuple[str, tuple[bool, ...]], Condition] = {}
    for each in rng.sample(able, len(able)):
        if not all(map(each.admits, nearer)):
            found.setdefault((each.kind, tuple(map(each.admits, close))), each)
    return [*found.values()]


def _mask(able: Sequence[Condition], option: Option) -> int:
    """Return a bit mask of the conditions that the offer does not meet."""
    return sum(1 << at for at, each in enumerate(able) if not each.admits(option))


def _candidates(target: Option, found: Sequence[Option], present: Offer) -> Iterator[Condition]:
    """Yield conditions that the target (the offer to be right) meets."""
    offer = target.offer
    if not offer.stops:
        yield Condition("direct")
    if offer.departs >= present.departs:
        yield Condition("later", present.departs)
    early = _times([each.offer.departs for each in found], offer.departs - 6 * GRID, offer.departs)
    yield from (Condition("after", each) for each in early)
    late = _times([each.offer.arrives for each in found], offer.arrives, offer.arrives + 6 * GRID)
    if not offer.days:
        yield from (Condition("by", each) for each in late)
    if offer.stops:
        yield from (Condition("wait", each) for each in LONG_WAITS if each <= offer.waiting)
    hubs = sorted({each.hub for each in found} - {"", target.hub})
    yield from (Condition("avoid", each) for each in hubs)


def _times(others: Sequence[int], first: int, last: int) -> list[int]:
    """Return the half hours between two minutes of the day that are clear of other times."""
    start = -(-max(0, first) // GRID) * GRID
    return [
        each
        for each in range(start, min(last, 24 * 60 - GRID) + 1, GRID)
        if all(abs(each - other) >= CLEAR_MINUTES for other in others)
    ]
