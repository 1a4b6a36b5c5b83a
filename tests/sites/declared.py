"""Visits to declared sites: forks of base worlds, with clients that open their pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from sites.kit import Do, Map, Place, Site, changes
from sites.site_app import COOKIE
from sites.world import Row, World, Worlds


@dataclass
class Visit:
    """One user's visit, as the tests use it; `form_page` is a page with a form."""

    world: World
    client: FlaskClient
    site: Site
    form_page: str

    @property
    def me(self) -> str:
        return str(self.world.about["me"])

    @property
    def map(self) -> Map:
        return Map(self.site, self.world)

    def url(self, page: str, **args: object) -> str:
        return self.map.url(Place.of(page, args))

    def open(self, page: str, **args: object) -> TestResponse:
        return self.client.get(self.url(page, **args))

    def send(self, form: str, page: str, values: dict[str, object], **args: object) -> TestResponse:
        """Send a form to its page as the page's HTML would, with the token of a page."""
        token = self.open(self.form_page).text.split('name="csrf" value="')[1].split('"')[0]
        sent = {"csrf": token, "form": form, "once": "0", **values}
        return self.client.post(self.url(page, **args), data=sent)

    def run(self, do: Do) -> list[tuple[object, ...]]:
        """Run an operation, and return the rows that it changes."""
        self.world.write("DELETE FROM log_change")
        self.site.run(self.world, do)
        return sorted(changes(self.site, self.world.read("SELECT * FROM log_change")), key=str)

    def one(self, sql: str, *values: object) -> Row:
        return self.world.read(sql, values)[0]


@cache
def _application(package: Any) -> tuple[Flask, Worlds]:
    """A site's application, which all tests of a process share, and its open worlds."""
    worlds = Worlds()
    return package.create_app(package.load_data(), worlds), worlds


@contextmanager
def visiting(package: Any, kind: type[Visit], form_page: str, users: str) -> Iterator[Any]:
    """Yield a function that makes a visit to a site under a skin; release all visits at the end.

    Args:
        package: The site's package.
        kind: The class of the visits.
        form_page: A page with a form.
        users: A query whose first row names the signed-in user, unless a test names one.
    """
    app, worlds = _application(package)
    with ExitStack() as made:

        def make(
            skin: str = package.SITE.skins[0].name, size: str = "small", me: str = ""
        ) -> Visit:
            world = made.enter_context(package.load_data().base(size, 0).fork())
            world.about = {"me": me or world.read(users)[0]["name"], "skin": skin}
            token = worlds.admit(world)
            made.callback(worlds.revoke, token)
            client = app.test_client()
            client.set_cookie(COOKIE, token, domain="localhost")
            return kind(world, client, package.SITE, form_page)

        yield make
