"""Functions that parse the values of a request, and that add links to the refusals of the store's
pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from flask import current_app, request

from sites.site_app import Refusal
from sites.store.catalogue.stock import Stock
from sites.store.market import outdated
from sites.store.market.goods.stock import Market
from sites.store.shop import address
from sites.store.shop.address import Visit
from sites.store.shop.data import StoreData
from sites.world import World

NUMBER = re.compile(r"[0-9]{1,9}")
NOT_OURS = "This form is not from our page. Open the page again and send it there."


def site_data() -> StoreData:
    """Return the product data of the Flask application that handles the request."""
    data: StoreData = current_app.extensions["store"]
    return data


def stock_of(world: World) -> Stock:
    """Return the stock from which the visitor with this database can buy."""
    return site_data().of(world)


def listed_stock(world: World) -> Stock:
    """Return the stock as lists and items show it: at the market perhaps with outdated prices."""
    stock = stock_of(world)
    return outdated.listed(world, stock) if isinstance(stock, Market) else stock


def read_visit(session: str, keywords: str, page: str) -> Visit:
    """Return the session, keywords and page in the address of a results page. Raises `Refusal`."""
    try:
        return Visit(session, address.read_keywords(keywords), read_number(page))
    except ValueError:
        sentence = "The keywords in this address cannot be read. Search for them again."
        raise Refusal(400, sentence) from None


def read_options(text: str) -> dict[str, str]:
    """Return the product options in an address, by name. Raises `Refusal`."""
    try:
        return address.read_options(text)
    except ValueError:
        sentence = "The options in this address cannot be read. Choose them on the item's page."
        raise Refusal(400, sentence) from None


def read_narrowing(stock: Stock) -> dict[str, str]:
    """Return the filters and the sort order in the request's address, as far as the stock
    has them.
    """
    return {name: value for name, value in request.args.items() if name in stock.facet_names}


def read_number(text: str) -> int:
    """Return the number that a part of an address states. Raises `Refusal` (404)."""
    return _number(text, 404, "This address holds no page number. Search again.")


def read_page() -> int:
    """Return the page number in the query, or 1. Raises `Refusal` (404)."""
    sentence = "There is no such page. Use the links at the end of the list."
    return _number(request.args.get("page", "1"), 404, sentence)


def read_count(field: str, sentence: str = NOT_OURS) -> int:
    """Return the number of purchases or messages that a field of the posted form states; it was
    counted when the form was rendered. Raises `Refusal` (400).
    """
    return _number(request.form.get(field, ""), 400, sentence)


def read_id(field: str) -> int | None:
    """Return the id in a field of the posted form; None without the field, 0 (never an id) if it is
    no number.
    """
    typed = request.form.get(field)
    if typed is None:
        return None
    return int(typed) if NUMBER.fullmatch(typed) else 0


def read_quantities() -> dict[str, str]:
    """Return the typed quantities in a posted cart, as texts by the ids of the cart's lines."""
    start = "quantity-"
    return {
        name.removeprefix(start): text
        for name, text in request.form.items()
        if name.startswith(start)
    }


def _number(text: str, status: int, sentence: str) -> int:
    if not NUMBER.fullmatch(text):
        raise Refusal(status, sentence)
    return int(text)


@contextmanager
def refusals_lead_to(link: str, label: str) -> Iterator[None]:
    """Add a link with this label to any refusal that is raised in this context manager."""
    try:
        yield
    except Refusal as refusal:
        refusal.link, refusal.label = link, label
        raise
