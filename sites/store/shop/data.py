"""What the store sells: the read-only data that every visit shares."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sites.store.catalogue import webshop_folder
from sites.store.catalogue.catalogue import Catalogue, open_catalogue
from sites.store.catalogue.search import search_of
from sites.store.catalogue.stock import Stock
from sites.store.catalogue.webshop_folder import Goals
from sites.store.market.goods.stock import Market, open_market
from sites.store.market.offers import offers_of
from sites.world import World

PRODUCTS = 1000
"""So many products the store has of its own."""
MARKET = "market"
"""What `about["stock"]` of a world says where its visitor is at the market."""


@dataclass(frozen=True)
class CatalogueSource:
    """What the store sells in place of its own products: those of WebShop's files in `folder`, or
    `products` generated ones. With `skip_bad` bad entries of the files are left out."""

    folder: Path | None = None
    products: int = PRODUCTS
    skip_bad: bool = False

    def open(self, cache: Path | None = None) -> StoreData:
        """Build it, unless it is in the cache. Raises `WebShopFileError` and `CacheError`."""
        if self.folder is None:
            return load_data(self.products, cache=cache)
        return open_data(webshop_folder.build(self.folder, self.skip_bad, cache))


@dataclass(frozen=True)
class StoreData(Stock):
    """WebShop's products, which a visitor meets without further ado, and the market's.

    `goals` are those of WebShop's files; None where the products are generated.
    """

    goals: Goals | None = None
    cache: Path | None = None

    @cached_property
    def market(self) -> Market:
        """Made at its first use."""
        return open_market(self.cache)

    def of(self, world: World) -> Stock:
        """What this world's visitor can buy."""
        if world.about.get("stock") != MARKET:
            return self
        return self.market.offering(offers_of(world))

    def with_product(self, asin: str) -> Stock:
        """Where a product is sold, for pages that belong to no visit."""
        is_market = asin.startswith(Market.PREFIX) and asin not in self.catalogue
        return self.market if is_market else self

    @property
    def digest(self) -> str:
        """Identifies the data: equal digests mean equal products and goals."""
        if self.goals is None:
            return self.catalogue.digest
        both = f"{self.catalogue.digest} {self.goals.digest}"
        return hashlib.sha256(both.encode()).hexdigest()

    def close(self) -> None:
        """Close the catalogues, the market's too if it was opened."""
        super().close()
        if "market" in vars(self):
            self.market.close()


def load_data(size: int = PRODUCTS, seed: int = 0, cache: Path | None = None) -> StoreData:
    """The generated catalogue of this size and seed with its index, built on first use.

    `cache` is the folder that stores it. The caller closes the data. Raises `CacheError` if it
    cannot be written.
    """
    catalogue = open_catalogue(size, seed, cache)
    return StoreData(catalogue, search_of(catalogue), cache=cache)


def open_data(folder: Path) -> StoreData:
    """The catalogue that was built in this folder, with its index and its goals, if it has any. The
    caller closes the data."""
    goals = Goals(folder) if (folder / webshop_folder.GOALS).exists() else None
    catalogue = Catalogue(folder)
    return StoreData(catalogue, search_of(catalogue), goals)
