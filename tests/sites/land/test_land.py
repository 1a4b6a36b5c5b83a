"""A country: its streets, places, provinces and roads."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from sites._land.kinds import KINDS
from sites._land.land import DEGREE, ORIGIN, SIDES, degrees, land
from sites._land.places import CLOSED
from sites._land.streets import MODES, ROADS, apart
from tests.measuring import DEEP
from tests.sites.other_processes import printed_elsewhere

NUMBERS = range(200 if DEEP else 3)
drawn = pytest.mark.parametrize("number", NUMBERS)


def test_a_country_is_the_same_in_every_process():
    made = land("small", 3)
    text = repr((made.streets, made.districts, made.region, made.places))
    assert printed_elsewhere("country") == {hashlib.sha256(text.encode()).hexdigest()}


@pytest.mark.parametrize("size", ["small", "medium"])
def test_a_city_has_the_junctions_of_its_size(size):
    assert len(land(size, 0).streets.junctions) == SIDES[size] ** 2


@drawn
def test_a_road_is_as_long_as_its_ends_are_apart(number):
    streets = land("small", number).streets
    for road in streets.roads:
        assert road.length == streets.apart(road.a, road.b) > 0
        assert road.kind in ROADS


@drawn
def test_every_place_but_the_islet_is_reached_and_left_by_each_mode(number):
    made = land("small", number)
    start = made.places[0].junction
    outside = {each.junction for each in made.places if "Islet" not in each.name}
    for mode in MODES:
        assert outside <= {*made.roads.times(mode, start)}
        assert all(made.roads.route(mode, each, start) for each in sorted(outside)[:20])


@drawn
def test_only_walkers_reach_the_islet(number):
    made = land("small", number)
    [islet] = (each for each in made.places if each.name == "Islet Viewpoint")
    start = made.places[0].junction
    assert made.roads.route("foot", start, islet.junction)
    assert made.roads.route("car", start, islet.junction) is None
    assert made.roads.route("bicycle", islet.junction, start) is None


@drawn
def test_cars_obey_one_way_streets_and_others_do_not(number):
    made = land("small", number)
    one_way = [road for road in made.streets.roads if road.one_way]
    share = len(one_way) / sum(road.kind == "residential" for road in made.streets.roads)
    assert 0.02 < share < 0.2
    for road in one_way[:20]:
        there, back = (made.roads.route("car", *ends) for ends in
                       ((road.a, road.b), (road.b, road.a)))  # fmt: skip
        assert there and back and len(back.junctions) > 2
        walked = made.roads.route("foot", road.b, road.a)
        assert walked and walked.length <= back.length


@drawn
def test_the_river_is_crossed_on_bridges_alone(number):
    """Without a river, each of the 30 columns of junctions would have a road across it."""
    made = land("small", number)
    junctions = made.streets.junctions
    banks = {key: at[1] > _height(made.streets.river, at[0]) for key, at in junctions.items()}
    crossing = [road for road in made.streets.roads if banks[road.a] != banks[road.b]]
    assert 3 <= len(crossing) < 20


def _height(river: tuple[tuple[int, int], ...], east: int) -> int:
    """Return how far north the river runs at a place."""
    return min(river, key=lambda at: abs(at[0] - east))[1]


@drawn
def test_each_place_has_a_label_of_its_own(number):
    made = land("medium", number)
    labels = Counter(made.labels.values())
    assert labels.most_common(1)[0][1] == 1
    assert all(label.startswith(made.of[key].name) for key, label in made.labels.items())


@drawn
def test_names_are_given_once_but_to_branches_of_a_chain(number):
    names = Counter(each.name for each in land("medium", number).places if not each.chain)
    assert names.most_common(1)[0][1] == 1
    chains = Counter(each.chain for each in land("medium", number).places if each.chain)
    assert len(chains) >= 8 and all(many >= 4 for many in chains.values())


@drawn
def test_every_kind_has_a_place_and_a_few_places_are_closed(number):
    made = land("medium", number)
    kinds = {each.kind for each in made.places}
    assert kinds >= {*KINDS, "park", "city", "airport", "national park", "province"}
    assert sum(each.kind.startswith(CLOSED) for each in made.places) == 3


@drawn
def test_a_street_runs_through_several_districts(number):
    made = land("medium", number)
    seen: dict[str, set[str]] = {}
    for place in made.places:
        if place.street:
            seen.setdefault(place.street, set()).add(place.district)
    assert any(len(districts) > 1 for districts in seen.values())


@drawn
def test_borders_are_shared_by_both_provinces(number):
    lands = {each.name: each for each in land("small", number).region.provinces}
    assert 9 <= len(lands) <= 14
    for each in lands.values():
        assert each.borders and each.name not in each.borders
        assert all(each.name in lands[other].borders for other in each.borders)


@drawn
def test_cities_lie_apart_and_the_first_airport_is_near_the_city(number):
    made = land("small", number)
    cities = [each for each in made.places if each.kind == "city"]
    assert len(cities) == 12
    far = [apart(one.at, other.at) for one in cities for other in cities if one is not other]
    assert min(far) > 300_000
    airport = next(each for each in made.places if each.kind == "airport")
    assert apart(airport.at, cities[0].at) < 300_000


def test_degrees_have_five_decimals():
    assert degrees((0, 0)) == ORIGIN
    assert degrees((DEGREE, 2 * DEGREE)) == (ORIGIN[0] + 2, ORIGIN[1] + 1)
    assert degrees((1, 1)) == ORIGIN
