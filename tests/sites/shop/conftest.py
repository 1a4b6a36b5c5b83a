"""Visits to the shop."""

from __future__ import annotations

import pytest

from sites import shop
from sites.world import Row
from tests.sites import declared

SKINS = [each.name for each in shop.SITE.skins]
BUYER = """SELECT customer AS name FROM orders
  WHERE customer IN (SELECT customer FROM messages)
    AND customer IN (SELECT customer FROM reviews) AND customer IN (SELECT customer FROM wishes)
  GROUP BY customer ORDER BY count(*) DESC, customer"""


class Visit(declared.Visit):
    """One customer's visit."""

    def variant(self, least: int = 3) -> Row:
        """An option of an offered product that has at least this many pieces left."""
        return self.one(
            "SELECT v.*, p.name, s.quantity FROM variants v JOIN products p ON p.sku = v.product"
            " JOIN stock s ON s.variant = v.sku"
            " WHERE p.status = 'enabled' AND s.quantity >= ? ORDER BY v.sku",
            least,
        )


@pytest.fixture
def visit():
    """A function that makes a visit under a skin."""
    with declared.visiting(shop, Visit, "contact", BUYER) as make:
        yield make


@pytest.fixture
def corner(visit):
    return visit("corner")
