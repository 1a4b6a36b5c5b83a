"""The store's product data, which is read-only and shared by all visits."""

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
"""The number of products that the store generates by default."""
MARKET = "market"
"""The value of the entry `stock`, in the `about` of a visit's database, for visits to the
market.
"""


@dataclass(frozen=True)
class CatalogueSource:
    """The products that the store sells: from WebShop's files in `folder`, or generated.

    Without a folder, `products` products are generated. With `skip_bad`, bad entries of the files
    are skipped.
    """

    folder: Path | None = None
    products: int = PRODUCTS
    skip_bad: bool = False

    def open(self, cache: Path | None = None) -> StoreData:
        """Return the product data, from the cache or built now.

        Raises `WebShopFileError` and `CacheError`.
        """
        if self.folder is None:
            return load_data(self.products, cache=cache)
        return open_data(webshop_folder.build(self.folder, self.skip_bad, cache))


@dataclass(frozen=True)
class StoreData(Stock):
    """The store's product data: WebShop's products, which a visitor sees by default, and the
    market's products.

    The attribute `goals` holds the goals of WebShop's files; it is None if the products are
    generated.
    """

    goals: Goals | None = None
    cache: Path | None = None

    @cached_property
    def market(self) -> Market:
        """The market's stock, opened at first use."""
        return open_market(self.cache)

    def of(self, world: World) -> Stock:
        """Return the stock from which the visitor with this database can buy."""
        if world.about.get("stock") != MARKET:
            return self
        return self.market.offering(offers_of(world))

    def with_product(self, asin: str) -> Stock:
        """Return the stock that sells a product, for pages that belong to no visit."""
        is_market = asin.startswith(Market.PREFIX) and asin not in self.catalogue
        return self.market if is_market else self

    @property
    def digest(self) -> str:
        """A digest of the data: equal digests mean equal products and goals."""
        if self.goals is None:
            return self.catalogue.digest
        both = f"{self.catalogue.digest} {self.goals.digest}"
        return hashlib.sha256(both.encode()).hexdigest()

    def close(self) -> None:
        """Close the catalogues, including the market's if it was opened."""
        super().close()
        if "market" in vars(self):
            self.market.close()


def load_data(size: int = PRODUCTS, seed: int = 0, cache: Path | None = None) -> StoreData:
    """Return the generated catalogue of this size and seed with its index, built on first use.

    The caller must close the data.

    Args:
        cache: The folder in which the catalogue is stored.

    Raises:
        CacheError: The cache cannot be written.
    """
    catalogue = open_catalogue(size, seed, cache)
    return StoreData(catalogue, search_of(catalogue), cache=cache)


def open_data(folder: Path) -> StoreData:
    """Return the catalogue in this folder with its index and its goals, if it has goals.

    The caller must close the data.
    """
    goals = Goals(folder) if (folder / webshop_folder.GOALS).exists() else None
    catalogue = Catalogue(folder)
    return StoreData(catalogue, search_of(catalogue), goals)
