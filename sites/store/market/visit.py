"""A visit to the market: its tables, and how it begins."""

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
"""The entry of `about` of a world whose items are put into a cart, not bought at once."""
CART_SCHEMA = """
CREATE TABLE cart_lines (
    id INTEGER PRIMARY KEY, shop TEXT NOT NULL, asin TEXT NOT NULL, options TEXT NOT NULL,
    quantity INTEGER NOT NULL, saved INTEGER NOT NULL);
CREATE TABLE checkouts (
    shop TEXT PRIMARY KEY, address INTEGER, method TEXT NOT NULL, gift_text TEXT NOT NULL,
    extras TEXT NOT NULL, codes TEXT NOT NULL, card INTEGER, subscribed INTEGER NOT NULL);
"""
"""A line of a cart with `saved` 1 is kept for later; `options`, `extras` and `codes` are JSON.
`checkouts` holds what was chosen so far in the checkout of a shop; placing the order takes its row
and the cart's lines away."""


def new_market_world(
    session: str,
    instruction: str,
    account: MarketAccount | None = None,
    offered: Offers | None = None,
    rules: Mapping[str, ShopRules] | None = None,
    *,
    cart: bool = False,
) -> World:
    """A visit to the market that has just begun; with an account its customer is signed in.

    `rules` are those of the shops (by name) that differ from the usual ones. With a cart there is
    no Buy Now.
    """
    about = {"instruction": instruction, "stock": MARKET, **({CART: "yes"} if cart else {})}
    if offered or rules:
        about |= offers.about(offered or {}, rules or {})
    return visit_world(session, about, SCHEMA + ACCOUNT_SCHEMA + CART_SCHEMA, account)


def is_market(world: World) -> bool:
    """Whether this visitor is at the market."""
    return world.about.get("stock") == MARKET


def has_cart(world: World | None) -> bool:
    """Whether this visitor buys by a cart."""
    return world is not None and CART in world.about
