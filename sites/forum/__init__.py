"""A forum: boards, posts, comments and votes, declared with the kit."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from flask import Flask, Response

from sites._kit.app import create_app as create_kit_app
from sites._kit.declare import Site
from sites.forum import generator, pictures
from sites.forum.operations import NOW
from sites.forum.site import SITE
from sites.site_app import SENTENCES, Refusal
from sites.world import World, Worlds

__all__ = ["NOW", "SITE", "ForumData", "create_app", "load_data"]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class ForumData:
    """The declaration of the site and its base worlds, which are drawn when somebody asks."""

    site: Site = SITE
    bases: int = generator.BASES

    @property
    def digest(self) -> str:
        """The digest of the modules that decide what a base world holds."""
        names = "generator.py", "operations.py", "pictures.py", "tables.py", "texts.py"
        return sha256(b"".join((HERE / each).read_bytes() for each in names)).hexdigest()

    def base(self, size: str, number: int) -> World:
        """Return the base world of this size with this number."""
        return generator.base(size, number)


def load_data() -> ForumData:
    """Return the data of the site."""
    return ForumData()


def create_app(data: ForumData, worlds: Worlds) -> Flask:
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
