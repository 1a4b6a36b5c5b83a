"""The base worlds of the map: the places of a country as rows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from sites._land.land import COUNTRIES, Land, degrees, land
from sites._land.places import Place
from sites._land.words import FIRST_NAMES

VISITORS = 12
FACTS = {
    "hours": "Opening hours", "phone": "Phone", "website": "Website", "operator": "Operator",
    "cuisine": "Cuisine", "stars": "Stars", "population": "Population", "type": "Type",
    "code": "Code", "founded": "Founded", "borders": "Borders",
}  # fmt: skip
"""The names of the facts, as the pages of places write them."""
Values = dict[str, Any]


def draw(rng: Random, size: str) -> dict[str, list[Values]]:
    """Return the rows of a base world, by table."""
    number = rng.randrange(COUNTRIES)
    country = land(size, number)
    return {
        "visitors": [{"name": name} for name in rng.sample(FIRST_NAMES, VISITORS)],
        "countries": [{"size": size, "number": number}],
        "places": [_row(each, country.labels[each.id]) for each in country.places],
        "facts": [*_facts(country)],
        "notes": [],
    }


def _row(place: Place, label: str) -> Values:
    lat, lon = degrees(place.at)
    return {
        "id": place.id,
        "type": place.form,
        "name": place.name,
        "kind": place.kind,
        "label": label,
        "address": place.address,
        "street": place.street,
        "district": place.district,
        "postcode": place.postcode,
        "city": place.city,
        "province": place.province,
        "lat": lat,
        "lon": lon,
        "junction": place.junction,
        "importance": place.importance,
        "chain": place.chain,
    }


def _facts(country: Land) -> Iterator[Values]:
    for place in country.places:
        for fact, value in place.tags.items():
            yield {"place": place.id, "fact": FACTS[fact], "value": value}
