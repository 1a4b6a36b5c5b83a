"""A forum: boards, posts, comments and votes, declared with the kit."""

from pathlib import Path

from flask import Flask, Response

from sites._kit.app import create_app as create_kit_app
from sites._kit.bases import Bases
from sites.forum import generator, pictures
from sites.forum.operations import NOW
from sites.forum.site import SITE
from sites.site_app import SENTENCES, Refusal
from sites.world import Worlds

__all__ = ["NOW", "SITE", "create_app", "load_data"]

HERE = Path(__file__).parent
MODULES = "generator", "operations", "pictures", "tables", "texts"
DATA = Bases(SITE, generator.draw, tuple(HERE / f"{each}.py" for each in MODULES))


def load_data() -> Bases:
    """Return the data of the site."""
    return DATA


def create_app(data: Bases, worlds: Worlds) -> Flask:
    """Return the application that serves the forum."""
    app = create_kit_app(data.site, HERE, worlds)
    app.add_url_rule("/picture/<name>", "picture", _picture)
    app.jinja_env.globals["caption"] = pictures.caption
    return app


def _picture(name: str) -> Response:
    """Return the response with a picture."""
    drawn = pictures.svg(f"/picture/{name}")
    if not drawn:
        raise Refusal(404, SENTENCES[404])
    return Response(drawn, mimetype="image/svg+xml")
