"""The store's operations on a visit's database (its world), for its pages and for reference
solutions.

Every operation raises `Refusal` (404, 400 or 409) for a request that the store does not accept, and
then changes nothing.
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
"""The number of recently opened items and orders to which pages link."""
EMPTY_QUERY = "There is nothing to search for. Type what you are looking for."
SUB_PAGES = ("Description", "Features", "Reviews")
ATTRIBUTES = "Attributes"
"""The name of the tab that lists an item's attributes; as in WebShop, a shop has it only if a flag
is set.
"""

T = TypeVar("T")
Options = Mapping[str, str]


@dataclass(frozen=True)
class Results:
    """One page of search results. `cut` is True if only the beginning of a long query was used."""

    query: str
    page: int
    total: int
    products: tuple[Product, ...]
    cut: bool = False


@dataclass(frozen=True)
class Purchase:
    """A purchase of the visit without a cart; `number` counts from 1."""

    number: int
    asin: str
    options: dict[str, str]
    price: float


def open_index(world: World) -> None:
    """Record in the journal that the search page was opened."""
    log_page(world, "index")


def search(
    world: World, data: Stock, query: str, page: int = 1, narrowing: Mapping[str, str] | None = None
) -> Results:
    """Search the stock and record the query and the page in the journal.

    Args:
        page: The page of results, from 1: ten products a page, fifty products at most.
        narrowing: Filters and sort order, for a stock that has them.

    Raises:
        Refusal: The query is empty (400), or the page or a filter does not exist (404).
    """
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
    """Return the filters and sort order of the results page that was opened last, by name."""
    rows = world.read("SELECT * FROM log_pages WHERE page = 'results' ORDER BY id DESC LIMIT 1")
    return json.loads(rows[0]["options"] or "{}") if rows else {}


def read_tabs(world: World, asin: str) -> set[str]:
    """Return the names of the tabs of an item that were opened in this visit."""
    rows = world.read("SELECT DISTINCT page FROM log_pages WHERE asin = ?", (asin,))
    return {row["page"] for row in rows} & set(SUB_PAGES)


def _hits(data: Stock, query: str, narrowing: Mapping[str, str] | None) -> list[str]:
    try:
        return data.hits(query, narrowing)
    except LookupError:
        raise Refusal(404, "These results cannot be narrowed like that. Use the links.") from None


def turn(every: Sequence[T], page: int, size: int, of: str) -> tuple[int, Sequence[T]]:
    """Return the number of the last page of a list (1 for an empty list), and the list's entries on
    the asked page.

    Raises:
        Refusal: The page does not exist (404).
    """
    last = max(1, -(-len(every) // size))
    if not 1 <= page <= last:
        raise Refusal(404, f"There is no page {page} {of}. The last one is {last}.")
    return last, every[(page - 1) * size : page * size]


def product(data: Stock, asin: str) -> Product:
    """Return a product of the stock by its asin (product code). Raises `Refusal` (404) if there is
    none.
    """
    found = data.product(asin)
    if found is None:
        raise Refusal(404, f"We do not sell “{short(asin)}”. Search for something else.")
    return found


def sold(data: Stock, asin: str) -> Product:
    """Return a product that is for sale. Raises `Refusal` (404, or 409 if it is no longer sold)."""
    found = product(data, asin)
    if not data.is_sold(asin):
        raise Refusal(409, f"“{short(found.name)}” is no longer sold. Search for something else.")
    return found


def choose(item: Product, options: Options) -> dict[str, str]:
    """Return the chosen options in the item's order and spelling; letter case is ignored.

    Raises:
        Refusal: The item does not have an option or a value (400).
    """
    wanted = {kind.lower(): value.lower() for kind, value in options.items()}
    for kind, value in wanted.items():
        if kind not in item.options:
            raise Refusal(400, f"This item has no “{short(kind)}” to choose. {_choices(item)}")
        if value not in item.options[kind]:
            sentence = f"This item does not come in {kind} “{short(value)}”."
            raise Refusal(400, f"{sentence} Choose {_either(item.options[kind])}.")
    return {kind: wanted[kind] for kind in item.options if kind in wanted}


def open_item(world: World, data: Stock, asin: str, options: Options) -> Product:
    """Return a product, and record that its page was opened with these options chosen."""
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
    """Return a product, and record that one of its sub pages was opened; `names` are the sub pages
    that the shop has.
    """
    item = product(data, asin)
    if name not in names:
        raise Refusal(404, f"There is no “{short(name)}” page. Open {_either(names)}.")
    log_page(world, name, item.asin, choose(item, options))
    return item


def visited(world: World) -> set[str]:
    """Return the asins (product codes) of the products whose pages were opened in this visit."""
    rows = world.read("SELECT DISTINCT asin FROM log_pages WHERE page = 'item'")
    return {row["asin"] for row in rows}


def recently(world: World) -> list[tuple[str, str]]:
    """Return the items and orders that were opened last, newest first.

    Each is a pair: "item" with the asin, or "order" with the number.
    """
    rows = world.read(
        "SELECT page, coalesce(asin, number) AS code FROM log_pages WHERE page IN ('item', 'order')"
        " GROUP BY page, code ORDER BY max(id) DESC LIMIT ?",
        (RECENT,),
    )
    return [(row["page"], str(row["code"])) for row in rows]


def buy(world: World, item: Product, options: Options) -> Purchase:
    """Write the purchase of an item to the database and return it, even if it was bought before.
    Raises `WorldClosed` once the visit is over.
    """
    chosen = choose(item, options)
    number = world.write(
        "INSERT INTO purchases (asin, options, price) VALUES (?, ?, ?)",
        (item.asin, as_json(chosen), item.price),
    )
    return Purchase(number, item.asin, chosen, item.price)


def order(world: World, item: Product, options: Options, after: int) -> Purchase:
    """Buy an item by a form that was rendered when the visit had made `after` purchases.

    Raises:
        Refusal: The same purchase was made before, or another since the form was rendered
            (409). So neither a double click nor the browser's Back button buys twice.
        WorldClosed: The visit is over.
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
    """Return the number of purchases in this visit."""
    return int(world.read("SELECT count(*) AS number FROM purchases")[0]["number"])


def last_purchase(world: World) -> Purchase | None:
    """Return the last purchase of this visit, or None."""
    rows = world.read("SELECT * FROM purchases ORDER BY id DESC LIMIT 1")
    return _purchase(rows[0]) if rows else None


def receipt(world: World, item: Product, options: Options) -> Purchase | None:
    """Return the last purchase of this item with exactly these options, or None."""
    rows = world.read(
        "SELECT * FROM purchases WHERE asin = ? AND options = ? ORDER BY id DESC LIMIT 1",
        (item.asin, as_json(choose(item, options))),
    )
    return _purchase(rows[0]) if rows else None


def open_receipt(world: World, purchase: Purchase) -> None:
    """Record in the journal that the receipt of a purchase was opened."""
    log_page(world, "receipt", purchase.asin, purchase.options)


def _purchase(row: dict[str, Any]) -> Purchase:
    return Purchase(row["id"], row["asin"], json.loads(row["options"]), row["price"])


def _choices(item: Product) -> str:
    return f"Choose its {_either(tuple(item.options))}." if item.options else "Just buy it."


def _either(words: tuple[str, ...]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def short(text: str) -> str:
    """Return a visitor's text, shortened to 60 characters for a sentence."""
    return text if len(text) <= 60 else f"{text[:60]}…"
