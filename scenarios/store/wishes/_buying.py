"""The solution and the near misses of tasks that buy the one product a wish asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import task, wishes
from scenarios.store.market.wishes import Constraint
from sites.store import StoreData
from sites.store.market.goods.goods import Good
from sites.store.shop import operations
from sites.world import World


def level(gold: Mapping[str, Any], wished: Sequence[Constraint]) -> dict[str, Any]:
    """Return how hard the task is: pages to open, facts to carry, traps, share of words not on the
    page.

    The keys are explained in docs/levels.md.
    """
    facts = [each for each in wished if each.form not in (wishes.OPTION, wishes.PRICE)]
    return {"name": "L2", "P": len(gold["decides"]), "M": len(facts), "C": 0, "R": 0,
            "W": round(len(facts) / len(wished), 2), "K": 1}  # fmt: skip


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open the pages of the path, then buy the product or answer that nothing fits."""
    gold = scenario.gold
    product = task.look(scenario, world, data)
    if not gold["possible"]:
        return "NOT_ACHIEVABLE"
    operations.buy(world, product, gold["options"])
    return ""


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states: products that break exactly one constraint, by its form, and others.

    The others are: the right product bought twice or in another option, and a wrong answer.
    """
    gold, wished = scenario.gold, wishes.constraints(scenario.gold)
    right = task.by_name()[gold["name"]]
    if not gold["possible"]:
        dear = NearMiss(partial(buy, data, [right], gold["options"]), fails="nothing bought")
        unseen = NearMiss(lambda world: "NOT_ACHIEVABLE", fails="pages opened")
        return {"bought though too dear": dear, "gave up unseen": unseen}
    misses = {
        "bought twice": NearMiss(partial(buy, data, [right] * 2, gold["options"]), "one purchase"),
        "said that nothing fits": NearMiss(lambda world: "NOT_ACHIEVABLE", "one purchase"),
    }
    for good in task.of_kind(gold["kind"]):
        broken = wishes.violated(good, wished)
        if len(broken) == 1 and broken[0].form != wishes.OPTION:
            bought = partial(buy, data, [good], gold["options"])
            misses.setdefault(f"breaks {broken[0].form}", NearMiss(bought, "product"))
    for name, value in gold["options"].items():
        other = next((each for each in right.options[name] if each != value), "")
        if other:
            wrong = partial(buy, data, [right], {name: other})
            misses["other option"] = NearMiss(wrong, "options")
    return misses


def buy(
    data: StoreData,
    bought: list[Good],
    options: Mapping[str, str],
    world: World,
) -> None:
    """Buy each product with those of the options that it offers."""
    for good in bought:
        product = operations.open_item(world, data.market, good.asin, {})
        able = {name: value for name, value in options.items() if value in good.options[name]}
        operations.buy(world, product, able)
