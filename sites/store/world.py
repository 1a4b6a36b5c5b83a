"""What the store knows (the same for every visit) and what a visit can change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sites.store.catalogue import Catalogue, open_catalogue
from sites.store.search import Search
from sites.world import World

SCHEMA = """
CREATE TABLE purchases (
    id INTEGER PRIMARY KEY, asin TEXT NOT NULL, options TEXT NOT NULL, price REAL NOT NULL);
CREATE TABLE log_pages (
    id INTEGER PRIMARY KEY, page TEXT NOT NULL, asin TEXT, options TEXT, number INTEGER);
CREATE TABLE log_queries (
    id INTEGER PRIMARY KEY, query TEXT NOT NULL, page INTEGER NOT NULL, hits TEXT NOT NULL);
"""
"""`options` and `hits` are JSON with sorted keys. `log_pages.page` is index, results, item, a sub
page's name or receipt; `number` is the results page."""


@dataclass(frozen=True)
class StoreData:
    """The read-only part: products and their search index, shared by all worlds."""

    catalogue: Catalogue
    search: Search

    @property
    def digest(self) -> str:
        """Names the data: equal digests sell equal products."""
        return self.catalogue.digest

    def close(self) -> None:
        self.catalogue.close()
        self.search.catalogue.close()


def load_data(size: int = 1000, seed: int = 0, cache: Path | None = None) -> StoreData:
    """The generated catalogue of this size and seed with its index, built on first use.

    `cache` is the folder to keep it in. Raises `CacheError` where it cannot be written.
    """
    catalogue = open_catalogue(size, seed, cache)
    return StoreData(catalogue, Search(catalogue.folder))


def new_world(session: str, instruction: str) -> World:
    """A visit that has just begun: nothing bought. Every page shows the instruction."""
    return World(SCHEMA, session, {"instruction": instruction})
