"""The reward of a wish at the market and at the outlet, by labels."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from evaluators.scoring.webshop_reward import reward
from scenarios import registry
from scenarios.store.market import wishes
from scenarios.store.wishes import buy_wish_outlet
from sites.store.outlet import goods, operations
from tests.contracts.harness import scored

FAMILY = registry.family("buy_wish.outlet")


@pytest.fixture(scope="module")
def drawn() -> Any:
    """A wish with an option, a price and at least two attributes that something meets."""
    made = (registry.scenario(f"store/buy_wish.outlet/{seed}") for seed in range(60))
    return next(each for each in made if each.gold["possible"] and _is_rich(each.gold))


def _is_rich(gold) -> bool:
    forms = [each.form for each in wishes.constraints(gold)]
    return {wishes.OPTION, wishes.PRICE} <= {*forms} and len(forms) >= 4


def bought(drawn, asin: str, options: dict[str, str]):
    good = goods.sold()[asin]
    return scored(FAMILY, drawn, lambda world: operations.buy(world, good, options) and "").score


def parts(score) -> dict[str, Any]:
    return dict(score.reward_parts["published"])


def test_the_right_purchase_has_every_part(drawn):
    score = bought(drawn, drawn.gold["asin"], drawn.gold["options"])
    assert score.reward == 1
    found = parts(score)
    shares = [found[each] for each in ("r_type", "r_att", "r_option", "r_price")]
    assert shares == [1, 1, 1, 1] and found["num_opt"] == len(drawn.gold["options"])


def test_without_its_option_the_reward_lacks_one_wish(drawn):
    score = bought(drawn, drawn.gold["asin"], {})
    count = len(drawn.gold["constraints"]) + (not _has_price(drawn.gold))
    assert parts(score)["r_option"] == 0 and parts(score)["r_att"] == 1
    assert score.reward == pytest.approx(1 - len(drawn.gold["options"]) / count)


def _has_price(gold) -> bool:
    return any(each.form == wishes.PRICE for each in wishes.constraints(gold))


def test_an_item_that_breaks_a_fact_lacks_that_attribute(drawn):
    wished = wishes.constraints(drawn.gold)
    facts = [each for each in wished if each.form not in (wishes.OPTION, wishes.PRICE)]
    same = (each for each in goods.sold().values() if each.kind.name == drawn.gold["kind"])
    other = next(each for each in same if not all(fact.holds(each) for fact in facts))
    found = parts(bought(drawn, other.asin, {}))
    assert found["r_type"] == 1
    assert found["r_att"] == sum(fact.holds(other) for fact in facts) / len(facts) < 1


def test_an_item_of_another_kind_earns_nothing(drawn):
    other = next(each for each in goods.sold().values() if each.kind.name != drawn.gold["kind"])
    score = bought(drawn, other.asin, {})
    assert score.reward == 0 == parts(score)["r_type"]


def test_the_price_counts_with_tax(drawn):
    limit = next(each for each in wishes.constraints(drawn.gold) if each.form == wishes.PRICE)
    dear = next(each for each in goods.sold().values() if each.price > limit.value)
    assert parts(bought(drawn, dear.asin, {}))["r_price"] == 0
    right = goods.sold()[drawn.gold["asin"]]
    assert goods.gross_cents(right) / 100 <= limit.value


def test_nothing_bought_earns_nothing_and_a_wish_that_nothing_meets_has_no_reward(drawn):
    assert scored(FAMILY, drawn, lambda world: "").score.reward == 0
    made = (registry.scenario(f"store/buy_wish.outlet/{seed}") for seed in range(60))
    impossible = next(each for each in made if not each.gold["possible"])
    score = scored(FAMILY, impossible, partial(_solve, impossible)).score
    assert score.success and score.reward is None and not score.reward_parts


def _solve(scenario, world) -> str:
    return buy_wish_outlet.FAMILY.solve(scenario, world, registry.site_data("store"))


def test_the_parts_have_the_names_of_the_published_reward(drawn):
    product = {
        "name": "a b", "query": "q", "product_category": "x", "Attributes": [], "Title": "a b"
    }  # fmt: skip
    goal = {**product, "attributes": ["c"], "price_upper": 9, "goal_options": ["d"]}
    assert {*parts(bought(drawn, drawn.gold["asin"], {}))} < {*reward(product, goal, 1.0, [])}
