"""What a visit to the store can change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple

from sites.store.account.account import Account, Address, Order
from sites.store.shop.journal import as_json
from sites.world import World

SCHEMA = """
CREATE TABLE purchases (
    id INTEGER PRIMARY KEY, asin TEXT NOT NULL, options TEXT NOT NULL, price REAL NOT NULL);
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL);
CREATE TABLE addresses (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, street TEXT NOT NULL, city TEXT NOT NULL,
    postcode TEXT NOT NULL, country TEXT NOT NULL, phone TEXT NOT NULL);
CREATE TABLE orders (
    number TEXT PRIMARY KEY, placed TEXT NOT NULL, status TEXT NOT NULL, ship_to TEXT NOT NULL);
CREATE TABLE order_lines (
    id INTEGER PRIMARY KEY, order_number TEXT NOT NULL, asin TEXT NOT NULL, options TEXT NOT NULL,
    price REAL NOT NULL, quantity INTEGER NOT NULL);
CREATE TABLE wishes (id INTEGER PRIMARY KEY, asin TEXT NOT NULL UNIQUE);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY, order_number TEXT NOT NULL, subject TEXT NOT NULL,
    text TEXT NOT NULL);
CREATE TABLE log_pages (
    id INTEGER PRIMARY KEY, page TEXT NOT NULL, asin TEXT, options TEXT, number INTEGER);
CREATE TABLE log_queries (
    id INTEGER PRIMARY KEY, query TEXT NOT NULL, page INTEGER NOT NULL, hits TEXT NOT NULL);
CREATE TABLE log_drafts (id INTEGER PRIMARY KEY, field TEXT NOT NULL, value TEXT NOT NULL);
"""
"""`options`, `hits` and `ship_to` are JSON with sorted keys, `placed` is an ISO date.

`log_pages.page` is index, results, item, a sub page's name or receipt; of a signed-in visit also
account, orders, order, addresses, address, wishlist, contact or category. `number` is the page of
results, Reviews, orders or category, the number of an order, or the id of an address; `options` of
a category are its name, sort and direction. A draft is what stood in a field of the contact form;
when a message is sent, the fields are empty again."""


def new_world(
    session: str, instruction: str, account: Account | None = None, stock: str = ""
) -> World:
    """A visit that has just begun: nothing bought. Every page shows the instruction.

    With an account the customer is signed in; without one the visitor is a guest. `stock` names
    another stock than WebShop's.
    """
    about = {"instruction": instruction, **({"stock": stock} if stock else {})}
    if account is None:
        return World(SCHEMA, session, about)
    world = World(SCHEMA, session, {**about, "customer": account.name})
    _write_account(world, account)
    return world


def signed_in(world: World) -> bool:
    return "customer" in world.about


def addresses_of(world: World) -> dict[int, Address]:
    """The address book by its ids; the first address is the usual one."""
    rows = world.read("SELECT * FROM addresses ORDER BY id")
    return {row.pop("id"): Address(**row) for row in rows}


def write_customer(world: World, name: str, email: str, book: Sequence[Address]) -> None:
    """Write who the customer is, and the address book; its first address is the usual one."""
    world.write("INSERT INTO customers (name, email) VALUES (?, ?)", (name, email))
    for address in book:
        world.write(
            "INSERT INTO addresses (name, street, city, postcode, country, phone)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            astuple(address),
        )


def _write_account(world: World, account: Account) -> None:
    write_customer(world, account.name, account.email, account.addresses)
    for order in reversed(account.orders):
        _write_order(world, order)
    for asin in account.wishes:
        world.write("INSERT INTO wishes (asin) VALUES (?)", (asin,))


def _write_order(world: World, order: Order) -> None:
    world.write(
        "INSERT INTO orders VALUES (?, ?, ?, ?)",
        (order.number, order.placed.isoformat(), order.status, as_json(asdict(order.ship_to))),
    )
    for line in order.lines:
        world.write(
            "INSERT INTO order_lines (order_number, asin, options, price, quantity)"
            " VALUES (?, ?, ?, ?, ?)",
            (order.number, line.asin, as_json(line.options), line.price, line.quantity),
        )
