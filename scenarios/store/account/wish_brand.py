"""Put every product of a brand that a page of results shows on the wish list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, Click, Observation
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.pages import following, listings, site_map, visits
from scenarios.store.pages.screen import cards, click, unopened
from sites.store import StoreData
from sites.store.account import operations as customer
from sites.store.account.draw import draw_product
from sites.store.catalogue.product import Product
from sites.store.shop import operations
from sites.world import World

SITE = "store"
TAG = "content"
SCORING = "account"
TEMPLATES = ("webarena:189",)
STEPS = ("search", "save wishes", "check wishes")
COUNT = range(2, 5)
"""The possible numbers of products of the brand on the page."""


world = visits.world


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("wish_brand", seed)
    account = visits.account("wish_brand", seed, data)
    gold = None
    while gold is None:
        gold = _draw(rng, data)
    wording = visits.wording("wish_brand", seed, "ask", "closing")
    instruction = wording.format(query=gold["query"], brand=gold["brand"])
    wished = [each for each in data.catalogue.at([0, 1]) if each not in gold["wanted"]]
    account = replace(account, wishes=tuple(wished[: rng.randrange(2)]))
    return visits.scenario("wish_brand", seed, instruction, gold, account, data)


def _draw(rng: Random, data: StoreData) -> dict[str, Any] | None:
    """Draw a search with several results of one brand on its first page; None if it is not
    suitable.
    """
    seen = draw_product(rng, data)
    if not seen.attributes:
        return None
    query = f"{rng.choice(seen.attributes)} {seen.kind}"
    listed = listings.first_page(query, data)
    wanted = [each.asin for each in listed if each.brand == seen.brand]
    if len(wanted) not in COUNT or len(wanted) == len(listed) or not _is_clear(listed, seen.brand):
        return None
    others = [each.asin for each in listed if each.asin not in wanted]
    return {
        "check": "wishes",
        "told": visits.spellings(query, seen.brand),
        "query": query,
        "brand": seen.brand,
        "wanted": wanted,
        "others": others,
        "path": [site_map.path_step("results", "search", query=query, number=1)],
    }


def _is_clear(listed: Sequence[Product], brand: str) -> bool:
    """Return whether a product's name contains the brand exactly if the product is of this
    brand.
    """
    return all((brand in each.name) == (each.brand == brand) for each in listed)


def length(scenario: Scenario) -> int:
    """Return the number of actions: search; open, wish and go back per product; open the list."""
    return 1 + 3 * len(scenario.gold["wanted"]) + 1


def advise(scenario: Scenario, observation: Observation) -> Advice:
    gold, place = scenario.gold, site_map.here(observation)
    needs = _needs(gold)
    if place["page"] == "item":
        return _at_item(gold, observation)
    if place["page"] == "wishlist":
        held = all(asin in observation.text for asin in gold["wanted"])
        done = Advice("check wishes", answer="", needs=needs)
        return done if held else _search(gold, observation)
    if place["page"] != "results" or place["query"] != gold["query"] or place["number"] != 1:
        return _search(gold, observation)
    card = unopened([each for each in cards(observation) if gold["brand"] in each.title])
    if card is not None:
        return Advice("save wishes", (Click(card.link.id),), needs=needs)
    return Advice("check wishes", click(observation, "My Wish List"), needs=needs)


def _search(gold: Mapping[str, Any], observation: Observation) -> Advice:
    return following.go(gold, gold["path"][0], observation)


def _at_item(gold: Mapping[str, Any], observation: Observation) -> Advice:
    is_wanted = gold["brand"] in observation.title
    wish = click(observation, "Add to Wish List") if is_wanted else ()
    actions = wish or click(observation, "< Prev")
    return Advice("save wishes", actions, needs=_needs(gold))


def _needs(gold: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return the values that the agent must know from the page of results on: only the brand."""
    return ((gold["brand"],),)


def solve(scenario: Scenario, world: World, data: StoreData) -> str:
    _wish(data, scenario.gold, scenario.gold["wanted"], world)
    return ""


def _wish(data: StoreData, gold: Mapping[str, Any], asins: Sequence[str], world: World) -> None:
    site_map.walk(gold["path"], world, data)
    for asin in asins:
        operations.open_item(world, data, asin, {})
        customer.wish(world, data, asin)
    customer.wishes(world)


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    gold = scenario.gold
    wanted, other = gold["wanted"], gold["others"][0]

    def bought(world: World) -> None:
        solve(scenario, world, data)
        operations.buy(world, operations.product(data, wanted[0]), {})

    def emptied(world: World) -> None:
        solve(scenario, world, data)
        customer.unwish(world, wanted[0])

    def wished(asins: Sequence[str]) -> NearMiss:
        return NearMiss(partial(_wish, data, gold, asins), "wish list")

    return {
        "one left out": wished(wanted[:-1]),
        "one of another brand": wished([*wanted, other]),
        "another brand instead": wished([*wanted[1:], other]),
        "took one off again": NearMiss(emptied, "wish list"),
        "bought one": NearMiss(bought, "nothing else changed"),
    }
