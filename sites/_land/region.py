"""The country around a city: provinces, other cities, airports, national parks and the roads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, count
from random import Random

from sites._land.places import Place
from sites._land.streets import Road, Streets, apart
from sites._land.words import Names

WIDTH = 4_000_000
"""The width and height of the country in decimetres."""
CELLS = 24
"""The number of cells of a side of the grid from which provinces are made."""
APART = 350_000
"""The least distance of two cities in decimetres."""
FIRST = 1_000_000
"""The number of the first junction outside the city."""
AIRPORTS = "international", "international", "regional", "regional", "regional"


@dataclass(frozen=True)
class Province:
    """A province.

    Attributes:
        name: Its name.
        at: Its middle in decimetres, from the corner of the country.
        borders: The names of the provinces that share a border with it.
    """

    name: str
    at: tuple[int, int]
    borders: tuple[str, ...]


@dataclass(frozen=True)
class Region:
    """The country around the city.

    Attributes:
        provinces: The provinces.
        places: The cities, the city itself first, the airports, parks and provinces.
        junctions: The place of each junction outside the city, in decimetres from its corner.
        roads: The roads outside the city.
    """

    provinces: tuple[Province, ...]
    places: tuple[Place, ...]
    junctions: Mapping[int, tuple[int, int]]
    roads: tuple[Road, ...]


def provinces(rng: Random, names: Names) -> tuple[Province, ...]:
    """Return the provinces of a country: the cells of a grid that are nearest to each middle."""
    middles: list[tuple[int, int]] = []
    many, step = rng.randrange(9, 15), WIDTH // CELLS
    while len(middles) < many:
        at = rng.randrange(WIDTH), rng.randrange(WIDTH)
        if all(apart(at, each) > WIDTH // 6 for each in middles):
            middles.append(at)
    owner = {
        (row, column): min(
            range(many),
            key=lambda each: apart(middles[each], (column * step, row * step)),
        )
        for row in range(CELLS)
        for column in range(CELLS)
    }
    shared = {
        frozenset((owner[row, column], owner[near]))
        for row, column in owner
        for near in ((row + 1, column), (row, column + 1))
        if near in owner and owner[near] != owner[row, column]
    }
    called = [names.province() for _ in range(many)]
    near = {
        each: {other for pair in shared if each in pair for other in pair} for each in range(many)
    }
    return tuple(
        Province(
            called[each],
            middles[each],
            tuple(sorted(called[other] for other in near[each] - {each})),
        )
        for each in range(many)
    )


def draw(
    rng: Random, names: Names, city: str, lands: tuple[Province, ...], streets: Streets
) -> Region:
    """Return the country around a city.

    Args:
        rng: The source of the draws.
        names: The names that are given.
        city: The name of the city.
        lands: The provinces.
        streets: The streets of the city.
    """
    return _Country(rng, names, city, lands, streets).region()


class _Country:
    """A country that is being drawn."""

    def __init__(
        self,
        rng: Random,
        names: Names,
        city: str,
        lands: tuple[Province, ...],
        streets: Streets,
    ) -> None:
        self.rng, self.names, self.city = rng, names, city
        self.lands, self.streets = lands, streets
        self.corner = lands[0].at
        self.ids = iter(rng.sample(range(100_000, 999_999), 400))
        self.numbers = count(FIRST)
        self.junctions: dict[int, tuple[int, int]] = {}

    def region(self) -> Region:
        """Return the finished country."""
        cities = [self._home(), *self._cities()]
        airports = [*self._airports(cities)]
        parks = [*self._parks(cities)]
        roads = (*self._highways(cities), *self._lanes(cities, (*airports, *parks)))
        lands = [*self._lands(cities)]
        places = (*cities, *airports, *parks, *lands)
        return Region(self.lands, places, self.junctions, roads)

    def province(self, at: tuple[int, int]) -> str:
        """Return the name of the province of a place, given from the city's corner."""
        whole = at[0] + self.corner[0], at[1] + self.corner[1]
        return min(self.lands, key=lambda each: apart(each.at, whole)).name

    # Places

    def _home(self) -> Place:
        middle = len(self.streets.junctions) // 2 + math.isqrt(len(self.streets.junctions)) // 2
        at = self.streets.junctions[middle]
        return self._place(self.city, "city", middle, at, 9, self._people(300_000, 900_000))

    def _cities(self) -> Iterator[Place]:
        """Yield eleven other cities, which lie well apart."""
        taken = [(0, 0)]
        while len(taken) < 12:
            at = tuple(self.rng.randrange(WIDTH) - each for each in self.corner)
            spot = (at[0], at[1])
            if all(apart(spot, each) > APART for each in taken):
                taken.append(spot)
                many = self._people(30_000, 700_000)
                yield self._place(self.names.city(), "city", self._new(spot), spot, 8, many)

    def _people(self, least: int, most: int) -> dict[str, str]:
        return {"population": f"{self.rng.randrange(least, most):,}"}

    def _airports(self, cities: list[Place]) -> Iterator[Place]:
        """Yield airports, the first of them near the home city."""
        chosen = [cities[0], *self.rng.sample(cities[1:], len(AIRPORTS) - 1)]
        for city, sort in zip(chosen, AIRPORTS, strict=True):
            spot = self._around(city.at, 150_000, 260_000)
            code = "".join(each for each in city.name.upper() if each.isalpha())[:3]
            tags = {"type": f"{sort} airport", "code": code}
            name = f"{city.name} {sort.capitalize()} Airport"
            yield self._place(name, "airport", self._new(spot), spot, 8, tags)

    def _parks(self, cities: list[Place]) -> Iterator[Place]:
        """Yield national parks, far from the cities."""
        taken = [each.at for each in cities]
        while len(taken) < len(cities) + 6:
            spot = self._around(self.rng.choice(cities).at, 200_000, 700_000)
            if all(apart(spot, each) > 180_000 for each in taken):
                taken.append(spot)
                tags = {"founded": str(self.rng.randrange(1880, 1995))}
                name = f"{self.names.province()} National Park"
                yield self._place(name, "national park", self._new(spot), spot, 7, tags)

    def _lands(self, cities: list[Place]) -> Iterator[Place]:
        for land in self.lands:
            spot = land.at[0] - self.corner[0], land.at[1] - self.corner[1]
            near = min(cities, key=lambda each: apart(each.at, spot))
            yield self._place(
                land.name,
                "province",
                near.junction,
                spot,
                7,
                {"borders": ", ".join(land.borders)},
            )

    def _around(self, at: tuple[int, int], least: int, most: int) -> tuple[int, int]:
        angle, far = self.rng.random() * math.tau, self.rng.randrange(least, most)
        return at[0] + round(math.cos(angle) * far), at[1] + round(math.sin(angle) * far)

    def _place(
        self,
        name: str,
        kind: str,
        junction: int,
        at: tuple[int, int],
        importance: int,
        tags: Mapping[str, str],
    ) -> Place:
        form = "way" if kind == "airport" else "relation"
        province = "" if kind == "province" else self.province(at)
        return Place(
            next(self.ids), form, name, kind, junction, at, "", "", "", "", "", province, tags,
            importance,
        )  # fmt: skip

    # Roads

    def _new(self, at: tuple[int, int]) -> int:
        number = next(self.numbers)
        self.junctions[number] = at
        return number

    def _highways(self, cities: list[Place]) -> Iterator[Road]:
        """Yield the roads between cities: the shortest that join them all, and a few more."""
        pairs = sorted(combinations(cities, 2), key=lambda pair: apart(pair[0].at, pair[1].at))
        part = {each.name: each.name for each in cities}
        degree = dict.fromkeys(part, 0)
        numbers = count(1)
        for one, other in pairs:
            joins = part[one.name] != part[other.name]
            if joins or max(degree[one.name], degree[other.name]) < 3:
                old, new = part[other.name], part[one.name]
                part = {name: new if of == old else of for name, of in part.items()}
                degree[one.name] += 1
                degree[other.name] += 1
                yield from self._way(one, other, f"Highway {next(numbers)}", "highway")
                yield from self._way(one, other, f"{other.name} Road", "country road")

    def _lanes(self, cities: list[Place], places: tuple[Place, ...]) -> Iterator[Road]:
        """Yield the roads from the nearest city to each airport and park."""
        for place in places:
            near = min(cities, key=lambda each: apart(each.at, place.at))
            yield from self._way(near, place, f"{place.name} Road", "country road")

    def _way(self, one: Place, other: Place, name: str, kind: str) -> Iterator[Road]:
        """Yield the road between two places, in two pieces that meet at a junction of its own."""
        a, b = self._end(one, other, kind), self._end(other, one, kind)
        whole = apart(self._at(a), self._at(b))
        middle = self._bent(self._at(a), self._at(b))
        junction = self._new(middle)
        for end, start in ((a, junction), (junction, b)):
            length = round(apart(self._at(end), self._at(start)) * self.rng.uniform(1.05, 1.25))
            yield Road(end, start, name, kind, max(length, whole // 3))

    def _bent(self, one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        aside = self.rng.uniform(-0.12, 0.12)
        x, y = (one[0] + other[0]) // 2, (one[1] + other[1]) // 2
        return x - round(aside * (other[1] - one[1])), y + round(aside * (other[0] - one[0]))

    def _end(self, place: Place, other: Place, kind: str) -> int:
        """Return the junction at which a road to another place starts.

        In the home city that is the corner of its motorway, or the nearest street of its edge.
        """
        if place.junction >= FIRST:
            return place.junction
        edge = self._edge("motorway" if kind == "highway" else "secondary")
        return min(edge, key=lambda each: apart(self.streets.junctions[each], other.at))

    def _edge(self, kind: str) -> list[int]:
        """Return the junctions with a road of a kind."""
        return [
            junction
            for junction, roads in self.streets.at.items()
            if any(road.kind == kind for road in roads)
        ]

    def _at(self, junction: int) -> tuple[int, int]:
        return self.junctions.get(junction) or self.streets.junctions[junction]
