"""The map's families over many seeds: what differs, and answers that are worked out again."""

from __future__ import annotations

import re
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

import scenarios.map
from scenarios import registry
from sites._land.streets import apart
from sites.map import SITE, directions, load_data, search
from sites.wiki.known import facts_of
from tests.measuring import DEEP

FOLDER = Path(scenarios.map.__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
SEEDS = 20 if DEEP else 6
pytestmark = pytest.mark.usefixtures("unmeasured")


@cache
def drawn(name, count=SEEDS):
    family = registry.family(name)
    return [family.generate(seed, load_data()) for seed in range(count)]


def country(scenario):
    return search.country(load_data().base(scenario.details["size"], scenario.details["base"]))


def minutes(shown, one, other, mode):
    """The minutes between two labels, found by the time from one to all others."""
    a, b = (search.resolve(shown, label).junction for label in (one, other))
    return (shown.roads.times(mode, a)[b] + 300) // 600


def ways(scenario):
    """The ends and the mode of each way that the answer rests on."""
    pages = [args for page, args, _ in scenario.gold["read"] if page == "directions"]
    return [(args["from"], args["to"], args["engine"]) for args in pages]


def test_the_folder_has_the_families_of_the_map():
    assert len(NAMES) == 20


@pytest.mark.parametrize("name", NAMES)
def test_every_wording_is_used_and_says_all_slots(name):
    family = registry.family(name)
    assert len(family.wordings) >= 4
    texts = [each.instruction for each in drawn(name, 8)]
    assert not any("{" in each for each in texts)
    assert len({each[:12] for each in texts}) >= 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("skin", [each.name for each in SITE.skins[1:]])
def test_another_skin_asks_for_the_same(name, skin):
    for one, other in zip(drawn(name, 2), drawn(f"{name}.{skin}", 2), strict=True):
        assert (one.instruction, one.gold["answer" if "answer" in one.gold else "end"]) == (
            other.instruction,
            other.gold["answer" if "answer" in other.gold else "end"],
        )


@pytest.mark.parametrize("name", ["nearest_route", "hotel_then", "two_legs"])
def test_minutes_are_those_of_another_search(name):
    for scenario in drawn(name):
        shown = country(scenario)
        times = [minutes(shown, *each) for each in ways(scenario)]
        assert scenario.gold["answer"]["text"] == str(sum(times))


def test_a_difference_of_times_is_that_of_the_two_modes():
    for scenario in drawn("travel_time"):
        quick, slow = (minutes(country(scenario), *each) for each in ways(scenario))
        assert scenario.gold["answer"]["text"] == str(slow - quick)


def test_the_best_order_is_the_best_of_all_six():
    for scenario in drawn("best_order"):
        shown = country(scenario)
        start, *stops = dict.fromkeys(label for way in ways(scenario) for label in way[:2])
        named = dict(zip("ABC", stops, strict=True))
        time = {
            order: sum(
                minutes(shown, one, other, "foot")
                for one, other in zip([start, *(named[each] for each in order)],
                                      [named[each] for each in order], strict=False)
            )
            for order in permutations("ABC")
        }  # fmt: skip
        best, second = sorted(time, key=time.__getitem__)[:2]
        assert scenario.gold["answer"]["text"] == "".join(best)
        assert time[best] * 1.05 <= time[second]


def test_the_nearest_is_the_nearest_of_all():
    for scenario in drawn("nearest"):
        shown = country(scenario)
        [(_, args, _)] = scenario.gold["read"]
        kinds, _, label = args["query"].partition(" near ")
        place = search.resolve(shown, label)
        kind = search.find(shown, kinds)[0].kind
        others = [each for each in shown.places if each.kind == kind and each is not place]
        first = min(others, key=lambda each: apart(each.at, place.at))
        assert scenario.gold["answer"]["text"] == first.street


def test_those_within_minutes_are_all_that_are():
    for scenario in drawn("within_minutes"):
        shown, n = country(scenario), int(re.search(r"(\d+) +minutes", scenario.instruction)[1])
        inside = [way[1] for way in ways(scenario) if minutes(shown, *way) <= n]
        assert len(scenario.gold["answer"]["text"].split(", ")) == len(inside)
        assert len(ways(scenario)) == 4


def test_airports_are_within_the_kilometres_that_their_pages_show():
    for scenario in drawn("airports_within"):
        shown = country(scenario)
        n = int(re.search(r"(\d+) kilometres", scenario.instruction)[1])
        inside = []
        for one, other, mode in ways(scenario):
            ends = (search.resolve(shown, label) for label in (one, other))
            length = float(directions.route(shown, *ends, mode).shown_length.removesuffix("km"))
            inside += [other] if length <= n else []
        assert scenario.gold["answer"]["text"].split(", ") == inside


def test_provinces_border_both():
    for scenario in drawn("borders"):
        lands = {each.name: each for each in country(scenario).region.provinces}
        asked = [name for name in lands if re.search(rf"\b{name}\b", scenario.instruction)]
        both = {*lands[asked[0]].borders} & {*lands[asked[1]].borders}
        assert {*scenario.gold["answer"]["text"].split(", ")} == both


def test_a_fact_that_the_map_lacks_is_asked_for_now_and_then():
    found = [each.gold["answer"]["text"] for each in drawn("place_fact", 60)]
    assert 2 <= found.count("NOT_FOUND") <= 20


def test_a_ground_is_that_of_the_year():
    for scenario in drawn("fact_route"):
        year = int(re.search(r"\b(1[89]\d\d|20\d\d)\b", scenario.instruction)[1])
        [reading] = scenario.gold["beside"]
        known = facts_of(load_data().base(scenario.details["size"], scenario.details["base"]))
        team = next(each for each in known.teams if each.name in scenario.instruction)
        [ground] = [each for each in team.grounds if each.since <= year <= each.until]
        assert reading["values"] == [known.country.of[ground.place].name]
        assert scenario.gold["end"][1]["to"] == known.country.labels[ground.place]
