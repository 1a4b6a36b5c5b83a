"""Buy what a customer wishes for in words of their own: one good of the market meets it.

Seeds 0-499 are the test split, 500-1499 dev, from 1500 on train; each has its own wordings.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import visits
from sites.store import StoreData
from sites.store.market.goods.goods import Good
from sites.store.shop import operations
from sites.world import World

SITE = "store"
TAG = "transaction"
SCORING = "market"
STEPS = task.STEPS
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where nothing fits")

_SHAPE = wishes.Shape()

world = task.world
length = task.length
honest_length = task.honest_length
advise = task.advise


def generate(seed: int, data: StoreData) -> Scenario:
    """Draw a good and a wish until it alone meets it; half of the wishes are hard to search for."""
    rng = visits.rng("buy_wish", seed)
    while True:
        good, wished = task.draw("buy_wish", seed, _SHAPE, rng)
        text = wishes.instruction(good.kind, wished, visits.split_of(seed), rng)
        hard = task.is_hard(good, text, data)
        if hard or seed % 2:
            break
    gold = task.gold_of(good, wished, data)
    level = _level(gold, wished)
    return task.scenario("buy_wish", seed, text, gold, data, level=level, hard=hard)


def _level(gold: Mapping[str, Any], wished: list[Constraint]) -> dict[str, Any]:
    """How hard it is (docs/levels.md): pages that decide, facts to carry, traps, words unshared."""
    facts = [each for each in wished if each.form not in (wishes.OPTION, wishes.PRICE)]
    return {"name": "L2", "P": len(gold["decides"]), "M": len(facts), "C": 0, "R": 0,
            "W": round(len(facts) / len(wished), 2), "K": 1}  # fmt: skip


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    gold = scenario.gold
    product = task.look(scenario, world, data)
    if not gold["possible"]:
        return "NOT_ACHIEVABLE"
    operations.buy(world, product, gold["options"])
    return ""


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """What breaks exactly one thing that was wished for, by its form; and the good twice."""
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
    """Buy each with what it has of the options."""
    for good in bought:
        product = operations.open_item(world, data.market, good.asin, {})
        able = {name: value for name, value in options.items() if value in good.options[name]}
        operations.buy(world, product, able)
