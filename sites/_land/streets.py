"""The streets of a city: a jittered grid with a river, bridges, a ring road, parks and an islet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from sites._land.words import Names

SPACING = 1_300
"""The distance between two junctions of the grid, in decimetres."""
JITTER = 330
"""The most that a junction lies beside its place in the grid, in decimetres."""
ONE_WAY = 0.10
"""The share of the residential streets that cars may use in one direction only."""
CLOSED = 0.05
"""The share of the residential blocks that have no road."""
MODES = "car", "bicycle", "foot"
ROADS = {
    "motorway": (60, ("car",)),
    "primary": (60, MODES),
    "secondary": (40, MODES),
    "residential": (25, MODES),
    "cycleway": (0, ("bicycle", "foot")),
    "path": (0, ("foot",)),
    "highway": (100, ("car",)),
    "country road": (70, MODES),
}
"""For each class of road the speed of cars in km/h, and the modes that may use it."""
Cell = tuple[int, int]
"""A place in the grid: its row and its column."""


@dataclass(frozen=True)
class Road:
    """A piece of a street between two junctions.

    Attributes:
        a: The junction at which it starts.
        b: The junction at which it ends.
        street: The name of the street.
        kind: The class, one of `ROADS`.
        length: The length in decimetres.
        one_way: Whether cars may only drive from `a` to `b`.
    """

    a: int
    b: int
    street: str
    kind: str
    length: int
    one_way: bool = False

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that may use it."""
        return ROADS[self.kind][1]


@dataclass(frozen=True)
class Streets:
    """The junctions and roads of a city.

    Attributes:
        junctions: The place of each junction in decimetres, east and north of the city's corner.
        roads: The roads.
        river: The points of the river's middle, from west to east.
        green: The junctions inside each park, by the park's number.
        islet: The junctions of the islet, which only a foot bridge joins to the city.
    """

    junctions: Mapping[int, tuple[int, int]]
    roads: tuple[Road, ...]
    river: tuple[tuple[int, int], ...]
    green: tuple[tuple[int, ...], ...]
    islet: tuple[int, ...]

    @cached_property
    def at(self) -> Mapping[int, tuple[Road, ...]]:
        """The roads of each junction."""
        found: dict[int, list[Road]] = {each: [] for each in self.junctions}
        for road in self.roads:
            found[road.a].append(road)
            found[road.b].append(road)
        return {key: tuple(roads) for key, roads in found.items()}

    def apart(self, a: int, b: int) -> int:
        """Return the straight distance of two junctions in decimetres."""
        return apart(self.junctions[a], self.junctions[b])


def apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return the straight distance of two places in decimetres."""
    return round(math.dist(one, other))


def draw(rng: Random, side: int) -> Streets:
    """Return the streets of a city with a grid of `side` times `side` junctions."""
    return _Plan(rng, side).streets()


@dataclass
class _Plan:
    """A city that is being drawn."""

    rng: Random
    side: int
    kinds: dict[tuple[Cell, Cell], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.phase = self.rng.random() * math.tau
        self.places = {cell: self._place(cell) for cell in self._cells()}
        self.bridges = self._spread(3, self.side // 10)
        self.isle = self._isle()
        self.parks = [*self._parks()]
        self.green = {cell for park in (*self.parks, self.isle) for cell in park}

    def streets(self) -> Streets:
        """Return the finished city."""
        for one, other in self._pairs():
            kind = self._kind(one, other)
            if kind:
                self.kinds[one, other] = kind
        self._join()
        names = self._named()
        ways = self._one_way(names)
        roads = tuple(
            self._road(pair, kind, names[pair], ways.get(names[pair]))
            for pair, kind in self.kinds.items()
        )
        return Streets(
            {self.number(cell): place for cell, place in self.places.items()},
            roads,
            tuple(self._river()),
            tuple(tuple(map(self.number, park)) for park in self.parks),
            tuple(map(self.number, self.isle)),
        )

    # The grid

    def number(self, cell: Cell) -> int:
        """Return the number of a junction."""
        return cell[0] * self.side + cell[1] + 1

    def _cells(self) -> Iterator[Cell]:
        return ((row, column) for row in range(self.side) for column in range(self.side))

    def _place(self, cell: Cell) -> tuple[int, int]:
        row, column = cell
        east, north = (self.rng.randrange(-JITTER, JITTER + 1) for _ in range(2))
        return column * SPACING + east + SPACING // 2, row * SPACING + north + SPACING // 2

    def _pairs(self) -> Iterator[tuple[Cell, Cell]]:
        """Yield neighbours in the grid: to the east, and to the north."""
        for row, column in self._cells():
            if column + 1 < self.side:
                yield (row, column), (row, column + 1)
            if row + 1 < self.side:
                yield (row, column), (row + 1, column)

    # The river

    def _bed(self, column: float) -> float:
        """Return the row at which the river crosses a column."""
        wave = math.sin(self.phase + column * 3.2 * math.pi / self.side)
        return self.side * 0.45 + wave * self.side * 0.07 + 0.5

    def _river(self) -> Iterator[tuple[int, int]]:
        for step in range(2 * self.side + 1):
            column = step / 2 - 0.5
            yield (
                round((column + 0.5) * SPACING),
                round((self._bed(column) + 0.5) * SPACING),
            )

    def _crosses(self, one: Cell, other: Cell) -> bool:
        """Return whether the river runs between two neighbours."""
        return (one[0] > self._bed(one[1])) != (other[0] > self._bed(other[1]))

    def _spread(self, least: int, wanted: int) -> list[int]:
        """Return the columns of the bridges, about equally far apart."""
        many = max(least, min(5, wanted))
        step = self.side / many
        return [int(step * (at + 0.25 + self.rng.random() / 2)) for at in range(many)]

    def _isle(self) -> tuple[Cell, ...]:
        """Return four junctions on the north bank, away from the bridges: the islet."""
        far = max(
            range(3, self.side - 4),
            key=lambda column: min(abs(column - each) for each in (*self.bridges, self.bridges[0])),
        )
        row = math.ceil(max(self._bed(far), self._bed(far + 1)))
        return tuple((row + up, far + right) for up in (0, 1) for right in (0, 1))

    # The classes of roads

    def _kind(self, one: Cell, other: Cell) -> str:
        """Return the class of the road between two neighbours; "" for none."""
        inside = (one in self.isle) + (other in self.isle)
        if inside == 2:
            return "path"
        if inside == 1:
            return "path" if self._is_foot_bridge(one, other) else ""
        if self._crosses(one, other):
            return self._bridge(one, other)
        for park in self.parks:
            if one in park or other in park:
                return "cycleway" if self.rng.random() < 0.5 else "path"
        return self._street(one, other)

    def _is_foot_bridge(self, one: Cell, other: Cell) -> bool:
        first = self.isle[0]
        return {one, other} == {first, (first[0] - 1, first[1])}

    def _bridge(self, one: Cell, other: Cell) -> str:
        if one[1] != other[1] or one[1] not in (*self.bridges, 0, self.side - 1):
            return ""
        return "motorway" if one[1] in (0, self.side - 1) else "primary"

    def _street(self, one: Cell, other: Cell) -> str:
        edge, ring = self.side - 1, (self.side // 6, self.side - 1 - self.side // 6)
        line = one[0] if one[0] == other[0] else one[1]
        along = sorted((one[1], other[1]) if one[0] == other[0] else (one[0], other[0]))
        if line in (0, edge):
            return "motorway"
        if line in ring and ring[0] <= along[0] and along[1] <= ring[1]:
            return "primary"
        if line % 7 == 3 or (one[1] == other[1] and line in self.bridges):
            return "secondary"
        return "" if self.rng.random() < CLOSED else "residential"

    def _parks(self) -> Iterator[tuple[Cell, ...]]:
        """Yield the junctions inside each park: squares of two to four junctions a side."""
        taken: set[Cell] = {*self.isle}
        while len(taken) < 4 + self.side * self.side // 45:
            size = self.rng.randrange(2, 5)
            row, column = (self.rng.randrange(2, self.side - size - 1) for _ in range(2))
            park = [(row + up, column + right) for up in range(size) for right in range(size)]
            if self._is_free(park, taken):
                taken |= {*park}
                yield tuple(park)

    def _is_free(self, park: Iterable[Cell], taken: set[Cell]) -> bool:
        """Return whether a park lies off the main roads, the river and other parks."""
        ring = self.side // 6, self.side - 1 - self.side // 6
        return not any(
            {(row + up, column + right) for up in (-1, 0, 1) for right in (-1, 0, 1)} & taken
            or abs(row - self._bed(column)) < 2.5
            or row % 7 == 3
            or column % 7 == 3
            or row in ring
            or column in (*ring, *self.bridges)
            for row, column in park
        )

    def _join(self) -> None:
        """Open a closed block wherever a junction could not be reached on foot or by car."""
        for modes in ("car", "foot"):
            while lost := self._lost(modes):
                pair = next(each for each in self._pairs() if self._opens(each, lost))
                self.kinds[pair] = "residential"

    def _lost(self, mode: str) -> set[Cell]:
        """Return the junctions that a mode should reach from the first street, and cannot."""
        near: dict[Cell, list[Cell]] = {}
        for (one, other), kind in self.kinds.items():
            if mode in ROADS[kind][1]:
                near.setdefault(one, []).append(other)
                near.setdefault(other, []).append(one)
        wanted = {*self._cells()} - (self.green if mode == "car" else {*self.isle})
        found = _reached((self.side // 6, self.side // 6), near)
        corner = {0, self.side - 1}
        return {
            cell for cell in wanted - found
            if mode == "car" or not (cell[0] in corner or cell[1] in corner)
        }  # fmt: skip

    def _opens(self, pair: tuple[Cell, Cell], lost: set[Cell]) -> bool:
        """Return whether a road between two neighbours would reach a lost junction."""
        return (
            len({*pair} & lost) == 1
            and not {*pair} & self.green
            and not self._crosses(*pair)
            and self.kinds.get(pair, "") in ("", "residential")
        )

    # Names and directions

    def _named(self) -> dict[tuple[Cell, Cell], str]:
        """Return the name of each road: rows and columns are cut into streets."""
        names = Names(self.rng).streets()
        cuts: dict[tuple[bool, int], list[tuple[int, str]]] = {}
        for is_row in (True, False):
            for line in range(self.side):
                cuts[is_row, line] = [*self._cut(names)]
        return {pair: self._name(pair, kind, cuts) for pair, kind in self.kinds.items()}

    def _cut(self, names: Iterator[str]) -> Iterator[tuple[int, str]]:
        """Yield the end of each street of a line, and its name."""
        at = 0
        while at < self.side:
            at += self.rng.randrange(12, 26)
            yield at, next(names)

    def _name(
        self,
        pair: tuple[Cell, Cell],
        kind: str,
        cuts: Mapping[tuple[bool, int], list[tuple[int, str]]],
    ) -> str:
        (row, column), other = pair
        if kind == "motorway":
            return "City Motorway"
        is_row = row == other[0]
        line, at = (row, column) if is_row else (column, row)
        return next(name for end, name in cuts[is_row, line] if at < end)

    def _one_way(self, names: Mapping[tuple[Cell, Cell], str]) -> dict[str, bool]:
        """Return the direction of the one-way streets by name: whether it is that of the grid.

        Streets that would cut a car off from some road are open in both directions.
        """
        kinds: dict[str, set[str]] = {}
        for pair, kind in self.kinds.items():
            kinds.setdefault(names[pair], set()).add(kind)
        quiet = [name for name, found in kinds.items() if found == {"residential"}]
        ways = {
            name: self.rng.random() < 0.5
            for name in self.rng.sample(quiet, round(len(quiet) * ONE_WAY))
        }
        while bad := self._cutting(names, ways):
            ways = {name: way for name, way in ways.items() if name not in bad}
        return ways

    def _cutting(
        self, names: Mapping[tuple[Cell, Cell], str], ways: Mapping[str, bool]
    ) -> set[str]:
        """Return the one-way streets at junctions that a car cannot reach, or cannot leave."""
        forth: dict[Cell, list[Cell]] = {}
        back: dict[Cell, list[Cell]] = {}
        for (one, other), kind in self.kinds.items():
            way = ways.get(names[one, other])
            for a, b, is_forth in ((one, other, True), (other, one, False)):
                if "car" in ROADS[kind][1] and way in (None, is_forth):
                    forth.setdefault(a, []).append(b)
                    back.setdefault(b, []).append(a)
        start = (self.side // 6, self.side // 6)
        good = _reached(start, forth) & _reached(start, back)
        bad = {*forth, *back} - good
        return {names[pair] for pair in self.kinds if {*pair} & bad and names[pair] in ways}

    def _road(self, pair: tuple[Cell, Cell], kind: str, name: str, way: bool | None) -> Road:
        one, other = pair if way is not False else pair[::-1]
        length = apart(self.places[one], self.places[other])
        return Road(self.number(one), self.number(other), name, kind, length, way is not None)


def _reached(start: Cell, near: Mapping[Cell, list[Cell]]) -> set[Cell]:
    """Return the junctions that can be reached from a junction."""
    found, edge = {start}, [start]
    while edge:
        fresh = [each for each in near.get(edge.pop(), ()) if each not in found]
        found.update(fresh)
        edge += fresh
    return found
