"""Lists of products: results of a search, or listings by price and the paths to them."""

from __future__ import annotations

from scenarios.store.pages import site_map
from scenarios.store.pages.site_map import PathStep
from sites.store import StoreData
from sites.store.account.operations import PRODUCTS_PER_PAGE
from sites.store.catalogue.product import Product
from sites.store.shop import operations

FIRST = {"asc": "the cheapest first", "desc": "the most expensive first"}


def first_page(query: str, data: StoreData) -> list[Product]:
    """Return the products on the first page of the results of a search."""
    hits = data.search.search(query)[: operations.PER_PAGE]
    return [operations.product(data, asin) for asin in hits]


def shelves(data: StoreData) -> list[tuple[str, str]]:
    """Return pairs of a listing and its category: every category and every product type."""
    categories = data.shelves.categories
    return [
        (name, category) for category, kinds in categories.items() for name in (category, *kinds)
    ]


def pages(name: str, data: StoreData) -> int:
    """Return the number of pages of the listing of a category or product type."""
    return -(-len(data.shelves.listing(name, "position", "asc")) // PRODUCTS_PER_PAGE)


def products(name: str, direction: str, data: StoreData) -> list[Product]:
    """Return all products of a category or product type, sorted by price ("asc" or "desc")."""
    positions = data.shelves.listing(name, "price", direction)
    return [operations.product(data, asin) for asin in data.catalogue.at(positions)]


def path(name: str, category: str, direction: str, page: int) -> list[PathStep]:
    """Return the path to a page of a listing: open the category and the type, sort, turn pages."""
    opened = [_unsorted(category, "open listing")]
    if name != category:
        opened.append(_unsorted(name, "open listing"))
    turned = [_sorted(name, direction, number) for number in range(1, page + 1)]
    return [*opened, *turned]


def _unsorted(name: str, step: str) -> PathStep:
    return site_map.path_step(
        "category", step, name=name, sort="position", direction="asc", number=1
    )


def _sorted(name: str, direction: str, number: int) -> PathStep:
    step = "sort listing" if number == 1 else "look through listing"
    return site_map.path_step(
        "category", step, name=name, sort="price", direction=direction, number=number
    )
