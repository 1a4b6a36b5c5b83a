"""Pictures of the map: one SVG a view, with roads, water, parks, names and a way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from sites._land.land import Land
from sites._land.routes import Route
from sites._land.streets import Road
from sites.map.views import HIGH, WIDE, View

Point = tuple[int, int]
WIDTHS = {
    "motorway": 7.0, "highway": 5.0, "primary": 6.0, "secondary": 5.0, "country road": 3.0,
    "residential": 3.0, "cycleway": 1.6, "path": 1.2,
}  # fmt: skip
COLOURS = {
    "motorway": "#e89a6a", "highway": "#e89a6a", "primary": "#f2c46d", "secondary": "#f5e2a3",
    "country road": "#d8d2c4", "residential": "#ffffff", "cycleway": "#8fb7dd", "path": "#c9a98a",
}  # fmt: skip
ORDER = (
    "path", "cycleway", "residential", "country road", "secondary", "primary", "highway",
    "motorway",
)  # fmt: skip
"""The classes of roads, in the order in which they are drawn over each other."""
NAMED = 15
"""The zoom from which on streets and small places have names."""
LEAST = {6: 8, 7: 8, 8: 7, 9: 7, 10: 7, 11: 8, 12: 8, 13: 7, 14: 5, 15: 3, 16: 1, 17: 1}
"""The least importance of the places that are named, by zoom."""


def svg(shown: Land, view: View, way: Route | None = None, marks: Sequence[Point] = ()) -> str:
    """Return the picture of a view.

    Args:
        shown: The country.
        view: The view.
        way: A way to draw.
        marks: Places to mark, in decimetres.
    """
    parts = [*_Picture(shown, view).parts(way, marks)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}"'
    return f'{head} width="{WIDE}" height="{HIGH}">{"".join(parts)}</svg>'


def around(points: Iterable[Point]) -> View:
    """Return the nearest view that shows all of the points."""
    every = [*points]
    xs, ys = [x for x, _ in every], [y for _, y in every]
    middle = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    for zoom in range(16, 6, -1):
        view = View(zoom, middle)
        wide, high = (max(xs) - min(xs)) * 1.2, (max(ys) - min(ys)) * 1.2
        if wide <= view.width and high <= view.height:
            return view
    return View(6, middle)


class _Picture:
    """A picture that is being drawn."""

    def __init__(self, shown: Land, view: View) -> None:
        self.shown, self.view = shown, view
        self.scale = WIDE / view.width
        self.at = {**shown.streets.junctions, **shown.region.junctions}

    def parts(self, way: Route | None, marks: Sequence[Point]) -> Iterator[str]:
        """Yield the elements of the picture, from below to above."""
        yield f'<rect width="{WIDE}" height="{HIGH}" fill="#f1eee6"/>'
        if self.view.zoom >= 11:
            yield from self._parks()
            yield self._line(self.shown.streets.river, "#a9cfe8", 38 * self._thick)
        yield from self._roads()
        if way:
            points = [self.at[each] for each in way.junctions]
            yield self._line(points, "#2f62c9", max(4.0, 5 * self._thick), "0.8")
        yield from self._names()
        yield from map(self._mark, marks)

    @property
    def _thick(self) -> float:
        """How thick lines are at this zoom."""
        return 2.0 ** (min(self.view.zoom, 16) - 14)

    def pixel(self, at: Point) -> tuple[float, float]:
        """Return where a place lies in the picture."""
        east, north = at[0] - self.view.at[0], at[1] - self.view.at[1]
        return round(WIDE / 2 + east * self.scale, 1), round(HIGH / 2 - north * self.scale, 1)

    def _line(self, points: Iterable[Point], colour: str, width: float, clear: str = "1") -> str:
        path = " ".join(f"{x},{y}" for x, y in map(self.pixel, points))
        return (
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:.1f}"'
            f' stroke-opacity="{clear}" stroke-linejoin="round" stroke-linecap="round"/>'
        )

    def _parks(self) -> Iterator[str]:
        for green in self.shown.streets.green:
            points = [self.pixel(self.at[each]) for each in green]
            left, top = min(x for x, _ in points), min(y for _, y in points)
            wide, high = max(x for x, _ in points) - left, max(y for _, y in points) - top
            edge = 500 * self.scale
            yield (
                f'<rect x="{left - edge:.1f}" y="{top - edge:.1f}" width="{wide + 2 * edge:.1f}"'
                f' height="{high + 2 * edge:.1f}" rx="{edge:.1f}" fill="#c8e0b4"/>'
            )

    def _roads(self) -> Iterator[str]:
        """Yield the roads by class, each class as one path."""
        every = [*self.shown.streets.roads, *self.shown.region.roads]
        seen = [road for road in every if self._is_seen(road)]
        for kind in ORDER:
            lines = [self._piece(road) for road in seen if road.kind == kind]
            width = max(
                0.6 if self.view.zoom > 10 else WIDTHS[kind] / 3, WIDTHS[kind] * self._thick
            )
            if lines and width > 2.5:
                yield self._path(lines, "#cfc8b8", width + 1.4)
            if lines:
                yield self._path(lines, COLOURS[kind], width)

    def _least(self, kind: str) -> float:
        """Return the least width of a road, so that it is seen on a view of the country."""
        return WIDTHS[kind] / 3 if self.view.zoom <= 10 else 0.6

    def _path(self, lines: list[str], colour: str, width: float) -> str:
        return (
            f'<path d="{"".join(lines)}" fill="none" stroke="{colour}"'
            f' stroke-width="{width:.1f}" stroke-linecap="round"/>'
        )

    def _is_seen(self, road: Road) -> bool:
        return any(self._is_near(self.at[each]) for each in (road.a, road.b))

    def _is_near(self, at: Point) -> bool:
        east, north = at[0] - self.view.at[0], at[1] - self.view.at[1]
        return abs(east) <= self.view.width and abs(north) <= self.view.height

    def _piece(self, road: Road) -> str:
        (x, y), (u, v) = self.pixel(self.at[road.a]), self.pixel(self.at[road.b])
        return f"M{x} {y}L{u} {v}"

    # Names

    def _names(self) -> Iterator[str]:
        if self.view.zoom >= NAMED:
            yield from self._streets()
        taken: list[tuple[float, float]] = []
        least = LEAST.get(self.view.zoom, 9)
        for place in sorted(self.shown.places, key=lambda each: -each.importance):
            spot = self.pixel(place.at)
            if place.importance < least or not self.view.holds(place.at):
                continue
            if all(abs(spot[0] - x) > 90 or abs(spot[1] - y) > 16 for x, y in taken):
                taken.append(spot)
                yield self._name(spot, place.name, place.kind == "city")

    def _name(self, spot: tuple[float, float], name: str, is_city: bool) -> str:
        size = 15 if is_city else 11
        x, y = spot
        return (
            f'<circle cx="{x}" cy="{y}" r="3" fill="#7a4b2b"/><text x="{x + 5}" y="{y + 4}"'
            f' font-size="{size}" font-family="sans-serif" fill="#3a2f28" stroke="#fff"'
            f' stroke-width="2.5" paint-order="stroke">{escape(name)}</text>'
        )

    def _streets(self) -> Iterator[str]:
        """Yield the name of each street, in the middle of its piece that is seen."""
        pieces: dict[str, list[Road]] = {}
        for road in self.shown.streets.roads:
            if self.view.holds(self.at[road.a]):
                pieces.setdefault(road.street, []).append(road)
        for name, roads in pieces.items():
            road = roads[len(roads) // 2]
            (x, y), (u, v) = self.pixel(self.at[road.a]), self.pixel(self.at[road.b])
            turn = 90 if abs(v - y) > abs(u - x) else 0
            x, y = (x + u) / 2, (y + v) / 2 + (0 if turn else 4)
            yield (
                f'<text x="{x:.1f}" y="{y:.1f}" font-size="10" font-family="sans-serif"'
                f' fill="#6b6257" text-anchor="middle" transform="rotate({-turn} {x:.1f} {y:.1f})"'
                f' stroke="#fff" stroke-width="2" paint-order="stroke">{escape(name)}</text>'
            )

    def _mark(self, at: Point) -> str:
        x, y = self.pixel(at)
        return (
            f'<path d="M{x} {y}l-9 -22a9.5 9.5 0 1 1 18 0z" fill="#c0392b" stroke="#fff"/>'
            f'<circle cx="{x}" cy="{y - 23}" r="3.5" fill="#fff"/>'
        )
