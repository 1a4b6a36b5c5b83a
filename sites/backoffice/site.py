"""A shop's back office, declared: orders, their comments and addresses, customers."""

from __future__ import annotations

from functools import cache
from random import Random

from sites._kit.declare import (
    Do, Field, Form, Invalid, Link, Listing, Page, Site, Skin, Table, one, operation,
)  # fmt: skip
from sites._kit.rows import schema, triggers
from sites.forum.generator import NAMES, PLACES
from sites.site_app import Refusal
from sites.world import Row, World

NOW = 1_768_478_400.0
STATUSES = ("complete", "canceled", "pending", "processing", "closed")
TABLES = (
    Table("customers", "id INTEGER PRIMARY KEY, name TEXT, email TEXT", ("id",)),
    Table("orders", "number INTEGER PRIMARY KEY, customer INTEGER, placed REAL, status TEXT,"
          " cents INTEGER, street TEXT, city TEXT", ("number",), index=("status", "customer")),
    Table("remarks", "id INTEGER PRIMARY KEY, number INTEGER, remark TEXT, notified TEXT, at REAL",
          ("id",), drawn=("id", "at")),
)  # fmt: skip


@operation("orders", number="orders")
def cancel(world: World, number: int) -> None:
    if one(world, "SELECT status FROM orders WHERE number = ?", (number,))["status"] not in ("pending", "processing"):
        raise Refusal(409, "This order cannot be canceled any more.")
    world.write("UPDATE orders SET status = 'canceled' WHERE number = ?", (number,))


@operation("remarks", number="orders")
def comment(world: World, number: int, remark: str, notify: str) -> None:
    one(world, "SELECT 1 FROM orders WHERE number = ?", (number,))
    world.write("INSERT INTO remarks (number, remark, notified, at) VALUES (?, ?, ?, ?)",
                (int(number), remark.strip(), notify, NOW))  # fmt: skip


@operation("orders", number="orders")
def move(world: World, number: int, street: str, city: str) -> Row:
    if not street[:1].isdigit():
        raise Invalid(street="Street: begin with the number of the house.")
    world.write("UPDATE orders SET street = ?, city = ? WHERE number = ?", (street.strip(), city.strip(), number))
    return {"number": number}


ORDERS = """SELECT o.*, c.name, c.email, o.customer AS id, printf('$%.2f', o.cents / 100.0) AS total
FROM orders o JOIN customers c ON c.id = o.customer"""
CUSTOMERS = "SELECT * FROM customers"
NEWEST = {"new": "placed DESC, number", "old": "placed, number", "dear": "cents DESC, number"}
KINDS = {"status": "SELECT DISTINCT status FROM orders ORDER BY status"}
GRID = ("number", "placed", "name", "total", "status")
PAGES = (
    Page("dashboard", "/admin", listing=Listing(ORDERS + " WHERE o.number % 7 = 0", {"new": NEWEST["new"]},
                                                (Link("order"),), columns=GRID, size=5)),
    Page("orders", "/admin/sales/order", listing=Listing(
        ORDERS, NEWEST, (Link("order"), Link("customer")), filters=KINDS, keyword="name", columns=GRID)),
    Page("order", "/admin/sales/order/view/<number>", ORDERS, ("number",),
         (Link("customer"), Link("address")),
         (Form("cancel", cancel, given={"number": "number"}, shown=lambda row: row["status"] in ("pending", "processing")),
          Form("comment", comment, (Field("remark", "text"), Field("notify", "check", required=False)), given={"number": "number"})),
         Listing("SELECT * FROM remarks WHERE number = :number", {"new": "at DESC, id"}, key=("id",),
                 columns=("remark", "notified"))),
    Page("address", "/admin/sales/order/address/<number>", ORDERS, ("number",), (Link("order", "back"),),
         (Form("move", move, (Field("street", held="street"), Field("city", held="city")), given={"number": "number"}, follows="order"),)),
    Page("customers", "/admin/customer", listing=Listing(
        CUSTOMERS, {"id": "id"}, (Link("customer"),), keyword="name", columns=("name", "email"))),
    Page("customer", "/admin/customer/view/<id>", CUSTOMERS, ("id",),
         listing=Listing(ORDERS + " WHERE o.customer = :id", {"new": NEWEST["new"]}, (Link("order"),), columns=GRID)),
)  # fmt: skip
WORDS = {
    "site": "Counter", "signed_in": "{me}", "footer": "Counter back office", "order": "#{number}", "pages": "Pages",
    "found": "records found", "sorting": "Order", "next": "Next", "previous": "Previous", "number": "{n}", "keyword": "Search by customer",
    "apply": "Apply filters", "dashboard": "Dashboard", "orders": "Orders", "customers": "Customers", "customer": "{name}",
    "address": "Edit address", "back": "Back to order", "cancel": "Cancel", "comment": "Submit comment", "move": "Save address",
    "remark": "Comment", "notify": "Notify customer by email", "street": "Street", "city": "City", "status": "Status",
    "sort_new": "Newest", "sort_old": "Oldest", "sort_dear": "Grand total", "sort_id": "ID",
    **{f"col_{each}": each.title() for each in (*GRID, "email", "remark", "notified")},
    "title_dashboard": "Dashboard", "title_orders": "Orders", "title_order": "Order #{number}", "title_address": "Address of #{number}",
    "title_customers": "Customers", "title_customer": "{name}",
}
NAV = (Link("dashboard"), Link("orders"), Link("customers"))
OTHER = {**WORDS, "site": "Ledgerhouse", "orders": "Sales", "customers": "People", "apply": "Show", "keyword": "Name holds",
         "order": "Sale {number}", "comment": "Add note", "notify": "Tell the buyer", "cancel": "Void", "sort_dear": "By amount"}  # fmt: skip
SKINS = (
    Skin("counter", WORDS, NAV, "side", rows="table", pager="numbers"),
    Skin("ledgerhouse", OTHER, NAV[::-1], "top", rows="list", size=12, sorts={"orders": "old"}),
)


def stray(world: World) -> Do:
    return comment(world.read("SELECT number FROM orders ORDER BY number")[-1]["number"], "Checked.", "")


SITE = Site("backoffice", TABLES, (cancel, comment, move), PAGES, SKINS, "dashboard", "SELECT 'clerk' AS name", stray)


@cache
def base(size: str, number: int) -> World:
    rng = Random(f"backoffice/{size}/{number}")
    world = World(schema(SITE), "base", {})
    for at in range(40):
        name = f"{rng.choice(NAMES).title()} {rng.choice(PLACES).title()}"
        world.write("INSERT INTO customers VALUES (?, ?, ?)", (at + 1, name, f"{name.lower().replace(' ', '.')}{at}@mail.test"))
    for at in range(160):
        placed = NOW - rng.randrange(1, 500) * 86400 - rng.randrange(86400)
        world.write("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)", (
            1000 + at, rng.randint(1, 40), placed, rng.choices(STATUSES, (55, 20, 12, 8, 5))[0],
            rng.randrange(500, 40000), f"{rng.randint(1, 99)} {rng.choice(PLACES).title()} Road", rng.choice(NAMES).title()))  # fmt: skip
    for statement in triggers(SITE):
        world.write(statement)
    return world
