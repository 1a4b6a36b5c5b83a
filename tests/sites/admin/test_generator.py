"""The base worlds: the rows of the shop, with the rows of the back office beside them."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from sites import admin, shop

TABLES = [each.name for each in admin.SITE.tables]
BASE = admin.load_data().base


def test_the_bytes_of_a_base_world_are_fixed():
    """A change of this digest changes every scenario of the back office: say it in CHANGELOG."""
    found = [BASE("small", 0).read(f"SELECT * FROM {each} ORDER BY rowid") for each in TABLES]
    assert sha256(json.dumps(found).encode()).hexdigest()[:16] == "e4819cb48c1aaddd"


@pytest.mark.parametrize("table", [each.name for each in shop.SITE.tables if each.name != "orders"])
def test_it_is_the_world_of_the_shop(table):
    sql = f"SELECT * FROM {table} ORDER BY 1, 2"
    assert BASE("small", 1).read(sql) == shop.load_data().base("small", 1).read(sql)


def test_an_order_costs_its_goods_and_its_shipping_less_its_coupon():
    sql = """SELECT o.*, coalesce(discount, 0) AS discount FROM orders o
      LEFT JOIN coupon_uses u ON u.order_no = o.number"""
    for each in BASE("small", 1).read(sql):
        assert each["total"] == each["subtotal"] + each["postage"] - each["discount"] > 0


def test_orders_have_the_papers_of_their_status():
    """An invoice repeats the total; nothing was shipped that is open or canceled."""
    world = BASE("small", 2)
    sql = "SELECT o.total, i.total AS billed FROM invoices i JOIN orders o ON o.number = i.order_no"
    assert all(each["total"] == each["billed"] for each in world.read(sql))
    shipped = "SELECT status FROM orders WHERE number IN (SELECT order_no FROM shipments)"
    assert {each["status"] for each in world.read(shipped)} == {"Complete", "Closed"}


def test_no_two_search_terms_have_the_same_uses():
    sql = "SELECT uses FROM search_terms GROUP BY uses HAVING count(*) > 1"
    assert BASE("medium", 0).read(sql) == []


def test_no_clerk_is_a_customer():
    sql = "SELECT name FROM clerks WHERE name IN (SELECT name FROM customers)"
    assert BASE("medium", 0).read(sql) == []
