"""Each operation changes these rows and no others, and refuses what it must."""

from __future__ import annotations

import pytest

from sites.admin import operations as do
from sites.admin import tables as of
from sites.admin.site import OPERATIONS
from sites.kit import GONE, NEW, Invalid
from sites.site_app import Refusal

SEVERAL = f"SELECT * FROM ({of.PRODUCTS}) WHERE variants > 2"
ADDRESS = {"recipient": "Ada Abbot", "street": "1 New Road", "city": "Calder", "postcode": "04109"}


def rows(table, key, **values):
    """The changes of a row, as a visit tells them."""
    return sorted([(table, str(key), column, value) for column, value in values.items()], key=str)


def order(visit, status):
    return visit.one("SELECT * FROM orders WHERE status = ?", status)["number"]


def test_cancel(counter):
    number = order(counter, "Pending")
    assert counter.run(do.cancel(number)) == rows("orders", number, status="Canceled")


@pytest.mark.parametrize("status", ["Complete", "Closed", "Canceled"])
def test_what_was_shipped_or_canceled_is_not_canceled(counter, status):
    with pytest.raises(Invalid):
        counter.run(do.cancel(order(counter, status)))
    assert counter.run(do.add_comment(order(counter, status), "Sorry")) != []


def test_add_comment(counter):
    number = order(counter, "Pending")
    for notified in ("", "yes"):
        comment = rows("order_comments", NEW, order_no=number, author=counter.me,
                       comment="Soon", notified=notified)  # fmt: skip
        assert counter.run(do.add_comment(number, "Soon", notified)) == comment


def test_save_order_address(counter):
    """The two addresses of an order change apart; the shop keeps the one for the parcel."""
    number = order(counter, "Pending")
    billing = counter.run(do.save_order_address(number, "billing", *ADDRESS.values()))
    held = rows("order_addresses", f"{number}/billing", **ADDRESS)
    assert set(billing) <= set(held) and billing
    shipping = counter.run(do.save_order_address(number, "shipping", *ADDRESS.values()))
    label = "Ada Abbot, 1 New Road, 04109 Calder"
    assert ("orders", str(number), "address", label) in shipping
    assert {row[:2] for row in shipping} == {
        ("orders", str(number)), ("order_addresses", f"{number}/shipping")
    }  # fmt: skip


@pytest.mark.parametrize("status", ["Pending", "Processing", "Complete"])
def test_ship(counter, status):
    number = order(counter, status)
    parcel = rows("shipments", NEW, order_no=number, carrier="Postway", tracking="AB-12345")
    done = [] if status == "Complete" else rows("orders", number, status="Complete")
    assert counter.run(do.ship(number, "Postway", "AB-12345")) == sorted(done + parcel, key=str)
    with pytest.raises(Invalid):
        counter.run(do.cancel(number))


def test_save_product_refuses_what_was_saved_meanwhile(counter):
    held = counter.one(of.PRODUCTS)
    save = do.save_product(held["product"], held["version"], "New name", held["about"])
    assert counter.run(save) == rows("products", held["product"], name="New name")
    with pytest.raises(Refusal) as refused:
        counter.run(save)
    assert refused.value.status == 409


def test_switches(counter):
    sku = counter.one(of.PRODUCTS + " WHERE p.status = 'enabled' AND f.on_sale = ''")["product"]
    assert counter.run(do.set_status(sku, "disabled")) == rows("products", sku, status="disabled")
    assert counter.run(do.set_status(sku, "disabled")) == []
    assert counter.run(do.set_on_sale(sku, "yes")) == rows("offers", sku, on_sale="yes")


def test_save_variant_moves_the_lowest_price(counter):
    product = counter.one(SEVERAL)["product"]
    sku = counter.one(of.VARIANTS + " WHERE v.product = ? ORDER BY v.price DESC", product)[
        "variant"
    ]
    assert counter.run(do.save_variant(sku, "1.50", "7")) == sorted(
        [
            *rows("products", product, price=150),
            *rows("stock", sku, quantity=7),
            *rows("variants", sku, price=150),
        ],
        key=str,
    )


def test_save_variants(counter):
    product = counter.one(f"{SEVERAL} AND stock > 60")["product"]
    held = counter.world.read(
        of.VARIANTS + " WHERE v.product = ? AND s.quantity > 0 ORDER BY 1", (product,)
    )
    chosen = [each["variant"] for each in held]
    emptied = [("stock", each, "quantity", 0) for each in chosen]
    assert counter.run(do.save_variants(chosen, quantity="0")) == emptied
    assert counter.run(do.save_variants(chosen, "9.99")) != []
    for bad in (do.save_variants([], "1.00"), do.save_variants(chosen)):
        with pytest.raises(Invalid):
            counter.run(bad)


def test_add_product(counter):
    category = counter.one("SELECT name FROM categories WHERE parent != ''")["name"]
    brand = counter.one("SELECT brand FROM products")["brand"]
    add = do.add_product("NEW-1", "New thing", category, brand, "12.50", "7", "Red", "20 cm")
    made = counter.run(add)
    assert {(table, key) for table, key, *_ in made} == {
        ("products", "NEW-1"), ("variants", "NEW-1-1"), ("stock", "NEW-1-1"), ("offers", "NEW-1")
    }  # fmt: skip
    assert ("variants", "NEW-1-1", "price", 1250) in made
    with pytest.raises(Invalid):
        counter.run(add)


def test_add_option(counter):
    """A new colour comes in each size, at the lowest price of the size."""
    product = counter.one(
        "SELECT product FROM variants WHERE colour != '' GROUP BY product"
        " HAVING count(DISTINCT size) > 1 AND count(DISTINCT colour) > 1"
    )["product"]
    sizes = counter.world.read(
        "SELECT size, min(price) AS least FROM variants WHERE product = ? GROUP BY size", (product,)
    )
    made = counter.run(do.add_option(product, "colour", "Purple", "5"))
    new = counter.world.read("SELECT * FROM variants WHERE colour = 'Purple'")
    assert {(each["size"], each["price"]) for each in new} == {
        (s["size"], s["least"]) for s in sizes
    }
    assert {table for table, *_ in made} == {"variants", "stock"}
    for bad in (do.add_option(product, "colour", "purple", "5"),
                do.add_option(product, "weight", "5 kg", "5")):  # fmt: skip
        with pytest.raises(Invalid):
            counter.run(bad)


def test_reviews(counter):
    one, two, *_ = (
        each["id"] for each in counter.world.read("SELECT * FROM reviews WHERE status = 'pending'")
    )
    assert counter.run(do.decide(one, "approved")) == rows("reviews", one, status="approved")
    refused = [("reviews", str(each), "status", "not approved") for each in (one, two)]
    assert counter.run(do.decide_all([str(one), str(two)], "not approved")) == sorted(
        refused, key=str
    )
    assert counter.run(do.delete_review(one)) == [("reviews", str(one), GONE, None)]
    assert counter.run(do.decide_all([str(two)], "delete")) == [("reviews", str(two), GONE, None)]
    with pytest.raises(Refusal):
        counter.run(do.decide_all([str(two)], "approved"))


def test_save_customer(counter):
    held = counter.one(of.CUSTOMERS)
    save = do.save_customer(held["customer"], held["email"], "555-0000", "Staff")
    changed = counter.run(save)
    assert ("customers", held["customer"], "phone", "555-0000") in changed
    assert {table for table, *_ in changed} <= {"customers", "accounts"}


def test_add_rule(counter):
    made = counter.run(do.add_rule("Autumn", "percent", "15", "All groups"))
    assert made == rows("rules", NEW, name="Autumn", kind="percent", value=15,
                        customer_group="All groups")  # fmt: skip
    amount = counter.run(do.add_rule("Winter", "amount", "$5", "Staff"))
    assert ("rules", NEW, "value", 500) in amount


def test_save_content(counter):
    held = counter.one(of.CONTENTS)
    save = do.save_content(held["content"], held["version"], "Help", held["body"])
    assert counter.run(save) == rows("contents", held["content"], title="Help")
    with pytest.raises(Refusal):
        counter.run(save)


def test_apply_theme(counter):
    other = counter.one("SELECT name FROM themes WHERE applied = ''")["name"]
    before = counter.one("SELECT name FROM themes WHERE applied = 'yes'")["name"]
    assert counter.run(do.apply_theme(other)) == sorted(
        [*rows("themes", before, applied=""), *rows("themes", other, applied="yes")], key=str
    )
    assert counter.run(do.apply_theme(other)) == []


PRICES = "1e400", "nan", "12,50", "-1.00", "0", "0.00", "1.5", "twelve", "١٢", "100000", "$"
STOCKS = "-1", "1.5", "1e3", "many", "100000", "٣"


@pytest.mark.parametrize("price", PRICES)
def test_a_price_that_is_none_is_refused(counter, price):
    sku = counter.one(of.VARIANTS)["variant"]
    with pytest.raises(Invalid) as refused:
        counter.run(do.save_variant(sku, price, "7"))
    assert [*refused.value.errors] == ["price"]


@pytest.mark.parametrize("stock", STOCKS)
def test_a_stock_that_is_none_is_refused(counter, stock):
    sku = counter.one(of.VARIANTS)["variant"]
    with pytest.raises(Invalid) as refused:
        counter.run(do.save_variant(sku, "1.00", stock))
    assert [*refused.value.errors] == ["quantity"]


@pytest.mark.parametrize(
    ("kind", "value"),
    [("percent", "101"), ("percent", "0"), ("percent", "-5"), ("amount", "1e9"), ("share", "5")],
)
def test_a_discount_that_is_none_is_refused(counter, kind, value):
    with pytest.raises(Invalid):
        counter.run(do.add_rule("Odd", kind, value, "General"))


@pytest.mark.parametrize(
    "made", [each for each in OPERATIONS if each.of], ids=lambda made: made.name
)
def test_no_operation_takes_rows_that_are_not_there(counter, made):
    """Every argument that names a row refuses a name that no row has."""
    args = {"status": "approved", "on_sale": "yes", "option": "colour", "kind": "shipping"}
    do_it = made(
        **{each: args.get(each, "1") for each in made.needed} | dict.fromkeys(made.of, "x")
    )
    with pytest.raises(Refusal):
        counter.run(do_it)
    assert counter.world.read("SELECT * FROM log_change") == []
