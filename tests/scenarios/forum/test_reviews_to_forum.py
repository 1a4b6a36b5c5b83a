"""The task that reads the store and posts in the forum."""

from __future__ import annotations

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.store.pages import site_map
from sites.store.shop import operations
from tests.contracts.harness import scored

FAMILY = registry.family("reviews_to_forum")
SEEDS = range(12)


def drawn(seed):
    return registry.scenario(f"forum/reviews_to_forum/{seed}")


def solved(scenario, world):
    return FAMILY.solve(scenario, world, registry.site_data("forum"))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_is_right_and_doing_nothing_is_worth_nothing(seed):
    scenario = drawn(seed)
    assert scored(FAMILY, scenario, lambda world: solved(scenario, world)).score.success
    nothing = scored(FAMILY, scenario, lambda world: "").score
    assert not nothing.success and nothing.progress == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_each_near_miss_fails_by_its_check(seed):
    scenario = drawn(seed)
    misses = FAMILY.near_misses(scenario, registry.site_data("forum"))
    assert {"the store unread", "changed something in the store"} <= misses.keys()
    for label, miss in misses.items():
        held = scored(FAMILY, scenario, miss.apply).held()
        assert held[miss.fails] is False, (label, held)


def test_a_purchase_is_named_and_leaves_the_post_right():
    scenario, data = drawn(0), registry.site_data("store")

    def act(world):
        solved(scenario, world)
        product = operations.product(data, next(iter(data.catalogue.asins())))
        operations.buy(world.of("store"), product, {})

    ended = scored(FAMILY, scenario, act)
    assert [name for name, held in ended.held().items() if not held] == ["nothing else"]
    assert ended.score.collateral == ("store.purchases: 1 row changed",)
    assert ended.score.progress < 1


def test_the_other_pages_of_the_store_are_no_evidence():
    scenario = drawn(0)

    def act(world):
        path = scenario.gold["beside"][0]["path"]
        site_map.walk(path[:-1], world.of("store"), registry.site_data("store"))
        FAMILY._solve_at_home(scenario, registry.site_data("forum"), world)

    ended = scored(FAMILY, scenario, act)
    assert ended.held()["pages of the store"] is False and ended.score.progress == 0.75


def test_seeds_tell_different_instructions():
    asked = [FAMILY.generate(seed, registry.site_data("forum")).instruction for seed in range(200)]
    assert len({*asked}) >= 190


def test_the_gold_names_the_data_of_the_store():
    scenario = drawn(0)
    assert scenario.details["data"] == {"store": registry.site_data("store").digest}
    context = ScoringContext.of(scenario)
    assert {name.partition(".")[0] for name in context.before} == {"forum", "store"}
