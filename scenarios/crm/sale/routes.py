"""Routes with one end at an airport of a city that has two airports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from sites.crm import CrmData
from sites.crm.base.airports import Airport


@dataclass(frozen=True)
class Route:
    """The codes of a route's two airports, and the request's names for them by code."""

    origin: str
    destination: str
    names: Mapping[str, str]


def route(rng: Random, data: CrmData) -> Route:
    """Draw a route with one end at an airport of a city that has two airports."""
    cities: dict[str, list[str]] = {}
    for each in data.airports.values():
        cities.setdefault(each.city, []).append(each.code)
    double = [codes for codes in cities.values() if len(codes) > 1]
    single = [codes[0] for codes in cities.values() if len(codes) == 1]
    pair = rng.sample(rng.choice(double), 2)
    here, there = rng.choice(single), pair[0]
    own, other = (data.airports[code] for code in pair)
    ambiguous = rng.choice((own.name, f"{own.city} (not {_short(other)})"))
    names = {here: data.airports[here].city, there: ambiguous}
    ends = (here, there) if rng.random() < 0.7 else (there, here)
    return Route(*ends, names)


def _short(airport: Airport) -> str:
    """Return the airport's name without its city, such as "Heathrow"."""
    return airport.name.removeprefix(f"{airport.city} ")
