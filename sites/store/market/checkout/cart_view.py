"""The data that pages of both shops show about a cart, its delivery methods, and an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sites.store.account.customer import cards_of
from sites.store.catalogue.product import Product
from sites.store.market import pricing
from sites.store.market.account.account import MarketLine, MarketOrder
from sites.store.market.checkout import cart, checkout
from sites.store.market.checkout.cart import CartLine
from sites.store.market.goods.stock import Market
from sites.store.market.offers import rules_of
from sites.store.market.pricing import Method
from sites.store.shop import operations
from sites.store.shop.world import addresses_of
from sites.world import World


@dataclass(frozen=True)
class Shown:
    """A line of the cart or of an order for a page, with its product and its price."""

    line: CartLine | MarketLine
    product: Product
    cents: int

    @property
    def options(self) -> str:
        return ", ".join(self.line.options.values())

    @property
    def name(self) -> str:
        """The product's name with the options, which distinguish lines of the same product."""
        return f"{self.product.name} ({self.options})" if self.options else self.product.name

    @property
    def total(self) -> int:
        return self.cents * self.line.quantity


@dataclass(frozen=True)
class Way:
    """A delivery method for the cart: its cost in cents and the latest day of arrival."""

    method: Method
    cents: int
    day: date


def shown(stock: Market, lines: Sequence[CartLine]) -> list[Shown]:
    """Return lines of a cart with today's prices, for a page."""
    return [
        Shown(line, operations.product(stock, line.asin), stock.line(line.asin).cents)
        for line in lines
    ]


def ordered(stock: Market, order: MarketOrder) -> list[Shown]:
    """Return the lines of an order with the prices of that order, for a page."""
    return [Shown(line, operations.product(stock, line.asin), line.cents) for line in order.lines]


def in_checkout(world: World, stock: Market, shop: str) -> dict[str, Any]:
    """Return the values for the templates of the checkout's pages, by name."""
    return {
        "lines": shown(stock, cart.lines(world, shop)),
        "chosen": checkout.state(world, shop),
        "quote": checkout.quoted(world, stock, shop),
        "rules": rules_of(world, shop),
        "book": addresses_of(world),
        "ways": ways(world, stock, shop),
        "cards": cards_of(world),
        "orders": checkout.order_count(world),
        "seen": checkout.as_seen(world, stock, shop),
    }


def ways(world: World, stock: Market, shop: str) -> list[Way]:
    """Return the delivery methods for the chosen address, with their costs for this cart."""
    return [
        Way(each, checkout.quoted(world, stock, shop, method=each.name).postage, day)
        for each, day in checkout.deliveries(world, shop)
    ]


def method_of(world: World, shop: str, name: str) -> Method:
    """Return the shop's delivery method of this name, or its first method."""
    methods = rules_of(world, shop).methods
    return next((each for each in methods if each.name == name), methods[0])


def arrives(world: World, order: MarketOrder) -> date:
    """Return the last day on which an order can arrive."""
    return pricing.arrives(order.placed, method_of(world, order.shop, order.method))
