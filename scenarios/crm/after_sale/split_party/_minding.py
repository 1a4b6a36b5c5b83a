"""Children next to adults: children left alone when a person leaves, and the seats they move to.

Neighbours sit on the same side of the aisle. Each part of this rule can be dropped, to show the
result of ignoring it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from sites.crm.airline_desk.model.cabin import SIDES, Cabin, Place

MINDED, MINDING = 12, 18
"""Ages in years: children under MINDED must sit next to someone of at least MINDING."""
AGE, GROWN, AISLE, CHARGE, FRONT = "age", "grown", "aisle", "charge", "front"
PARTS = (AGE, GROWN, AISLE, CHARGE, FRONT)
"""The parts of the seating rule: ages count on the day of the flight; twelve is not adult; the
aisle separates; the new seat is free of charge; and it is the nearest to the front.
"""
Seats = Mapping[int, str]
"""The seat code of each passenger, by passenger number."""


@dataclass(frozen=True)
class Sitting:
    """A party on a flight, with ages in whole years on its day and on the first flight's day."""

    cabin: Cabin
    seats: Seats
    ages: Mapping[int, int]
    first_ages: Mapping[int, int]

    def moves(self, leaving: int, drop: str = "") -> dict[int, str] | None:
        """Return the new seats of the children who must move.

        Args:
            leaving: The passenger who leaves.
            drop: A part of the rule to ignore, or "".

        Returns:
            The new seats by passenger, or None if a child finds no seat.
        """
        seats = {number: code for number, code in self.seats.items() if number != leaving}
        found: dict[int, str] = {}
        for child in self.unminded(seats, drop):
            places = self._places({**seats, **found}, child, drop)
            if not places:
                return None
            found[child] = places[-1 if drop == FRONT else 0].code
        return found

    def unminded(self, seats: Seats, drop: str = "") -> list[int]:
        """Return the numbers of the children with no adult next to them."""
        ages = self.first_ages if drop == AGE else self.ages
        grown = {seats[each] for each in self._grown(seats, drop)}
        return [
            number
            for number, code in seats.items()
            if ages[number] < MINDED and not grown & {*self._beside(code, drop)}
        ]

    def bearing(self, leaving: int) -> frozenset[str]:
        """Return the parts of the rule without which the new seats would differ."""
        right = self.moves(leaving)
        return frozenset(part for part in PARTS if self.moves(leaving, part) not in (right, None))

    def _grown(self, seats: Seats, drop: str) -> Iterator[int]:
        for number in seats:
            if self.ages[number] >= MINDING or (drop == GROWN and self.first_ages[number] >= 12):
                yield number

    def _beside(self, code: str, drop: str) -> Iterator[str]:
        yield from (place.code for place in self.cabin.beside(code))
        across = self.cabin.across(code)
        if drop == AISLE and across:
            yield across.code

    def _places(self, seats: Seats, child: int, drop: str) -> list[Place]:
        """Return the seats that a child may take, from the front to the back."""
        near = {
            code
            for number in self._grown(seats, drop)
            if number != child
            for code in self._beside(seats[number], drop)
        }
        places = [self.cabin.places[code] for code in near - {*seats.values()}]
        allowed = [each for each in places if each.free and (drop == CHARGE or not each.price)]
        return sorted(allowed, key=lambda each: (each.row, each.letter))


def runs(cabin: Cabin, length: int) -> list[tuple[str, ...]]:
    """Return all rows of adjacent free seats of this length, without exit rows."""
    sides = [
        [cabin.places[f"{row}{letter}"] for letter in side] for row in cabin.rows for side in SIDES
    ]
    parts = [side[at : at + length] for side in sides for at in range(len(side) - length + 1)]
    return [
        tuple(each.code for each in part)
        for part in parts
        if all(each.free and not each.exit for each in part)
    ]


def drawn_seats(
    rng: Random, able: Mapping[int, Sequence[tuple[str, ...]]], groups: Sequence[Sequence[int]]
) -> dict[int, str] | None:
    """Draw seats for groups whose members sit next to each other in order.

    Args:
        able: The runs of adjacent free seats, by length.

    Returns:
        The seats by passenger, or None if there is no room.
    """
    seats: dict[int, str] = {}
    for group in groups:
        taken = {*seats.values()}
        free = [each for each in able[len(group)] if taken.isdisjoint(each)]
        if not free:
            return None
        codes = rng.choice(free)
        turned = codes if rng.random() < 0.5 else codes[::-1]
        seats |= dict(zip(group, turned, strict=True))
    return seats
