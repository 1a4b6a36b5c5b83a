"""State the amount spent in a month or on a day; canceled orders cost nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.account.orders import CANCELED, at, month
from scenarios.store.pages import following, visits
from sites.months import MONTHS
from sites.store import StoreData
from sites.store.catalogue.clock import TODAY, spoken
from sites.store.market.account.account import MarketAccount, MarketOrder
from sites.store.market.service.help import dollars

SITE = "store"
TAG = "information"
SCORING = "account"
TEMPLATES = ("webarena:147",)
STEPS = ("open orders", "look through orders")
ANSWER: AnswerSchema | None = AnswerSchema("money", "an amount in dollars")


NOTHING_ONE_IN = 50
"""In one of this many seeds, nothing was spent."""

world = visits.world
length = visits.length
advise = following.advise
solve = visits.solve


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("spend_in_month", seed)
    account = visits.account("spend_in_month", seed, data)
    nothing = visits.is_rare("spend_in_month", seed, NOTHING_ONE_IN)
    when = _time(account, rng)
    while bool(_paid(account, when)) == nothing:
        when = _time(account, rng)
    instruction = visits.wording("spend_in_month", seed, "ask", "rule").format(when=at(when))
    gold = _gold(account, when)
    return visits.scenario("spend_in_month", seed, instruction, gold, account, data)


def _time(account: MarketAccount, rng: Random) -> str:
    """Draw the time to ask for, as text: a day with an order, a month with orders, or any month."""
    draw = rng.random()
    if draw < 0.25:
        return spoken(rng.choice(account.orders).placed)
    counts = Counter(month(each.placed) for each in account.orders)
    busy = [each for each in account.orders if counts[month(each.placed)] > 1]
    if draw < 0.85:
        return month(rng.choice(busy or account.orders).placed)
    return month(TODAY - timedelta(days=rng.randrange(30, 800)))


def _placed(account: MarketAccount, when: str) -> list[MarketOrder]:
    return [each for each in account.orders if when in (month(each.placed), spoken(each.placed))]


def _paid(account: MarketAccount, when: str) -> list[MarketOrder]:
    return [each for each in _placed(account, when) if each.status != CANCELED]


def _gold(account: MarketAccount, when: str) -> dict[str, Any]:
    placed = _placed(account, when)
    indexes = [account.orders.index(each) for each in placed] or [_gap(account, when)]
    last = visits.orders_page(indexes[-1])
    paid = _paid(account, when)
    total = sum(each.total for each in paid)
    return {
        **visits.question("money", dollars(total), [dollars(each.total) for each in paid]),
        "told": visits.spellings(when),
        "evidence": [visits.seen(index, account.orders[index]) for index in indexes],
        "path": visits.orders_path(last, _notes(account, paid, when, last)),
        "total": total,
        "canceled": [each.total for each in placed if each.status == CANCELED],
    }


def _gap(account: MarketAccount, when: str) -> int:
    """Return the index of the first order older than the month `when`, in which nothing was
    ordered.
    """
    months = [date(each.placed.year, each.placed.month, 1) for each in account.orders]
    older = [index for index, each in enumerate(months) if _is_older(each, when)]
    return older[0] if older else len(months) - 1


def _is_older(first: date, when: str) -> bool:
    name, year = when.split()
    return (first.year, first.month) < (int(year), MONTHS.index(name) + 1)


def _notes(
    account: MarketAccount, paid: Sequence[MarketOrder], when: str, last: int
) -> dict[int, str]:
    """Return the notes to take on each page of orders but the last, by page: the amounts to add
    up.
    """
    notes: dict[int, list[str]] = {}
    for each in paid:
        page = visits.orders_page(account.orders.index(each))
        if page < last:
            notes.setdefault(page, [when]).append(dollars(each.total))
    return {page: ", ".join(lines) for page, lines in notes.items()}


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    total = scenario.gold["total"]
    misses = {
        **visits.careless(scenario, data),
        "a cent more": visits.answered(scenario, data, dollars(total + 1)),
        "two amounts": visits.answered(
            scenario, data, f"{dollars(total)} or {dollars(total + 500)}"
        ),
    }
    if scenario.gold["canceled"]:
        counted = total + sum(scenario.gold["canceled"])
        misses["counted what was canceled"] = visits.answered(scenario, data, dollars(counted))
    return misses
