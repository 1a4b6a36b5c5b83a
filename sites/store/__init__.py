"""The store: a WebShop-style shop ("WebShop", Yao et al. 2022)."""

from sites.store.app import create_app
from sites.store.world import StoreData, load_data, new_world

__all__ = ["StoreData", "create_app", "load_data", "new_world"]
