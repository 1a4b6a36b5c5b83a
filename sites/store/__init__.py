"""The store: a WebShop-style shop ("WebShop", Yao et al. 2022)."""

from sites.store.shop.app import create_app
from sites.store.shop.data import CatalogueSource, StoreData, load_data, open_data
from sites.store.shop.world import new_world

HOSTS = ("store", "outlet")
"""The host names of the store's pages: two shops that share the visit's database (its world)."""
NOW = 1_768_478_400.0
"""The time that scripts on the shop's pages see: noon UTC on 15 January 2026, in epoch seconds."""

__all__ = [
    "HOSTS",
    "NOW",
    "CatalogueSource",
    "StoreData",
    "create_app",
    "load_data",
    "new_world",
    "open_data",
]
