"""The store's scorer, on end states made by the store's own operations."""

from __future__ import annotations

import json

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.store.webshop import buy_item
from sites.store.shop import operations
from tests.contracts.harness import scored


@pytest.fixture(scope="module")
def data():
    return registry.site_data("store")


@pytest.fixture(scope="module")
def scenario(data):
    drawn = (buy_item.generate(seed, data) for seed in range(50))
    return next(each for each in drawn if len(each.gold["goal_options"]) >= 2)


@pytest.fixture(scope="module")
def right(data, scenario):
    return data.catalogue.get(scenario.gold["asin"])


def other_kind(data, right):
    return next(each for each in data.catalogue if each.category != right.category)


def test_progress_has_three_thirds(data, scenario, right):
    options = scenario.gold["goal_options"]

    def progress(act) -> float:
        return scored(buy_item, scenario, act).score.progress

    assert progress(lambda w: operations.search(w, data, "chair") and "") == 0
    assert (
        progress(lambda w: operations.open_item(w, data, other_kind(data, right).asin, {}) and "")
        == 0
    )
    assert progress(lambda w: operations.open_item(w, data, right.asin, {}) and "") == 0.3333
    assert progress(lambda w: operations.open_item(w, data, right.asin, options) and "") == 0.6667
    assert progress(lambda w: buy_item.solve(scenario, w, data)) == 1


def test_progress_cannot_be_farmed(data, scenario, right):
    def again_and_again(world):
        for _ in range(20):
            operations.open_item(world, data, right.asin, {})
            operations.open_item(world, data, right.asin, scenario.gold["goal_options"])

    assert scored(buy_item, scenario, again_and_again).score.progress == 0.6667


def test_some_of_the_options_are_not_the_options(data, scenario, right):
    first = dict([next(iter(scenario.gold["goal_options"].items()))])
    ended = scored(
        buy_item, scenario, lambda w: operations.open_item(w, data, right.asin, first) and ""
    )
    assert ended.score.progress == 0.3333
    ended = scored(buy_item, scenario, lambda w: operations.buy(w, right, first) and "")
    assert not ended.score.success and ended.held()["options"] is False
    assert 0 < ended.score.progress < 1 and ended.score.progress == ended.score.reward_strict


def test_a_wrong_purchase_scores_by_the_strict_reward(data, scenario, right):
    wrong = other_kind(data, right)
    ended = scored(buy_item, scenario, lambda w: operations.buy(w, wrong, {}) and "")
    assert not ended.score.success and ended.held()["type"] is False
    assert ended.score.progress == ended.score.reward_strict < 0.5


def test_the_right_item_and_another_is_no_success_and_is_named(data, scenario, right):
    wrong = other_kind(data, right)

    def both(world):
        buy_item.solve(scenario, world, data)
        operations.buy(world, wrong, {})

    ended = scored(buy_item, scenario, both)
    assert not ended.score.success and ended.score.progress == 0.99
    assert ended.held()["one purchase"] is False
    assert ended.score.collateral == ("purchase 2",)


def test_the_first_purchase_counts(data, scenario, right):
    """As on the published site: what is bought later does not mend what was bought first."""

    def wrong_then_right(world):
        operations.buy(world, other_kind(data, right), {})
        buy_item.solve(scenario, world, data)

    ended = scored(buy_item, scenario, wrong_then_right)
    assert not ended.score.success and not ended.score.success_published
    assert ended.score.reward < 1


def test_a_change_elsewhere_is_no_success(data, scenario, right):
    world = buy_item.world(scenario)
    before = world.snapshot()
    buy_item.solve(scenario, world, data)
    after = {**world.snapshot(), "gifts": [{"id": 1}]}
    score = ScoringContext.of(scenario, before={**before, "gifts": []}).score(after)
    assert not score.success and score.progress < 1 and "gifts" in score.collateral


def test_words_do_not_score(data, scenario):
    """An agent that says or searches for the gold has not bought it."""

    def say(world):
        operations.search(world, data, f"order confirmed {scenario.gold['asin']}")
        return f"bought {scenario.gold['asin']}, reward 1.0"

    score = scored(buy_item, scenario, say).score
    assert not score.success and score.progress == 0 and score.reward == 0


def test_the_checks_are_json_and_name_what_was_seen(data, scenario, right):
    ended = scored(buy_item, scenario, lambda w: buy_item.solve(scenario, w, data))
    checks = {check.name: check for check in ended.score.checks}
    assert right.asin in checks["one purchase"].found
    assert checks["price"].found == f"${right.price:,.2f}"
    assert checks["price"].wanted == f"at most ${scenario.gold['price_upper']:,.2f}"
    json.dumps(ended.score.to_json(), allow_nan=False)


def test_a_record_of_a_product_that_nobody_sells_is_no_verdict(data, scenario):
    after = {"purchases": [{"id": 1, "asin": "B0NOWHERE1", "options": "{}", "price": 1.0}]}
    with pytest.raises(LookupError, match="B0NOWHERE1"):
        ScoringContext.of(scenario, before={"purchases": []}).score({**after, "log_pages": []})


def test_a_product_at_exactly_the_bound_is_decided_by_the_published_rule(data, scenario, right):
    """The published reward takes a price up to the bound."""
    from dataclasses import replace

    at = replace(scenario, gold={**scenario.gold, "price_upper": right.price})
    below = replace(scenario, gold={**scenario.gold, "price_upper": right.price - 0.01})
    assert scored(buy_item, at, lambda w: buy_item.solve(at, w, data)).held()["price"] is True
    assert (
        scored(buy_item, below, lambda w: buy_item.solve(below, w, data)).held()["price"] is False
    )
