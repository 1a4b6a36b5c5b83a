"""The solution and the wrong end states of tasks to buy the one product that a request
describes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import site_map, visits
from sites.store import StoreData
from sites.store.market.goods.goods import Good
from sites.store.shop import operations
from sites.world import World


def level(gold: Mapping[str, Any], wished: Sequence[Constraint]) -> dict[str, Any]:
    """Return the figures of the task's difficulty, such as pages to open and facts to remember.

    Their letters are explained in docs/levels.md.
    """
    facts = [each for each in wished if each.form not in (wishes.OPTION, wishes.PRICE)]
    return {"name": "L2", "P": len(gold["decides"]), "M": len(facts), "C": 0, "R": 0,
            "W": round(len(facts) / len(wished), 2), "K": 1}  # fmt: skip


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open the pages that the gold lists, then buy the product or answer that nothing fits."""
    gold = scenario.gold
    site_map.walk(gold["path"], world, data.of(world))
    if not gold["possible"]:
        return visits.NOT_ACHIEVABLE
    buy(data, [task.by_asin(gold["asin"])], gold["options"], world)
    return ""


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: a product that breaks one constraint is bought, and
    others.

    The others are: the right product bought twice or in another option, and a wrong answer.
    """
    gold = scenario.gold
    rivals = {
        f"breaks {each.form}": good for good, each in nearly(gold, task.of_kind(gold["kind"]))
    }
    return bought_wrongly(gold, task.by_name()[gold["name"]], rivals, partial(buy, data))


Buying = Callable[[Sequence[Good], Mapping[str, str], World], None]
DEAR = "bought though too dear"


def bought_wrongly(
    gold: Mapping[str, Any], right: Good, rivals: Mapping[str, Good], buying: Buying,
    nearly_right: str = DEAR,
) -> dict[str, NearMiss]:  # fmt: skip
    """Return the wrong end states, by label, that a purchase in any shop can have.

    Args:
        gold: The gold of the scenario.
        right: The right product; if nothing fits, the product that fails in one thing only.
        rivals: A wrong product for each label.
        buying: Buys products with those of the options that they offer.
        nearly_right: The label of buying that product although nothing fits.
    """
    options = gold["options"]

    def ends(bought: Sequence[Good], fails: str, chosen: Mapping[str, str] = options) -> NearMiss:
        return NearMiss(partial(buying, bought, chosen), fails)

    if not gold["possible"]:
        return {
            nearly_right: ends([right], "nothing bought"),
            "gave up unseen": visits.gave_up("pages opened"),
        }
    misses = {
        "bought twice": ends([right] * 2, "one purchase"),
        "said that nothing fits": visits.gave_up("one purchase"),
        **{label: ends([good], "product") for label, good in rivals.items()},
    }
    for name, value in options.items():
        other = next((each for each in right.options[name] if each != value), "")
        if other:
            misses["other option"] = ends([right], "options", {name: other})
    return misses


def nearly(gold: Mapping[str, Any], goods: Iterable[Good]) -> Iterator[tuple[Good, Constraint]]:
    """Yield the products that break a single constraint, with that constraint, the last product
    first.

    Options do not count: they are the agent's choice and not a property of the product.
    """
    wished = wishes.constraints(gold)
    broken = ((good, wishes.violated(good, wished)) for good in reversed([*goods]))
    return (
        (good, found[0])
        for good, found in broken
        if len(found) == 1 and found[0].form != wishes.OPTION
    )


def buy(
    data: StoreData,
    bought: Sequence[Good],
    options: Mapping[str, str],
    world: World,
) -> None:
    """Buy each product with the given options, as far as it offers them."""
    for good in bought:
        product = operations.open_item(world, data.of(world), good.asin, {})
        able = {k: value for k, value in options.items() if value in product.options.get(k, ())}
        operations.buy(world, product, able)
