"""The views of the map: what lies inside a rectangle, and where the links to other views lead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sites._kit.declare import Invalid
from sites._land.land import Land, degrees
from sites._land.places import Place
from sites.map import search
from sites.world import Row, World

ZOOMS = range(6, 18)
"""The zooms; each shows half the width of the one before."""
CITY = 12
"""The zoom that shows a whole city."""
WIDE, HIGH = 720, 480
"""The size of a view in pixels."""
MOST = 60
"""The most places that a view lists."""
OUTSIDE = 5.0
"""The most degrees that a view may lie beside the country."""


@dataclass(frozen=True)
class View:
    """A rectangle of the map.

    Attributes:
        zoom: The zoom.
        at: Its middle, in decimetres from the city's corner.
    """

    zoom: int
    at: tuple[int, int]

    @property
    def width(self) -> int:
        """The width in decimetres."""
        return 360_000_000 >> self.zoom

    @property
    def height(self) -> int:
        """The height in decimetres."""
        return self.width * HIGH // WIDE

    def holds(self, at: tuple[int, int]) -> bool:
        """Return whether a place lies inside."""
        east, north = at[0] - self.at[0], at[1] - self.at[1]
        return abs(east) * 2 <= self.width and abs(north) * 2 <= self.height

    def moved(self, east: int, north: int) -> View:
        """Return the view beside it, half a view further."""
        x, y = self.at
        return View(self.zoom, (x + east * self.width // 2, y + north * self.height // 2))


def record(world: World, asked: Row) -> Iterator[Row]:
    """Yield the record of a view: its address, and the addresses of the views around it.

    Raises:
        Invalid: The view lies outside the country, or is no view.
    """
    view = read(asked)
    columns: Row = {"zoom": str(view.zoom), **spelled("", view)}
    columns |= {"nearer": str(min(view.zoom + 1, ZOOMS[-1]))}
    columns |= {"farther": str(max(view.zoom - 1, ZOOMS[0]))}
    for name, east, north in (("north", 0, 1), ("south", 0, -1), ("east", 1, 0), ("west", -1, 0)):
        columns |= spelled(f"{name}_", view.moved(east, north))
    yield columns


COLUMNS = (
    "zoom", "lat", "lon", "nearer", "farther",
    *(f"{way}_{part}" for way in ("north", "south", "east", "west") for part in ("lat", "lon")),
)  # fmt: skip


def read(asked: Row) -> View:
    """Return the view of an address.

    Raises:
        Invalid: The view lies outside the country, or is no view.
    """
    try:
        zoom, lat, lon = int(asked["zoom"]), float(asked["lat"]), float(asked["lon"])
    except ValueError:
        raise Invalid(view="This is no view of the map.") from None
    zero = degrees((0, 0))
    near = abs(lat - zero[0]) <= OUTSIDE and abs(lon - zero[1]) <= OUTSIDE
    if zoom not in ZOOMS or not near:
        raise Invalid(view="This view lies outside the map.")
    return View(zoom, search.position(lat, lon))


def places(world: World, asked: Row) -> Iterator[Row]:
    """Yield the places inside a view, the well known first."""
    view, shown = read(asked), search.country(world)
    inside = [each for each in shown.places if view.holds(each.at)]
    inside.sort(key=lambda each: (-each.importance, each.id))
    yield from rows(inside[:MOST])


def rows(found: list[Place]) -> Iterator[Row]:
    """Yield places as rows of a list, in their order."""
    for rank, place in enumerate(found, 1):
        yield {
            "rank": rank,
            "id": place.id,
            "type": place.form,
            "title": place.name,
            "kind": place.kind,
            "address": place.address,
        }


ROW = "rank", "id", "type", "title", "kind", "address"
"""The columns of a place in a list."""


def results(world: World, asked: Row) -> Iterator[Row]:
    """Yield the places that a search finds, the best first."""
    if asked.get("query"):
        centre = read(asked).at if asked.get("zoom") else None
        yield from rows(search.find(search.country(world), asked["query"], centre))


def spelled(before: str, view: View) -> Row:
    lat, lon = degrees(view.at)
    return {f"{before}lat": f"{lat:.5f}", f"{before}lon": f"{lon:.5f}"}


def of_city(shown: Land) -> View:
    """Return the view of the whole city."""
    return View(CITY, shown.places[0].at)
