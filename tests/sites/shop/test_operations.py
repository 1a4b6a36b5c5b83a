"""Each operation changes these rows and no others, and refuses what it must."""

from __future__ import annotations

import pytest

from sites.kit import GONE, NEW, Invalid
from sites.shop import operations as do
from sites.shop.site import OPERATIONS
from sites.shop.tables import ADDRESSES
from sites.site_app import Refusal


def rows(table, key, **values):
    """The changes of a row, as a visit tells them."""
    return [(table, key, column, value) for column, value in values.items()]


def label(visit):
    return visit.world.read(ADDRESSES, {"me": visit.me})[0]["label"]


def mine(visit, status="Complete"):
    return visit.one("SELECT * FROM orders WHERE customer = ? AND status = ?", visit.me, status)


def test_add_and_remove(corner):
    sku = corner.variant()["sku"]
    key = f"{corner.me}/{sku}"
    assert corner.run(do.add(sku)) == sorted(
        rows("cart", key, customer=corner.me, variant=sku, quantity=1), key=str
    )
    assert corner.run(do.add(sku)) == []
    assert corner.run(do.remove(sku)) == [("cart", key, GONE, None)]
    assert corner.run(do.remove(sku)) == []


def test_set_quantity(corner):
    sku = corner.variant()["sku"]
    corner.run(do.add(sku))
    assert corner.run(do.set_quantity(sku, 3)) == rows("cart", f"{corner.me}/{sku}", quantity=3)
    assert corner.run(do.set_quantity(sku, "2")) == rows("cart", f"{corner.me}/{sku}", quantity=2)


def test_reorder(corner):
    order = corner.one(
        "SELECT order_no FROM lines l JOIN orders o ON o.number = l.order_no"
        " JOIN stock s ON s.variant = l.variant JOIN products p ON p.sku = l.product"
        " WHERE o.customer = ? GROUP BY order_no HAVING count(*) > 1"
        " AND min(s.quantity >= l.quantity AND p.status = 'enabled')",
        corner.me,
    )["order_no"]
    bought = corner.world.read("SELECT * FROM lines WHERE order_no = ?", (order,))
    wanted = [
        change
        for each in bought
        for change in rows(
            "cart",
            f"{corner.me}/{each['variant']}",
            customer=corner.me,
            variant=each["variant"],
            quantity=each["quantity"],
        )
    ]
    assert corner.run(do.reorder(order)) == sorted(wanted, key=str)
    assert corner.run(do.reorder(order)) == []


def test_place_order(corner):
    bought = corner.variant()
    corner.run(do.add(bought["sku"]))
    corner.run(do.set_quantity(bought["sku"], 2))
    number = corner.one("SELECT max(number) AS n FROM orders")["n"] + 1
    subtotal = 2 * bought["price"]
    choice = ", ".join(each for each in (bought["colour"], bought["size"]) if each)
    assert corner.run(do.place_order(label(corner), "Express")) == sorted(
        [
            ("cart", f"{corner.me}/{bought['sku']}", GONE, None),
            *rows("stock", bought["sku"], quantity=bought["quantity"] - 2),
            *rows(
                "orders",
                NEW,
                customer=corner.me,
                status="Pending",
                address=label(corner),
                shipping="Express",
                subtotal=subtotal,
                postage=1295,
                total=subtotal + 1295,
            ),
            *rows(
                "lines",
                NEW,
                order_no=number,
                variant=bought["sku"],
                product=bought["product"],
                name=bought["name"],
                choice=choice or "Standard",
                price=bought["price"],
                quantity=2,
            ),
        ],
        key=str,
    )


def test_add_wish_and_remove_wish(corner):
    sku = corner.one(
        "SELECT sku FROM products WHERE status = 'enabled' AND sku NOT IN"
        " (SELECT product FROM wishes WHERE customer = ?)",
        corner.me,
    )["sku"]
    key = f"{corner.me}/{sku}"
    assert corner.run(do.add_wish(sku)) == rows("wishes", key, customer=corner.me, product=sku)
    assert corner.run(do.add_wish(sku)) == []
    assert corner.run(do.remove_wish(sku)) == [("wishes", key, GONE, None)]
    assert corner.run(do.remove_wish(sku)) == []


def test_subscribe_to_and_unsubscribe_from(corner):
    topic = corner.one(
        "SELECT name FROM categories WHERE parent = '' AND name NOT IN"
        " (SELECT topic FROM subscriptions WHERE customer = ?)",
        corner.me,
    )["name"]
    key = f"{corner.me}/{topic}"
    wanted = rows("subscriptions", key, customer=corner.me, topic=topic)
    assert corner.run(do.subscribe_to(topic)) == wanted
    assert corner.run(do.subscribe_to(topic)) == []
    assert corner.run(do.unsubscribe_from(topic)) == [("subscriptions", key, GONE, None)]
    assert corner.run(do.unsubscribe_from(topic)) == []


def test_review(corner):
    sku = corner.variant()["product"]
    made = do.review(sku, 4, " Ada ", "Good  pan", "It \r\nworks. ")
    assert corner.run(made) == sorted(
        rows(
            "reviews",
            NEW,
            product=sku,
            customer=corner.me,
            nickname="Ada",
            stars=4,
            title="Good pan",
            body="It\nworks.",
            status="pending",
        ),
        key=str,
    )


def test_save_address(corner):
    old = corner.one("SELECT * FROM addresses WHERE customer = ?", corner.me)
    moved = do.save_address(old["id"], old["recipient"], " 3  Mill Lane", old["city"], "04109")
    assert corner.run(moved) == sorted(
        rows("addresses", str(old["id"]), street="3 Mill Lane", postcode="04109"), key=str
    )


def test_add_address(corner):
    values = {"recipient": "Ada", "street": "3 Mill Lane", "city": "Calder", "postcode": "04109"}
    assert corner.run(do.add_address(**values)) == sorted(
        rows("addresses", NEW, customer=corner.me, **values), key=str
    )


def test_send_message(corner):
    number = str(mine(corner)["number"])
    assert corner.run(do.send_message("Refund", number, "$12.50", "It broke.")) == sorted(
        rows(
            "messages",
            NEW,
            customer=corner.me,
            reason="Refund",
            order_number=number,
            amount="12.50",
            body="It broke.",
        ),
        key=str,
    )


def test_every_operation_has_a_test():
    names = {"_".join(name.split("_")[1:]) for name in globals() if name.startswith("test_")}
    tested = {each for name in names for each in name.split("_and_")}
    assert {each.name for each in OPERATIONS} <= tested


def disabled(visit):
    return visit.one("SELECT sku FROM products WHERE status = 'disabled'")["sku"]


def of_disabled(visit):
    return visit.one("SELECT sku FROM variants WHERE product = ?", disabled(visit))["sku"]


def theirs(visit, table, key):
    return visit.one(f"SELECT {key} FROM {table} WHERE customer != ?", visit.me)[key]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda visit: do.add("NO-SUCH"),
        lambda visit: do.add(of_disabled(visit)),
        lambda visit: do.set_quantity(visit.variant()["sku"], 2),
        lambda visit: do.remove("NO-SUCH"),
        lambda visit: do.reorder(theirs(visit, "orders", "number")),
        lambda visit: do.reorder("1 OR 1"),
        lambda visit: do.add_wish(disabled(visit)),
        lambda visit: do.remove_wish("NO-SUCH"),
        lambda visit: do.subscribe_to("pans"),
        lambda visit: do.unsubscribe_from("nothing"),
        lambda visit: do.review("NO-SUCH", 4, "A", "B", "C"),
        lambda visit: do.save_address(theirs(visit, "addresses", "id"), "A", "B", "C", "04109"),
    ],
)
def test_a_refused_operation_changes_nothing(corner, wrong):
    with pytest.raises(Refusal):
        corner.run(wrong(corner))
    assert corner.world.read("SELECT * FROM log_change") == []


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (lambda visit: do.place_order(label(visit), "Express"), "address"),
        (lambda visit: do.review(visit.variant()["product"], 6, "A", "B", "C"), "stars"),
        (lambda visit: do.review(visit.variant()["product"], -4, "A", "B", "C"), "stars"),
        (lambda visit: do.add_address("A", "B", "C", "4109"), "postcode"),
        (lambda visit: do.send_message("Praise", "", "", "A"), "reason"),
        (lambda visit: do.send_message("Refund", "999999", "", "A"), "order_number"),
        (
            lambda visit: do.send_message(
                "Refund", str(theirs(visit, "orders", "number")), "", "A"
            ),
            "order_number",
        ),
        (lambda visit: do.send_message("Refund", "", "much", "A"), "amount"),
    ],
)
def test_wrong_fields_are_named(corner, wrong, field):
    with pytest.raises(Invalid) as raised:
        corner.run(wrong(corner))
    assert [*raised.value.errors] == [field]


@pytest.mark.parametrize(
    ("address", "shipping", "field"),
    [("Somewhere else", "Express", "address"), ("", "By balloon", "shipping")],
)
def test_an_order_goes_to_an_own_address_by_a_known_method(corner, address, shipping, field):
    corner.run(do.add(corner.variant()["sku"]))
    with pytest.raises(Invalid) as raised:
        corner.run(do.place_order(address or label(corner), shipping))
    assert [*raised.value.errors] == [field]


def test_the_stock_limits_the_cart_and_the_order(corner):
    last = corner.variant()
    corner.run(do.add(last["sku"]))
    with pytest.raises(Invalid, match=f"only {last['quantity']} are left"):
        corner.run(do.set_quantity(last["sku"], last["quantity"] + 1))
    corner.world.write("UPDATE stock SET quantity = 0 WHERE variant = ?", (last["sku"],))
    with pytest.raises(Invalid, match="only 0 are left"):
        corner.run(do.place_order(label(corner), "Standard"))
    assert corner.world.read("SELECT * FROM log_change") == []
