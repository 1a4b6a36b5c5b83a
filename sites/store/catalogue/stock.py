"""A stock: products with their search index and their shelves."""

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
    """Products that are sold together, shared by all worlds that show them.

    `name` is the folder of the templates that are its own, "" where it has none; `marks_tabs`
    where items' tabs show that they were read.
    """

    catalogue: Catalogue
    search: Search
    name: ClassVar[str] = ""
    marks_tabs: ClassVar[bool] = False

    @property
    def facet_names(self) -> frozenset[str]:
        """By what results can be narrowed and sorted."""
        return frozenset()

    @property
    def sort_names(self) -> Sequence[str]:
        """The ways to sort results."""
        return ()

    def is_cut(self, query: str, narrowing: Mapping[str, str]) -> bool:
        """Whether more match than are listed."""
        return False

    @cached_property
    def shelves(self) -> Shelves:
        """The products by category, sorted at the first listing."""
        return Shelves(self.catalogue)

    @property
    def digest(self) -> str:
        """Identifies the data: equal digests mean equal products."""
        return self.catalogue.digest

    def product(self, asin: str) -> Product | None:
        """A product as this visitor is offered it; None for an unknown asin."""
        return self.catalogue.get(asin)

    def is_sold(self, asin: str) -> bool:
        """Whether it can be bought; the page of what is no longer sold stays."""
        return True

    def hits(self, query: str, narrowing: Mapping[str, str] | None = None) -> list[str]:
        """The asins of the best products for plain words; this stock has nothing to narrow by."""
        return self.search.search(query, LIMIT)

    def reviews(self, product: Product, first: int, last: int) -> Sequence[Review]:
        """A product's reviews from `first` (0) up to `last`, which is not included."""
        return reviews_between(product, first, last)

    def close(self) -> None:
        self.catalogue.close()
        self.search.catalogue.close()
