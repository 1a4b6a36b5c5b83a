"""Seats for a whole party: blocks of free seats in a row, and a wish that exactly one block of the
plane meets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from sites.crm.airline_desk.model.cabin import SIDES, Cabin

ROW, SIDE = "row", "side"
ONLY, FRONT, BACK = "only", "front", "back"


@dataclass(frozen=True)
class Block:
    """Free seats in one row for a party; `price` is the highest charge for one of its seats, in
    dollars.
    """

    row: int
    codes: tuple[str, ...]
    exit: bool
    price: int


@dataclass(frozen=True)
class Wish:
    """A party's wish to sit in one row or on one side of the aisle, never in an exit row.

    Attributes:
        shape: "row" or "side".
        free: Whether the seats must have no extra charge.
        which: "only" if one block fits, else whether the "front" or the "back" block is wanted.
        codes: The right seats.
    """

    shape: str
    free: bool
    which: str
    codes: tuple[str, ...]


def blocks(cabin: Cabin, shape: str, number: int) -> Iterator[Block]:
    """Yield the blocks of free seats for `number` people, from the front to the back.

    For the shape "row" a block has all free seats of a row with enough free seats.
    """
    for row in cabin.rows:
        places = [place for place in cabin.row(row) if place.free]
        letters = "".join(place.letter for place in places)
        for codes in _groups(row, letters, shape, number):
            price = max(place.price for place in places)
            yield Block(row, codes, places[0].exit, price)


def _groups(row: int, letters: str, shape: str, number: int) -> Iterator[tuple[str, ...]]:
    if shape == SIDE:
        found = [side for side in SIDES if number == len(side) and {*side} <= {*letters}]
    else:
        found = [letters] if len(letters) >= number else []
    for each in found:
        yield tuple(f"{row}{letter}" for letter in each)


def meets(block: Block, free: bool) -> bool:
    """Return whether a block of seats is outside the exit rows and, if `free`, without a charge."""
    return not block.exit and not (free and block.price)


def wishes(cabin: Cabin, number: int) -> list[Wish]:
    """Return the seating wishes that exactly one block of seats meets.

    Another block would be right if exit rows or charges did not matter.
    """
    return [
        wish
        for shape in (ROW, SIDE)
        for free in (True, False)
        for which in (ONLY, FRONT, BACK)
        if (wish := _wish(cabin, number, shape, free, which))
    ]


def _wish(cabin: Cabin, number: int, shape: str, free: bool, which: str) -> Wish | None:
    found = [*blocks(cabin, shape, number)]
    allowed = [block for block in found if meets(block, free)]
    if not allowed or (which == ONLY) != (len(allowed) == 1):
        return None
    right = pick(allowed, which)
    same_row = [block for block in allowed if block.row == right.row]
    if len(right.codes) != number or len(same_row) > 1:
        return None
    if not any(_matters(found, free, which, right, drop) for drop in ("exit", "free")):
        return None
    return Wish(shape, free, which, right.codes)


def pick(found: Sequence[Block], which: str) -> Block:
    """Return the last block of seats if `which` is "back", and the first block otherwise."""
    return found[-1] if which == BACK else found[0]


def _matters(found: Sequence[Block], free: bool, which: str, right: Block, drop: str) -> bool:
    """Return whether another block of seats would be chosen if the condition `drop` were
    ignored.
    """
    others = [block for block in found if allows(block, free, drop)]
    return len(others) > 1 if which == ONLY else pick(others, which) != right


def allows(block: Block, free: bool, drop: str) -> bool:
    """Return whether a wish allows this block of seats if its condition `drop` is ignored."""
    is_exit = block.exit and drop != "exit"
    return not is_exit and not (free and block.price and drop != "free")


def draw(rng: Random, cabin: Cabin, number: int) -> Wish | None:
    """Draw a seating wish, with equal chances for both shapes, or return None if no wish is
    possible.
    """
    found = wishes(cabin, number)
    shapes = sorted({wish.shape for wish in found})
    if not shapes:
        return None
    shape = rng.choice(shapes)
    return rng.choice([wish for wish in found if wish.shape == shape])
