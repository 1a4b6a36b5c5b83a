"""Which ways an answer may rest on."""

from __future__ import annotations

import pytest

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios._kit.visit import opened
from scenarios.kit import Gold
from sites.kit import Place
from tests.drawing import drawn

pytestmark = pytest.mark.usefixtures("unmeasured")


def turned(place: Place) -> Place:
    """The directions from the other end; any other page as it is."""
    return place.but(**{"from": place["to"], "to": place["from"]}) if place["from"] else place


def answered_from_the_other_ends(name: str) -> Score:
    """The score of the right answer, after each way was looked up from its other end."""
    family, scenario = registry.family(name), drawn(name, 0)
    gold = Gold.from_json(scenario.gold)
    with family.world(scenario) as world:
        pages = [turned(each.place) for each in gold.read]
        opened(registry.site_data("map").site, world, pages)
        return ScoringContext.of(scenario, family).score(world.snapshot(), gold.text)


def test_on_foot_the_way_back_tells_the_same():
    assert answered_from_the_other_ends("best_order").success
    assert answered_from_the_other_ends("within_minutes.wander").success


def test_by_car_it_does_not():
    score = answered_from_the_other_ends("city_route")
    assert {each.name for each in score.checks if not each.held} == {"evidence"}
