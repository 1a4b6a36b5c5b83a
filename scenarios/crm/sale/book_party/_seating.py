"""Seats for a whole party: where it can sit together, and a wish that one row alone meets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from sites.crm.airline_desk.model.cabin import SIDES, Cabin

ROW, SIDE = "row", "side"
ONLY, FRONT, BACK = "only", "front", "back"


@dataclass(frozen=True)
class Block:
    """Free seats of one row, by letter."""

    row: int
    codes: tuple[str, ...]
    exit: bool
    price: int


@dataclass(frozen=True)
class Wish:
    """Sit in one row (`row`) or on one side of the aisle (`side`), never at an exit.

    `free`: without a charge. `which` is of several blocks: the one nearest the front or the back.
    """

    shape: str
    free: bool
    which: str
    codes: tuple[str, ...]


def blocks(cabin: Cabin, shape: str, number: int) -> Iterator[Block]:
    """Where so many can sit, from the front to the back; for `row` these are all free seats of a
    row that has enough of them."""
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
    """Whether it is what the wish allows."""
    return not block.exit and not (free and block.price)


def wishes(cabin: Cabin, number: int) -> list[Wish]:
    """All that one block alone meets, and that another one would meet if exits or charges did not
    matter."""
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
    return found[-1] if which == BACK else found[0]


def _matters(found: Sequence[Block], free: bool, which: str, right: Block, drop: str) -> bool:
    """Whether the outcome changes without one of the conditions."""
    others = [block for block in found if allows(block, free, drop)]
    return len(others) > 1 if which == ONLY else pick(others, which) != right


def allows(block: Block, free: bool, drop: str) -> bool:
    """As `meets`, without one of the conditions."""
    is_exit = block.exit and drop != "exit"
    return not is_exit and not (free and block.price and drop != "free")


def draw(rng: Random, cabin: Cabin, number: int) -> Wish | None:
    """One of the wishes, each of the shapes alike; None where there is none."""
    found = wishes(cabin, number)
    shapes = sorted({wish.shape for wish in found})
    if not shapes:
        return None
    shape = rng.choice(shapes)
    return rng.choice([wish for wish in found if wish.shape == shape])
