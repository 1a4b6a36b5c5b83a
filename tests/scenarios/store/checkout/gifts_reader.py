"""Somebody who has only a customer's pages and finds the presents: neither gold nor details are
looked at, so whatever is found here can be found on the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import unquote

from flask.testing import FlaskClient

from scenarios.phrasings import phrasings
from scenarios.store.checkout import _notes
from sites.store.market.goods.bank import Kind, kinds
from sites.store.shop.address import Visit
from tests.scenarios.store.market.market_reader import (
    FIGURE,
    Seen,
    between,
    get,
    read_item,
    text_of,
)

HOME = Visit("reader")
FACTORS = {"cm": 1.0, "in": 2.54, "kg": 1.0, "lb": 0.45359237}
_LINK = re.compile(r'<h4><a[^>]* href="/item_page/reader/(M0\w{8})/')
_ORDER = re.compile(r'href="[^"]*/orders/(\d{9})">')
_LINE = re.compile(r'<td><a href="/item_page/reader/(M0\w{8})/[^"]*">.*?</a>(.*?)</td>', re.DOTALL)
_SIZE = re.compile(r"<dt>size</dt><dd>([^<]+)</dd>")


@dataclass(frozen=True)
class Wish:
    first: tuple[str, ...]
    day: date
    limit: float


@dataclass(frozen=True)
class Postage:
    """What the help page says of delivery."""

    costs: Mapping[str, float]
    days: Mapping[str, int]
    free: tuple[str, float]
    bulky: float
    bulky_kinds: str
    inside: str
    off: str

    def able(self, price: float, kind: str, country: str, wish: Wish) -> list[str]:
        """The ways that are in time, go there, and keep within the limit."""
        return [
            name
            for name, cost in self.costs.items()
            if self.arrives(self.days[name]) <= wish.day
            and self.goes(name, country)
            and self._total(name, cost, price, kind) <= wish.limit
        ]

    def goes(self, name: str, country: str) -> bool:
        return country == "United States" or name not in self.inside

    def _total(self, name: str, cost: float, price: float, kind: str) -> float:
        is_free = name == self.free[0] and price >= self.free[1]
        bulky = self.bulky if kind in self.bulky_kinds else 0
        return round(price + (0 if is_free else cost) + bulky, 2)

    def arrives(self, days: int) -> date:
        day, left = date(2026, 1, 15), days
        while left:
            day += timedelta(days=1)
            left -= day.weekday() < 5 and day.strftime("%B %-d, %Y") not in self.off
        return day


@dataclass(frozen=True)
class Had:
    """A thing that was ordered for somebody."""

    person: str
    asin: str
    size: str


def wish(instruction: str, split: str) -> Wish:
    words = phrasings("gifts_for_people", split)
    ask = next(_read(instruction, words["ask"]))
    day = re.findall(r"January (\d+)", instruction)
    limit = next(_read(instruction, words["limit"]))["limit"]
    return Wish((ask["a"], ask["b"], ask["c"]), date(2026, 1, int(day[0])), float(limit))


def _read(instruction: str, frames: Sequence[str]) -> Iterator[dict[str, str]]:
    for frame in frames:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>\\w+)", re.escape(frame))
        found = re.search(pattern, instruction)
        if found:
            yield found.groupdict()


def notes(client: FlaskClient) -> dict[str, tuple[int, str, str]]:
    """By the name: the number of the address, its country, and the note."""
    html = get(client, HOME.addresses)
    found = {}
    for section in re.findall(r"<section>(.*?)</section>", html, re.DOTALL):
        lines = between(section, "<address>", "</address>").split("<br>")
        number = re.findall(r"/addresses/(\d+)", section)[0]
        note = text_of(between(section, '<p class="note" translate="no">', "</p>"))
        found.setdefault(text_of(lines[0]), (int(number), text_of(lines[3]), note))
    return found


def forbids(note: str, split: str) -> Iterator[tuple[str, float]]:
    """The rules that a note tells, with their bounds in metric units."""
    for name, rule in _notes.RULES.items():
        for text in phrasings(_notes.WORDS, split)[name]:
            found = re.search(re.escape(text).replace(r"\{x\}", FIGURE), note)
            if found:
                yield name, float(found["x"]) * FACTORS[found["unit"]] if rule.unit else 0.0


def postage(client: FlaskClient) -> Postage:
    text = text_of(get(client, HOME.help("delivery")))
    ways = re.findall(r"(\w+) costs \$([\d.]+) and arrives (\d+) business", text)
    free = re.findall(r"(\w+) is free for orders whose goods come to \$([\d,.]+) or", text)[0]
    bulky = re.findall(r"For ([^.]+) \$([\d.]+) is added for each piece", text)[0]
    return Postage(
        costs={name: float(cost) for name, cost, _ in ways},
        days={name: int(days) for name, _, days in ways},
        free=(free[0], float(free[1].replace(",", ""))),
        bulky=float(bulky[1]),
        bulky_kinds=bulky[0],
        inside=re.findall(r"([^.]+?) goe?s? to addresses in the United States only", text)[0],
        off=re.findall(r"they do not count: ([^.]+)\.", text)[0],
    )


def had(client: FlaskClient) -> list[Had]:
    """All that was ordered and delivered, the newest first."""
    found, page, last = list[Had](), 1, False
    while not last:
        html = get(client, HOME.orders(page))
        for number in _ORDER.findall(html):
            found += _lines(get(client, HOME.order(number)))
        last, page = "Next page" not in html, page + 1
    return found


def _lines(html: str) -> Iterator[Had]:
    if "This order was delivered." not in html:
        return
    person = text_of(between(html, "<address>", "<br>"))
    for asin, chosen in _LINE.findall(html):
        size = _SIZE.findall(chosen)
        yield Had(person, asin, size[0] if size else "")


def listed(client: FlaskClient) -> dict[str, list[str]]:
    """What is on each list, by the person."""
    html = get(client, HOME.lists)
    people = re.findall(r'href="[^"]*/lists/([^"]+)"', html)
    return {
        unquote(each): _LINK.findall(get(client, HOME.shared(unquote(each)))) for each in people
    }


def item(client: FlaskClient, asin: str) -> tuple[Kind, Seen]:
    """A thing with its kind, which its breadcrumb tells."""
    html = get(client, HOME.item(asin, {}))
    crumbs = text_of(between(html, '<p class="crumbs">', "</p>"))
    [kind] = [each for each in kinds().values() if each.breadcrumb == crumbs]
    return kind, read_item(client, asin, kind)


def is_forbidden(kind: Kind, seen: Seen, rule: str, bound: float) -> bool:
    ban = _notes.RULES[rule].bans.get(kind.name)
    if ban is None:
        return False
    if not ban.fact:
        return True
    value = seen.facts[ban.fact]
    if isinstance(value, float):
        return value > bound
    values = {value} if isinstance(value, str) else set(value)
    return bool(values & set(ban.values))
