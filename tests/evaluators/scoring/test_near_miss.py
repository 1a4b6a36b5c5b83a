"""A failed end state that is one of the family's near misses is known by its name."""

from __future__ import annotations

import pytest

from evaluators.scoring import near_miss
from evaluators.scoring.context import ScoringContext
from tests.drawing import drawn

SCENARIOS = ("store/two_shop_split/0", "crm/cheapest_fit/0")


def context(name: str) -> ScoringContext:
    _, family, seed = name.split("/")
    return ScoringContext.of(drawn(family, int(seed)))


def ended(made: ScoringContext, world, answer: str) -> str:
    return near_miss.recognized(made, made.score(world.snapshot(), answer), answer)


@pytest.mark.wide
@pytest.mark.parametrize("name", SCENARIOS)
def test_each_near_miss_is_recognized(name):
    made = context(name)
    misses = made.family.near_misses(made.scenario, made.data)
    for called, miss in misses.items():
        world = made.family.world(made.scenario)
        answer = miss.apply(world) or ""
        assert called in ended(made, world, answer).split(" or ")


@pytest.mark.parametrize("name", SCENARIOS)
def test_neither_success_nor_doing_nothing_is_one(name):
    made = context(name)
    world = made.family.world(made.scenario)
    assert ended(made, world, "") == ""
    answer = made.family.solve(made.scenario, world, made.data)
    assert ended(made, world, answer) == ""


def test_who_left_all_as_it_was_missed_nothing_nearly():
    made = context("crm/book_party/0")
    misses = made.family.near_misses(made.scenario, made.data)
    world = made.family.world(made.scenario)
    misses["not paid"].apply(world)
    assert ended(made, world, "") == "", "a sale that was not paid is none"


def test_another_wrong_end_is_none_of_them():
    made = context(SCENARIOS[1])
    misses = made.family.near_misses(made.scenario, made.data)
    world = made.family.world(made.scenario)
    misses["without bags"].apply(world)
    world.write("UPDATE payments SET amount = amount + 1")
    assert ended(made, world, "") == ""


def test_a_near_miss_with_a_wrong_answer_is_known_by_the_answer_as_read():
    made = context("crm/booking_figures/0")
    miss = made.family.near_misses(made.scenario, made.data)["without status"]
    world = made.family.world(made.scenario)
    answer = miss.apply(world)
    assert answer and ended(made, world, f"${answer}.00") == "without status"
    assert ended(made, world, "7") == ""
