"""What the store sells: the read-only data that every visit shares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sites.store.catalogue import Catalogue, open_catalogue
from sites.store.search import Search
from sites.store.shelves import Shelves


@dataclass(frozen=True)
class StoreData:
    """The read-only part: products and their search index, shared by all worlds."""

    catalogue: Catalogue
    search: Search

    @cached_property
    def shelves(self) -> Shelves:
        """The products by category, sorted at the first listing."""
        return Shelves(self.catalogue)

    @property
    def digest(self) -> str:
        """Identifies the data: equal digests mean equal products."""
        return self.catalogue.digest

    def close(self) -> None:
        self.catalogue.close()
        self.search.catalogue.close()


def load_data(size: int = 1000, seed: int = 0, cache: Path | None = None) -> StoreData:
    """The generated catalogue of this size and seed with its index, built on first use.

    `cache` is the folder that stores it. Raises `CacheError` if it cannot be written.
    """
    catalogue = open_catalogue(size, seed, cache)
    return StoreData(catalogue, Search(catalogue.folder))
