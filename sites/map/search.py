"""The search of the map: by name, by address, by number, by coordinates, and by nearness."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from sites._land.kinds import KINDS
from sites._land.land import DEGREE, Land, degrees, land
from sites._land.places import CLOSED, Place
from sites._land.streets import apart
from sites.world import World

NEAR = re.compile(r"(.+?)\s+(?:near|close to|around)\s+(.+)", re.IGNORECASE)
INSIDE = re.compile(r"(.+?)\s+in\s+(.+)", re.IGNORECASE)
COORDINATES = re.compile(r"\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*")
MOST = 200
"""The most places that a search lists."""
AROUND = 5
"""The number of places that a search for coordinates lists."""
FAR = 2.0
"""The distance in degrees from which on coordinates lie outside the country."""
OF_THE_COUNTRY = {
    "city": ("city", "cities"),
    "airport": ("airport", "airports"),
    "national park": ("national park", "national parks"),
    "province": ("province", "provinces"),
    "park": ("park", "parks"),
}
"""The words of the kinds that no city plan has."""


def country(world: World) -> Land:
    """Return the country that a world shows."""
    [row] = world.read("SELECT size, number FROM countries")
    return land(row["size"], row["number"])


def find(shown: Land, query: str, centre: tuple[int, int] | None = None) -> list[Place]:
    """Return the places that a query means, the best first.

    Args:
        shown: The country.
        query: The query.
        centre: The middle of the open view in decimetres; None for the middle of the city.
    """
    asked = " ".join(query.split())
    middle = shown.places[0].at if centre is None else centre
    if where := _coordinates(asked):
        return _around(shown, where)
    exact = _exact(shown, asked)
    if exact:
        return _ordered(exact, middle)
    return [*_of_a_kind(shown, asked, middle)][:MOST] or _by_words(shown, asked, middle)


def resolve(shown: Land, text: str) -> Place | None:
    """Return the place that a text means best, or None."""
    asked = " ".join(text.casefold().split())
    return _labels(shown).get(asked) or next(iter(find(shown, text)), None)


@cache
def _labels(shown: Land) -> Mapping[str, Place]:
    """The places by the text that tells each apart."""
    return {shown.labels[each.id].casefold(): each for each in shown.places}


def position(lat: float, lon: float) -> tuple[int, int]:
    """Return where coordinates lie in decimetres from the city's corner."""
    zero = degrees((0, 0))
    return round((lon - zero[1]) * DEGREE), round((lat - zero[0]) * DEGREE)


# By coordinates ----------------------------------------------------------------------------------


def _coordinates(text: str) -> tuple[float, float] | None:
    found = COORDINATES.fullmatch(text)
    return (float(found[1]), float(found[2])) if found else None


def _around(shown: Land, where: tuple[float, float]) -> list[Place]:
    """Return the places nearest to coordinates, none if they lie outside the country."""
    near = sorted(shown.places, key=lambda each: (_square(degrees(each.at), where), each.id))
    if _square(degrees(near[0].at), where) > FAR**2:
        return []
    return near[:AROUND]


def _square(one: tuple[float, float], other: tuple[float, float]) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


# By a kind ---------------------------------------------------------------------------------------


@cache
def _kinds() -> Mapping[str, str]:
    """The kinds by the words that a query may use for them."""
    words = {name: kind.words for name, kind in KINDS.items()} | OF_THE_COUNTRY
    return {word.casefold(): name for name, both in words.items() for word in both}


def _of_a_kind(shown: Land, query: str, middle: tuple[int, int]) -> Iterator[Place]:
    """Yield the places of a kind near a place, in a place, or in the open view."""
    if near := NEAR.fullmatch(query):
        kind, place = _kinds().get(near[1].casefold()), resolve(shown, near[2])
        if kind and place:
            yield from _nearest(shown, kind, place)
    elif inside := INSIDE.fullmatch(query):
        kind, where = _kinds().get(inside[1].casefold()), inside[2].casefold()
        if kind:
            every = _by_distance(shown, kind, shown.places[0].at)
            yield from (each for each in every if where in _parts(each))
    elif kind := _kinds().get(query.casefold()):
        yield from _by_distance(shown, kind, middle)


def _nearest(shown: Land, kind: str, place: Place) -> list[Place]:
    """Return the other places of a kind, the nearest to a place first."""
    return [each for each in _by_distance(shown, kind, place.at) if each is not place]


def _by_distance(shown: Land, kind: str, at: tuple[int, int]) -> list[Place]:
    """Return the places of a kind, the nearest first."""
    found = (each for each in shown.places if each.kind == kind)
    return sorted(found, key=lambda each: (apart(each.at, at), each.id))


def _parts(place: Place) -> set[str]:
    """Return the names of the areas that a place lies in."""
    parts = place.district, place.city, place.province, place.street, place.postcode
    return {each.casefold() for each in parts if each}


def rank(world: World, kind: str, place: int) -> list[Place]:
    """Return the places of a kind, the nearest to a place in a straight line first."""
    shown = country(world)
    return _nearest(shown, kind, shown.of[place])


# By words ----------------------------------------------------------------------------------------


def _exact(shown: Land, query: str) -> list[Place]:
    """Return the places with this number or this name."""
    if query.isdecimal() and len(query) < 12:
        found = shown.of.get(int(query))
        return [found] if found else []
    return [each for each in shown.places if each.name.casefold() == query.casefold()]


def _by_words(shown: Land, query: str, middle: tuple[int, int]) -> list[Place]:
    """Return the places whose name, or else whose name and address, hold all words of a query."""
    asked = _words(query)
    if not asked:
        return []
    named, further = [], []
    for place, (in_name, in_all) in zip(shown.places, _words_of(shown), strict=True):
        if asked <= in_name:
            named.append(place)
        elif asked <= in_all:
            further.append(place)
    return [*_ordered(named, middle), *_ordered(further, middle)][:MOST]


def _ordered(found: Sequence[Place], middle: tuple[int, int]) -> list[Place]:
    """Return places of equal worth in order: open before closed, well known before others."""
    return sorted(
        found,
        key=lambda each: (
            each.kind.startswith(CLOSED),
            -each.importance,
            apart(each.at, middle),
            each.id,
        ),
    )


@cache
def _words_of(shown: Land) -> Sequence[tuple[frozenset[str], frozenset[str]]]:
    """The words of each place's name, and those of its name and its address."""
    return [(_words(each.name), _words(f"{each.name} {each.address}")) for each in shown.places]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w&']+", text.casefold()))
