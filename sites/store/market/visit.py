"""The database (world) of a visit to the market: its tables and how it is created."""

from __future__ import annotations

from collections.abc import Mapping

from sites.store.market import offers
from sites.store.market.account.account import MarketAccount
from sites.store.market.offers import Offers
from sites.store.market.pricing import ShopRules
from sites.store.shop.data import MARKET
from sites.store.shop.world import ACCOUNT_SCHEMA, SCHEMA, visit_world
from sites.world import World

CART = "cart"
"""The entry in the `about` of a visit's database that says that the visitor buys through a cart,
not directly.
"""
CART_SCHEMA = """
CREATE TABLE cart_lines (
    id INTEGER PRIMARY KEY, shop TEXT NOT NULL, asin TEXT NOT NULL, options TEXT NOT NULL,
    quantity INTEGER NOT NULL, saved INTEGER NOT NULL);
CREATE TABLE checkouts (
    shop TEXT PRIMARY KEY, address INTEGER, method TEXT NOT NULL, gift_text TEXT NOT NULL,
    extras TEXT NOT NULL, codes TEXT NOT NULL, card INTEGER, subscribed INTEGER NOT NULL);
"""
"""The SQL of the tables of a cart.

A line with `saved` 1 is kept for later; `options`, `extras` and `codes` are JSON. The table
`checkouts` holds the current choices in the checkout of a shop; placing the order deletes its row
and the lines of the cart.
"""


def new_market_world(
    session: str,
    instruction: str,
    account: MarketAccount | None = None,
    offered: Offers | None = None,
    rules: Mapping[str, ShopRules] | None = None,
    *,
    cart: bool = False,
) -> World:
    """Return the database (world) of a new visit to the market.

    Args:
        instruction: The text that every page shows.
        account: The account of the customer who is signed in; None for a guest.
        offered: Offers that differ from the catalogue.
        rules: Rules that differ from the shops' usual rules, by the shop's name.
        cart: Whether the visitor buys through a cart. There is no Buy Now then.
    """
    about = {"instruction": instruction, "stock": MARKET, **({CART: "yes"} if cart else {})}
    if offered or rules:
        about |= offers.about(offered or {}, rules or {})
    return visit_world(session, about, SCHEMA + ACCOUNT_SCHEMA + CART_SCHEMA, account)


def is_market(world: World) -> bool:
    """Return whether the visit is to the market, the store's second stock of products."""
    return world.about.get("stock") == MARKET


def has_cart(world: World | None) -> bool:
    """Return whether this visitor buys through a cart."""
    return world is not None and CART in world.about
