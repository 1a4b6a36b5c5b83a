"""Pages of the account that a customer can open: orders, addresses, wallet, shared lists.

Each function returns the page's contents and adds a line to the journal that it was opened. It
raises `Refusal` (404) for a guest and for something that does not exist, and then writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sites.site_app import Refusal
from sites.store.account.account import Address
from sites.store.account.customer import (
    cards_of,
    codes_of,
    lists_of,
    notes_of,
    order_of,
    orders_of,
)
from sites.store.market.account.account import STORE, Card, MarketOrder, SharedList
from sites.store.market.pricing import Code
from sites.store.market.shops import journal_options
from sites.store.shop import operations
from sites.store.shop.journal import log_page
from sites.store.shop.world import addresses_of, signed_in
from sites.world import World

ORDERS_PER_PAGE = 10
LAST_ORDERS = 5
SIGN_IN = "This page is for customers who have signed in."


@dataclass(frozen=True)
class Noted:
    """An address of the address book with the customer's own note about it; `note` is "" if there
    is none.
    """

    number: int
    address: Address
    note: str


@dataclass(frozen=True)
class Dashboard:
    """The contents of the account's first page: `orders` are the last five, `address` is the
    default address.
    """

    name: str
    email: str
    address: Address | None
    orders: Sequence[MarketOrder]


@dataclass(frozen=True)
class OrdersPage:
    """One page of the orders, newest first; `last` is the number of the last page."""

    page: int
    last: int
    orders: Sequence[MarketOrder]


@dataclass(frozen=True)
class Wallet:
    """The cards and the discount codes of a customer."""

    cards: Sequence[Card]
    codes: Sequence[Code]


def dashboard(world: World, shop: str = STORE) -> Dashboard:
    """Return the contents of the account's first page, and record that it was opened."""
    check_customer(world)
    [customer] = world.read("SELECT * FROM customers")
    log_page(world, "account", options=journal_options(shop))
    book = _book(world)
    return Dashboard(
        name=customer["name"],
        email=customer["email"],
        address=book[0].address if book else None,
        orders=orders_of(world, shop)[:LAST_ORDERS],
    )


def orders(world: World, page: int = 1, shop: str = STORE) -> OrdersPage:
    """Return a page of My Orders, and record that it was opened. Raises `Refusal` (404) if there is
    no such page.
    """
    check_customer(world)
    last, shown = operations.turn(orders_of(world, shop), page, ORDERS_PER_PAGE, "of your orders")
    log_page(world, "orders", options=journal_options(shop), number=page)
    return OrdersPage(page, last, shown)


def order(world: World, number: str, shop: str = STORE) -> MarketOrder:
    """Return an order, and record that its page was opened. Raises `Refusal` (404)."""
    found = find(world, number, shop)
    log_page(world, "order", options=journal_options(shop), number=int(found.number))
    return found


def find(world: World, number: str, shop: str = STORE) -> MarketOrder:
    """Return the order with this number without recording that its page was opened. Raises
    `Refusal` (404).
    """
    check_customer(world)
    found = order_of(world, number, shop)
    if found is None:
        raise Refusal(404, f"You have no order “{operations.short(number)}”.")
    return found


def last_page(world: World) -> int:
    """Return the number of the page of My Orders that was opened last, or 1."""
    sql = "SELECT number FROM log_pages WHERE page = 'orders' ORDER BY id DESC LIMIT 1"
    return next((int(row["number"]) for row in world.read(sql)), 1)


def opened_pages(world: World) -> set[str]:
    """Return the names of the pages that were opened. "help" is in the set only if the overview of
    all help pages was opened; single help pages are left out.
    """
    rows = world.read("SELECT DISTINCT page, options FROM log_pages")
    return {
        row["page"]
        for row in rows
        if row["page"] != "help" or "topic" not in json.loads(row["options"] or "{}")
    }


def opened_orders(world: World) -> set[str]:
    """Return the numbers of the orders whose pages the visitor has opened."""
    rows = world.read("SELECT DISTINCT number FROM log_pages WHERE page = 'order'")
    return {str(row["number"]) for row in rows}


def addresses(world: World, shop: str = STORE) -> Sequence[Noted]:
    """Return the address book with notes, the default address first, and record that it
    was opened.
    """
    check_customer(world)
    log_page(world, "addresses", options=journal_options(shop))
    return _book(world)


def wallet(world: World, shop: str = STORE) -> Wallet:
    """Return the wallet (the cards, with the default card first, and the discount codes), and
    record that it was opened.
    """
    check_customer(world)
    log_page(world, "wallet", options=journal_options(shop))
    return Wallet([*cards_of(world).values()], [*codes_of(world).values()])


def shared_lists(world: World, shop: str = STORE) -> Sequence[SharedList]:
    """Return the lists that other people share, sorted by the person's name, and record that their
    overview was opened.
    """
    check_customer(world)
    log_page(world, "lists", options=journal_options(shop))
    return lists_of(world)


def shared_list(world: World, person: str, shop: str = STORE) -> SharedList:
    """Return the list that another person shares, and record that it was opened. Raises `Refusal`
    (404).
    """
    check_customer(world)
    found = next((each for each in lists_of(world) if each.person == person), None)
    if found is None:
        raise Refusal(404, f"Nobody called “{operations.short(person)}” shares a list with you.")
    log_page(world, "shared", options=journal_options(shop, person=person))
    return found


def opened_lists(world: World) -> set[str]:
    """Return the names of the people whose shared lists were opened."""
    rows = world.read("SELECT DISTINCT options FROM log_pages WHERE page = 'shared'")
    return {json.loads(row["options"])["person"] for row in rows}


def last_list(world: World) -> dict[str, str]:
    """Return the account page that was opened last among the pages with links to items.

    The mapping has the key "page" and perhaps "number" or "person"; it is empty if no such page was
    opened.
    """
    rows = world.read(
        "SELECT page, options, number FROM log_pages"
        " WHERE page IN ('account', 'orders', 'order', 'shared', 'wishlist', 'subscription')"
        " ORDER BY id DESC LIMIT 1"
    )
    for row in rows:
        number = {} if row["number"] is None else {"number": str(row["number"])}
        return {"page": row["page"], **number, **json.loads(row["options"] or "{}")}
    return {}


def check_customer(world: World) -> None:
    """Raise `Refusal` (404) if the visitor is a guest."""
    if not signed_in(world):
        raise Refusal(404, SIGN_IN)


def _book(world: World) -> Sequence[Noted]:
    notes, book = notes_of(world), addresses_of(world)
    return [Noted(number, each, notes.get(number, "")) for number, each in book.items()]
