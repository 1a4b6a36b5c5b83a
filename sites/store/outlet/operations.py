"""The outlet's operations on a world, for its pages and for reference solutions.

Each raises `Refusal` (404, 400 or 409) for a request that the outlet does not accept, and then
changes nothing. The journal calls the pages outlet, outlet results, outlet item, outlet order,
outlet receipt and help.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sites.site_app import Refusal
from sites.store.market.account.account import OUTLET
from sites.store.market.checkout import cart
from sites.store.market.goods.goods import Good
from sites.store.market.goods.reviews import MarketReview, rating, reviews
from sites.store.market.goods.stock import EVERY, Market
from sites.store.market.shops import journal_options
from sites.store.outlet import goods
from sites.store.shop.journal import as_json, log, log_page
from sites.store.shop.operations import LONGEST_QUERY, short
from sites.world import World

STEP = 8
"""So many goods are shown at first, and more each time."""
REVIEWS = 4
"""The same of reviews: all that tell a fact which nothing else tells are among the first."""
MOST = 200
RECENT = 6
TOPIC = "rules"
"""What the journal calls the outlet's one help page."""
KIND, MAKER, SORT = "kind", "maker", "sort"
QUERY = "query"
"""What was searched for, beside these in the journal."""
SORTS: Mapping[str, tuple[str, Callable[[Good], float]]] = {
    "cheapest": ("Cheapest first", lambda good: good.price),
    "best-liked": ("Best liked first", lambda good: -rating(good)),
}
NAMES = {"color": "colour"}
"""What the outlet calls an option otherwise than the store."""
Options = Mapping[str, str]
Narrowing = Mapping[str, str]


@dataclass(frozen=True)
class Choice:
    """A value to narrow by, and how many of the goods that were found have it."""

    value: str
    number: int


@dataclass(frozen=True)
class Found:
    """The first `shown` of the goods that a search found. `cut`: not all of the query was read."""

    query: str
    total: int
    goods: tuple[Good, ...]
    choices: Mapping[str, tuple[Choice, ...]]
    cut: bool = False


@dataclass(frozen=True)
class Order:
    """A row of the outlet's purchases; amounts in cents."""

    number: int
    asin: str
    options: dict[str, str]
    price: int
    tax: int


def open_home(world: World) -> None:
    log_page(world, "outlet")


def open_help(world: World) -> None:
    """Open the page of the outlet's terms, which visits with a basket have."""
    cart.check_cart(world)
    log_page(world, "help", options=journal_options(OUTLET, topic=TOPIC))


def knows_terms(world: World) -> bool:
    """Whether that page was opened."""
    rows = world.read("SELECT options FROM log_pages WHERE page = 'help'")
    return any(f'"{TOPIC}"' in str(row["options"]) for row in rows)


def search(
    world: World, market: Market, query: str, narrowing: Narrowing, shown: int = STEP
) -> Found:
    """The best goods for plain words, or the one with a maker's number, narrowed and sorted."""
    asked = query[:LONGEST_QUERY]
    if not asked.strip():
        raise Refusal(400, "Please type what you are looking for.")
    found = narrowed(hits(market, asked), narrowing)
    listed = tuple(found[:shown])
    asins = json.dumps([good.asin for good in listed])
    log(world, "log_queries (query, page, hits)", (asked, -(-shown // STEP), asins))
    log_page(world, "outlet results", options={**narrowing, QUERY: asked}, number=shown)
    choices = {name: _choices(found, name) for name in (KIND, MAKER)}
    return Found(asked, len(found), listed, choices, len(query) > len(asked))


def hits(market: Market, query: str) -> list[Good]:
    """The best goods for plain words, best first, as they are offered; of a maker's number its
    good, first or alone."""
    every, number = goods.sold(), goods.NUMBER.search(query.upper())
    named = goods.by_number().get(number[0]) if number else None
    if number and named and number[0] == query.strip().upper():
        return [market.offered(named)]
    found = [every[asin] for asin in market.search.search(query, EVERY) if asin in every]
    first = [named] if named else []
    listed = [*first, *(good for good in found if good is not named)]
    return [market.offered(good) for good in listed[:MOST]]


def narrowed(every: Sequence[Good], narrowing: Narrowing) -> list[Good]:
    """Those with every chosen value, sorted as chosen."""
    found = [
        good
        for good in every
        if narrowing.get(KIND, good.kind.name) == good.kind.name
        and narrowing.get(MAKER, good.brand) == good.brand
    ]
    if SORT not in narrowing:
        return found
    if narrowing[SORT] not in SORTS:
        raise Refusal(404, "We cannot sort like that. Please use the links.")
    return sorted(found, key=SORTS[narrowing[SORT]][1])


def _choices(found: Sequence[Good], name: str) -> tuple[Choice, ...]:
    values = [good.kind.name if name == KIND else good.brand for good in found]
    return tuple(Choice(value, values.count(value)) for value in sorted(set(values)))


def good_at(slug: str) -> Good:
    found = goods.by_slug().get(slug)
    if found is None:
        raise Refusal(404, f"We have no “{short(slug)}”. Please search for something else.")
    return found


def choose(good: Good, options: Options) -> dict[str, str]:
    """The options as the good has them, in its order, by the store's or the outlet's names."""
    wanted = {name.lower(): value.lower() for name, value in options.items() if value}
    for kind, name in NAMES.items():
        if name in wanted:
            wanted[kind] = wanted.pop(name)
    for kind, value in wanted.items():
        if value not in good.options.get(kind, ()):
            named = f"{NAMES.get(kind, kind)} “{short(value)}”"
            raise Refusal(400, f"We do not have this in {named}. Please choose on its page.")
    return {kind: wanted[kind] for kind in good.options if kind in wanted}


def open_item(world: World, good: Good, options: Options, shown: int = REVIEWS) -> dict[str, str]:
    """Open a good's page with so many reviews; the options as chosen."""
    chosen = choose(good, options)
    log_page(world, "outlet item", good.asin, chosen, shown)
    return chosen


def reviews_of(market: Market, good: Good) -> tuple[MarketReview, ...]:
    """All of them: the same people say the same in both shops."""
    return reviews(market.good(good.asin))


def visited(world: World) -> set[str]:
    """The asins of the goods that were opened here."""
    rows = world.read("SELECT DISTINCT asin FROM log_pages WHERE page = 'outlet item'")
    return {row["asin"] for row in rows}


def recently(world: World) -> list[Good]:
    """The goods that were opened here last, the newest first."""
    rows = world.read(
        "SELECT asin FROM log_pages WHERE page = 'outlet item' GROUP BY asin"
        " ORDER BY max(id) DESC LIMIT ?",
        (RECENT,),
    )
    return [goods.sold()[row["asin"]] for row in rows]


def last_search(world: World) -> tuple[str, Narrowing, int] | None:
    """What was searched for last, by what it was narrowed, and how many were shown."""
    pages = world.read(
        "SELECT options, number FROM log_pages WHERE page = 'outlet results'"
        " ORDER BY id DESC LIMIT 1"
    )
    if not pages:
        return None
    narrowing = json.loads(pages[0]["options"])
    return narrowing.pop(QUERY), narrowing, pages[0]["number"]


def open_order(world: World, good: Good, options: Options) -> dict[str, str]:
    """Open the last step, which shows the tax."""
    chosen = choose(good, options)
    log_page(world, "outlet order", good.asin, chosen)
    return chosen


def order(world: World, good: Good, options: Options, after: int) -> Order:
    """Place the order with a form that was made when the world held `after` orders.

    An older form is refused (409), so neither a double click nor going back orders twice.
    """
    with world.lock:
        if after != order_count(world):
            sentence = "You have ordered something since this page was made, so nothing was"
            raise Refusal(409, f"{sentence} ordered now. Please open the item again.")
        return buy(world, good, options)


def buy(world: World, good: Good, options: Options) -> Order:
    """Order, even if it was ordered before. Raises `WorldClosed` once the visit is over."""
    chosen = choose(good, options)
    values = good.asin, as_json(chosen), goods.net_cents(good), goods.tax_cents(good)
    number = world.write(
        "INSERT INTO outlet_purchases (asin, options, price, tax) VALUES (?, ?, ?, ?)", values
    )
    return Order(number, good.asin, chosen, *values[2:])


def order_count(world: World) -> int:
    return int(world.read("SELECT count(*) AS number FROM outlet_purchases")[0]["number"])


def receipt(world: World, number: int) -> Order:
    """An order that was placed; opening its page is noted."""
    rows = world.read("SELECT * FROM outlet_purchases WHERE id = ?", (number,))
    if not rows:
        raise Refusal(404, "We have no such order of yours.")
    found = _order(rows[0])
    log_page(world, "outlet receipt", found.asin, found.options, found.number)
    return found


def _order(row: dict[str, Any]) -> Order:
    return Order(row["id"], row["asin"], json.loads(row["options"]), row["price"], row["tax"])
