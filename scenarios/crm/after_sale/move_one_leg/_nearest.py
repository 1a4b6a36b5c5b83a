"""The flight that is nearest to a present one by the clock, of those that conditions leave.

Each condition excludes a nearer one. Where nothing is to fit, each of them leaves something that
only it excludes.
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
"""So much nearer the right flight is than the next one; no other is so near to a limit of time."""
GRID = 30
LONG_WAITS = (*WAITS, 180, 210, 240)


@dataclass(frozen=True)
class Wish:
    """What is nearest to the present offer in its measure and meets the conditions; `target` is
    None where nothing does. `rivals` are by condition what would be right without it."""

    present: Offer
    measure: str
    conditions: tuple[Condition, ...]
    target: Option | None
    rivals: dict[str, Option]


def apart(present: Offer, measure: str) -> Callable[[Option], int]:
    """How many minutes by the clock an option is from the present offer."""
    if measure == DEPARTURE:
        return lambda option: abs(option.offer.departs - present.departs)
    return lambda option: abs(option.offer.arrives - present.arrives)


def can_be_measured(present: Offer, found: Sequence[Option], measure: str) -> bool:
    """Arrivals are compared only where all are on the day of departure."""
    all_ = [present, *(each.offer for each in found)]
    return measure == DEPARTURE or not any(each.days for each in all_)


def options(offers: Sequence[Offer], brand: str, kinds: Sequence[str]) -> list[Option]:
    """Those that have seats in the brand for the party, with what they cost it."""
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
    """So many conditions of which each is needed, and which leave several; None where there are
    none."""
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
            return Wish(present, measure, chosen, target, _rivals(ordered, chosen))
    return None


def _is_nearest_around(
    target: Option, fits: Sequence[Option], far: Callable[[Option], int]
) -> bool:
    """Whether it is also the nearest for whoever lets the clock go on over midnight."""

    def around(option: Option) -> int:
        return min(far(option), 24 * 60 - far(option))

    return all(around(each) >= around(target) + CLEAR_MINUTES for each in fits if each != target)


def _impossible(
    rng: Random, present: Offer, measure: str, found: Sequence[Option], size: int
) -> Wish | None:
    """Conditions that one or the other of two offers meets, and none meets all."""
    if len(found) < size:
        return None
    ordered = sorted(found, key=apart(present, measure))
    able = [
        each for option in rng.sample(ordered, 2) for each in _candidates(option, found, present)
    ]
    chosen = _needed(rng, able, ordered, ordered, size)
    return Wish(present, measure, chosen, None, _rivals(ordered, chosen)) if chosen else None


def _rivals(ordered: Sequence[Option], chosen: Sequence[Condition]) -> dict[str, Option]:
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
    """Conditions that exclude all that is close, each of them something nearer alone; () where
    there are none."""
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
    """Those that exclude something nearer; one of each kind that exclude the same."""
    found: dict[tuple[str, tuple[bool, ...]], Condition] = {}
    for each in rng.sample(able, len(able)):
        if not all(map(each.admits, nearer)):
            found.setdefault((each.kind, tuple(map(each.admits, close))), each)
    return [*found.values()]


def _mask(able: Sequence[Condition], option: Option) -> int:
    """A bit for each condition that the option does not meet."""
    return sum(1 << at for at, each in enumerate(able) if not each.admits(option))


def _candidates(target: Option, found: Sequence[Option], present: Offer) -> Iterator[Condition]:
    """Conditions that the target meets."""
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
    """Half hours of the day from one minute to another to which nothing else is near."""
    start = -(-max(0, first) // GRID) * GRID
    return [
        each
        for each in range(start, min(last, 24 * 60 - GRID) + 1, GRID)
        if all(abs(each - other) >= CLEAR_MINUTES for other in others)
    ]
