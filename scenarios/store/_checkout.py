"""The way from a filled cart to a placed order: for solutions, and as advice.

An order is one of the gold's `orders` (`evaluators.scoring.scorers.store.order`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sites.store.market import cart, checkout
from sites.store.market.account import STORE, MarketOrder
from sites.store.market.stock import Market
from sites.world import World

Order = Mapping[str, Any]


def order(
    lines: Sequence[tuple[str, Mapping[str, str], int]],
    methods: Sequence[str],
    *,
    ship_to: int = 1,
    shop: str = STORE,
    gift_text: str | None = "",
    codes: Sequence[str] = (),
    card: str | None = None,
    extras: Sequence[str] = (),
    subscribed: bool = False,
) -> dict[str, Any]:
    """A wanted order as the gold holds it; text or card None where it does not matter."""
    return {
        "shop": shop,
        "lines": [[asin, dict(options), quantity] for asin, options, quantity in lines],
        "ship_to": ship_to,
        "methods": list(methods),
        "gift_text": gift_text,
        "codes": sorted(codes),
        "card": card,
        "extras": sorted(extras),
        "subscribed": subscribed,
    }


# Solutions ---------------------------------------------------------------------------------------


def place(world: World, stock: Market, wanted: Order) -> MarketOrder:
    """Go through cart and checkout by the site's operations, whatever was chosen before."""
    shop = wanted["shop"]
    fill(world, stock, wanted)
    cart.open_cart(world, shop)
    for step in checkout.STEPS:
        checkout.open_step(world, shop, step)
    for name in checkout.state(world, shop).codes:
        checkout.drop_code(world, stock, shop, name)
    checkout.choose(
        world,
        stock,
        shop,
        address=wanted["ship_to"],
        gift_text=wanted["gift_text"] or "",
        extras=wanted["extras"],
        card=card_of(world, wanted),
        subscribed=wanted["subscribed"],
    )
    checkout.choose(world, stock, shop, method=wanted["methods"][0])
    for name in wanted["codes"]:
        checkout.add_code(world, stock, shop, name)
    return checkout.place(world, stock, shop, checkout.order_count(world))


def fill(world: World, stock: Market, wanted: Order) -> None:
    """Have exactly the wanted lines in the cart."""
    shop = wanted["shop"]
    for line in cart.lines(world, shop):
        cart.change(world, stock, line.id, 0)
    for asin, options, quantity in wanted["lines"]:
        cart.add(world, stock, asin, options, quantity, shop)


def card_of(world: World, wanted: Order) -> int | None:
    """The id of the wanted card; None where any will do."""
    found = checkout.cards(world).items()
    return next((number for number, each in found if each.last == wanted["card"]), None)


def is_placed(world: World, wanted: Order) -> bool:
    """Whether an order of this visit has the wanted lines and goes to the wanted address."""
    ship_to = vars(checkout.addresses(world)[wanted["ship_to"]])
    sql = "SELECT * FROM market_orders WHERE shop = ? AND card <> ''"
    for row in world.read(sql, (wanted["shop"],)):
        own = "SELECT * FROM market_lines WHERE order_number = ?"
        lines = world.read(own, (row["number"],))
        had = sorted((line["asin"], line["quantity"]) for line in lines)
        asked = sorted((asin, quantity) for asin, _, quantity in wanted["lines"])
        if had == asked and json.loads(row["ship_to"]) == ship_to:
            return True
    return False
