"""Which shops a visit knows, and what it can change in the outlet."""

from __future__ import annotations

from collections.abc import Sequence

from sites.site_app import sister_url
from sites.store.market.account.account import OUTLET, STORE
from sites.store.market.offers import Offers, offer
from sites.store.shop.data import MARKET
from sites.store.shop.world import new_world
from sites.world import World

SHOPS = "shops"
"""The entry of `about` that names the shops a visit knows."""
TABLE = """CREATE TABLE outlet_purchases (
    id INTEGER PRIMARY KEY, asin TEXT NOT NULL, options TEXT NOT NULL, price INTEGER NOT NULL,
    tax INTEGER NOT NULL)"""
"""`options` are JSON; amounts are cents, the price without tax."""


def new_outlet_world(session: str, instruction: str) -> World:
    """A visit to the outlet alone that has just begun."""
    world = new_world(session, instruction, stock=MARKET)
    open_shops(world, [OUTLET])
    return world


def open_shops(
    world: World, shops: Sequence[str] = (STORE, OUTLET), offered: Offers | None = None
) -> None:
    """Let a visit to the market know these shops, the outlet among them, which offers it this."""
    world.about[SHOPS] = " ".join(shops)
    if offered:
        offer(world, offered, OUTLET)
    world.write(TABLE)


def shops_of(world: World) -> list[str]:
    return world.about.get(SHOPS, "").split()


def knows_both(world: World) -> bool:
    return {STORE, OUTLET} <= {*shops_of(world)}


def was_there(world: World, shop: str) -> bool:
    """Whether a page of this shop was opened."""
    rows = world.read(
        "SELECT 1 FROM log_pages WHERE (page LIKE 'outlet%'"
        " OR coalesce(json_extract(options, '$.shop'), '') = ?) = ? LIMIT 1",
        (OUTLET, shop == OUTLET),
    )
    return bool(rows)


def other_shop(world: World, here: str) -> str:
    """The address of the same visit in the other shop; "" where it knows but one."""
    if not knows_both(world):
        return ""
    return f"{sister_url(STORE if here == OUTLET else OUTLET)}/{world.session}"
