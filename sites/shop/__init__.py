"""A shop with options, a cart, orders and an account, declared with the kit."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from flask import Flask

from sites._kit.app import create_app as create_kit_app
from sites._kit.declare import Site
from sites.shop import generator
from sites.shop.operations import NOW
from sites.shop.site import SITE
from sites.world import World, Worlds

__all__ = ["NOW", "SITE", "ShopData", "create_app", "load_data"]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class ShopData:
    """The declaration of the site and its base worlds, which are drawn when somebody asks."""

    site: Site = SITE
    bases: int = generator.BASES

    @property
    def digest(self) -> str:
        """The digest of the modules that decide what a base world holds."""
        names = "generator.py", "operations.py", "tables.py", "texts.py"
        return sha256(b"".join((HERE / each).read_bytes() for each in names)).hexdigest()

    def base(self, size: str, number: int) -> World:
        """Return the base world of this size with this number."""
        return generator.base(size, number)


def load_data() -> ShopData:
    """Return the data of the site."""
    return ShopData()


def create_app(data: ShopData, worlds: Worlds) -> Flask:
    """Return the application that serves the shop."""
    return create_kit_app(data.site, HERE, worlds)
