"""The tables of a visit's database (its world) in the store: the data that a visit can change."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from datetime import date

from sites.store.account.account import Address
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder
from sites.store.shop.journal import as_json
from sites.world import World

SCHEMA = """
CREATE TABLE purchases (
    id INTEGER PRIMARY KEY, asin TEXT NOT NULL, options TEXT NOT NULL, price REAL NOT NULL);
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL);
CREATE TABLE addresses (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, street TEXT NOT NULL, city TEXT NOT NULL,
    postcode TEXT NOT NULL, country TEXT NOT NULL, phone TEXT NOT NULL);
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
"""The SQL of the tables of a guest's visit. The columns `options` and `hits` are JSON with sorted
keys.

The column `log_pages.page` is index, results, item, the name of a sub page, or receipt; for a
signed-in visit also account, orders, order, addresses, address, wishlist, contact or category.
`number` is the page of results, reviews, orders or a category, the number of an order, or the
id of an address. The `options` of a category are its name, sort key and direction. A draft is the
text of a field of the contact form at one time; sending a message empties the fields.
"""

ACCOUNT_SCHEMA = """
CREATE TABLE address_notes (address INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE cards (id INTEGER PRIMARY KEY, brand TEXT NOT NULL, last TEXT NOT NULL);
CREATE TABLE codes (name TEXT PRIMARY KEY, rule TEXT NOT NULL);
CREATE TABLE shared_lists (person TEXT PRIMARY KEY, asins TEXT NOT NULL);
CREATE TABLE market_orders (
    number TEXT PRIMARY KEY, shop TEXT NOT NULL, placed TEXT NOT NULL, status TEXT NOT NULL,
    ship_to TEXT NOT NULL, method TEXT NOT NULL, delivered TEXT, discount INTEGER NOT NULL,
    postage INTEGER NOT NULL, extras INTEGER NOT NULL, tax INTEGER NOT NULL,
    gift_text TEXT NOT NULL, codes TEXT NOT NULL, chosen TEXT NOT NULL, card TEXT NOT NULL,
    total INTEGER NOT NULL);
CREATE TABLE market_lines (
    id INTEGER PRIMARY KEY, order_number TEXT NOT NULL, asin TEXT NOT NULL, options TEXT NOT NULL,
    revision TEXT NOT NULL, cents INTEGER NOT NULL, quantity INTEGER NOT NULL);
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY, order_number TEXT NOT NULL, day TEXT NOT NULL, cents INTEGER NOT NULL,
    reason TEXT NOT NULL);
"""
"""The SQL of the additional tables of a signed-in customer's visit.

Amounts are cents, days are ISO dates. `rule` is the JSON of a `Code`; `options`, `codes`, `chosen`,
`asins` and `ship_to` are JSON, too. `chosen` of an order lists the extras that were ordered
with it. The table `market_orders` holds the orders of all stocks; its name is kept because recorded
worlds use it.
"""


def new_world(
    session: str, instruction: str, account: MarketAccount | None = None, stock: str = ""
) -> World:
    """Return the database (world) of a new visit, without purchases.

    Args:
        instruction: The text that every page shows.
        account: The account of the customer who is signed in; None for a guest.
        stock: The name of a stock other than WebShop's.
    """
    about = {"instruction": instruction, **({"stock": stock} if stock else {})}
    return visit_world(session, about, SCHEMA + ACCOUNT_SCHEMA if account else SCHEMA, account)


def visit_world(
    session: str, about: Mapping[str, str], schema: str, account: MarketAccount | None
) -> World:
    """Return a visit's database with these tables; with an account, its customer is signed in."""
    if account is None:
        return World(schema, session, about)
    world = World(schema, session, {**about, "customer": account.name})
    _write_account(world, account)
    return world


def signed_in(world: World) -> bool:
    """Return whether the visitor is a customer who is signed in."""
    return "customer" in world.about


def addresses_of(world: World) -> dict[int, Address]:
    """Return the address book by id; the first address is the default."""
    rows = world.read("SELECT * FROM addresses ORDER BY id")
    return {row.pop("id"): Address(**row) for row in rows}


def _write_customer(world: World, name: str, email: str, book: Sequence[Address]) -> None:
    """Write the customer's name, e-mail address and address book to the database, the default
    address first.
    """
    world.write("INSERT INTO customers (name, email) VALUES (?, ?)", (name, email))
    for address in book:
        world.write(
            "INSERT INTO addresses (name, street, city, postcode, country, phone)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            astuple(address),
        )


def _write_account(world: World, account: MarketAccount) -> None:
    _write_customer(world, account.name, account.email, account.addresses)
    for number, text in enumerate(account.notes, start=1):
        if text:
            world.write("INSERT INTO address_notes VALUES (?, ?)", (number, text))
    for card in account.cards:
        world.write("INSERT INTO cards (brand, last) VALUES (?, ?)", (card.brand, card.last))
    for code in account.codes:
        rule = json.dumps(asdict(code), default=date.isoformat)
        world.write("INSERT INTO codes VALUES (?, ?)", (code.name, rule))
    for each in account.lists:
        world.write("INSERT INTO shared_lists VALUES (?, ?)", (each.person, json.dumps(each.asins)))
    for order in reversed(account.orders):
        write_order(world, order)
    for asin in account.wishes:
        world.write("INSERT INTO wishes (asin) VALUES (?)", (asin,))


def write_order(
    world: World,
    order: MarketOrder,
    codes: tuple[str, ...] = (),
    chosen: tuple[str, ...] = (),
    card: str = "",
) -> None:
    """Write an order with its lines and refunds to the database. Raises `WorldClosed` once the
    visit is over.

    Args:
        codes: The names of the discount codes that were used.
        chosen: The names of the extras that were ordered.
        card: The card that paid; only an order that is placed during the visit has a card.
    """
    world.write(
        f"INSERT INTO market_orders VALUES ({', '.join('?' * 16)})",  # noqa: S608 (own marks)
        (
            order.number,
            order.shop,
            order.placed.isoformat(),
            order.status,
            as_json(asdict(order.ship_to)),
            order.method,
            order.delivered.isoformat() if order.delivered else None,
            order.discount,
            order.postage,
            order.extras,
            order.tax,
            order.gift_text,
            json.dumps(sorted(codes)),
            json.dumps(sorted(chosen)),
            card,
            order.total,
        ),
    )
    for line in order.lines:
        _write_line(world, order.number, line)
    for refund in order.refunds:
        world.write(
            "INSERT INTO refunds (order_number, day, cents, reason) VALUES (?, ?, ?, ?)",
            (order.number, refund.day.isoformat(), refund.cents, refund.reason),
        )


def _write_line(world: World, number: str, line: MarketLine) -> None:
    world.write(
        "INSERT INTO market_lines (order_number, asin, options, revision, cents, quantity)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (number, line.asin, as_json(line.options), line.revision, line.cents, line.quantity),
    )
