"""The seat map of a flight, computed from its number and date.

Rows have three seats, the aisle, and three seats. Free seats are dealt row by row, so that most
flights have a few rows with four free seats, with three together and with two across the aisle, but
not many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from types import MappingProxyType

from sites.crm.base.timetable import Flight

LETTERS = "ABCDEF"
KINDS = dict(zip(LETTERS, ("window", "middle", "aisle", "aisle", "middle", "window"), strict=True))
SIDES = ("ABC", "DEF")
BESIDE = {"A": "B", "B": "AC", "C": "B", "D": "E", "E": "DF", "F": "E"}
"""For the letter of each seat: the letters of its neighbours on the same side of the aisle."""
FEWEST_ROWS, MOST_ROWS = 18, 24
FRONT = 4
"""The number of front rows that cost extra, as the two exit rows do."""


@dataclass(frozen=True)
class Place:
    """A seat of the map.

    Attributes:
        code: Row and letter, such as "12C".
        row: The row.
        letter: The letter.
        kind: Window, middle or aisle.
        exit: Whether it is in an exit row.
        price: Whole dollars.
        free: Whether the timetable leaves it free; sales of the visit are not counted.
    """

    code: str
    row: int
    letter: str
    kind: str
    exit: bool
    price: int
    free: bool


@dataclass(frozen=True)
class Cabin:
    """All seats of a flight by code. Rows are numbered from the front."""

    rows: tuple[int, ...]
    letters: str
    places: Mapping[str, Place]

    def row(self, number: int) -> tuple[Place, ...]:
        """Return the seats of a row from left to right; empty if the row does not exist."""
        codes = (f"{number}{letter}" for letter in self.letters)
        return tuple(self.places[code] for code in codes if code in self.places)

    def beside(self, code: str) -> tuple[Place, ...]:
        """Return the neighbours of a seat on the same side of the aisle."""
        place = self.places[code]
        return tuple(self.places[f"{place.row}{each}"] for each in BESIDE[place.letter])

    def across(self, code: str) -> Place | None:
        """Return the seat across the aisle from an aisle seat, else None."""
        place = self.places[code]
        other = {"C": "D", "D": "C"}.get(place.letter)
        return self.places[f"{place.row}{other}"] if other else None


def cabin(flight: Flight) -> Cabin:
    """Return the seat map of a flight on its date."""
    return _cabin(flight.number, flight.date)


@lru_cache(maxsize=512)
def _cabin(number: str, date: str) -> Cabin:
    rng = Random(f"crm/cabin/{number}/{date}")
    rows = tuple(range(1, rng.randint(FEWEST_ROWS, MOST_ROWS) + 1))
    middle = len(rows) // 2
    exits = (middle, middle + 1)
    price, extra = rng.randrange(12, 27), rng.randrange(4, 15)
    free = dict(_free(rng, rows, exits))
    prices = dict.fromkeys(rows[:FRONT], price) | dict.fromkeys(exits, price + extra)
    places = (
        Place(
            code=f"{row}{letter}",
            row=row,
            letter=letter,
            kind=KINDS[letter],
            exit=row in exits,
            price=prices.get(row, 0),
            free=letter in free[row],
        )
        for row in rows
        for letter in LETTERS
    )
    return Cabin(rows, LETTERS, MappingProxyType({place.code: place for place in places}))


def _free(rng: Random, rows: tuple[int, ...], exits: tuple[int, int]) -> Iterator[tuple[int, str]]:
    """Yield each row with the letters of its free seats."""
    plain = [row for row in rows if row not in exits]
    rng.shuffle(plain)
    [fours] = rng.choices((0, 1, 2, 3), (1, 9, 7, 3))
    dealt = [
        *(_some(rng, 4, 5) for _ in range(fours)),
        *("CD" + rng.choice(("", "A", "F")) for _ in range(rng.randint(1, 3))),
        *(rng.choice(SIDES) for _ in range(rng.randint(1, 3))),
    ]
    for row in plain:
        yield row, dealt.pop() if dealt else _some(rng, 0, 2)
    for row in exits:
        yield row, _some(rng, 1, 5)


def _some(rng: Random, fewest: int, most: int) -> str:
    """Return randomly chosen seat letters, between `fewest` and `most` of them."""
    return "".join(rng.sample(LETTERS, rng.randint(fewest, most)))
