"""A whole country, drawn once in a process."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from sites._land import places, region, streets
from sites._land.places import District, Place
from sites._land.region import Region
from sites._land.routes import Roads
from sites._land.streets import Streets
from sites._land.words import Names

SIDES = {"small": 30, "medium": 50, "large": 100}
"""The number of junctions of a side of the city, by size."""
PARTS = {"small": 6, "medium": 12, "large": 16}
"""The number of districts, by size."""
SHARES = {"small": 0.6, "medium": 1.0, "large": 3.0}
"""The number of places as a share of those of a medium city."""
COUNTRIES = 10**6
"""The number of countries that a world may show."""
ORIGIN = 12.5, -41.0
"""The latitude and the longitude of a city's corner, in the middle of an ocean."""
DEGREE = 1_111_949
"""The length of a degree of latitude in decimetres; degrees of longitude are drawn as long."""


@dataclass(frozen=True, eq=False)
class Land:
    """A country.

    Attributes:
        size: `small`, `medium` or `large`.
        number: The number that it is drawn from.
        city: The name of its main city, which has streets.
        streets: The streets of the city.
        districts: The districts of the city.
        region: The country around the city.
        places: All places that have a page on the map.
    """

    size: str
    number: int
    city: str
    streets: Streets
    districts: tuple[District, ...]
    region: Region
    places: tuple[Place, ...]

    @cached_property
    def roads(self) -> Roads:
        """All roads, for questions about ways."""
        junctions = {**self.streets.junctions, **self.region.junctions}
        return Roads(junctions, (*self.streets.roads, *self.region.roads))

    @cached_property
    def of(self) -> dict[int, Place]:
        """The places by their number."""
        return {each.id: each for each in self.places}

    @cached_property
    def labels(self) -> dict[int, str]:
        """The shortest text that tells each place apart, by the number of the place.

        It is the name, or the name and the street, or the name and the house.
        """
        found: dict[int, str] = {}
        for place in self.places:
            tries = place.name, f"{place.name}, {place.street}"
            one = (text for text in tries if self._texts[text] == 1)
            found[place.id] = next(one, f"{place.name}, {place.number} {place.street}")
        return found

    @cached_property
    def _texts(self) -> Counter[str]:
        names = (each.name for each in self.places)
        return Counter([*names, *(f"{each.name}, {each.street}" for each in self.places)])


@cache
def land(size: str, number: int) -> Land:
    """Return the country of a size that is drawn from a number."""
    rng = Random(f"land/{size}/{number}")
    names = Names(rng)
    lands = region.provinces(rng, names)
    city = names.city()
    drawn = streets.draw(rng, SIDES[size])
    around = region.draw(rng, names, city, lands, drawn)
    home = city, around.places[0].province
    parts = places.districts(rng, drawn, PARTS[size])
    inside = places.draw(rng, home, drawn, parts, SHARES[size])
    return Land(size, number, city, drawn, parts, around, (*around.places, *inside))


def degrees(at: tuple[int, int]) -> tuple[float, float]:
    """Return the latitude and the longitude of a place, with five decimals."""
    return round(ORIGIN[0] + at[1] / DEGREE, 5), round(ORIGIN[1] + at[0] / DEGREE, 5)
