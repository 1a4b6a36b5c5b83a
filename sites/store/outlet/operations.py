"""The outlet's operations on a visit's database (its world), for its pages and for reference
solutions.

Each operation raises `Refusal` (404, 400 or 409) for a request that the outlet does not accept, and
then changes nothing. The journal calls the pages outlet, outlet results, outlet item, outlet order,
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
"""The number of products that a list shows at first, and that it adds each time."""
REVIEWS = 4
"""The number of reviews that a page shows at first, and that it adds each time.

All reviews that state a fact which nothing else states are among the first.
"""
MOST = 200
RECENT = 6
TOPIC = "rules"
"""The name of the outlet's only help page in the journal."""
KIND, MAKER, SORT = "kind", "maker", "sort"
QUERY = "query"
"""The key under which the journal stores a search's query, next to the keys of its filters."""
SORTS: Mapping[str, tuple[str, Callable[[Good], float]]] = {
    "cheapest": ("Cheapest first", lambda good: good.price),
    "best-liked": ("Best liked first", lambda good: -rating(good)),
}
NAMES = {"color": "colour"}
"""The outlet's names of product options that differ from the store's names."""
Options = Mapping[str, str]
Narrowing = Mapping[str, str]


@dataclass(frozen=True)
class Choice:
    """A value by which search results can be narrowed, and the number of results that have it."""

    value: str
    number: int


@dataclass(frozen=True)
class Found:
    """The result of a search: the first products (`goods`) of the `total` that were found.

    `choices` are the values to narrow by, by facet; `cut` is whether the end of the query was
    ignored.
    """

    query: str
    total: int
    goods: tuple[Good, ...]
    choices: Mapping[str, tuple[Choice, ...]]
    cut: bool = False


@dataclass(frozen=True)
class Order:
    """An order in the outlet without a basket; amounts are in cents."""

    number: int
    asin: str
    options: dict[str, str]
    price: int
    tax: int


def open_home(world: World) -> None:
    """Record in the journal that the outlet's home page was opened."""
    log_page(world, "outlet")


def open_help(world: World) -> None:
    """Record in the journal that the page of the outlet's terms was opened. Raises `Refusal` for a
    visit without a basket.
    """
    cart.check_cart(world)
    log_page(world, "help", options=journal_options(OUTLET, topic=TOPIC))


def knows_terms(world: World) -> bool:
    """Return whether the page of the outlet's terms was opened."""
    rows = world.read("SELECT options FROM log_pages WHERE page = 'help'")
    return any(f'"{TOPIC}"' in str(row["options"]) for row in rows)


def search(
    world: World, market: Market, query: str, narrowing: Narrowing, shown: int = STEP
) -> Found:
    """Search the outlet for plain words or a maker's number, and record the query in the journal.

    Args:
        world: The visit's database (its world).
        market: The stock to search in.
        query: The query; characters after the first `LONGEST_QUERY` are ignored.
        narrowing: The chosen value of each facet, and of `sort`.
        shown: How many products to list.

    Raises:
        Refusal: If the query is empty (400), or if the sorting is unknown (404).
    """
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
    """Return the best products for a query of plain words, best first, at this visitor's prices.

    The product with a maker's number in the query comes first, or alone if the query is only the
    number.
    """
    every, number = goods.sold(), goods.NUMBER.search(query.upper())
    named = goods.by_number().get(number[0]) if number else None
    if number and named and number[0] == query.strip().upper():
        return [market.offered(named)]
    found = [every[asin] for asin in market.search.search(query, EVERY) if asin in every]
    first = [named] if named else []
    listed = [*first, *(good for good in found if good is not named)]
    return [market.offered(good) for good in listed[:MOST]]


def narrowed(every: Sequence[Good], narrowing: Narrowing) -> list[Good]:
    """Return the products with all chosen filter values, sorted as chosen.

    Raises:
        Refusal: If the sorting is unknown (404).
    """
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
    """Return the product whose page's address contains this slug. Raises `Refusal` (404) if there
    is none.
    """
    found = goods.by_slug().get(slug)
    if found is None:
        raise Refusal(404, f"We have no “{short(slug)}”. Please search for something else.")
    return found


def choose(good: Good, options: Options) -> dict[str, str]:
    """Return the chosen options in the product's order, by the store's names.

    Args:
        good: The product.
        options: The options, by the store's or the outlet's names; empty values are ignored.

    Raises:
        Refusal: If the product does not have such an option (400).
    """
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
    """Return the chosen options of a product, and record that its page was opened with this number
    of reviews.
    """
    chosen = choose(good, options)
    log_page(world, "outlet item", good.asin, chosen, shown)
    return chosen


def reviews_of(market: Market, good: Good) -> tuple[MarketReview, ...]:
    """Return all reviews of a product, which are the same in both shops."""
    return reviews(market.good(good.asin))


def visited(world: World) -> set[str]:
    """Return the asins (product codes) of the products whose pages were opened in the outlet."""
    rows = world.read("SELECT DISTINCT asin FROM log_pages WHERE page = 'outlet item'")
    return {row["asin"] for row in rows}


def recently(world: World) -> list[Good]:
    """Return the products whose pages were opened last in the outlet, the newest first."""
    rows = world.read(
        "SELECT asin FROM log_pages WHERE page = 'outlet item' GROUP BY asin"
        " ORDER BY max(id) DESC LIMIT ?",
        (RECENT,),
    )
    return [goods.sold()[row["asin"]] for row in rows]


def last_search(world: World) -> tuple[str, Narrowing, int] | None:
    """Return the last search (query, narrowing, number shown); None if nothing was searched for."""
    pages = world.read(
        "SELECT options, number FROM log_pages WHERE page = 'outlet results'"
        " ORDER BY id DESC LIMIT 1"
    )
    if not pages:
        return None
    narrowing = json.loads(pages[0]["options"])
    return narrowing.pop(QUERY), narrowing, pages[0]["number"]


def open_order(world: World, good: Good, options: Options) -> dict[str, str]:
    """Return the chosen options of a product, and record that the last page of its order was
    opened, which shows the tax.
    """
    chosen = choose(good, options)
    log_page(world, "outlet order", good.asin, chosen)
    return chosen


def order(world: World, good: Good, options: Options, after: int) -> Order:
    """Place an order by a form that was rendered when the visit had placed `after` orders.

    An older form is refused (409), so that neither a double click nor going back orders twice.
    """
    with world.lock:
        if after != order_count(world):
            sentence = "You have ordered something since this page was made, so nothing was"
            raise Refusal(409, f"{sentence} ordered now. Please open the item again.")
        return buy(world, good, options)


def buy(world: World, good: Good, options: Options) -> Order:
    """Write an order to the database and return it, even if the same was ordered before.

    Raises:
        WorldClosed: If the visit is over.
    """
    chosen = choose(good, options)
    values = good.asin, as_json(chosen), goods.net_cents(good), goods.tax_cents(good)
    number = world.write(
        "INSERT INTO outlet_purchases (asin, options, price, tax) VALUES (?, ?, ?, ?)", values
    )
    return Order(number, good.asin, chosen, *values[2:])


def order_count(world: World) -> int:
    """Return the number of orders without a basket that this visit has placed in the outlet."""
    return int(world.read("SELECT count(*) AS number FROM outlet_purchases")[0]["number"])


def receipt(world: World, number: int) -> Order:
    """Return an order, and record that its receipt was opened. Raises `Refusal` (404) if there is
    none.
    """
    rows = world.read("SELECT * FROM outlet_purchases WHERE id = ?", (number,))
    if not rows:
        raise Refusal(404, "We have no such order of yours.")
    found = _order(rows[0])
    log_page(world, "outlet receipt", found.asin, found.options, found.number)
    return found


def _order(row: dict[str, Any]) -> Order:
    return Order(row["id"], row["asin"], json.loads(row["options"]), row["price"], row["tax"])
