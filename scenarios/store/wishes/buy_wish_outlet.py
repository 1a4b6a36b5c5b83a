"""`buy_wish.outlet`: the requests of `buy_wish`, met in a second shop with different pages.

It measures transfer: whether a method written for the store solves the same task elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import wishes
from scenarios.store.pages import site_map, visits
from scenarios.store.wishes import _buying, _outlet, buy_wish
from sites.store import StoreData
from sites.store.market.account.account import OUTLET
from sites.store.market.goods.goods import Good
from sites.store.outlet import goods, operations
from sites.store.shop import operations as store
from sites.world import World

BOUNDS = (wishes.MOST, wishes.LEAST, wishes.PRICE)


@dataclass(frozen=True)
class OutletWish:
    """The family that asks for the products of `buy_wish` in the outlet, a shop with other
    pages.
    """

    SITE: ClassVar[str] = "store"
    HOSTS: ClassVar[Sequence[str]] = (OUTLET,)
    VARIANT_OF: ClassVar[str] = "buy_wish"
    TAG: ClassVar[str] = "transaction"
    SCORING: ClassVar[str] = "market"
    STEPS: ClassVar[tuple[str, ...]] = _outlet.STEPS
    ANSWER: ClassVar[AnswerSchema | None] = buy_wish.ANSWER

    name: ClassVar[str] = "buy_wish.outlet"

    def generate(self, seed: int, data: StoreData) -> Scenario:
        """Generate the scenario of a seed: a product and a request that only this product meets.

        In at least half of the seeds, no obvious search lists the product among its first results.
        """
        rng, split = visits.rng(self.name, seed), visits.split_of(seed)
        while True:
            good, wished = _outlet.draw(self.name, seed, wishes.Shape(), rng)
            text = wishes.instruction(good.kind, wished, split, rng)
            hard = _outlet.is_hard(good, text, data)
            if hard or seed % 2:
                break
        gold = _outlet.gold_of(good, wished, data)
        about = {"level": _buying.level(gold, wished), "hard": hard, "split": split}
        return visits.scenario(self.name, seed, text, gold, None, data.market, **about)

    world = staticmethod(_outlet.world)
    length = staticmethod(_outlet.length)
    honest_length = staticmethod(_outlet.honest_length)
    advise = staticmethod(_outlet.advise)

    def solve(self, scenario: Scenario, world: World, data: StoreData) -> str:
        """Open the pages that the gold lists, then order the product or answer that nothing
        fits.
        """
        gold = scenario.gold
        operations.open_home(world)
        site_map.walk(gold["path"], world, data.market)
        if not gold["possible"]:
            return visits.NOT_ACHIEVABLE
        operations.buy(world, goods.sold()[gold["asin"]], gold["options"])
        return ""

    def near_misses(self, scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
        """Return wrong end states, by label: a product that breaks one constraint, or a wrong
        purchase.

        The latter: the right product is bought twice, in the store, or with another option.
        """
        gold = scenario.gold
        rivals = {
            "breaks a bound" if each.form in BOUNDS else "breaks a fact": good
            for good, each in _buying.nearly(gold, _outlet.of_kind(gold["kind"]))
        }
        misses = _buying.bought_wrongly(gold, goods.sold()[gold["asin"]], rivals, _buy)
        if gold["possible"]:
            in_store = NearMiss(partial(_buy_in_store, data, gold), "one purchase")
            misses["bought in the store"] = in_store
        return misses


def _buy(bought: Sequence[Good], options: Mapping[str, str], world: World) -> None:
    """Order each product in the outlet with the given options, as far as it offers them."""
    for each in bought:
        good = goods.sold()[each.asin]
        able = {name: value for name, value in options.items() if value in good.options[name]}
        operations.open_item(world, good, able)
        operations.buy(world, good, able)


def _buy_in_store(data: StoreData, gold: Mapping[str, Any], world: World) -> None:
    """Buy the same product in the store instead of the outlet."""
    store.buy(world, store.product(data.market, gold["asin"]), {})


FAMILY = OutletWish()
