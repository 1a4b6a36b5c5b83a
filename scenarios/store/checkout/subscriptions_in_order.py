"""Bring subscriptions below a monthly limit: cancel doubles, then let the dearest come less often.

Messages announce the price of a pack in February. The items' pages tell what things of the same
kind cost per piece, and which pet they are for. Help pages tell the tax, and how a delivery every
two months counts. If all of that is not enough, nothing may be changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.checkout import _subscribed, _supplies
from scenarios.store.checkout._subscribed import CARELESS, CARELESS_AT_TIMES, Household
from scenarios.store.market import task
from scenarios.store.pages import following, site_map, visits
from scenarios.store.pages.screen import click, find
from sites.store import StoreData
from sites.store.market.account.account import STORE
from sites.store.market.account.draw import draw_account
from sites.store.market.offers import offers_of
from sites.store.market.service import subscriptions
from sites.store.market.service.help import dollars
from sites.store.market.service.subscriptions import CANCELED, RHYTHMS
from sites.world import World

SITE = "store"
TAG = "transaction"
SCORING = "subscriptions"
MEMORY = True
FROM_ACCOUNT = ("rows", "names", "told", "path", "decides")
"""Keys of the gold with values that account pages show; the test for leaked solutions skips them.
"""
CANCEL, PUT_OFF = "cancel", "put off"
STEPS = ("open help", "read help", *site_map.LISTED_STEPS, "open item", CANCEL, PUT_OFF)
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where it cannot be kept to")
ORDERS = range(12, 20)
"""The possible numbers of past orders of the account; the orders do not matter."""
Row = dict[str, Any]

_PETS = {"cats": "cat", "dogs": "dog"}


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: subscriptions, messages and a limit, and the customer's
    text.
    """
    rng, split = visits.rng("subscriptions_in_order", seed), visits.split_of(seed)
    impossible = visits.is_rare("subscriptions_in_order", seed, task.IMPOSSIBLE_ONE_IN)
    household = _subscribed.draw(rng, impossible=impossible)
    text, given = _instruction(household, split, rng)
    gold = {**_gold(household), "told": visits.spellings(*given)}
    return task.scenario(
        "subscriptions_in_order",
        seed,
        text,
        gold,
        data,
        account=replace(draw_account(rng, data.market, ORDERS, household.rules), codes=()),
        offered=_supplies.offers(household.lines),
        rules={STORE: household.rules},
        level=_level(household, gold),
        **subscriptions.to_json(household.subscriptions(), household.inbox),
    )


world = _supplies.world


def _level(household: Household, gold: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures by which docs/market.md measures how hard a task is, by their letters.

    M and C count the numbers that the agent must remember between pages and compute with: a price
    for each subscription, and the packs that it compares.
    """
    held = len(household.held)
    return {"name": "L3", "P": len(gold["decides"]), "M": held + 6, "C": held + 6, "R": 3,
            "W": 0.2, "K": 6}  # fmt: skip


def _instruction(household: Household, split: str, rng: Random) -> tuple[str, list[str]]:
    """Return the customer's text, and the values in it that the agent needs."""
    limit = str(household.limit // 100)
    values = {"limit": limit, "kind": household.kind, "pet": _PETS[household.pet]}
    speaker = Speaker("subscriptions_in_order", split, rng)
    words = [speaker.phrase(act, **values) for act in ("sum", "spare", "same", "slow", "unmet")]
    whole = (speaker.phrase("opening"), *words, speaker.phrase("closing"))
    return " ".join(filter(None, whole)), [limit, household.kind, _PETS[household.pet]]


# Gold --------------------------------------------------------------------------------------------


def _gold(household: Household) -> dict[str, Any]:
    right = _subscribed.rows(household)
    wrong = {
        name: found
        for name, reading in {**CARELESS, **CARELESS_AT_TIMES}.items()
        if (found := _subscribed.rows(household, reading)) not in (None, right)
    }
    before = {at: each.months for at, each in enumerate(household.held, start=1)}
    return {
        "rows": _changed(before, right),
        "wrong": {name: _changed(before, found) for name, found in wrong.items()},
        "names": {str(at): each.name for at, each in enumerate(household.held, start=1)},
        "decides": list(_decides(household)),
        "path": list(_path(household)),
        "possible": right is not None,
    }


def _changed(before: Mapping[int, int], after: Mapping[int, int] | None) -> dict[str, int]:
    """Return the new number of months between deliveries of each changed subscription, by id."""
    return {str(at): months for at, months in (after or before).items() if months != before[at]}


def _decides(household: Household) -> Iterator[list[Row]]:
    """Yield the journal rows that prove that each page that matters was opened.

    These are the rules, the pages with prices, and the pages of things that are double or for a
    pet.
    """
    yield from ([{"page": "help", "options": {"topic": each}}] for each in _TOPICS)
    yield [{"page": "subscriptions"}]
    for message in household.inbox:
        if message.id not in household.superseded:
            yield [{"page": "message", "number": message.id}]
    for at, each in enumerate(household.held, start=1):
        if each.months != CANCELED:
            yield [{"page": "subscription", "number": at}]
    yield from ([{"page": "item", "asin": asin}] for asin in _looked_at(household))


_TOPICS = ("subscriptions", "taxes")


def _looked_at(household: Household) -> list[str]:
    """Return the asins of packs whose pages must be opened: those of a shared kind, and those for
    pets.
    """
    free = [each for each in household.held if each.months != CANCELED and not each.kept]
    kinds = [each.kind for each in free]
    return [
        each.asin
        for each in household.held
        if each.pet or (each in free and kinds.count(each.kind) > 1)
    ]


def _path(household: Household) -> Iterator[site_map.PathStep]:
    yield from site_map.help_steps(*_TOPICS)
    mail = ((each.id, each.subject) for each in household.inbox)
    top, *opened = site_map.listed_steps("messages", *mail)
    text = {each.id: each.text for each in household.inbox if each.id not in household.superseded}
    yield top
    yield from (_noting(step, _PRICE.findall(text.get(step["number"], ""))) for step in opened)
    looked_at = _looked_at(household)
    own = [(at, each.name) for at, each in enumerate(household.held, 1) if each.months != CANCELED]
    top, *listed = site_map.listed_steps("subscriptions", *own)
    yield top
    for step in listed:
        held = household.held[step["number"] - 1]
        yield _noting(step, [dollars(held.today)])
        if held.asin in looked_at:
            yield site_map.item_step(held.asin, held.name)


def _noting(step: site_map.PathStep, prices: Sequence[str]) -> site_map.PathStep:
    return {**step, **({"note": prices[0]} if prices else {})}


_PRICE = re.compile(r"\$\d+\.\d\d")


# The way -----------------------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    """Open all pages that the gold lists, then change the subscriptions."""
    stock = data.market.offering(offers_of(world))
    site_map.walk(scenario.gold["path"], world, stock)
    if not scenario.gold["possible"]:
        return visits.NOT_ACHIEVABLE
    _change(world, scenario.gold["rows"])
    return ""


def _change(world: World, rows: Mapping[str, int]) -> None:
    for number, months in rows.items():
        subscriptions.change(world, int(number), months)


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert: read the pages, go to the list, and change
    each.
    """
    gold = scenario.gold
    found = site_map.actions(gold["path"])
    if not gold["possible"]:
        return found
    return int(found + 1 + len(gold["rows"]))


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of a customer who also opens every subscribed item."""
    gold = scenario.gold
    seen = sum(each["page"] == "item" for each in gold["path"])
    return int(length(scenario) + 2 * (len(gold["names"]) - seen))


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to read rules, messages and subscriptions, then to change the subscriptions on their
    list.
    """
    gold = scenario.gold
    ahead = following.follow(gold, observation)
    if ahead is not None:
        return ahead
    noted = [each["note"] for each in gold["path"] if "note" in each]
    needs = (*following.needs(gold), *following.unshown(noted, observation))
    if not gold["possible"]:
        return Advice("open subscription", answer=visits.NOT_ACHIEVABLE, needs=needs)
    place = site_map.here(observation)
    if place["page"] != "subscriptions":
        back = click(observation, "Subscriptions") if place["page"] == "item" else ()
        back = back or click(observation, "Back to Subscriptions")
        return Advice("open subscriptions", back, needs=needs)
    for number, months in sorted(gold["rows"].items(), key=lambda each: each[1]):
        label = RHYTHMS[months] if months else "Cancel"
        button = find(observation, f"{label}: {gold['names'][number]}")
        if button is not None:
            step = PUT_OFF if months else CANCEL
            return Advice(step, click(observation, button.name), needs=needs)
    return Advice(PUT_OFF, answer="", needs=needs)


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: changes with a single mistake, and wrong answers."""
    gold = scenario.gold
    if not gold["possible"]:
        everything = dict.fromkeys(gold["names"], 2)
        return {
            "put off though it is not enough": _changing(everything, "nothing changed"),
            "gave up unseen": visits.gave_up("pages opened"),
        }
    right = gold["rows"]
    misses = {name: _changing(rows, _fails(rows, right)) for name, rows in gold["wrong"].items()}
    put_off = [number for number, months in right.items() if months]
    swapped = {number: CANCELED if number == put_off[0] else right[number] for number in right}
    return {
        **misses,
        "canceled what was to be put off": _changing(swapped, "canceled"),
        "said that it cannot be": visits.gave_up("did not give up"),
    }


def _fails(rows: Mapping[str, int], right: Mapping[str, int]) -> str:
    """Return the name of the check that must fail for these wrong changes."""
    canceled = [{at for at, months in each.items() if not months} for each in (rows, right)]
    return "canceled" if canceled[0] != canceled[1] else "every two months"


def _changing(rows: Mapping[str, int], fails: str) -> NearMiss:
    return NearMiss(lambda world: _change(world, rows), fails)
