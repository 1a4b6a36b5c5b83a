"""The store's operations on a world, for its pages and for reference solutions.

Each raises `Refusal` (404, 400 or 409) for a request that the store does not accept, and then
changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sites.site_app import Refusal
from sites.store.catalogue.product import Product
from sites.store.catalogue.stock import Stock
from sites.store.shop.journal import as_json, log, log_page
from sites.world import World

PER_PAGE = 10
LONGEST_QUERY = 500
RECENT = 5
"""So many of the items and orders that were looked at last are linked."""
EMPTY_QUERY = "There is nothing to search for. Type what you are looking for."
SUB_PAGES = ("Description", "Features", "Reviews")
ATTRIBUTES = "Attributes"
"""A sub page that only a shop with its flag has, as in WebShop: it lists what no page else does."""

T = TypeVar("T")
Options = Mapping[str, str]


@dataclass(frozen=True)
class Results:
    """One page of search results. `cut`: the query was longer than the part that was read."""

    query: str
    page: int
    total: int
    products: tuple[Product, ...]
    cut: bool = False


@dataclass(frozen=True)
class Purchase:
    """A line of the world's purchases; `number` counts from 1."""

    number: int
    asin: str
    options: dict[str, str]
    price: float


def open_index(world: World) -> None:
    log_page(world, "index")


def search(
    world: World, data: Stock, query: str, page: int = 1, narrowing: Mapping[str, str] | None = None
) -> Results:
    """The page (from 1) of the best fifty products, ten a page, narrowed where the stock can be."""
    asked = query[:LONGEST_QUERY]
    if not asked.strip():
        raise Refusal(400, EMPTY_QUERY)
    hits = _hits(data, asked, narrowing)
    _, shown = turn(hits, page, PER_PAGE, "of these results")
    log(world, "log_queries (query, page, hits)", (asked, page, json.dumps(shown)))
    log_page(world, "results", options=narrowing or None, number=page)
    products = tuple(product(data, asin) for asin in shown)
    return Results(asked, page, len(hits), products, len(query) > len(asked))


def last_narrowing(world: World) -> dict[str, str]:
    """What the results that were opened last were narrowed by."""
    rows = world.read("SELECT * FROM log_pages WHERE page = 'results' ORDER BY id DESC LIMIT 1")
    return json.loads(rows[0]["options"] or "{}") if rows else {}


def read_tabs(world: World, asin: str) -> set[str]:
    """The tabs of an item that were opened in this world."""
    rows = world.read("SELECT DISTINCT page FROM log_pages WHERE asin = ?", (asin,))
    return {row["page"] for row in rows} & set(SUB_PAGES)


def _hits(data: Stock, query: str, narrowing: Mapping[str, str] | None) -> list[str]:
    try:
        return data.hits(query, narrowing)
    except LookupError:
        raise Refusal(404, "These results cannot be narrowed like that. Use the links.") from None


def turn(every: Sequence[T], page: int, size: int, of: str) -> tuple[int, Sequence[T]]:
    """The number of the last page (an empty list has one), and what stands on this page."""
    last = max(1, -(-len(every) // size))
    if not 1 <= page <= last:
        raise Refusal(404, f"There is no page {page} {of}. The last one is {last}.")
    return last, every[(page - 1) * size : page * size]


def product(data: Stock, asin: str) -> Product:
    found = data.product(asin)
    if found is None:
        raise Refusal(404, f"We do not sell “{short(asin)}”. Search for something else.")
    return found


def sold(data: Stock, asin: str) -> Product:
    """A product that can be bought."""
    found = product(data, asin)
    if not data.is_sold(asin):
        raise Refusal(409, f"“{short(found.name)}” is no longer sold. Search for something else.")
    return found


def choose(item: Product, options: Options) -> dict[str, str]:
    """The options as the item has them, in the item's order. Letter case does not matter."""
    wanted = {kind.lower(): value.lower() for kind, value in options.items()}
    for kind, value in wanted.items():
        if kind not in item.options:
            raise Refusal(400, f"This item has no “{short(kind)}” to choose. {_choices(item)}")
        if value not in item.options[kind]:
            sentence = f"This item does not come in {kind} “{short(value)}”."
            raise Refusal(400, f"{sentence} Choose {_either(item.options[kind])}.")
    return {kind: wanted[kind] for kind in item.options if kind in wanted}


def open_item(world: World, data: Stock, asin: str, options: Options) -> Product:
    """Open a product's page with these options chosen."""
    item = product(data, asin)
    log_page(world, "item", item.asin, choose(item, options))
    return item


def open_sub_page(
    world: World,
    data: Stock,
    asin: str,
    name: str,
    options: Options,
    *,
    names: tuple[str, ...] = SUB_PAGES,
) -> Product:
    """Open one of a product's sub pages, whose `names` the shop has."""
    item = product(data, asin)
    if name not in names:
        raise Refusal(404, f"There is no “{short(name)}” page. Open {_either(names)}.")
    log_page(world, name, item.asin, choose(item, options))
    return item


def visited(world: World) -> set[str]:
    """The asins of the products that were opened in this world."""
    rows = world.read("SELECT DISTINCT asin FROM log_pages WHERE page = 'item'")
    return {row["asin"] for row in rows}


def recently(world: World) -> list[tuple[str, str]]:
    """What was looked at last, the newest first: each item by its asin, each order by its number,
    with the page's name before it."""
    rows = world.read(
        "SELECT page, coalesce(asin, number) AS code FROM log_pages WHERE page IN ('item', 'order')"
        " GROUP BY page, code ORDER BY max(id) DESC LIMIT ?",
        (RECENT,),
    )
    return [(row["page"], str(row["code"])) for row in rows]


def buy(world: World, item: Product, options: Options) -> Purchase:
    """Buy, even if it was bought before. Raises `WorldClosed` once the visit is over."""
    chosen = choose(item, options)
    number = world.write(
        "INSERT INTO purchases (asin, options, price) VALUES (?, ?, ?)",
        (item.asin, as_json(chosen), item.price),
    )
    return Purchase(number, item.asin, chosen, item.price)


def order(world: World, item: Product, options: Options, after: int) -> Purchase:
    """Buy with a form that was made when the world held `after` purchases.

    A form older than the last purchase, or for the same purchase, is refused (409): neither a
    double click nor going back to the page buys twice.
    """
    with world.lock:
        if receipt(world, item, options) is not None:
            raise Refusal(409, "You have bought this already, so it was not bought again.")
        if after != purchase_count(world):
            sentence = (
                "You have bought something since this page was made, so nothing was bought now."
            )
            raise Refusal(409, f"{sentence} Open the item again if you want it too.")
        return buy(world, item, options)


def purchase_count(world: World) -> int:
    return int(world.read("SELECT count(*) AS number FROM purchases")[0]["number"])


def last_purchase(world: World) -> Purchase | None:
    rows = world.read("SELECT * FROM purchases ORDER BY id DESC LIMIT 1")
    return _purchase(rows[0]) if rows else None


def receipt(world: World, item: Product, options: Options) -> Purchase | None:
    """The last purchase of this item with exactly these options."""
    rows = world.read(
        "SELECT * FROM purchases WHERE asin = ? AND options = ? ORDER BY id DESC LIMIT 1",
        (item.asin, as_json(choose(item, options))),
    )
    return _purchase(rows[0]) if rows else None


def open_receipt(world: World, purchase: Purchase) -> None:
    log_page(world, "receipt", purchase.asin, purchase.options)


def _purchase(row: dict[str, Any]) -> Purchase:
    return Purchase(row["id"], row["asin"], json.loads(row["options"]), row["price"])


def _choices(item: Product) -> str:
    return f"Choose its {_either(tuple(item.options))}." if item.options else "Just buy it."


def _either(words: tuple[str, ...]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def short(text: str) -> str:
    """A visitor's text, shortened for a sentence."""
    return text if len(text) <= 60 else f"{text[:60]}…"
