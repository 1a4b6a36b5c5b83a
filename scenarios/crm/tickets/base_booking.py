"""The booking that a ticket is about, before anything happened to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from scenarios.crm.airline_desk import parties
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN
from scenarios.crm.policy.facts import (
    TODAY,
    Brand,
)
from scenarios.crm.tickets.editions import bulletin_about
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import Bulletin, Edition
from sites.crm.base.network import Offer

COMPOSITIONS = (("adult",), ("adult",), ("adult", "adult"), ("adult", "child"), ("adult", "infant"))
FARES: tuple[Brand, ...] = ("light", "classic", "classic", "flex", "business")
_AHEAD = (2, 3, 4, 6, 8, 9, 11, 13, 15, 18, 24, 30, 45)
"""Days until the first flight."""


@dataclass(frozen=True)
class Base:
    """A booking without what makes a case of it."""

    ways: Mapping[str, tuple[Offer, Brand]]
    party: parties.Party
    extras: Mapping[tuple[int, str], int]
    is_past: bool


def base(rng: Random, data: CrmData, edition: Edition) -> Base | None:
    """There and back, or one way; now and then the way out lies behind, often a bulletin is about
    it. None where a fare has no seats for the party."""
    is_past = rng.random() < 0.25
    about = _bulletin(rng, data, edition)
    first = TODAY + timedelta(-rng.randint(1, 4) if is_past else rng.choice(_AHEAD))
    if about:
        first = max(first, min(date.fromisoformat(about.first), TODAY + timedelta(9)))
    days = [first.isoformat(), (first + timedelta(rng.randint(6, 14))).isoformat()]
    party = parties.draw(rng, data, rng.choice(COMPOSITIONS), days, turning=False)
    home, there = ends(rng, data, about.airport if about else "")
    brand = rng.choice([each for each in FARES if about is None or each in about.brands])
    brands = [brand, brand if rng.random() < 0.75 else rng.choice(FARES)]
    routes = {OUTWARD: (home, there, days[0]), RETURN: (there, home, days[1])}
    if rng.random() < 0.3:
        del routes[RETURN]
    ways = {}
    for (way, route), own in zip(routes.items(), brands, strict=False):
        offers = [
            each
            for each in data.network.offers(*route)
            if each.fare(own).seats >= len(party.seated)
        ]
        if not offers:
            return None
        ways[way] = rng.choice(offers), own
    extras = {(1, way): rng.randint(1, 3) for way in ways} if rng.random() < 0.4 else {}
    return Base(ways, party, extras, is_past)


def _bulletin(rng: Random, data: CrmData, edition: Edition) -> Bulletin | None:
    """One that is in force and about money back, most of the time."""
    return bulletin_about(rng, edition, ("1", "2", "5", "6", "25"), 0.7)


def ends(rng: Random, data: CrmData, airport: str) -> tuple[str, str]:
    """From an airport or to it; from any to any where none is named."""
    cities = [each.city for each in data.airports.values()]
    plain = [code for code, each in data.airports.items() if cities.count(each.city) == 1]
    here = airport or rng.choice(plain)
    there = rng.choice([each for each in plain if data.airports[each].city != _city(data, here)])
    return (here, there) if rng.random() < 0.5 else (there, here)


def _city(data: CrmData, code: str) -> str:
    return data.airports[code].city


def sign(rng: Random) -> int:
    return rng.choice((-1, 1))
