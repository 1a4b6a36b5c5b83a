"""The shops that a visit may use, and the table of orders in the outlet."""

from __future__ import annotations

from collections.abc import Sequence

from sites.site_app import sister_url
from sites.store.market.account.account import OUTLET, STORE
from sites.store.market.offers import Offers, offer
from sites.store.shop.data import MARKET
from sites.store.shop.world import new_world
from sites.world import World

SHOPS = "shops"
"""The entry in the `about` of a visit's database that names the shops that the visit may use."""
TABLE = """CREATE TABLE outlet_purchases (
    id INTEGER PRIMARY KEY, asin TEXT NOT NULL, options TEXT NOT NULL, price INTEGER NOT NULL,
    tax INTEGER NOT NULL)"""
"""The SQL of the table of orders without a basket.

`options` are JSON; `price` is without tax, and both amounts are in cents.
"""


def new_outlet_world(session: str, instruction: str) -> World:
    """Return the database (world) of a new visit that may use the outlet only."""
    world = new_world(session, instruction, stock=MARKET)
    open_shops(world, [OUTLET])
    return world


def open_shops(
    world: World, shops: Sequence[str] = (STORE, OUTLET), offered: Offers | None = None
) -> None:
    """Let a visit to the market use these shops.

    Args:
        world: The visit's database (its world).
        shops: The names of the shops, including the outlet.
        offered: The offers that the outlet makes this visitor; None for the usual prices.
    """
    world.about[SHOPS] = " ".join(shops)
    if offered:
        offer(world, offered, OUTLET)
    world.write(TABLE)


def shops_of(world: World) -> list[str]:
    """Return the names of the shops that a visit may use."""
    return world.about.get(SHOPS, "").split()


def knows_both(world: World) -> bool:
    """Return whether a visit may use both shops, the store and the outlet."""
    return {STORE, OUTLET} <= {*shops_of(world)}


def was_there(world: World, shop: str) -> bool:
    """Return whether a page of this shop was opened in the visit."""
    rows = world.read(
        "SELECT 1 FROM log_pages WHERE (page LIKE 'outlet%'"
        " OR coalesce(json_extract(options, '$.shop'), '') = ?) = ? LIMIT 1",
        (OUTLET, shop == OUTLET),
    )
    return bool(rows)


def other_shop(world: World, here: str) -> str:
    """Return the address of the other shop for this visit; "" if it may use a single shop only."""
    if not knows_both(world):
        return ""
    return f"{sister_url(STORE if here == OUTLET else OUTLET)}/{world.session}"
