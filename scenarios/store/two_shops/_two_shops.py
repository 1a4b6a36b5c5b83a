"""Tasks in two shops, the store and the outlet: their stocks and rules, and the way between them.

The details of a scenario hold `account`, `offers` and `outlet_offers` of its visitor, and `rules`
by shop. The gold's `path` lists the pages that an agent must open to find the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from agent.interface import Advice, Click, Element, Observation, Text
from scenarios.scenario import Scenario
from scenarios.store.market import ordering, task
from scenarios.store.pages.screen import Needs, cards, click, find, unopened, unvisited
from sites.store import StoreData
from sites.store.market import pricing
from sites.store.market.account.account import OUTLET, STORE, MarketAccount
from sites.store.market.account.draw import draw_account
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.offers import USUAL, Offers, offers_from_json
from sites.store.market.pricing import HOME, PLAN, Code, Method, ShopRules
from sites.store.market.service import help as rules
from sites.store.outlet import goods
from sites.store.outlet import operations as outlet
from sites.store.outlet.stock import OutletStock
from sites.store.outlet.visit import open_shops
from sites.store.shop import operations
from sites.world import World

HOSTS = (STORE, OUTLET)
FROM_ACCOUNT = ("told",)
"""Keys of the gold with values that account pages show; the test for leaked solutions skips them.

The address book holds the customer's city.
"""
READ_RULES = "read the rules"
STEPS = (READ_RULES, "search", "open item", "go to the other shop",
         *ordering.STEPS)  # fmt: skip


# The world ---------------------------------------------------------------------------------------


def world(scenario: Scenario) -> World:
    """Return the database of a visit to both shops (its world) at the start, with an empty cart."""
    made = task.world(scenario, cart=True)
    open_shops(made, offered=_in_outlet(scenario))
    return made


def _in_outlet(scenario: Scenario) -> Offers:
    return offers_from_json(scenario.details["outlet_offers"])


def stocks_of(scenario: Scenario, data: StoreData) -> dict[str, Market]:
    """Return a dict from each shop to the stock that it offers this customer."""
    market = data.market
    return {
        STORE: ordering.stock_of(scenario, data),
        OUTLET: OutletStock(market.catalogue, market.search, _in_outlet(scenario)),
    }


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deal:
    """The cheapest way to get some goods from one shop: its total in cents, delivery and codes."""

    total: int
    method: str
    codes: tuple[str, ...]


def account(market: Market, rng: Random) -> MarketAccount:
    """Draw a customer at home in the shops' country, without orders.

    No other address of the customer is in the same city, and no card's brand contains "Express",
    which is the name of a delivery.
    """
    while True:
        account = replace(draw_account(rng, market, range(1)), lists=(), codes=())
        first, *others = account.addresses
        is_clear = not any("Express" in card.brand for card in account.cards)
        if first.country == HOME and first.city not in {e.city for e in others} and is_clear:
            return account


@cache
def listed(market: Market, most_before: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the products sold by both shops that the store lists on page one for their design's
    name.

    Args:
        market: The store's stock.
        most_before: The most products of the same design that stand before the product in the list.

    Returns:
        Pairs of an asin and the asins of the products of the same design listed before it.
    """
    found = []
    for design in dict.fromkeys(good.design for good in goods.sold().values()):
        first = market.hits(design)[: operations.PER_PAGE]
        own = [asin for asin in first if market.good(asin).design == design]
        if len(own) > 2:
            found += [(asin, tuple(own[:n])) for n, asin in enumerate(own[: most_before + 1])]
    return tuple(found)


def line(good: Good, cents: int, quantity: int) -> pricing.PricedLine:
    """Return an order line with a product's price and pieces, in the form that pricing takes."""
    kind = good.kind
    return pricing.PricedLine(good.asin, kind.name, good.brand, kind.department, cents, quantity)


def store_terms(rng: Random) -> ShopRules:
    """Draw the store's rules for this customer: preset extras, and the tax."""
    preset = tuple(each for each in (PLAN, "Express") if rng.random() < 0.3)
    return ShopRules(preset=preset, tax=rng.choice((0, 0, 45, 62, 70)))


def outlet_terms(rng: Random) -> ShopRules:
    """Draw the outlet's rules for this customer: prices of deliveries, free postage, and the
    tax.
    """
    usual = USUAL[OUTLET]
    prices = rng.choice((349, 449, 549)), rng.choice((699, 749, 899)), 1499
    methods = [Method(each.name, cents, each.days, each.abroad)
               for each, cents in zip(usual.methods, prices, strict=True)]  # fmt: skip
    return replace(
        usual,
        methods=tuple(methods),
        free_over=rng.choice((9_000, 12_000, 18_000)),
        bulky=rng.choice((700, 900, 1500)),
        tax=rng.choice((55, 65, 80, 95)),
        preset=tuple(each for each in ("Next day",) if rng.random() < 0.4),
    )


def deal(
    lines: Sequence[pricing.PricedLine], rules: ShopRules, wallet: Sequence[Code]
) -> Deal | None:
    """Return the cheapest way to order these lines, over all deliveries and codes.

    Returns:
        None if two ways cost the same, or if the order is below the shop's minimum.
    """
    if sum(line.total for line in lines) < rules.minimum:
        return None
    due = [code for code in wallet if pricing.is_due(code, lines, rules.threes)]
    sets = ([], due) if due else ([],)
    every = [
        (pricing.quote(lines, rules, method.name, codes).total, method.name, codes)
        for method in rules.methods
        for codes in sets
    ]
    best, second = sorted(every, key=lambda each: each[0])[:2]
    if best[0] == second[0]:
        return None
    return Deal(best[0], best[1], tuple(code.name for code in best[2]))


def order(
    lines: Sequence[tuple[str, int]], shop: str, deal: Deal
) -> dict[str, Any]:  # fmt: skip
    """Return the gold's order of these goods, given as pairs of an asin and a number of pieces."""
    chosen = [(asin, dict[str, str](), quantity) for asin, quantity in lines]
    return ordering.order(chosen, [deal.method], shop=shop, codes=deal.codes)


def charges() -> Iterator[list[dict[str, Any]]]:
    """Yield the journal rows that prove that the agent saw the charges on top of each shop's
    prices.

    Any row of an entry proves it: a page of the help, or a step of the checkout.
    """
    review = {"page": "checkout", "options": {"step": "review"}}
    yield [_help("delivery"), {"page": "checkout", "options": {"step": "delivery"}}, review]
    yield [_help("taxes"), review]
    own = {"shop": OUTLET}
    there = {"page": "checkout", "options": {"step": "review", **own}}
    yield [{"page": "help", "options": {"topic": outlet.TOPIC, **own}}, there]


def _help(topic: str) -> dict[str, Any]:
    return {"page": "help", "options": {"topic": topic}}


# The way -----------------------------------------------------------------------------------------


def at_help(observation: Observation, needs: Needs) -> Advice:
    """Advise to read the store's help about delivery and taxes, then to go on to the search."""
    titles = [rules.TOPICS[topic].title for topic in ("delivery", "taxes")]
    for title in titles:
        link = unvisited(observation, title)
        if link is not None:
            return Advice(READ_RULES, (Click(link.id),), needs=needs)
    back = "Back to Help" if "/delivery" in observation.url else "Back to Search"
    return Advice(READ_RULES, click(observation, back), needs=needs)


def to_help(observation: Observation, needs: Needs) -> Advice | None:
    """Advise to open the store's help; None if it was opened before."""
    link = unvisited(observation, "Help")
    return Advice(READ_RULES, (Click(link.id),), needs=needs) if link is not None else None


def at_results(design: str, observation: Observation, needs: Needs) -> Advice:
    """Advise to open the results of this design, in their order, then to go back to the search."""
    card = unopened([card for card in cards(observation) if card.title.startswith(design)])
    if card is None:
        return Advice("search", click(observation, "Back to Search"), needs=needs)
    return Advice("open item", (Click(card.link.id),), needs=needs)


def is_marked(label: str, observation: Observation) -> bool:
    """Return whether the link with this label is marked as visited."""
    link = find(observation, label)
    return link is not None and "visited" in link.states


def viewed(observation: Observation) -> list[Element]:
    """Return the links to items below *Recently viewed*, the last viewed first."""
    content = list(observation.content)
    heads = [n for n, each in enumerate(content)
             if isinstance(each, Text) and each.text == "Recently viewed"]  # fmt: skip
    below = content[heads[0] :] if heads else []
    return [each for each in below if isinstance(each, Element)]
