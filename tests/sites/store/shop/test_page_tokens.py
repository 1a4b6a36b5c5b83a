"""How long the pages of market and outlet are for a model: tokens of what ReAct shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from agent import prompting, renderings
from agent.llm import tokenizer
from scenarios import registry
from scenarios.store.two_shops._two_shops import stocks_of
from sites.site_app import COOKIE
from sites.store.account.customer import orders_of
from sites.store.market.account.account import OUTLET, STORE
from sites.store.market.checkout import cart, checkout
from sites.store.market.goods import goods as market_goods
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.service import claims, reordering, subscriptions
from sites.store.market.service.help import TOPICS
from sites.store.outlet import goods
from sites.store.outlet.address import Shop
from sites.store.shop.address import Visit
from sites.world import World
from tests.drawing import drawn
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")
SEEDS = (0, 1) if DEEP else (1,)
"""Of the second every page of `LONGER` is as long."""
ITEMS = 3
POSSIBLE = 3
"""A seed on which something goes back, and something is owed."""
BARS = {"item": 900, "list": 1100, "order": 400}
PLAIN = ("subscriptions", "messages")
OTHERS = 900
"""Of pages that have no bar of their own: the shopping cart, its checkout, wallet and help."""
LONGER = {
    (STORE, "list"): 2050,
    (STORE, "order"): 540,
    (STORE, "subscriptions"): 1700,
    (OUTLET, "item"): 1000,
    (OUTLET, "list"): 1600,
    (OUTLET, "order"): 500,
}
"""Pages that are longer than their bar, and how long they may be until they are made shorter."""


def sold(shop: str) -> list[Good]:
    return [*(goods.sold() if shop == OUTLET else market_goods.goods()).values()]


def to_choose(world: World, shop: str, chosen: list[Good]) -> Iterator[tuple[str, str]]:
    """Each page on the way to an order, by its kind."""
    kinds = [good.kind.name for good in chosen]
    if shop == OUTLET:
        there = Shop(world.session)
        yield from (("item", there.item(good, {})) for good in chosen)
        yield from (("list", there.search(each, {})) for each in kinds)
        yield from (("cart", there.basket), ("checkout", there.checkout), ("help", there.help))
        return
    here = Visit(world.session)
    yield from (("item", here.item(good.asin, {})) for good in chosen)
    yield from (("list", Visit(world.session, tuple(each.split())).results()) for each in kinds)
    yield from (("cart", here.cart), ("wallet", here.wallet))
    yield from (("checkout", here.checkout(step)) for step in checkout.STEPS)
    yield from (("help", here.help(topic)) for topic in ("", *TOPICS))


@dataclass
class Reader:
    """Opens pages in a browser and counts their tokens, by shop and kind."""

    runner: Any
    environments: Any
    found: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def visit(self, family: str, seed: int) -> None:
        self.data = self.environments.sites["store"].data
        self.scenario = drawn(family, seed)
        self.world = registry.family_modules()[family].world(self.scenario)
        self.token = self.environments.sites["store"].worlds.admit(self.world)

    def read(self, lane, shop: str, kind: str, path: str) -> None:
        address = f"http://{shop}.localhost{path}"
        seen = self.runner.run(lane.open(address, cookie=(COOKIE, self.token)))
        assert seen.url == address
        page = renderings.without_instruction(seen, self.scenario.instruction)
        text = renderings.get(prompting.load("react", shop).rendering).render(page)
        self.found.setdefault((shop, kind), []).append(tokenizer.count(text))

    def shop(self, lane, shop: str, stock: Market) -> None:
        """Look at things of both shops, put two into the cart, order them."""
        chosen = Random(f"{shop}/{self.scenario.seed}").sample(sold(shop), ITEMS)
        for good in chosen[:2]:
            cart.add(self.world, stock, good.asin, {}, 2, shop)
        for kind, path in to_choose(self.world, shop, chosen):
            self.read(lane, shop, kind, path)
        placed = checkout.place(self.world, stock, shop, checkout.order_count(self.world)).number
        session = self.world.session
        own = Shop(session).bought(placed) if shop == OUTLET else Visit(session).order(placed)
        self.read(lane, shop, "order", own)

    def household(self, lane) -> None:
        """What comes by itself, what the shop writes of it, and a pack with its line."""
        here = Visit(self.world.session)
        self.read(lane, STORE, "subscriptions", here.subscriptions)
        self.read(lane, STORE, "subscriptions", here.subscription(1))
        self.read(lane, STORE, "messages", here.messages)
        self.read(lane, STORE, "messages", here.message(1))
        asin = subscriptions.every(self.world)[0].asin
        self.read(lane, STORE, "item", here.item(asin, {}))
        for topic in reordering.TOPICS:
            self.read(lane, STORE, "help", here.help(topic))

    def look_back(self, lane) -> None:
        """The order of most lines, of all of an account."""
        longest = max(orders_of(self.world), key=lambda order: len(order.lines))
        self.read(lane, STORE, "order", Visit(self.world.session).order(longest.number))

    def after_a_sale(self, lane) -> None:
        """A return and its rules; the longest order with what can be done about it."""
        row, here = self.scenario.gold["rows"][0], Visit(self.world.session)
        self.read(lane, STORE, "return", here.send_back(row["order_number"], row["asin"]))
        self.read(lane, STORE, "return", here.returns)
        self.read(lane, STORE, "help", here.help("returns"))
        self.look_back(lane)

    def claim(self, lane) -> None:
        """A claim with a row for each order that counts, what is promised, and prices."""
        here = Visit(self.world.session)
        for row in self.scenario.gold["rows"]:
            claims.add_row(self.world, row["order_number"], row["reason"], "12.50")
        self.read(lane, STORE, "claim", here.claim)
        self.read(lane, STORE, "help", here.help("promises"))
        items = [each["asin"] for each in self.scenario.gold["path"] if each["page"] == "item"]
        for asin in items[:ITEMS]:
            self.read(lane, STORE, "item", here.item(asin, {}))


@pytest.fixture(scope="module")
def counted(runner, environments) -> dict[tuple[str, str], list[int]]:
    """The tokens of every page that was opened, by shop and kind."""
    reader, stack = Reader(runner, environments), AsyncExitStack()
    lane = runner.run(stack.enter_async_context(environments.lane("store")))
    for seed in SEEDS:
        reader.visit("two_shops_cheapest", seed)
        for shop, stock in stocks_of(reader.scenario, reader.data).items():
            reader.shop(lane, shop, stock)
        reader.visit("ledger_sum", seed)
        reader.look_back(lane)
        reader.visit("subscriptions_in_order", seed)
        reader.household(lane)
    for family, look in (("return_by_policy", reader.after_a_sale), ("ledger_audit", reader.claim)):
        reader.visit(family, POSSIBLE)
        look(lane)
    runner.run(stack.aclose())
    return reader.found


@pytest.mark.wide
def test_no_page_is_longer_than_its_bar(counted) -> None:
    most = {place: max(numbers) for place, numbers in counted.items()}
    bars = {place: LONGER.get(place, BARS.get(place[1], OTHERS)) for place in most}
    assert {place: number for place, number in most.items() if number > bars[place]} == {}
    others = ("cart", "checkout", "wallet", "help", "return", "claim")
    assert {kind for _, kind in most} == {*BARS, *others, *PLAIN}


@pytest.mark.wide
def test_what_is_named_as_longer_than_its_bar_is_so(counted) -> None:
    assert [place for place in LONGER if max(counted[place]) <= BARS.get(place[1], OTHERS)] == []
