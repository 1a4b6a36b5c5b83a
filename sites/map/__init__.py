"""A map of a made-up city and its country, with a search and directions, declared with the kit."""

from pathlib import Path

from flask import Flask

from sites import _land
from sites._kit.app import create_app as create_kit_app
from sites._kit.bases import Bases
from sites.map import generator, pictures
from sites.map.operations import NOW
from sites.map.site import SITE
from sites.world import Worlds

__all__ = ["NOW", "SITE", "create_app", "load_data"]

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
    """Return the application that serves the map."""
    app = create_kit_app(data.site, HERE, worlds)
    app.add_url_rule("/picture/<zoom>/<lat>/<lon>", "picture", pictures.response)
    app.jinja_env.globals["picture_of"] = pictures.address
    return app
