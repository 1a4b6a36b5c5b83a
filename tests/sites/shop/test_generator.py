"""The base worlds: their sizes, their sums, and the same bytes in every process."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from sites.shop import SITE, load_data, texts
from sites.shop.generator import SIZES
from sites.shop.operations import NOW

TABLES = [each.name for each in SITE.tables]


def rows(size, number, table):
    return load_data().base(size, number).read(f"SELECT * FROM {table} ORDER BY 1, 2")


@pytest.mark.parametrize(("size", "count"), [("small", 2_200), ("medium", 18_000)])
def test_a_base_world_has_its_rows(size, count):
    counts = {each: len(rows(size, 0, each)) for each in TABLES}
    assert counts["orders"] == SIZES[size].orders
    assert min(counts.values()) > 0
    assert count <= sum(counts.values()) <= 1.2 * count


def test_the_bytes_of_a_base_world_are_fixed():
    """A change of this digest changes every scenario of the shop: say it in CHANGELOG."""
    found = json.dumps(
        [rows("small", number, each) for number in range(load_data().bases) for each in TABLES]
    )
    assert sha256(found.encode()).hexdigest()[:16] == "deb1857b4711bf74"


def test_an_order_costs_what_its_lines_and_its_shipping_cost():
    world = load_data().base("small", 1)
    for order in world.read("SELECT * FROM orders"):
        sql = "SELECT sum(price * quantity) AS n FROM lines WHERE order_no = ?"
        assert order["subtotal"] == world.read(sql, (order["number"],))[0]["n"]
        assert order["total"] == order["subtotal"] + order["postage"]
        assert order["at"] < NOW


def test_the_price_of_a_product_is_that_of_its_cheapest_option():
    sql = (
        "SELECT p.price, min(v.price) AS least FROM products p JOIN variants v ON v.product = p.sku"
    )
    for each in load_data().base("small", 2).read(f"{sql} GROUP BY p.sku"):
        assert each["price"] == each["least"]


def test_no_two_products_of_a_category_cost_the_same():
    sql = "SELECT count(*) AS n FROM products GROUP BY category, price HAVING n > 1"
    assert load_data().base("medium", 0).read(sql) == []


def test_names_and_categories_are_told_apart():
    names = [each["name"] for each in rows("medium", 0, "products")]
    assert len({*names}) == len(names)
    assert len(texts.CATEGORIES) == 36
    assert {
        len([c for c in texts.CATEGORIES.values() if c.department == each])
        for each in texts.DEPARTMENTS
    } == {6}


def test_nobody_who_may_sign_in_has_a_cart():
    world = load_data().base("medium", 0)
    carts = {each["customer"] for each in world.read("SELECT customer FROM cart")}
    assert carts and not carts & {each["name"] for each in world.read(SITE.personas)}
