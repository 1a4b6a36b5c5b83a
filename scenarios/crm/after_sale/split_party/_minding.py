"""Children beside adults: who has nobody beside them once somebody leaves, and where they move.

Beside are neighbours on one side of the aisle. Each part of the rule can be dropped, which gives
what somebody does who forgets it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from sites.crm.airline_desk.model.cabin import SIDES, Cabin, Place

MINDED, MINDING = 12, 18
"""Under so many years somebody has to sit beside one who has so many."""
AGE, GROWN, AISLE, CHARGE, FRONT = "age", "grown", "aisle", "charge", "front"
PARTS = (AGE, GROWN, AISLE, CHARGE, FRONT)
"""Ages are those of the day of the flight, not of the first one; twelve is not grown; the aisle
divides; the seat costs nothing; it is the one nearest the front."""
Seats = Mapping[int, str]
"""Codes by passenger."""


@dataclass(frozen=True)
class Sitting:
    """A party on one flight: ages in whole years by passenger, on its day and on the first one."""

    cabin: Cabin
    seats: Seats
    ages: Mapping[int, int]
    first_ages: Mapping[int, int]

    def moves(self, leaving: int, drop: str = "") -> dict[int, str] | None:
        """The new seats of those who have to move; None where somebody finds none."""
        seats = {number: code for number, code in self.seats.items() if number != leaving}
        found: dict[int, str] = {}
        for child in self.unminded(seats, drop):
            places = self._places({**seats, **found}, child, drop)
            if not places:
                return None
            found[child] = places[-1 if drop == FRONT else 0].code
        return found

    def unminded(self, seats: Seats, drop: str = "") -> list[int]:
        """The children who have no adult beside them."""
        ages = self.first_ages if drop == AGE else self.ages
        grown = {seats[each] for each in self._grown(seats, drop)}
        return [
            number
            for number, code in seats.items()
            if ages[number] < MINDED and not grown & {*self._beside(code, drop)}
        ]

    def bearing(self, leaving: int) -> frozenset[str]:
        """The parts of the rule without which other people move, or elsewhere."""
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
        """Where a child may sit, from the front to the back."""
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
    """All so many free neighbours, not at an exit."""
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
    """Seats for groups whose members sit beside each other in turn, of the `runs` by their length;
    None where there is no room."""
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
