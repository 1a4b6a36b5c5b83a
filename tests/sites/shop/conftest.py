"""A visit to the shop: a fork of a base world, with a client that opens its pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from sites.kit import Do, Map, Place, changes
from sites.shop import SITE, create_app, load_data
from sites.site_app import COOKIE
from sites.world import Row, World, Worlds

SKINS = [each.name for each in SITE.skins]
BUYER = """SELECT customer AS name FROM orders
  WHERE customer IN (SELECT customer FROM messages)
    AND customer IN (SELECT customer FROM reviews) AND customer IN (SELECT customer FROM wishes)
  GROUP BY customer ORDER BY count(*) DESC, customer"""


@dataclass
class Visit:
    """One customer's visit, as the tests use it."""

    world: World
    client: FlaskClient

    @property
    def me(self) -> str:
        return str(self.world.about["me"])

    @property
    def map(self) -> Map:
        return Map(SITE, self.world)

    def url(self, page: str, **args: object) -> str:
        return self.map.url(Place.of(page, args))

    def open(self, page: str, **args: object) -> TestResponse:
        return self.client.get(self.url(page, **args))

    def send(self, form: str, page: str, values: dict[str, object], **args: object) -> TestResponse:
        """Send a form to its page as the page's HTML would, with the token of a page."""
        token = self.open("contact").text.split('name="csrf" value="')[1].split('"')[0]
        sent = {"csrf": token, "form": form, "once": "0", **values}
        return self.client.post(self.url(page, **args), data=sent)

    def run(self, do: Do) -> list[tuple[object, ...]]:
        """Run an operation, and return the rows that it changes."""
        self.world.write("DELETE FROM log_change")
        SITE.run(self.world, do)
        return sorted(changes(SITE, self.world.read("SELECT * FROM log_change")), key=str)

    def one(self, sql: str, *values: object) -> Row:
        return self.world.read(sql, values)[0]

    def variant(self, least: int = 3) -> Row:
        """An option of an offered product that has at least this many pieces left."""
        return self.one(
            "SELECT v.*, p.name, s.quantity FROM variants v JOIN products p ON p.sku = v.product"
            " JOIN stock s ON s.variant = v.sku"
            " WHERE p.status = 'enabled' AND s.quantity >= ? ORDER BY v.sku",
            least,
        )


@pytest.fixture
def visits() -> Iterator[Worlds]:
    worlds = Worlds()
    yield worlds
    worlds.release()


@pytest.fixture
def visit(visits):
    """A function that makes a visit under a skin."""
    made = []

    def make(skin: str = SKINS[0], size: str = "small", me: str = "") -> Visit:
        world = load_data().base(size, 0).fork()
        world.about = {"me": me or world.read(BUYER)[0]["name"], "skin": skin}
        made.append(world)
        client = create_app(load_data(), visits).test_client()
        client.set_cookie(COOKIE, visits.admit(world), domain="localhost")
        return Visit(world, client)

    yield make
    for each in made:
        each.release()


@pytest.fixture
def corner(visit):
    return visit("corner")
