"""Visits to declared sites in a skin, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from scenarios import registry
from sites._kit.declare import Site, Skin
from sites._kit.map import Map, Place
from sites.site_app import COOKIE
from sites.world import Worlds


def drawn_sites() -> list[str]:
    """Return the names of the sites that have drawn skins."""
    sites = {name: getattr(registry.site(name), "SITE", None) for name in registry.site_names()}
    return [name for name, site in sites.items() if isinstance(site, Site) and site.drawn]


def declared(name: str) -> Site:
    """Return the declaration of a site."""
    found: Site = registry.site(name).SITE  # type: ignore[attr-defined]
    return found


@dataclass(frozen=True)
class Visit:
    """A visit of a person who is signed in."""

    site: Site
    map: Map
    client: FlaskClient

    def places(self) -> Iterator[Place]:
        """Yield one place of each page."""
        for page in self.site.pages:
            rows = self.map.find(page, {}, few=1) if page.record else [{"me": self.map.me}]
            yield Place.of(page.name, {key: rows[0][key] for key in page.args})

    def open(self, url: str) -> Any:
        """Return the response of an address."""
        home = f"http://{self.site.name}.localhost"
        return self.client.get(url, base_url=home, buffered=True)


@cache
def _app(name: str) -> tuple[Flask, Worlds]:
    worlds = Worlds()
    return registry.site(name).create_app(registry.site_data(name), worlds), worlds


@contextmanager
def visiting(name: str, skin: Skin) -> Iterator[Visit]:
    """Open a visit to a site in a skin; its world is released at the end."""
    site, (app, worlds) = declared(name), _app(name)
    site.skin[skin.name] = skin  # type: ignore[index]
    with registry.site_data(name).base("small", 0).fork() as world:
        me = world.read(site.personas)[0]["name"]
        world.about = {"me": me, "skin": skin.name}
        token = worlds.admit(world)
        client = app.test_client()
        client.set_cookie(COOKIE, token, domain=f"{name}.localhost")
        yield Visit(site, Map(site, world), client)
        worlds.revoke(token)
