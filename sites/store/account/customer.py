"""Functions that read the customer's data from the visit's database: address notes, cards, codes,
shared lists and orders.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from sites.store.account.account import Address
from sites.store.market.account.account import (
    STORE,
    Card,
    MarketLine,
    MarketOrder,
    Refund,
    SharedList,
    code_from,
)
from sites.store.market.pricing import Code
from sites.world import Row, World


def notes_of(world: World) -> dict[int, str]:
    """Return the customer's own notes about addresses, by the id of the address."""
    rows = world.read("SELECT address, text FROM address_notes")
    return {row["address"]: row["text"] for row in rows}


def cards_of(world: World) -> dict[int, Card]:
    """Return the customer's cards by their ids; the first card is the default."""
    rows = world.read("SELECT * FROM cards ORDER BY id")
    return {row["id"]: Card(row["brand"], row["last"]) for row in rows}


def codes_of(world: World) -> dict[str, Code]:
    """Return the discount codes in the customer's wallet by name, including the expired codes."""
    rows = world.read("SELECT * FROM codes ORDER BY rowid")
    return {row["name"]: code_from(row["rule"]) for row in rows}


def lists_of(world: World) -> Sequence[SharedList]:
    """Return the wish lists that other people share with the customer, sorted by person."""
    rows = world.read("SELECT person, asins FROM shared_lists ORDER BY person")
    return [SharedList(row["person"], tuple(json.loads(row["asins"]))) for row in rows]


def orders_of(world: World, shop: str = STORE) -> list[MarketOrder]:
    """Return all orders of this visit in one shop, the newest first."""
    rows = world.read(
        "SELECT * FROM market_orders WHERE shop = ? ORDER BY placed DESC, number DESC", (shop,)
    )
    lines = _by_order(world.read("SELECT * FROM market_lines ORDER BY id"))
    refunds = _by_order(world.read("SELECT * FROM refunds ORDER BY id"))
    return [_order(row, lines[row["number"]], refunds[row["number"]]) for row in rows]


def order_of(world: World, number: str, shop: str = STORE) -> MarketOrder | None:
    """Return the order with this number, or None if the shop has no such order."""
    of = (number,)
    rows = world.read("SELECT * FROM market_orders WHERE number = ? AND shop = ?", (number, shop))
    lines = world.read("SELECT * FROM market_lines WHERE order_number = ? ORDER BY id", of)
    refunds = world.read("SELECT * FROM refunds WHERE order_number = ? ORDER BY id", of)
    return next((_order(row, lines, refunds) for row in rows), None)


def _by_order(rows: Iterable[Row]) -> Mapping[str, list[Row]]:
    found = defaultdict[str, list[Row]](list)
    for row in rows:
        found[row["order_number"]].append(row)
    return found


def _order(row: Row, lines: Iterable[Row], refunds: Iterable[Row]) -> MarketOrder:
    return MarketOrder(
        number=row["number"],
        placed=date.fromisoformat(row["placed"]),
        status=row["status"],
        lines=tuple(_line(each) for each in lines),
        ship_to=Address(**json.loads(row["ship_to"])),
        shop=row["shop"],
        method=row["method"],
        delivered=date.fromisoformat(row["delivered"]) if row["delivered"] else None,
        discount=row["discount"],
        postage=row["postage"],
        extras=row["extras"],
        tax=row["tax"],
        gift_text=row["gift_text"],
        refunds=tuple(_refund(each) for each in refunds),
    )


def _line(row: Row) -> MarketLine:
    options = json.loads(row["options"])
    return MarketLine(row["asin"], row["cents"], row["quantity"], options, row["revision"])


def _refund(row: Row) -> Refund:
    return Refund(date.fromisoformat(row["day"]), row["cents"], row["reason"])
