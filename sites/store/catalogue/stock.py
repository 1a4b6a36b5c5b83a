"""A stock: a set of products with its search index and its shelves (products by category
and type).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sites.store.catalogue.catalogue import Catalogue
from sites.store.catalogue.product import Product
from sites.store.catalogue.reviews import Review, reviews_between
from sites.store.catalogue.search import LIMIT, Search
from sites.store.catalogue.shelves import Shelves


@dataclass(frozen=True)
class Stock:
    """Products that are sold together; all visits that show them share the stock.

    The folder of the stock's own templates is `name`, "" if it has none. `marks_tabs` says whether
    the tabs of an item show that they were read.
    """

    catalogue: Catalogue
    search: Search
    name: ClassVar[str] = ""
    marks_tabs: ClassVar[bool] = False

    @property
    def facet_names(self) -> frozenset[str]:
        """The names of the facets by which search results can be narrowed and sorted."""
        return frozenset()

    @property
    def sort_names(self) -> Sequence[str]:
        """The names of the orders in which search results can be sorted."""
        return ()

    def is_cut(self, query: str, narrowing: Mapping[str, str]) -> bool:
        """Return whether more products match a search than its list of results shows."""
        return False

    @cached_property
    def shelves(self) -> Shelves:
        """The products by category and type, which are sorted when a listing is first opened."""
        return Shelves(self.catalogue)

    @property
    def digest(self) -> str:
        """Return a digest of the data: equal digests mean equal products."""
        return self.catalogue.digest

    def product(self, asin: str) -> Product | None:
        """Return a product at this visitor's price, or None for an unknown asin (product code)."""
        return self.catalogue.get(asin)

    def is_sold(self, asin: str) -> bool:
        """Return whether a product can be bought; one no longer sold still has a page."""
        return True

    def hits(self, query: str, narrowing: Mapping[str, str] | None = None) -> list[str]:
        """Return the asins (product codes) of the best products for plain words; this stock ignores
        the narrowing.
        """
        return self.search.search(query, LIMIT)

    def reviews(self, product: Product, first: int, last: int) -> Sequence[Review]:
        """Return a product's reviews from index `first` (from 0) up to `last`, not including it."""
        return reviews_between(product, first, last)

    def close(self) -> None:
        """Close the catalogue and the search."""
        self.catalogue.close()
        self.search.catalogue.close()
