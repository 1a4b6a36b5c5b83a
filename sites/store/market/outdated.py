"""Prices of last night, and goods that have just sold out: what the pages of a visit show of them.

The dials `listed` and `taken` say what. A cart, a checkout and an order always go by what is so
now; only lists and items are behind. A price is shown until somebody looks at the item again or
puts anything into a cart, what is sold out is offered until somebody wants it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

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
"""Whoever opens an item so often has seen its price of today."""
ITEM_PAGES = {STORE: "item", OUTLET: "outlet item"}
JUST_SOLD_OUT = " has just sold out, so you cannot have it."
PUT, WANTED = "put", "wanted"
"""Events of `log_dials`: something was put into a cart or was to be bought, with the price that was
shown of it; and what is sold out was."""


def listed(world: World, stock: AnyMarket, shop: str = STORE) -> AnyMarket:
    """The stock as lists and items show it."""
    dials = Dials.of(world)
    if dials is None or not (dials.listed or dials.taken):
        return stock
    looked = _looked_twice(world, shop)
    late = {} if _events(world, PUT) else dials.listed.get(shop, {})
    prices = {asin: cents for asin, cents in late.items() if asin not in looked}
    prices |= dials.taken.get(shop, {})
    offers = {asin: replace(stock.offer(asin), cents=cents) for asin, cents in prices.items()}
    gone = frozenset(asin for asin in dials.taken.get(shop, {}) if _is_known(world, shop, asin))
    return replace(stock, offers={**stock.offers, **offers}, sold_out=gone)


def is_behind(world: World) -> bool:
    """Whether prices in lists are those of last night."""
    dials = Dials.of(world)
    return bool(dials and dials.listed) and not _events(world, PUT)


def is_of_last_night(world: World, asin: str, shop: str = STORE) -> bool:
    """Whether an item's page, which is open, shows its price of last night."""
    return is_behind(world) and asin not in _looked_twice(world, shop)


def last_night(world: World, stock: Market, asin: str, shop: str = STORE) -> int | None:
    """The cents that an item was last night, where that is shown beside its price of today; None
    where prices do not change."""
    dials = Dials.of(world)
    if dials is None or not dials.listed or is_of_last_night(world, asin, shop):
        return None
    return dials.listed.get(shop, {}).get(asin, stock.line(asin).cents)


def when_put(world: World, stock: Market, asin: str, shop: str = STORE) -> int | None:
    """The cents at which a product was put into the cart; None where these are those of today."""
    shown = [about.split() for about in _events(world, PUT)]
    cents = [int(price) for *what, price in shown if what == [shop, asin]]
    return cents[-1] if cents and cents[-1] != stock.line(asin).cents else None


def check(world: World, stock: Market, asin: str, shop: str = STORE) -> None:
    """Before something is put into a cart. Raises `Refusal` (409) for what has sold out."""
    if _has_sold_out(world, asin, shop):
        name = operations.product(stock, asin).name
        raise Refusal(409, f"“{name}”{JUST_SOLD_OUT}")


def put(world: World, stock: Market, asin: str, shop: str = STORE) -> None:
    """Remember the price that was shown of what goes into a cart; from now on all are today's."""
    dials = Dials.of(world)
    if dials is not None and dials.listed:
        cents = listed(world, stock, shop).line(asin).cents
        log(world, "log_dials (event, about)", (PUT, f"{shop} {asin} {cents}"))


def keeps_from_buying(world: World, stock: Market, asin: str) -> bool:
    """Whether something that is to be bought at once has sold out, or costs what was not shown: its
    page says so then, and from now on all pages do."""
    if _has_sold_out(world, asin, STORE):
        return True
    put(world, stock, asin)
    return when_put(world, stock, asin) is not None


def not_bought_at(world: World, stock: Market, asin: str) -> int | None:
    """The cents at which a product was to be bought, and was not; None where it was, or there is a
    cart."""
    bought = world.read("SELECT * FROM purchases WHERE asin = ?", (asin,))
    return None if bought or has_cart(world) else when_put(world, stock, asin)


def _has_sold_out(world: World, asin: str, shop: str) -> bool:
    """Whether it has; now that somebody wants it, lists show it."""
    dials = Dials.of(world)
    if dials is None or asin not in dials.taken.get(shop, {}):
        return False
    log(world, "log_dials (event, about)", (WANTED, f"{shop} {asin}"))
    return True


def _is_known(world: World, shop: str, asin: str) -> bool:
    return f"{shop} {asin}" in _events(world, WANTED)


def _looked_twice(world: World, shop: str) -> set[str]:
    rows = world.read(
        "SELECT asin FROM log_pages WHERE page = ? GROUP BY asin HAVING count(*) >= ?",
        (ITEM_PAGES[shop], LOOKS),
    )
    return {row["asin"] for row in rows}


def _events(world: World, event: str) -> list[str]:
    """What is known of such events; a world without dials has none, nor a table of them."""
    if Dials.of(world) is None:
        return []
    rows = world.read("SELECT about FROM log_dials WHERE event = ? ORDER BY id", (event,))
    return [row["about"] for row in rows]
