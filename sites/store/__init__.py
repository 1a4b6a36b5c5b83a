"""The store: a WebShop-style shop ("WebShop", Yao et al. 2022)."""

from sites.store.app import create_app
from sites.store.data import StoreData, load_data
from sites.store.world import new_world

NOW = 1_768_478_400.0
"""What the clock of the shop's pages shows: noon UTC on 15 January 2026, in epoch seconds."""

__all__ = ["NOW", "StoreData", "create_app", "load_data", "new_world"]
