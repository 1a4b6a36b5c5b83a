"""Somebody who has only the outlet's pages and the banks, as `market_reader` in the store."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from flask.testing import FlaskClient

from scenarios.store.market import wishes
from sites.store.market.goods.bank import Kind
from sites.store.outlet.address import Shop
from tests.scenarios.store.market import market_reader
from tests.scenarios.store.market.market_reader import Seen

HOST = "http://outlet.localhost"


@dataclass
class SeenInOutlet(Seen):
    """An item as its page shows it; `asin` is its slug, `charged` what the last step asks for."""

    charged: float = 0.0


def crawl(client: FlaskClient, kind: Kind) -> list[SeenInOutlet]:
    """Every item of a kind, reached by the links of the first page, lists and items."""
    front = _get(client, Shop("reader").home)
    [address] = re.findall(rf'href="([^"]+)">{re.escape(kind.name)}</a>', front)
    text = _get(client, unescape(address))
    while more := re.search(r'href="([^"]+)">Show more', text):
        text = _get(client, unescape(more[1]))
    return [
        _item(client, each, kind) for each in re.findall(r'href="(/reader/goods/[^"?]+)"', text)
    ]


def _get(client: FlaskClient, address: str) -> str:
    answer = client.get(address, base_url=HOST)
    assert answer.status_code == 200, address
    return answer.text


def _item(client: FlaskClient, address: str, kind: Kind) -> SeenInOutlet:
    html = _get(client, address)
    title = market_reader.text_of(market_reader.between(html, "<h1>", "</h1>"))
    [price] = re.findall(r'<p class="price">\$([\d.]+) plus tax', html)
    order = _get(client, re.findall(r'action="(/reader/order/[^"]+)"', html)[0])
    [total] = re.findall(r'class="total">\$([\d.]+)<', order)
    seen = SeenInOutlet(address, title, float(price), _options(html), charged=float(total))
    for label, text in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html):
        row = market_reader.text_of(label), market_reader.text_of(text)
        market_reader._read_row(kind, *row, seen.facts)
    prose = market_reader.text_of(market_reader.between(html, '<div class="about">', "</main>"))
    for fact in kind.facts.values():
        if fact.name not in seen.facts and (value := market_reader._read(fact, prose)) is not None:
            seen.facts[fact.name] = value
    return seen


def _options(html: str) -> dict[str, tuple[str, ...]]:
    colours = re.findall(r'name="colour" value="([^"]+)" aria-pressed', html)
    sizes = re.findall(r'<option value="([^"]+)"', html)
    found = {"color": colours, "size": sizes}
    return {name: tuple(map(unescape, values)) for name, values in found.items() if values}


def fits(seen: SeenInOutlet, constraint: wishes.Constraint) -> bool:
    """Whether an item meets a constraint: of a price with tax as without it."""
    if constraint.form == wishes.PRICE:
        return seen.charged <= constraint.value
    return market_reader.fits(seen, constraint)
