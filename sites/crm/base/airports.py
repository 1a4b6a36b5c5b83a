"""The airports that flights serve, from airports.toml."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import acos, cos, radians, sin
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_name("airports.toml")
EARTH_KM = 6371.0

Airports = Mapping[str, "Airport"]
"""All airports, by their three-letter codes, sorted."""


@dataclass(frozen=True)
class Airport:
    """An airport.

    Attributes:
        code: The code of three letters.
        city: The city.
        name: The airport's name.
        latitude: Degrees.
        longitude: Degrees.
        utc_offset: Hours; there is no daylight saving time.
    """

    code: str
    city: str
    name: str
    latitude: float
    longitude: float
    utc_offset: float

    @property
    def label(self) -> str:
        """Name and code, as pages write them."""
        return f"{self.name} ({self.code})"


@lru_cache(maxsize=1)
def load_airports() -> Airports:
    """Return all airports."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return MappingProxyType({code: Airport(code, *rows[code]) for code in sorted(rows)})


def distance(one: Airport, other: Airport) -> float:
    """Return the distance along the great circle in kilometres."""
    here, there = radians(one.latitude), radians(other.latitude)
    turn = radians(one.longitude - other.longitude)
    cosine = sin(here) * sin(there) + cos(here) * cos(there) * cos(turn)
    return EARTH_KM * acos(max(-1.0, min(1.0, cosine)))


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """Return a text in lower case, without accents and surplus blanks."""
    letters = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(bare.casefold().split())


def suggest(airports: Airports, typed: str, most: int = 8) -> list[Airport]:
    """Return the airports that a typed text may mean, for an autocomplete list.

    Args:
        airports: All airports.
        typed: The start of a code, or of a word in a name or city.
        most: The maximum number of airports to return.
    """
    start = plain(typed)
    if not start:
        return []
    return [each for each in airports.values() if _begins(each, start)][:most]


def _begins(airport: Airport, start: str) -> bool:
    """Return whether the airport's code, name or city, from any word on, begins with a text."""
    return any(text.startswith(start) for text in _names(airport))


def _names(airport: Airport) -> Iterator[str]:
    """Yield the texts by which an airport can be found: its code and label, and its name and city
    from each of their words on.
    """
    yield plain(airport.code)
    yield plain(airport.label)
    for text in (plain(airport.name), plain(airport.city)):
        words = text.split()
        yield from (" ".join(words[place:]) for place in range(len(words)))
