"""Parts of the families that read another site before they write in the back office."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenarios.kit import Draw, Reading, path_step
from scenarios.places import NAMED, OF_KIND, SOUGHT
from sites.kit import Place
from sites.map.search import rank


def some_place(d: Draw) -> Any:
    """Draw a place of the map that has a name of its own."""
    return d.some(d.beside("map", NAMED))


def nearest(d: Draw, kind: str, place: Any, many: int) -> list[Any]:
    """Return the places of a kind that lie nearest to a place of the map in a straight line."""
    size, number = d.base
    world = d.data["map"].base(size, number % d.data["map"].bases)
    ids = [each.id for each in rank(world, kind, place.id)[:many]]
    rows = {row.id: row for row in d.beside("map", OF_KIND, kind)}
    d.need(all(each in rows for each in ids))
    return [rows[each] for each in ids]


def searched(kind: str, place: Any, found: Any, values: Sequence[str]) -> Reading:
    """Return the reading of a search for a kind near a place, which must show one of the places.

    Args:
        kind: The kind.
        place: The place near which the others are searched.
        found: The place that must be seen.
        values: The facts that are taken from it.
    """
    page = Place.of("search", {"query": f"{SOUGHT[kind]} near {place.label}"})
    return Reading(
        "map", [path_step(page)], [[{"shows": f"place {found.id} {found.type}"}]], values
    )
