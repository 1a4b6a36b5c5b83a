"""The quickest ways through the streets, by car, by bicycle and on foot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

from sites._land.streets import ROADS, Road

if TYPE_CHECKING:
    from networkx import DiGraph

SPEEDS = {"bicycle": 15, "foot": 5}
"""The speed of those that do not drive, in km/h."""
WAIT = 50
"""The time that a car waits at each junction, in tenths of seconds."""
TIES = 2**32
"""The factor by which a time weighs more than all numbers that decide ties on a whole way."""


@dataclass(frozen=True)
class Leg:
    """A part of a way along one street.

    Attributes:
        word: The turn at its start: `start`, `straight`, `left` or `right`.
        street: The name of the street.
        length: Its length in decimetres.
    """

    word: str
    street: str
    length: int


@dataclass(frozen=True)
class Route:
    """The quickest way between two junctions.

    Attributes:
        mode: `car`, `bicycle` or `foot`.
        junctions: The junctions on the way.
        length: The length in decimetres.
        time: The time in tenths of seconds.
    """

    mode: str
    junctions: tuple[int, ...]
    length: int
    time: int

    @property
    def shown_length(self) -> str:
        """The length as the map writes it, such as "4.1km"."""
        return spoken_length(self.length)

    @property
    def shown_time(self) -> str:
        """The time as the map writes it, in hours and minutes, such as "0:12"."""
        return spoken_time(self.time)


def seconds_tenths(road: Road, mode: str) -> int:
    """Return the time on a road in tenths of seconds."""
    speed = ROADS[road.kind][0] if mode == "car" else SPEEDS[mode]
    return -(-road.length * 36 // (speed * 10)) + (WAIT if mode == "car" else 0)


def ends(road: Road, mode: str) -> Iterator[tuple[int, int]]:
    """Yield the directions in which a mode may use a road."""
    if mode in road.modes:
        yield road.a, road.b
        if mode != "car" or not road.one_way:
            yield road.b, road.a


def arcs(roads: Iterable[Road], mode: str) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the end and the weight of each direction of a road.

    A weight is a time, and behind it a number that is drawn from the road. So no two ways weigh the
    same, and the quickest way does not depend on the library that finds it.
    """
    for road in roads:
        tie = Random(f"{road.a}-{road.b}").randrange(2**20)
        for a, b in ends(road, mode):
            yield a, b, seconds_tenths(road, mode) * TIES + tie


class Roads:
    """The roads of a country, ready for questions about ways.

    Args:
        junctions: The place of each junction, in decimetres.
        roads: The roads.
    """

    def __init__(self, junctions: Mapping[int, tuple[int, int]], roads: Sequence[Road]) -> None:
        self._junctions = junctions
        self._roads = roads
        self._between = {frozenset((road.a, road.b)): road for road in roads}
        self._graphs: dict[str, DiGraph[int]] = {}
        self.route = lru_cache(4_096)(self._quickest)
        self.times = lru_cache(64)(self._reached)

    def _quickest(self, mode: str, a: int, b: int) -> Route | None:
        """Return the quickest way between two junctions, or None if there is none."""
        import networkx

        try:
            _, path = networkx.bidirectional_dijkstra(self._graph(mode), a, b)
        except (networkx.NetworkXNoPath, networkx.NodeNotFound):
            return None
        return self._route(mode, path)

    def _reached(self, mode: str, a: int) -> Mapping[int, int]:
        """Return the time from a junction to each that can be reached, in tenths of seconds."""
        import networkx

        graph = self._graph(mode)
        found = networkx.single_source_dijkstra_path_length(graph, a) if a in graph else {}
        return {key: int(weight) // TIES for key, weight in found.items()}

    def turns(self, route: Route) -> list[Leg]:
        """Return the parts of a way, each along one street."""
        found: list[Leg] = []
        before: Road | None = None
        for at, road in enumerate(self._on(route.junctions)):
            if before is not None and road.street == before.street:
                found[-1] = Leg(found[-1].word, road.street, found[-1].length + road.length)
            else:
                found.append(Leg(self._word(route.junctions, at), road.street, road.length))
            before = road
        return found

    def _graph(self, mode: str) -> DiGraph[int]:
        import networkx

        if mode not in self._graphs:
            graph: DiGraph[int] = networkx.DiGraph()
            graph.add_weighted_edges_from(arcs(self._roads, mode))
            self._graphs[mode] = graph
        return self._graphs[mode]

    def _route(self, mode: str, path: Sequence[int]) -> Route:
        roads = [*self._on(path)]
        return Route(
            mode,
            tuple(path),
            sum(road.length for road in roads),
            sum(seconds_tenths(road, mode) for road in roads),
        )

    def _on(self, path: Sequence[int]) -> Iterator[Road]:
        return (self._between[frozenset(pair)] for pair in pairwise(path))

    def _word(self, path: Sequence[int], at: int) -> str:
        """Return the turn at a junction of a path."""
        if at == 0:
            return "start"
        before, here, after = (self._junctions[each] for each in path[at - 1 : at + 2])
        turned = _heading(here, after) - _heading(before, here)
        angle = (turned + math.pi) % math.tau - math.pi
        if abs(angle) < math.pi / 5:
            return "straight"
        return "left" if angle > 0 else "right"


def _heading(one: tuple[int, int], other: tuple[int, int]) -> float:
    return math.atan2(other[1] - one[1], other[0] - one[0])


def spoken_length(decimetres: int) -> str:
    """Return a length as the map writes it, such as "4.1km"."""
    return f"{(decimetres + 500) // 1000 / 10:.1f}km"


def spoken_time(tenths: int) -> str:
    """Return a time as the map writes it, in hours and minutes, such as "0:12"."""
    minutes = (tenths + 300) // 600
    return f"{minutes // 60}:{minutes % 60:02}"
