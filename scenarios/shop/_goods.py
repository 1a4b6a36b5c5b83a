"""Categories, products and addresses, as the shop's families draw them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scenarios.kit import AnswerSchema, Draw, See, Tell
from sites.kit import Do
from sites.shop.operations import SHIPPING, place_order
from sites.shop.tables import ADDRESSES

MONEY = AnswerSchema("money")
CATEGORY = "SELECT * FROM categories WHERE parent != ''"
OFFERED = "SELECT * FROM products WHERE category = ? AND status = 'enabled' ORDER BY price"
NAMED = """SELECT * FROM products
  WHERE status = 'enabled' AND instr(lower(name), lower(?)) > 0 ORDER BY price, sku"""
"""The products that a search finds, the cheapest first."""
FREE = """SELECT * FROM products WHERE status = 'enabled'
  AND sku NOT IN (SELECT product FROM wishes WHERE customer = ?)"""
"""The products that are not on the customer's wish list."""
REVIEWED = """SELECT p.* FROM products p JOIN reviews r ON r.product = p.sku
  WHERE p.status = 'enabled' AND r.status = 'approved'
  GROUP BY p.sku HAVING count(*) BETWEEN 10 AND 40"""
REVIEWS = "SELECT * FROM reviews WHERE product = ? AND status = 'approved' ORDER BY at DESC, id"
ORDERS = {
    "name": "by name from A to Z",
    "name_desc": "by name from Z to A",
    "price": "by price from the lowest to the highest",
    "price_desc": "by price from the highest to the lowest",
}
"""The orders of a list of products, in the words of an instruction."""


def is_only(d: Draw, name: str) -> bool:
    """Return whether a search for the name finds one product."""
    return len(d.all(NAMED, name)) == 1


def pages_with(
    d: Draw, page: str, wanted: Iterable[Any], note: Tell | None = None, **args: Any
) -> list[See]:
    """Return the first pages of a list, up to the last page that shows a row with a wanted key."""
    keys, [key] = {*wanted}, d.map.key(d.map.site.page[page])
    return d.until(page, lambda row: row[key] in keys, note, **args)


def dollars(cents: int) -> int:
    """Return a price in whole dollars, rounded up."""
    return -(-cents // 100)


def amount(cents: int) -> str:
    """Return an amount of money as an answer writes it."""
    return f"{cents / 100:.2f}"


def shown(cents: int) -> str:
    """Return an amount of money as the pages show it."""
    return f"${cents / 100:,.2f}"


def delivery(d: Draw) -> tuple[str, str, Do, Do]:
    """Draw an address of the customer and a shipping method. Return the street, the method, and the
    operations that order the cart by this method and by another one.
    """
    address = d.rng.choice(d.world.read(f"{ADDRESSES} ORDER BY address_no", {"me": d.me}))
    method, other = d.rng.sample([*SHIPPING], 2)
    label = address["label"]
    return address["street"], method, place_order(label, method), place_order(label, other)
