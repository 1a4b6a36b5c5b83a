"""Outdated prices and products that have just sold out, as the pages of a visit show them.

The dials (difficulty settings) `listed` and `taken` hold them. Carts, checkouts and orders always
use the current state; only lists and items lag behind. An old price is shown until the visitor
opens the item again or puts anything into a cart. A sold-out product is offered until the visitor
wants it. In a visit with a clock, both end at the minute `change`, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from sites import clock
from sites.dials import Dials
from sites.site_app import Refusal
from sites.store.market.goods.stock import Market
from sites.store.market.shops import OUTLET, STORE
from sites.store.market.visit import has_cart
from sites.store.shop import operations
from sites.store.shop.journal import log
from sites.world import World

AnyMarket = TypeVar("AnyMarket", bound=Market)
LOOKS = 2
"""The number of times that an item must be opened until its page shows today's price."""
ITEM_PAGES = {STORE: "item", OUTLET: "outlet item"}
JUST_SOLD_OUT = " has just sold out, so you cannot have it."
PUT, WANTED = "put", "wanted"
"""Events in the table `log_dials`: a product was put into a cart or nearly bought (PUT); a sold-out
product was wanted (WANTED).
"""


def listed(world: World, stock: AnyMarket, shop: str = STORE) -> AnyMarket:
    """Return the stock as lists and items show it, with outdated prices and with sold-out products
    still on offer.
    """
    dials = Dials.of(world)
    if dials is None or not (dials.listed or dials.taken):
        return stock
    looked = _looked_twice(world, shop)
    late = dials.listed.get(shop, {}) if is_behind(world) else {}
    prices = {asin: cents for asin, cents in late.items() if asin not in looked}
    prices |= dials.taken.get(shop, {})
    offers = {asin: replace(stock.offer(asin), cents=cents) for asin, cents in prices.items()}
    gone = frozenset(asin for asin in dials.taken.get(shop, {}) if _is_known(world, shop, asin))
    return replace(stock, offers={**stock.offers, **offers}, sold_out=gone)


def is_behind(world: World) -> bool:
    """Return whether lists still show the outdated prices of last night."""
    dials = Dials.of(world)
    return bool(dials and dials.listed) and not _events(world, PUT) and not _has_changed(world)


def is_of_last_night(world: World, asin: str, shop: str = STORE) -> bool:
    """Return whether the item's page shows its outdated price of last night."""
    return is_behind(world) and asin not in _looked_twice(world, shop)


def last_night(world: World, stock: Market, asin: str, shop: str = STORE) -> int | None:
    """Return the price of last night, in cents, that an item's page shows beside today's price.

    Returns:
        The price, or None if prices do not change or the page shows only the old price.
    """
    dials = Dials.of(world)
    if dials is None or not dials.listed or is_of_last_night(world, asin, shop):
        return None
    return dials.listed.get(shop, {}).get(asin, stock.line(asin).cents)


def when_put(world: World, stock: Market, asin: str, shop: str = STORE) -> int | None:
    """Return the outdated price in cents at which a product was put into the cart; None if it was
    today's price.
    """
    shown = [about.split() for about in _events(world, PUT)]
    cents = [int(price) for *what, price in shown if what == [shop, asin]]
    return cents[-1] if cents and cents[-1] != stock.line(asin).cents else None


def check(world: World, stock: Market, asin: str, shop: str = STORE) -> None:
    """Raise `Refusal` (409) if a product that the visitor puts into a cart has sold out."""
    if _has_sold_out(world, asin, shop):
        name = operations.product(stock, asin).name
        raise Refusal(409, f"“{name}”{JUST_SOLD_OUT}")


def put(world: World, stock: Market, asin: str, shop: str = STORE) -> None:
    """Record the price that was shown for a product that goes into a cart; from then on, pages show
    today's prices.
    """
    dials = Dials.of(world)
    if dials is not None and dials.listed:
        cents = listed(world, stock, shop).line(asin).cents
        log(world, "log_dials (event, about)", (PUT, f"{shop} {asin} {cents}"))


def keeps_from_buying(world: World, stock: Market, asin: str) -> bool:
    """Return whether a purchase must stop because the product has sold out or its price changed.

    The page of the item says so then, and all pages show today's prices.
    """
    if _has_sold_out(world, asin, STORE):
        return True
    put(world, stock, asin)
    return when_put(world, stock, asin) is not None


def not_bought_at(world: World, stock: Market, asin: str) -> int | None:
    """Return the outdated price, in cents, at which the visitor tried to buy a product.

    Returns:
        The price, or None if the product was bought, its price did not change, or there is
            a cart.
    """
    bought = world.read("SELECT * FROM purchases WHERE asin = ?", (asin,))
    return None if bought or has_cart(world) else when_put(world, stock, asin)


def _has_sold_out(world: World, asin: str, shop: str) -> bool:
    """Return whether a product has sold out; if so, record that it was wanted, and lists show it as
    sold out from then on.
    """
    dials = Dials.of(world)
    if dials is None or asin not in dials.taken.get(shop, {}):
        return False
    log(world, "log_dials (event, about)", (WANTED, f"{shop} {asin}"))
    return True


def _is_known(world: World, shop: str, asin: str) -> bool:
    """Return whether the pages say that a product has sold out."""
    return _has_changed(world) or f"{shop} {asin}" in _events(world, WANTED)


def _has_changed(world: World) -> bool:
    """Return whether the minute has come from which on pages show the truth."""
    return clock.changed_after(world) is not None


def _looked_twice(world: World, shop: str) -> set[str]:
    rows = world.read(
        "SELECT asin FROM log_pages WHERE page = ? GROUP BY asin HAVING count(*) >= ?",
        (ITEM_PAGES[shop], LOOKS),
    )
    return {row["asin"] for row in rows}


def _events(world: World, event: str) -> list[str]:
    """Return the texts of the recorded events of this kind, in order; a visit without dials
    (difficulty settings) has none.
    """
    if Dials.of(world) is None:
        return []
    rows = world.read("SELECT about FROM log_dials WHERE event = ? ORDER BY id", (event,))
    return [row["about"] for row in rows]
