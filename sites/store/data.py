"""What the store sells: the read-only data that every visit shares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sites.store.catalogue import open_catalogue
from sites.store.market.stock import Market, open_market
from sites.store.search import Search
from sites.store.stock import Stock
from sites.world import World

MARKET = "market"
"""What `about["stock"]` of a world says where its visitor is at the market."""


@dataclass(frozen=True)
class StoreData(Stock):
    """WebShop's products, which a visitor meets without further ado, and the market's."""

    cache: Path | None = None

    @cached_property
    def market(self) -> Market:
        """Made at its first use."""
        return open_market(self.cache)

    def of(self, world: World) -> Stock:
        """What this world's visitor can buy."""
        return self.market if world.about.get("stock") == MARKET else self

    def with_product(self, asin: str) -> Stock:
        """Where a product is sold, for pages that belong to no visit."""
        return self.market if asin.startswith(Market.PREFIX) else self


def load_data(size: int = 1000, seed: int = 0, cache: Path | None = None) -> StoreData:
    """The generated catalogue of this size and seed with its index, built on first use.

    `cache` is the folder that stores it. Raises `CacheError` if it cannot be written.
    """
    catalogue = open_catalogue(size, seed, cache)
    return StoreData(catalogue, Search(catalogue.folder), cache)
