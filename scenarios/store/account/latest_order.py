"""Look up the most recent order with a given status: its number, its date or its total."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.pages import following, visits
from sites.store import StoreData
from sites.store.account.account import STATUSES
from sites.store.catalogue.clock import TODAY, spoken
from sites.store.market.account.account import MarketAccount, MarketOrder
from sites.store.market.service.help import dollars

SITE = "store"
TAG = "information"
SCORING = "account"
TEMPLATES = ("webarena:180", "webarena:213", "webarena:214")
STEPS = ("open orders", "look through orders")
ANSWER: AnswerSchema | None = AnswerSchema("text", "a number, a date or an amount, as asked")
KINDS = {"number": "text", "date": "date", "total": "money"}
_NAMES = {"number": "order number", "date": "date", "total": "total"}

NONE_ONE_IN = 50
"""In one of this many seeds, no order matches."""

world = visits.world
length = visits.length
advise = following.advise
solve = visits.solve


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed.

    Every fifth seed asks about all orders, the others about the orders before some day.
    """
    rng = visits.rng("latest_order", seed)
    account = visits.account("latest_order", seed, data)
    none = visits.is_rare("latest_order", seed, NONE_ONE_IN)
    status, before = _status(account, rng, none, whole=seed % 5 == 0)
    what = rng.choice([*KINDS])
    bound = "" if before == TODAY else f", placed before {spoken(before)}"
    wording = visits.wording("latest_order", seed, "ask", "else")
    instruction = wording.format(what=_NAMES[what], status=status, bound=bound)
    given = [status, spoken(before)] if bound else [status]
    gold = _gold(account, status, what, before) | {"told": visits.spellings(*given)}
    return visits.scenario("latest_order", seed, instruction, gold, account, data)


def _status(account: MarketAccount, rng: Random, none: bool, whole: bool) -> tuple[str, date]:
    """Draw a status that an order before the day has, or (with `none`) that no such order has.

    Returns:
        The status, and the day before which orders count: today if all orders count.
    """
    before = TODAY if whole else TODAY - timedelta(days=rng.randrange(40, 500))
    there = {each.status for each in account.orders if each.placed < before}
    statuses = [each for each in STATUSES if (each in there) != none]
    return (rng.choice(statuses), before) if statuses else _status(account, rng, none, whole=False)


def _gold(account: MarketAccount, status: str, what: str, before: date) -> dict[str, Any]:
    orders = account.orders
    earlier = [index for index, each in enumerate(orders) if each.placed < before]
    found = [index for index in earlier if orders[index].status == status]
    if not found:
        return {
            **visits.question("text", visits.NOT_FOUND, []),
            "evidence": [visits.seen(index, orders[index]) for index in earlier],
            "path": visits.orders_path(visits.orders_page(len(orders) - 1)),
            "others": [_asked(each, what) for each in orders[:2]],
        }
    right = _asked(orders[found[0]], what)
    others = [_asked(each, what) for each in orders if each.status != status]
    return {
        **visits.question(KINDS[what], right, [right]),
        "evidence": [visits.seen(found[0], orders[found[0]])],
        "path": visits.orders_path(visits.orders_page(found[0])),
        "others": [
            *[_asked(orders[index], what) for index in found[1:2]],
            *[each for each in others[:1] if each != right],
        ],
    }


def _asked(order: MarketOrder, what: str) -> str:
    shown = {
        "number": order.number,
        "date": spoken(order.placed),
        "total": dollars(order.total),
    }
    return shown[what]


def answer(scenario: Scenario) -> AnswerSchema:
    """Return the schema of the answer for which this scenario asks."""
    return AnswerSchema(scenario.gold["answer"]["kind"])


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    misses = visits.careless(scenario, data)
    misses["said nothing"] = visits.answered(scenario, data, "")
    for other in scenario.gold["others"]:
        if other != scenario.gold["answer"]["text"]:
            misses["another order"] = visits.answered(scenario, data, other)
    if scenario.gold["values"]:
        misses["gave up"] = visits.answered(scenario, data, visits.NOT_FOUND)
    return misses
