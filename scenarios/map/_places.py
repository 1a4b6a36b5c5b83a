"""Places and ways, as the map's families draw them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenarios.kit import Draw, Found, See
from scenarios.places import OF_KIND, SOUGHT
from sites.map.directions import minutes, way_between
from sites.map.search import rank

BRANCHES = "SELECT p.* FROM places p WHERE p.chain != '' AND p.kind NOT LIKE 'closed%'"
ON_STREET = "SELECT id FROM places WHERE street = ? AND kind IN (?, 'closed ' || ?)"
OUTSIDE = "SELECT p.* FROM places p WHERE p.kind = ? AND p.district = '' ORDER BY p.id"
MODES = {"car": "by car", "bicycle": "by bicycle", "foot": "on foot"}


@dataclass(frozen=True)
class Way:
    """The quickest way between two places.

    Attributes:
        page: The page that shows it; the note is its ends, its length and its time.
        time: Its time in whole minutes, as the page shows it.
        length: Its length in kilometres with one decimal, as the page shows it.
    """

    page: See
    time: int
    length: str


def way(d: Draw, one: Found, other: Found, mode: str) -> Way:
    """Return the way between two places; draw again if there is none.

    Args:
        d: The attempt.
        one: The place at which it starts.
        other: The place to which it leads.
        mode: `car`, `bicycle` or `foot`.
    """
    found = way_between(d.world, one.id, other.id, mode)
    d.need(found)
    assert found
    args = {"from": one.label, "to": other.label, "engine": mode}
    shown = f"{one.label}, {other.label}, {found.shown_length}, {found.shown_time}"
    page = d.page("directions", shown, **args)
    return Way(page, minutes(found), found.shown_length.removesuffix("km"))


def opened(d: Draw, place: Found, note: str = "") -> See:
    """Return the page of a place."""
    return d.page("place", note, type=place.type, id=place.id)


def of_street(d: Draw, kind: str, street: str) -> list[Found]:
    """Return the places of a kind on a street, with those that are closed."""
    return d.all(ON_STREET, street, kind, kind)


def looked_up(d: Draw, query: str, found: Sequence[Found] = (), note: str = "") -> See:
    """Return the page of a search.

    Args:
        d: The attempt.
        query: The query.
        found: The places that must be seen, on this page or in any other list.
        note: The note that is taken there.
    """
    page = d.page("search", note, query=query)
    evidence = tuple(f"place {each.id} {each.type}" for each in found)
    return See(page.place, note, evidence)


def nearest(d: Draw, kind: str, place: Found, many: int) -> list[Found]:
    """Return the places of a kind that lie nearest to a place in a straight line."""
    ids = [each.id for each in rank(d.world, kind, place.id)[:many]]
    rows = {row.id: row for row in d.all(OF_KIND, kind)}
    d.need(all(each in rows for each in ids))
    return [rows[each] for each in ids]


def searched(d: Draw, kind: str, place: Found, found: Sequence[Found], note: str = "") -> See:
    """Return the page of a search for a kind near a place, which must show some of the places.

    Args:
        d: The attempt.
        kind: The kind.
        place: The place.
        found: The places that must be seen.
        note: The note that is taken there.
    """
    return looked_up(d, f"{SOUGHT[kind]} near {place.label}", found, note)
