"""Texts and layout of the account's pages, which differ between WebShop's products and the second
catalogue (the market).

The pages work alike for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sites.store.market.visit import is_market
from sites.world import World


@dataclass(frozen=True)
class Look:
    """The texts and table columns with which one stock (WebShop's products or the market's) shows
    an account.

    Attributes:
        ways: The pages to which the header links, as named in `pages.WAYS`.
        shelves: Whether the header also links to the categories.
        remembers: Whether links show that they were followed. If so, an order also links back to
            the page of My Orders that was opened last.
        usual: The label of the default address.
        columns: The columns of a list of orders.
        item: The first column of an order's lines.
        detail: The second column of an order's lines.
        statuses: The sentence about an order for each status.
    """

    ways: tuple[str, ...]
    shelves: bool
    remembers: bool
    usual: str
    recent: str
    about_orders: str
    about_addresses: str
    change_usual: str
    columns: tuple[str, ...]
    item: str
    detail: str
    ship_to: str
    statuses: Mapping[str, str]


WEBSHOP = Look(
    ways=("account", "orders", "wishlist", "contact"),
    shelves=True,
    remembers=False,
    usual="Default address",
    recent="Recent orders",
    about_orders="",
    about_addresses=(
        "New orders go to the default address. Orders that were placed keep their own address;"
        " an order that waits can be sent elsewhere on its page."
    ),
    change_usual="Change Default Address",
    columns=("Order", "Date", "Ship To", "Total", "Status", "Action"),
    item="Product",
    detail="Code",
    ship_to="Shipping address",
    statuses={
        "Complete": "This order was delivered. Nothing about it can be changed.",
        "Shipped": "This order has shipped. Its address and its items can no longer be changed.",
        "Processing": (
            "This order is being prepared. Its address and its items cannot be changed, and it"
            " cannot be canceled here."
        ),
        "Pending": (
            "This order waits for its payment. It can still be sent to another address of yours."
        ),
        "On Hold": "This order is on hold. It can still be sent to another address of yours.",
        "Canceled": "This order was canceled and nothing was charged. It cannot be changed.",
    },
)
MARKET = Look(
    ways=("account", "orders", "addresses", "wallet", "lists", "wishlist", "help"),
    shelves=False,
    remembers=True,
    usual="Usual address",
    recent="Last orders",
    about_orders=(
        "The newest first. A total is what was charged for the order; what was paid back later"
        " stands on its page."
    ),
    about_addresses="The notes are your own. Nobody else sees them.",
    change_usual="Change Address",
    columns=("Order", "Date", "Items", "Ship To", "Status", "Total"),
    item="Item",
    detail="Department",
    ship_to="Ship to",
    statuses={
        "Complete": "This order was delivered.",
        "Returned": "All goods of this order came back and were paid back.",
        "Shipped": "This order is on its way.",
        "Processing": "This order is being prepared.",
        "Canceled": "This order was canceled and nothing was charged.",
    },
)


def look_of(world: World) -> Look:
    """Return the texts and layout of the account's pages for the visitor with this database."""
    return MARKET if is_market(world) else WEBSHOP
