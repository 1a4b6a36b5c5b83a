"""Somebody who has only a customer's pages and knows what to cancel and what to order again:
neither gold nor details are looked at, so whatever is found here can be found on the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from flask.testing import FlaskClient

from sites.months import MONTHS
from sites.store.shop.address import Visit
from tests.scenarios.store.market.market_reader import between, get, text_of

HOME = Visit("reader")
_ITEM = r'href="/item_page/reader/(M0\w{8})/[^"]*">([^<]+)</a>'
_PRICE = r"\$([\d,]+\.\d\d)"


@dataclass(frozen=True)
class Pack:
    """The page of a pack: the line above its name, what its specification says, its pieces, the
    other packs of its line, and what succeeds it."""

    asin: str
    name: str
    kind: str
    specification: str
    cents: int
    pieces: int
    is_sold: bool
    line: tuple[str, ...]
    successor: str


@dataclass(frozen=True)
class Subscribed:
    number: int
    asin: str
    name: str
    months: int
    packs: int
    cents: int


@dataclass(frozen=True)
class Bought:
    """A line of an order that counts."""

    day: date
    asin: str
    quantity: int


def cents(text: str) -> int:
    return round(float(text.replace(",", "")) * 100)


def day(text: str) -> date:
    month, number, year = text.replace(",", "").split()
    return date(int(year), MONTHS.index(month) + 1, int(number))


def pack(client: FlaskClient, asin: str) -> Pack:
    html = get(client, HOME.item(asin, {}))
    text = text_of(html)
    table = between(html, '<table class="spec">', "</table>")
    others = html.partition('<section class="packs">')[2].partition("</section>")[0]
    found = re.findall(r"One pack holds (\d+) ", text)
    after = re.findall(r"Its successor: <a[^>]*" + _ITEM, html)
    return Pack(
        asin=asin,
        name=text_of(between(html, "<h2>", "</h2>")),
        kind=text_of(between(html, '<p class="crumbs">', "</p>")),
        specification=text_of(table),
        cents=cents(re.findall(r"Price: " + _PRICE, text)[0]),
        pieces=int(found[0]),
        is_sold="No longer sold" not in text,
        line=tuple(each for each, _ in re.findall(_ITEM, others)),
        successor=after[0][0] if after else "",
    )


# Subscriptions -----------------------------------------------------------------------------------

_MONTHS = {"Every month": 1, "Every two months": 2, "Canceled": 0}


def subscriptions(client: FlaskClient) -> list[Subscribed]:
    html = get(client, HOME.subscriptions)
    numbers = re.findall(r'<h4><a[^>]*href="/account/reader/subscriptions/(\d+)"', html)
    return [_subscription(client, int(each)) for each in numbers]


def _subscription(client: FlaskClient, number: int) -> Subscribed:
    html = get(client, HOME.subscription(number))
    [(asin, name)] = re.findall(r"<td><a[^>]*" + _ITEM, html)
    cells = dict(re.findall(r'<th scope="row">([^<]+)</th><td>([^<]+)</td>', html))
    price = re.findall(_PRICE, cells["Price of one pack today"])[0]
    return Subscribed(
        number=number,
        asin=asin,
        name=name,
        months=_MONTHS[cells["Comes"]],
        packs=int(cells["Packs in a delivery"]),
        cents=cents(price),
    )


def messages(client: FlaskClient) -> list[str]:
    """What they say, the oldest first."""
    html = get(client, HOME.messages)
    numbers = re.findall(r'href="/account/reader/messages/(\d+)"', html)
    pages = [get(client, HOME.message(int(each))) for each in numbers]
    return [text_of(between(each, "<article>", "</article>")) for each in pages][::-1]


def announced(texts: Sequence[str], start: date) -> dict[str, int]:
    """The price of each pack that holds from a day on; a later message counts more."""
    found = {}
    for text in texts:
        prices = re.findall(
            r"one pack (?:of .*)?will cost " + _PRICE + r" from (\w+ \d+, \d+) on", text
        )
        for price, since in prices:
            if day(since) <= start:
                [code] = re.findall(r"\b[A-Z]{2}-\d{4}\b", text)
                found[code] = cents(price)
    return found


def tax(client: FlaskClient) -> Fraction:
    text = text_of(get(client, HOME.help("taxes")))
    return Fraction(re.findall(r"Tax is ([\d.]+)% of the goods", text)[0]) / 100


# Orders ------------------------------------------------------------------------------------------


def usual_address(client: FlaskClient) -> str:
    html = get(client, HOME.addresses)
    return text_of(between(html, "<address>", "</address>"))


def orders(client: FlaskClient) -> Iterator[Bought]:
    """Lines from Supplies of all orders that count, the newest first."""
    usual, page, last = usual_address(client), 1, False
    while not last:
        html = get(client, HOME.orders(page))
        for number in re.findall(r'href="/account/reader/orders/(\d{9})">', html):
            yield from _lines(get(client, HOME.order(number)), usual)
        last, page = "Next page" not in html, page + 1


def _lines(html: str, usual: str) -> Iterator[Bought]:
    if "This order was delivered." not in html:
        return
    if text_of(between(html, "<address>", "</address>")) != usual:
        return
    placed = day(re.findall(r"Placed on (\w+ \d+, \d+)", html)[0])
    rows = re.findall(
        r"<tr>\s*<td>(.*?)</tr>", between(html, '<table class="lines">', "</table>"), re.DOTALL
    )
    for row in rows:
        if "<td>Supplies</td>" in row:
            [(asin, _)] = re.findall(_ITEM, row)
            quantity = re.findall(r'data-label="Quantity">(\d+)<', row)
            yield Bought(placed, asin, int(quantity[0]))
