"""Somebody who has only a customer's pages: what was bought at a time, and what a visitor is
offered otherwise than the catalogue says. Neither gold nor details are looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from flask.testing import FlaskClient

from sites.store.shop.address import Visit
from tests.scenarios.store.market.market_reader import between, get, price, text_of

SEASONS = {
    "in spring": (3, 5), "in summer": (6, 8), "last fall": (9, 11), "in April": (4, 4),
    "in July": (7, 7), "in September": (9, 9), "in October": (10, 10), "in November": (11, 11),
}  # fmt: skip
"""What the times that customers name mean: the first and the last month of last year."""
_ORDER = re.compile(r'<td><a[^>]* href="[^"]*">(\d{9})</a></td>\s*<td>([^<]+)</td>')
_LINE = re.compile(
    r'<td><a href="[^"]*?/(M0\w{8})/[^"]*">(?P<name>[^<]+)</a>(?P<chosen>.*?)</td>\s*'
    r"<td>(?P<department>[^<]*)</td>\s*<td[^>]*>\$(?P<price>[\d,.]+)</td>",
    re.DOTALL,
)
_REVISION = re.compile(r"<dt>revision</dt><dd>(\w+)</dd>")
_PACK = re.compile(r"One pack holds (\d+) (\w+)\.")


@dataclass(frozen=True)
class Bought:
    """A line of an order; `price` is that of one."""

    asin: str
    name: str
    price: float
    revision: str


@dataclass(frozen=True)
class Offered:
    """What an item's page says of its price, its pack, what it fits, and whether it is sold."""

    price: float
    pieces: int
    fits: tuple[tuple[str, str], ...]
    is_sold: bool


def bought(client: FlaskClient, session: str, instruction: str) -> list[Bought]:
    """All that was bought at the time that the instruction names."""
    [months] = [months for when, months in SEASONS.items() if f" {when}" in instruction]
    home, found = Visit(session), list[Bought]()
    for number, day in _orders(client, home):
        if day.year == 2025 and months[0] <= day.month <= months[1]:
            html = get(client, home.order(number))
            found += _lines(html)
    return found


def _orders(client: FlaskClient, home: Visit) -> Iterator[tuple[str, date]]:
    page = 1
    while True:
        html = get(client, home.orders(page))
        for number, day in _ORDER.findall(html):
            yield number, datetime.strptime(day, "%B %d, %Y").date()  # noqa: DTZ007 (a day)
        if "Next page" not in html:
            return
        page += 1


def _lines(html: str) -> Iterator[Bought]:
    for match in _LINE.finditer(html):
        revision = _REVISION.findall(match["chosen"])
        yield Bought(
            match[1], text_of(match["name"]), float(match["price"].replace(",", "")),
            revision[0] if revision else "",
        )  # fmt: skip


def crumbs(client: FlaskClient, session: str, asin: str) -> str:
    """The breadcrumb of an item."""
    html = get(client, Visit(session).item(asin, {}))
    return text_of(between(html, '<p class="crumbs">', "</p>"))


def offered(client: FlaskClient, session: str, asin: str) -> Offered:
    html = get(client, Visit(session).item(asin, {}))
    pack = _PACK.search(html)
    table = between(html, '<table class="spec fits">', "</table>")
    rows = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', table)
    return Offered(
        price=price(html),
        pieces=int(pack[1]) if pack else 0,
        fits=tuple((text_of(device), text_of(revisions)) for device, revisions in rows),
        is_sold="Buy Now" in html,
    )


def fits(offer: Offered, owned: Bought) -> bool:
    return any(
        device == owned.name and owned.revision in _named(revisions)
        for device, revisions in offer.fits
    )


def _named(stated: str) -> set[str]:
    """The revisions of a sentence such as "3 to 5, not 4S", up to 9."""
    main, *exceptions = stated.split(", ")
    first, *more = re.findall(r"\d+S?", main)
    if "later" in main:
        found = {str(number) for number in range(int(first), 10)}
    elif main.startswith("up to"):
        found = {str(number) for number in range(1, int(first) + 1)}
    elif " to " in main:
        found = {str(number) for number in range(int(first), int(more[0]) + 1)}
    else:
        found = {first, *more}
    for each in exceptions:
        word, revision = each.split()
        found = found | {revision} if word == "also" else found - {revision}
    return found
