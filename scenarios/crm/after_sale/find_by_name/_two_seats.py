"""Seats for an adult and a child: pairs of free seats, and a wish that exactly one pair meets.

Each condition of a wish excludes a pair that the wish would otherwise lead to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random

from sites.crm.airline_desk.model.cabin import Cabin

SHAPES: Mapping[str, tuple[tuple[str, str, int], ...]] = {
    "across": (("C", "D", 0),),
    "across, exchanged": (("D", "C", 0),),
    "window": (("B", "A", 0), ("E", "F", 0)),
    "aisle": (("C", "B", 0), ("D", "E", 0)),
    "behind": (("A", "A", -1), ("F", "F", -1)),
}
"""For each way to sit together: the letters of the adult's and the child's seat, and how many rows
the child sits behind.
"""
FREE, NO_EXIT = "free", "no exit"
FRONT, BACK = "front", "back"
FROM, UP_TO = "from", "up to"


@dataclass(frozen=True)
class Pair:
    """Two free seats for an adult and a child, the adult's first; `row` is the lower row number."""

    codes: tuple[str, str]
    row: int
    last_row: int
    exit: bool
    price: int


@dataclass(frozen=True)
class Wish:
    """A wish of two passengers to sit together.

    Attributes:
        cost: "free" for seats without a charge, or "no exit" for seats in no exit row.
        zone: ("from", 9) for row 9 or further back, or ("up to", 9) for row 9 or further forward.
        which: The end of the plane, front or back, to which the place must be nearest.
        instead: The seats that ignoring a condition would lead to, by that condition.
    """

    shape: str
    cost: str
    zone: tuple[str, int]
    which: str
    codes: tuple[str, str]
    instead: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def pairs(cabin: Cabin, shape: str) -> list[Pair]:
    """Return all pairs of free seats of a shape (such as "across" the aisle), from the front to the
    back.
    """
    return [each for row in cabin.rows for each in _pairs(cabin, shape, row)]


def _pairs(cabin: Cabin, shape: str, row: int) -> Iterator[Pair]:
    for grown, child, behind in SHAPES[shape]:
        codes = f"{row}{grown}", f"{row + behind}{child}"
        places = [cabin.places[code] for code in codes if code in cabin.places]
        if len(places) == len(codes) and all(place.free for place in places):
            rows = [place.row for place in places]
            is_exit = any(place.exit for place in places)
            price = max(place.price for place in places)
            yield Pair(codes, min(rows), max(rows), is_exit, price)


def allows(pair: Pair, cost: str, zone: tuple[str, int] | None) -> bool:
    """Return whether a pair of seats meets the conditions on its cost ("" for none) and its rows
    (None for none).
    """
    if (cost == FREE and pair.price) or (cost == NO_EXIT and pair.exit):
        return False
    side, row = zone or (FROM, 0)
    return pair.row >= row if side == FROM else pair.last_row <= row


def draw(rng: Random, cabin: Cabin) -> Wish | None:
    """Draw a wish to sit together, with equal chances for shapes and costs, or return None if none
    is possible.
    """
    kinds = [(shape, cost) for shape in SHAPES for cost in (FREE, NO_EXIT)]
    rng.shuffle(kinds)
    for kind in kinds:
        found = [*_wishes(cabin, *kind)]
        if found:
            return rng.choice(found)
    return None


def _wishes(cabin: Cabin, shape: str, cost: str) -> Iterator[Wish]:
    able = pairs(cabin, shape)
    for zone in product((FROM, UP_TO), cabin.rows[2:-2]):
        for which in (FRONT, BACK):
            wish = _wish(cabin, able, Wish(shape, cost, zone, which, ("", "")))
            if wish:
                yield wish


def _wish(cabin: Cabin, able: Sequence[Pair], wish: Wish) -> Wish | None:
    """Return the wish with its right and wrong seats, or None if the right seats are not unique or
    a condition changes nothing.
    """
    fitting = [each for each in able if allows(each, wish.cost, wish.zone)]
    if not fitting:
        return None
    right = pick(fitting, wish.which)
    if sum(each.row == right.row for each in fitting) > 1:
        return None
    other_end = FRONT if wish.which == BACK else BACK
    without = {
        wish.cost: pick([each for each in able if allows(each, "", wish.zone)], wish.which),
        "zone": pick([each for each in able if allows(each, wish.cost, None)], wish.which),
        "which": pick(fitting, other_end),
    }
    instead = {label: each.codes for label, each in without.items()}
    if right.codes in instead.values():
        return None
    instead["shape"] = _misread(cabin, wish, right)
    found = {label: codes for label, codes in instead.items() if codes}
    return Wish(wish.shape, wish.cost, wish.zone, wish.which, right.codes, found)


def _misread(cabin: Cabin, wish: Wish, right: Pair) -> tuple[str, str]:
    """Return seats that misread the wish: side by side instead of across the aisle (or vice versa),
    or swapped.
    """
    other = "aisle" if wish.shape.startswith("across") else "across"
    able = [each for each in pairs(cabin, other) if allows(each, wish.cost, wish.zone)]
    grown, child = right.codes
    return pick(able, wish.which).codes if able else (child, grown)


def pick(found: Sequence[Pair], which: str) -> Pair:
    """Return the last pair of seats if `which` means the back of the plane, and the first pair
    otherwise.
    """
    return found[-1] if which == BACK else found[0]
