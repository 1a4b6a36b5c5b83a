"""The back office of the shop, with the storefront that its customers see."""

from pathlib import Path

from flask import Flask

from sites import shop
from sites._kit.app import create_app as create_kit_app
from sites._kit.bases import Bases
from sites.admin import generator
from sites.admin.operations import NOW
from sites.admin.site import SITE
from sites.world import Worlds

__all__ = ["NOW", "SITE", "create_app", "load_data"]

HERE = Path(__file__).parent
MODULES = "generator", "operations", "tables", "texts"
FILES = (*shop.DATA.files, *(HERE / f"{each}.py" for each in MODULES))
DATA = Bases(SITE, generator.draw, FILES, seed=shop.SITE.name)


def load_data() -> Bases:
    """Return the data of the site."""
    return DATA


def create_app(data: Bases, worlds: Worlds) -> Flask:
    """Return the application that serves the back office."""
    return create_kit_app(data.site, HERE, worlds)
