"""Tasks in the outlet, a second shop with other pages: requests for products that it sells.

The gold has the keys of `scenarios.store.market.task` and `shop`. Its `name` is the product's title
in the outlet; its `route` is a query, the facets by which its results are narrowed, and how many
results are shown. A price limit gives the same answer with and without tax for each product that
meets the rest of the request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from agent.interface import Action, Advice, Click, Element, Observation, Select
from scenarios.scenario import Scenario
from scenarios.store.market import look_alikes, task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import site_map
from scenarios.store.pages import visits as visit
from scenarios.store.pages.screen import Needs, cards, click, unchosen
from sites.store import StoreData
from sites.store.market.account.account import OUTLET
from sites.store.market.goods.goods import Good
from sites.store.outlet import goods, operations
from sites.store.outlet.operations import KIND, MAKER, STEP
from sites.store.outlet.visit import new_outlet_world
from sites.world import World

STEPS = ("search", "narrow", "open item", "choose options", "order")
Gold = Mapping[str, Any]
Row = dict[str, Any]


# Goods -------------------------------------------------------------------------------------------


@cache
def charged() -> Mapping[str, Good]:
    """Return the outlet's products, by asin, at the prices with tax that customers pay."""
    every = goods.sold().items()
    return {asin: replace(good, price=goods.gross_cents(good) / 100) for asin, good in every}


@cache
def of_kind(name: str) -> Sequence[Good]:
    """Return the outlet's products of a kind, at prices with tax."""
    return tuple(good for good in charged().values() if good.kind.name == name)


@cache
def _untaxed(name: str) -> Sequence[Good]:
    """Return the outlet's products of a kind, at prices without tax."""
    return tuple(goods.sold()[good.asin] for good in of_kind(name))


# Drawing and proving -----------------------------------------------------------------------------


def draw(family: str, seed: int, shape: wishes.Shape, rng: Random) -> task.Drawn:
    """Draw a product of the outlet and a request that only this product meets.

    In one of `task.IMPOSSIBLE_ONE_IN` seeds the request allows a lower price only, so that nothing
    meets it.
    """
    every = [*charged().values()]
    return task.proved(family, seed, lambda: task.attempt(every, seed, shape, rng), rng, SHELF)


def _is_fair(kind: str, wished: Sequence[Constraint]) -> bool:
    """Return whether the same products meet the request in spite of rounding and with or without
    tax.
    """
    both = of_kind(kind), _untaxed(kind)
    taxed, untaxed = ([good.asin for good in wishes.fitting(each, wished)] for each in both)
    return all(wishes.is_fair(each, wished) for each in both) and untaxed == taxed


SHELF = task.Shelf(
    of_kind, _is_fair, lambda good: goods.net_cents(goods.sold()[good.asin]) / 100
)  # fmt: skip
"""The products of the outlet, at prices with tax."""


def is_hard(good: Good, instruction: str, data: StoreData) -> bool:
    """Return whether the right product is absent from the first results of two obvious searches.

    These are the search for the kind's name, and the search for the whole instruction.
    """
    listed = (operations.hits(data.market, text)[:STEP] for text in (good.kind.name, instruction))
    return not any(good.asin == each.asin for found in listed for each in found)


def gold_of(good: Good, wished: Sequence[Constraint], data: StoreData) -> dict[str, Any]:
    """Return the right outcome (gold) of a request whose right answer is the product `good`."""
    narrowing, listed = _narrowed(good, data)
    opened = [*(each.asin for each in SHELF.lookalikes(good, wished)), good.asin]
    shown = max(-(-(listed.index(asin) + 1) // STEP) * STEP for asin in opened)
    rivals = sorted(opened[:-1], key=listed.index)
    possible = bool(SHELF.fitting(good, wished))
    rows = [[_item(asin)] for asin in (*rivals, good.asin)]
    return {
        "shop": OUTLET,
        "asin": good.asin,
        "name": goods.title(good),
        "design": good.design,
        "kind": good.kind.name,
        "constraints": [each.to_json() for each in wished],
        "options": {each.fact: each.value for each in wished if each.form == wishes.OPTION},
        "route": {"query": good.kind.name, "narrowing": narrowing, "shown": shown},
        "decides": rows if possible else [[_item(good.asin), _by_price()]],
        "opened": [*rivals, good.asin],
        "path": [
            site_map.path_step(
                "outlet results",
                "search",
                query=good.kind.name,
                narrowing=narrowing,
                number=shown,
            ),
            *(
                site_map.path_step(each[0]["page"], "open item", asin=each[0]["asin"])
                for each in rows
            ),
        ],
        "told": visit.spellings(*(each.text for each in wished)),
        "possible": possible,
    }


def _narrowed(good: Good, data: StoreData) -> tuple[dict[str, str], list[str]]:
    """Return facets that narrow a search to the product's kind and maker, and the asins of the
    results.
    """
    found, narrowing = operations.hits(data.market, good.kind.name), dict[str, str]()
    for name, value in ((KIND, good.kind.name), (MAKER, good.brand)):
        fewer = operations.narrowed(found, {name: value})
        if len(fewer) < len(found):
            found, narrowing = fewer, {**narrowing, name: value}
    return narrowing, [each.asin for each in found]


def _item(asin: str) -> Row:
    return {"page": "outlet item", "asin": asin}


def _by_price() -> Row:
    return {"page": "outlet results", "narrowed": operations.SORT}


def world(scenario: Scenario) -> World:
    """Return the database of a visit to the outlet alone (its world), at the start of the
    episode.
    """
    return new_outlet_world(scenario.id, scenario.instruction)


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert.

    It searches, narrows, and shows more results; it opens each item and comes back from all but the
    last; then there is one action per option, and two to order.
    """
    gold = scenario.gold
    list_steps = 1 + len(gold["route"]["narrowing"])
    more = gold["route"]["shown"] // STEP - 1
    visits = 2 * len(gold["opened"]) - 1
    deal = len(gold["options"]) + 2 if gold["possible"] else 1
    return int(list_steps + more + visits + deal)


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of a shopper who does not know the right product in advance.

    The shopper searches for the kind, sorts by price, and opens what is left until one product
    fits.
    """
    gold, wished = scenario.gold, wishes.constraints(scenario.gold)
    listed = look_alikes.left(of_kind(gold["kind"]), wished, facts=())
    rivals = look_alikes.opening(
        [each for each in listed if each.asin != gold["asin"]], wished, tabs=lambda good, broken: 0
    )
    more = len(of_kind(gold["kind"])) // STEP
    if not gold["possible"]:
        return 2 + more + rivals + 1
    return 2 + more + rivals // 2 + 1 + len(gold["options"]) + 2


# Advice ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Listed:
    """An item in a list of results, with the link that opens it."""

    link: Element
    title: str

    @property
    def is_opened(self) -> bool:
        return "visited" in self.link.states


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to search for the kind, narrow, open similar products in order, and buy what fits.

    The answer is NOT_ACHIEVABLE if nothing fits. The advice also works on pages that look like the
    store's.
    """
    gold, names = scenario.gold, {each.name for each in observation.elements}
    needs = task.wished_needs(gold)
    if "Thank you, your order is placed" in observation.text or "/done/" in observation.url:
        return Advice("order", answer="")
    if "Place order" in names:
        return Advice("order", click(observation, "Place order"), needs=needs)
    if names & {"Order this item", "Buy Now"}:
        return _at_item(gold, observation, needs)
    if re.search(r"^\d+ items? for “|Page \d+ \(Total results", observation.text, re.MULTILINE):
        return _at_results(gold, observation, needs)
    if "< Prev" in names:
        return Advice("open item", click(observation, "< Prev"), needs=needs)
    return task.search(scenario, observation)


def _at_results(gold: Gold, observation: Observation, needs: Needs) -> Advice:
    listed = _listed(observation)
    wanted = [goods.title(goods.sold()[asin]) for asin in gold["opened"]]
    narrower = unchosen(_choices(gold), observation)
    if narrower is not None:
        return Advice("narrow", (Click(narrower.id),), needs=needs)
    alike = (each for each in listed if each.title in wanted[:-1] and not each.is_opened)
    good = next((each for each in listed if each.title == gold["name"]), None)
    chosen = next(alike, good)
    more = click(observation, "Show more") or click(observation, "Next >")
    unseen = set(wanted) - {each.title for each in listed}
    if chosen is None or (chosen is good and unseen and more and not good.is_opened):
        return Advice("search", more or click(observation, "Back to Search"), needs=needs)
    if chosen.is_opened and not gold["possible"]:
        return Advice("open item", answer="NOT_ACHIEVABLE", needs=needs)
    return Advice("open item", (Click(chosen.link.id),), needs=needs)


def _choices(gold: Gold) -> list[tuple[str, str]]:
    """Return, for each facet, the label of the link that removes its choice, and the value to
    choose.
    """
    undo = {KIND: "All kinds", MAKER: "All makers"}
    return [(undo[name], value) for name, value in gold["route"]["narrowing"].items()]


def _listed(observation: Observation) -> list[_Listed]:
    numbered = [each for each in observation.elements if goods.NUMBER.match(each.name)]
    if numbered:
        return [_Listed(each, each.name) for each in numbered]
    return [_Listed(each.link, each.title) for each in cards(observation)]


def _at_item(gold: Gold, observation: Observation, needs: Needs) -> Advice:
    back = click(observation, "Back to the list") or click(observation, "< Prev")
    if gold["name"] not in observation.text or not gold["possible"]:
        return Advice("open item", back, needs=needs)
    for value in gold["options"].values():
        choice = _choice(observation, str(value))
        if choice is not None:
            return Advice("choose options", (choice,), needs=((str(value),),))
    order = click(observation, "Order this item") or click(observation, "Buy Now")
    return Advice("order", order, needs=needs)


def _choice(observation: Observation, value: str) -> Action | None:
    """Return the action that chooses an option's value; None if it is chosen already."""
    for each in observation.elements:
        if value in each.options:
            return None if each.value == value else Select(each.id, value)
        if each.name == value and each.role in ("button", "radio"):
            chosen = {"pressed", "checked", "visited"} & {*each.states}
            return None if chosen else Click(each.id)
    return None
