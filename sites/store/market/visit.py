"""A visit to the market: its tables, how it begins, and how an order is written into it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date

from sites.store.market import offers
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder
from sites.store.market.offers import Offers
from sites.store.market.pricing import ShopRules
from sites.store.shop.data import MARKET
from sites.store.shop.journal import as_json
from sites.store.shop.world import SCHEMA, write_customer
from sites.world import World

CART = "cart"
"""The entry of `about` of a world whose items are put into a cart, not bought at once."""
MARKET_SCHEMA = """
CREATE TABLE address_notes (address INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE cards (id INTEGER PRIMARY KEY, brand TEXT NOT NULL, last TEXT NOT NULL);
CREATE TABLE codes (name TEXT PRIMARY KEY, rule TEXT NOT NULL);
CREATE TABLE shared_lists (person TEXT PRIMARY KEY, asins TEXT NOT NULL);
CREATE TABLE cart_lines (
    id INTEGER PRIMARY KEY, shop TEXT NOT NULL, asin TEXT NOT NULL, options TEXT NOT NULL,
    quantity INTEGER NOT NULL, saved INTEGER NOT NULL);
CREATE TABLE checkouts (
    shop TEXT PRIMARY KEY, address INTEGER, method TEXT NOT NULL, gift_text TEXT NOT NULL,
    extras TEXT NOT NULL, codes TEXT NOT NULL, card INTEGER, subscribed INTEGER NOT NULL);
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
"""Amounts are cents; `rule` is a `Code`, `options`, `codes`, `chosen`, `extras`, `asins` and
`ship_to` are JSON. `chosen` of an order are the extras that it was placed with. A line of a cart
with `saved` 1 is kept for later. `checkouts` holds what was chosen so far in the checkout of a
shop; placing the order takes its row and the cart's lines away."""


def new_market_world(
    session: str,
    instruction: str,
    account: MarketAccount | None = None,
    offered: Offers | None = None,
    rules: Mapping[str, ShopRules] | None = None,
    *,
    cart: bool = False,
) -> World:
    """A visit to the market that has just begun; with an account its customer is signed in.

    `rules` are those of the shops (by name) that differ from the usual ones. With a cart there is
    no Buy Now.
    """
    about = {"instruction": instruction, "stock": MARKET, **({CART: "yes"} if cart else {})}
    if offered or rules:
        about |= offers.about(offered or {}, rules or {})
    if account is not None:
        about["customer"] = account.name
    world = World(SCHEMA + MARKET_SCHEMA, session, about)
    if account is not None:
        _write_account(world, account)
    return world


def is_market(world: World) -> bool:
    """Whether this visitor is at the market."""
    return world.about.get("stock") == MARKET


def has_cart(world: World | None) -> bool:
    """Whether this visitor buys by a cart."""
    return world is not None and CART in world.about


def _write_account(world: World, account: MarketAccount) -> None:
    write_customer(world, account.name, account.email, account.addresses)
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


def write_order(
    world: World,
    order: MarketOrder,
    codes: tuple[str, ...] = (),
    chosen: tuple[str, ...] = (),
    card: str = "",
) -> None:
    """Write an order with its lines and refunds; one that is placed in the visit has a card.

    Raises `WorldClosed`.
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
