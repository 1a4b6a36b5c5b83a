"""The airports that are served, from airports.toml."""

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
"""By code, in the order of the codes."""


@dataclass(frozen=True)
class Airport:
    """`utc_offset` is in hours; clocks do not change here."""

    code: str
    city: str
    name: str
    latitude: float
    longitude: float
    utc_offset: float

    @property
    def label(self) -> str:
        return f"{self.name} ({self.code})"


@lru_cache(maxsize=1)
def load_airports() -> Airports:
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return MappingProxyType({code: Airport(code, *rows[code]) for code in sorted(rows)})


def distance(one: Airport, other: Airport) -> float:
    """Kilometres along the great circle."""
    here, there = radians(one.latitude), radians(other.latitude)
    turn = radians(one.longitude - other.longitude)
    cosine = sin(here) * sin(there) + cos(here) * cos(there) * cos(turn)
    return EARTH_KM * acos(max(-1.0, min(1.0, cosine)))


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """Without letter case, accents and surplus blanks."""
    letters = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(bare.casefold().split())


def suggest(airports: Airports, typed: str, most: int = 8) -> list[Airport]:
    """Those whose code, or a word of whose name or city, begins with what was typed."""
    start = plain(typed)
    if not start:
        return []
    return [each for each in airports.values() if _begins(each, start)][:most]


def _begins(airport: Airport, start: str) -> bool:
    return any(text.startswith(start) for text in _names(airport))


def _names(airport: Airport) -> Iterator[str]:
    yield plain(airport.code)
    yield plain(airport.label)
    for text in (plain(airport.name), plain(airport.city)):
        words = text.split()
        yield from (" ".join(words[place:]) for place in range(len(words)))
