"""Somebody who has only the pages of both shops: finds a thing by its maker's number in each, and
reckons what an order comes to by what the shops state. Neither gold nor details are looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import product

from flask.testing import FlaskClient

from sites.store.shop.address import Visit
from tests.scenarios.store.market.market_reader import between, text_of

HOST = {"store": "http://store.localhost", "outlet": "http://outlet.localhost"}
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4}
PATTERNS = {
    "number": r"[A-Z]{2}-\d{4}-[A-Z]",
    "design": ".+?",
    "n": r"\w+",
    "n_first": r"\w+",
    "city": ".+?",
    "items": ".+?",
}
_ITEM = re.compile(rf"(\w+) pieces? of ({PATTERNS['number']}) \(([^)]+)\)")


@dataclass(frozen=True)
class Asked:
    """A thing that the customer wants."""

    number: str
    design: str
    pieces: int


@dataclass(frozen=True)
class Sold:
    """What a shop says of a thing; `stock` None where it names none. `asin` is the store's."""

    cents: int
    kind: str = ""
    pack: int = 1
    stock: int | None = None
    is_sold: bool = True
    asin: str = ""

    def has(self, pieces: int) -> bool:
        enough = self.stock is None or self.stock * self.pack >= pieces
        return self.is_sold and enough and pieces % self.pack == 0


@dataclass(frozen=True)
class Code:
    """`kind` is "" for everything."""

    name: str
    percent: int
    kind: str
    over: int


@dataclass(frozen=True)
class Charges:
    """What a shop adds; `tax` in thousandths."""

    methods: Mapping[str, int]
    free: tuple[str, int]
    bulky: int
    bulky_kinds: str
    tax: int
    least: int = 0


@dataclass(frozen=True, order=True)
class Order:
    """What a shop charges for some things, delivered so, with these codes; `lines` are asins and
    how many of what the shop sells."""

    total: int
    shop: str
    lines: tuple[tuple[str, int], ...]
    method: str
    codes: tuple[str, ...]


# The customer's words ----------------------------------------------------------------------------


def read(
    frames: Sequence[str], instruction: str, patterns: Mapping[str, str] = PATTERNS
) -> dict[str, str]:  # fmt: skip
    """What stands in the places of the frame that the instruction holds."""
    for frame in frames:
        pattern = re.sub(
            r"\\\{(\w+)\\\}", lambda at: f"(?P<{at[1]}>{patterns[at[1]]})", re.escape(frame)
        )
        found = re.search(pattern, instruction)
        if found:
            return found.groupdict()
    raise AssertionError(instruction)


def one(frames: Sequence[str], instruction: str) -> Asked:
    stated = read(frames, instruction)
    pieces = stated.get("n") or stated["n_first"]
    return Asked(stated["number"], stated["design"], NUMBERS[pieces.lower()])


def several(frames: Sequence[str], instruction: str) -> list[Asked]:
    items = read(frames, instruction)["items"]
    return [Asked(number, design, NUMBERS[n]) for n, number, design in _ITEM.findall(items)]


# The pages ---------------------------------------------------------------------------------------


def page(client: FlaskClient, shop: str, address: str) -> str:
    answer = client.get(address, base_url=HOST[shop])
    assert answer.status_code == 200, address
    return answer.text


def sold(client: FlaskClient, session: str, asked: Asked) -> dict[str, Sold]:
    """What each shop says of a thing."""
    there = _in_outlet(client, session, asked.number)
    return {"store": _in_store(client, session, asked, there.kind), "outlet": there}


def _in_store(client: FlaskClient, session: str, asked: Asked, kind: str) -> Sold:
    """The list has some of the same design; their pages tell which bears the number."""
    home = Visit(session)
    results = page(client, "store", Visit(session, tuple(asked.design.split())).results())
    found = []
    for asin in dict.fromkeys(re.findall(r"product-link[^>]*>(\w{10})<", results)):
        html = page(client, "store", home.item(asin, {}))
        if f"Maker's number: {asked.number}<" in unescape(html):
            found.append(Sold(_price(html, r"Price: \$([\d.,]+)"), kind, *_offer(html), asin))
    [only] = found
    return only


def _in_outlet(client: FlaskClient, session: str, number: str) -> Sold:
    results = page(client, "outlet", f"/{session}/search?q={number}")
    listed = between(results, '<ol class="finds">', "</ol>")
    [address] = re.findall(rf'href="(/{session}/goods/[^"?]+)"', listed)
    html = page(client, "outlet", address)
    assert text_of(between(html, "<h1>", "</h1>")).startswith(number)
    kind = text_of(between(between(html, '<p class="where">', "</p>"), "<span>", "</span>"))
    return Sold(_price(html, r'"price">\$([\d.,]+) plus tax'), kind, *_offer(html))


def _offer(html: str) -> tuple[int, int | None, bool]:
    """The pieces of a pack, what is in stock, and whether it is sold."""
    pack, stock = (
        re.search(r"One pack holds (\d+) pieces", html),
        re.search(r"(\d+) in stock", html),
    )
    return int(pack[1]) if pack else 1, int(stock[1]) if stock else None, "Quantity" in html


def _price(html: str, pattern: str) -> int:
    return _cents(re.findall(pattern, html)[0])


def _cents(text: str) -> int:
    return round(float(text.replace(",", "")) * 100)


def store_charges(client: FlaskClient, session: str) -> Charges:
    text = text_of(page(client, "store", Visit(session).help("delivery")))
    tax = text_of(page(client, "store", Visit(session).help("taxes")))
    rate = re.search(r"Tax is ([\d.]+)% of the goods", tax)
    assert rate or "include" in tax
    [free] = re.findall(r"(\w+) is free for orders whose goods come to \$([\d,.]+) or", text)
    [bulky] = re.findall(r"For ([^.]+) \$([\d.]+) is added for each piece", text)
    return Charges(
        methods={n: _cents(c) for n, c in re.findall(r"(\w+) costs \$([\d.]+) and arrives", text)},
        free=(free[0], _cents(free[1])),
        bulky=_cents(bulky[1]),
        bulky_kinds=bulky[0],
        tax=round(float(rate[1]) * 10) if rate else 0,
    )


def outlet_charges(client: FlaskClient, session: str) -> Charges:
    html = page(client, "outlet", f"/{session}/help")
    text = text_of(html)
    [free] = re.findall(r"(\w+) is free once the goods come to \$([\d,.]+) without tax", text)
    [bulky] = re.findall(r"Bulky goods cost \$([\d.]+) more a piece, [^:]+: ([^.]+)\.", text)
    [tax] = re.findall(r"Tax of ([\d.]+) % is added to the goods", text)
    [least] = re.findall(r"must come to \$([\d.,]+) at least", text)
    ways = re.findall(r'<th scope="row">([^<]+)</th><td>\$([\d.]+)</td>', html)
    return Charges(
        methods={name: _cents(cost) for name, cost in ways},
        free=(free[0], _cents(free[1])),
        bulky=_cents(bulky[0]),
        bulky_kinds=bulky[1],
        tax=round(float(tax) * 10),
        least=_cents(least),
    )


def codes(client: FlaskClient, session: str) -> list[Code]:
    html = page(client, "store", Visit(session).wallet)
    found = re.findall(r"<strong>(\w+)</strong> <span>(\d+)% off ([^,;<]+)([^<]*)</span>", html)
    assert len(found) == html.count("<strong>")
    return [
        Code(name, int(percent), what.removeprefix("all ").replace("everything", ""), _over(more))
        for name, percent, what, more in found
    ]


def _over(more: str) -> int:
    found = re.search(r"if [^$]+ come to \$([\d,.]+) or more", more)
    return _cents(found[1]) if found else 0


def usual_city(client: FlaskClient, session: str) -> str:
    """The city of the usual address, which no other address may share."""
    html = page(client, "store", Visit(session).addresses)
    lines = [each.split("<br>")[2] for each in re.findall(r"<address>(.*?)</address>", html)]
    usual, *others = (each.rpartition(" ")[0] for each in lines)
    assert usual not in others
    return usual


# What it comes to --------------------------------------------------------------------------------


def cheapest(
    shop: str, lines: Sequence[tuple[Sold, str, int]], charges: Charges, wallet: Sequence[Code]
) -> Order | None:
    """The cheapest of all ways and codes for these things (with their asins) in so many pieces;
    None where the shop does not take the order."""
    goods = sum(_cost(thing, pieces) for thing, _, pieces in lines)
    if goods < charges.least or not all(thing.has(pieces) for thing, _, pieces in lines):
        return None
    counted = tuple(sorted((asin, pieces // thing.pack) for thing, asin, pieces in lines))
    found = []
    for method, code in product(charges.methods, (None, *wallet)):
        off = _off(lines, code) if code else 0
        if code is None or off:
            used = (code.name,) if code else ()
            total = goods - off + _added(lines, goods - off, method, charges)
            found.append(Order(total, shop, counted, method, used))
    first, second = sorted(found)[:2]
    assert first.total < second.total
    return first


def _cost(thing: Sold, pieces: int) -> int:
    return thing.cents * (pieces // thing.pack)


def _off(lines: Sequence[tuple[Sold, str, int]], code: Code) -> int:
    own = sum(_cost(thing, n) for thing, _, n in lines if code.kind in ("", thing.kind))
    return _half_up(own * code.percent, 100) if own >= code.over else 0


def _added(
    lines: Sequence[tuple[Sold, str, int]], left: int, method: str, charges: Charges
) -> int:  # fmt: skip
    """Postage, what bulky things cost more, and tax."""
    bulky = sum(n // thing.pack for thing, _, n in lines if thing.kind in charges.bulky_kinds)
    is_free = method == charges.free[0] and left >= charges.free[1]
    postage = 0 if is_free else charges.methods[method]
    return postage + bulky * charges.bulky + _half_up(left * charges.tax, 1000)


def _half_up(amount: int, parts: int) -> int:
    return (2 * amount + parts) // (2 * parts)


def splits(
    things: Sequence[tuple[Mapping[str, Sold], int]],
    charges: Mapping[str, Charges],
    wallet: Sequence[Code],
) -> Iterator[tuple[int, tuple[Order, ...]]]:
    """What every way to share them out between the shops comes to, with its orders."""
    for shops in product(charges, repeat=len(things)):
        orders = []
        for shop in dict.fromkeys(shops):
            own = [(sold[shop], sold["store"].asin, pieces)
                   for (sold, pieces), place in zip(things, shops, strict=True)
                   if place == shop]  # fmt: skip
            orders.append(cheapest(shop, own, charges[shop], wallet))
        taken = tuple(each for each in orders if each is not None)
        if len(taken) == len(orders):
            yield sum(each.total for each in taken), tuple(sorted(taken, key=lambda e: e.shop))
