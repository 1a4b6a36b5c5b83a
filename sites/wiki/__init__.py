"""An encyclopedia of the country that the map shows, declared with the kit."""

from pathlib import Path

from flask import Flask

from sites import _land
from sites._kit.app import create_app as create_kit_app
from sites._kit.bases import Bases
from sites.wiki import generator
from sites.wiki.site import SITE
from sites.world import Worlds

__all__ = ["NOW", "SITE", "create_app", "load_data"]

NOW = SITE.now
HERE = Path(__file__).parent
OWN = "generator", "operations", "tables"
COUNTRY = tuple(sorted(Path(_land.__file__).parent.glob("*.py")))
DATA = Bases(
    SITE, generator.draw, (*(HERE / f"{each}.py" for each in OWN), *COUNTRY), bases=4, seed="land"
)


def load_data() -> Bases:
    """Return the data of the site."""
    return DATA


def create_app(data: Bases, worlds: Worlds) -> Flask:
    """Return the application that serves the encyclopedia."""
    return create_kit_app(data.site, HERE, worlds)
