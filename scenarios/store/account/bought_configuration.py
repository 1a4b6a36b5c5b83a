"""State one option, such as the colour, of a product that was bought at a given time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.account import orders
from scenarios.store.account.orders import Bought
from scenarios.store.pages import following, visits
from sites.store import StoreData
from sites.store.market.account.account import MarketAccount
from sites.store.shop import operations

SITE = "store"
TAG = "information"
SCORING = "account"
TEMPLATES = ("webarena:155",)
STEPS = ("open orders", "look through orders")
ANSWER: AnswerSchema | None = AnswerSchema("text", "one value of an option")


world = visits.world
length = visits.length
advise = following.advise
solve = visits.solve


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("bought_configuration", seed)
    account = visits.account("bought_configuration", seed, data)
    chosen, kind = next(_choices(account, rng, data))
    instruction = visits.wording("bought_configuration", seed, "ask").format(
        kind=kind, name=chosen.name, when=chosen.at_time
    )
    gold = _gold(chosen, kind, data)
    return visits.scenario("bought_configuration", seed, instruction, gold, account, data)


def _choices(account: MarketAccount, rng: Random, data: StoreData) -> Iterator[tuple[Bought, str]]:
    """Yield order lines, each with the name of an option whose value occurs in no other purchase.

    A frequent value, such as a colour of every second order, could be guessed without looking.
    """
    values = Counter(
        value
        for order in account.orders
        for line in order.lines
        for value in set(line.options.values())
    )
    for each in orders.bought(account, rng, data):
        for kind in rng.sample(sorted(each.line.options), len(each.line.options)):
            if values[each.line.options[kind]] == 1:
                yield each, kind


def _gold(chosen: Bought, kind: str, data: StoreData) -> dict[str, Any]:
    value = chosen.line.options[kind]
    offered = operations.product(data, chosen.line.asin).options[kind]
    return {
        **visits.question("text", value, [chosen.name, value]),
        "told": visits.spellings(chosen.name, chosen.when, kind),
        "evidence": [[visits.opened("order", int(chosen.order.number))]],
        "path": visits.order_path(chosen.index, chosen.order),
        "others": [each for each in offered if each != value],
    }


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    misses = visits.careless(scenario, data)
    misses["gave up"] = visits.answered(scenario, data, visits.NOT_FOUND)
    for other in scenario.gold["others"]:
        misses["another value"] = visits.answered(scenario, data, other)
    return misses
