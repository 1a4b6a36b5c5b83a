"""The quickest ways, found by two libraries."""

from __future__ import annotations

from random import Random

import pytest

from sites._land.land import land
from sites._land.routes import TIES, Roads, arcs, spoken_length, spoken_time
from sites._land.streets import MODES, Road
from tests.each import for_each

ROUTES = 200


def test_200_routes_are_equal_between_two_libraries():
    rustworkx = pytest.importorskip("rustworkx")
    for mode in MODES:
        made = land("medium", 1)
        graph, node = rustworkx.PyDiGraph(), {}
        roads = (*made.streets.roads, *made.region.roads)
        for a, b, weight in arcs(roads, mode):
            for each in (a, b):
                if each not in node:
                    node[each] = graph.add_node(each)
            graph.add_edge(node[a], node[b], float(weight))
        rng = Random(mode)
        for _ in range(ROUTES // len(MODES) + 1):
            a, b = rng.sample(sorted(node), 2)
            found = rustworkx.dijkstra_shortest_paths(
                graph, node[a], node[b], weight_fn=lambda weight: weight
            )
            own = made.roads.route(mode, a, b)
            path = [graph[each] for each in found[node[b]]] if node[b] in [*found] else None
            assert (list(own.junctions) if own else None) == path, (mode, a, b)


def test_no_sum_of_ties_reaches_a_tenth_of_a_second():
    made = land("medium", 0)
    roads = (*made.streets.roads, *made.region.roads)
    assert len(roads) * 2**20 < TIES * 2  # even a way over half of all roads
    assert all(weight % TIES < 2**20 for _, _, weight in arcs(roads, "foot"))


SQUARE = {1: (0, 0), 2: (10_000, 0), 3: (10_000, 10_000), 4: (0, 10_000)}
BLOCK = (
    Road(1, 2, "South Street", "residential", 10_000),
    Road(2, 3, "East Street", "residential", 10_000, one_way=True),
    Road(3, 4, "North Street", "path", 10_000),
    Road(1, 4, "West Street", "secondary", 10_000),
)


def test_a_way_is_worked_out_by_hand():
    """A kilometre at 25 km/h takes 144 s, at 40 km/h 90 s, and a car waits 5 s a junction."""
    roads = Roads(SQUARE, BLOCK)
    driven = roads.route("car", 1, 3)
    assert driven and driven.junctions == (1, 2, 3)
    assert (driven.length, driven.time) == (20_000, 2 * 1_440 + 2 * 50)
    assert roads.route("car", 3, 1) is None  # one way, and the path is for walkers
    walked = roads.route("foot", 3, 1)
    assert walked and walked.time == 2 * 7_200 and walked.length == 20_000
    assert roads.times("car", 1) == {1: 0, 2: 1_490, 4: 950, 3: 2_980}
    nowhere = roads.route("car", 1, 99)
    assert nowhere is None


def test_a_way_to_oneself_has_no_length():
    same = Roads(SQUARE, BLOCK).route("foot", 2, 2)
    assert same and (same.length, same.time, same.junctions) == (0, 0, (2,))
    assert Roads(SQUARE, BLOCK).turns(same) == []


def test_turns_follow_the_streets():
    roads = Roads(SQUARE, BLOCK)
    driven = roads.route("car", 1, 3)
    assert driven
    words = [(turn.word, turn.street, turn.length) for turn in roads.turns(driven)]
    assert words == [("start", "South Street", 10_000), ("left", "East Street", 10_000)]


@for_each(
    ("decimetres", "text"),
    [(0, "0.0km"), (499, "0.0km"), (500, "0.1km"), (41_230, "4.1km"), (1_234_567, "123.5km")],
)
def test_a_length_is_written_with_one_decimal(decimetres, text):
    assert spoken_length(decimetres) == text


@for_each(
    ("tenths", "text"),
    [(0, "0:00"), (299, "0:00"), (300, "0:01"), (7_200, "0:12"), (73_600, "2:03")],
)  # fmt: skip
def test_a_time_is_written_in_hours_and_minutes(tenths, text):
    assert spoken_time(tenths) == text
