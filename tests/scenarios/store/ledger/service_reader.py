"""Somebody who has only a customer's pages and finds what goes back, and what the shop owes:
neither gold nor details are looked at, so whatever is found here can be found on the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from flask.testing import FlaskClient

from sites.store.shop.address import Visit
from tests.scenarios.store.market.market_reader import between, get, text_of

HOME = Visit("reader")
TODAY = date(2026, 1, 15)
DAY = r"([A-Z][a-z]+ \d{1,2}, \d{4})"
MONEY = r"\$([\d,]+\.\d\d)"
_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
_ITEM = re.compile(r'href="/item_page/reader/(M0\w{8})/[^"]*">(.*?)</a>', re.DOTALL)


def day(text: str) -> date:
    return datetime.strptime(text, "%B %d, %Y").replace(tzinfo=UTC).date()


def cents(text: str) -> int:
    return round(float(text.replace("$", "").replace(",", "")) * 100)


def listed(text: str) -> list[str]:
    """The parts of "A, B and C"."""
    return re.split(r", | and | or ", text)


# Orders ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bought:
    asin: str
    name: str
    department: str
    cents: int
    pieces: int


@dataclass(frozen=True)
class Order:
    number: str
    placed: date
    ship_to: str
    status: str
    lines: Sequence[Bought] = ()
    taken_off: int = 0
    refunds: Sequence[tuple[str, int]] = ()
    method: str = ""
    delivered: date | None = None


def customer(client: FlaskClient) -> str:
    return text_of(between(get(client, HOME.addresses), "<address>", "<br>"))


def orders(client: FlaskClient, since: date) -> Iterator[Order]:
    """Those from a day on, the newest first; each is opened."""
    page, more = 1, True
    while more:
        html = get(client, HOME.orders(page))
        for row in _ROW.findall(html):
            cells = [text_of(each) for each in _CELL.findall(row)]
            if len(cells) == 6 and day(cells[1]) >= since:
                yield _opened(client, Order(cells[0], day(cells[1]), cells[3], cells[4]))
            elif len(cells) == 6:
                return
        more, page = "Next page" in html, page + 1


def _opened(client: FlaskClient, order: Order) -> Order:
    html = get(client, HOME.order(order.number))
    text = text_of(html)
    delivered = re.findall(rf"Delivered on {DAY}", text)
    delivery = text_of(between(html, "<h3>Delivery</h3>", "</section>"))
    return Order(
        order.number,
        order.placed,
        order.ship_to,
        order.status,
        list(_lines(html)),
        cents(re.findall(rf"Taken off -?{MONEY}", text)[0]),
        list(_refunds(html)),
        delivery.split()[0],
        day(delivered[0]) if delivered else None,
    )


def _lines(html: str) -> Iterator[Bought]:
    for row in _ROW.findall(between(html, '<table class="lines">', "</table>")):
        item = _ITEM.search(row)
        if item:
            _, department, price, pieces, _ = [text_of(each) for each in _CELL.findall(row)]
            yield Bought(item[1], text_of(item[2]), department, cents(price), int(pieces))


def _refunds(html: str) -> Iterator[tuple[str, int]]:
    for row in _ROW.findall(between(html, '<table class="refunds">', "</table>")):
        _, reason, amount = [text_of(each) for each in _CELL.findall(row)]
        yield reason, cents(amount)


# Returns -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rules:
    """What the help page says of returns."""

    text: str
    days: Mapping[str, int] = field(default_factory=dict)

    def found(self, pattern: str) -> str:
        return re.findall(pattern, self.text)[0]

    def in_time(self, order: Order, department: str) -> bool:
        if order.delivered is None:
            return False
        first, last, until, but = re.findall(
            rf"ordered from {DAY} to {DAY}, both days included, can go back until {DAY}, if that"
            r" is later. This does not hold for ([^.]+)\.",
            self.text,
        )[0]
        extended = day(first) <= order.placed <= day(last) and department not in listed(but)
        usual = order.delivered + timedelta(days=self.days[department])
        return max(usual, day(until) if extended else usual) >= TODAY

    def loses(self, department: str) -> bool:
        """Whether an opened item of a department does not go back, or not at its whole price."""
        sealed = self.found(r"What is opened cannot go back in ([^.]+)\.")
        kept = self.found(r"Of opened items in ([^.]+?) we keep")
        return department in listed(sealed) + listed(kept)


def rules(client: FlaskClient) -> Rules:
    text = text_of(get(client, HOME.help("returns")))
    text = text.partition("Until when ")[2]
    found = re.findall(r"([A-Z][A-Za-z, ]+): within (\d+) days\.", text)
    return Rules(text, {name: int(days) for names, days in found for name in listed(names)})


def is_final(client: FlaskClient, asin: str, placed: date) -> bool:
    found = re.findall(rf"Final sale since {DAY}", text_of(get(client, HOME.item(asin, {}))))
    return bool(found) and placed >= day(found[0])


def kind(client: FlaskClient, asin: str) -> str:
    """The last word of the breadcrumb of an item."""
    crumbs = text_of(between(get(client, HOME.item(asin, {})), '<p class="crumbs">', "</p>"))
    return crumbs.rpartition(" › ")[2]


def free_ways(client: FlaskClient, number: str, asin: str) -> list[str]:
    """What the form says of the ways that cost nothing."""
    html = get(client, HOME.send_back(number, asin))
    labels = re.findall(r'<label for="method-\d">(.*?)</label>', html)
    return [each.partition(",")[0] for each in labels if each.endswith(", free")]


# Promises ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Promised:
    """What the help pages say of prices and delays."""

    window: int
    least: int
    late: int
    fast_late: int
    fast: Sequence[str]
    days: Mapping[str, int]
    off: str

    def last_day(self, order: Order) -> date:
        last, left = order.placed, self.days[order.method]
        while left:
            last += timedelta(days=1)
            left -= last.weekday() < 5 and last.strftime("%B %-d, %Y") not in self.off
        return last


def promises(client: FlaskClient) -> Promised:
    text = text_of(get(client, HOME.help("promises")))
    delivery = text_of(get(client, HOME.help("delivery")))
    ways = re.findall(r"(\w+) costs \$[\d.]+ and arrives (\d+) business", delivery)
    late, fast_late, fast = re.findall(
        rf"We owe you {MONEY} for an order that is late, and {MONEY} if it came by ([^,]+),", text
    )[0]
    return Promised(
        window=int(re.findall(r"one of the (\d+) days after", text)[0]),
        least=cents(re.findall(rf"is less than {MONEY} for all pieces", text)[0]),
        late=cents(late),
        fast_late=cents(fast_late),
        fast=listed(fast),
        days={name: int(days) for name, days in ways},
        off=re.findall(r"they do not count: ([^.]+)\.", delivery)[0],
    )


def prices(client: FlaskClient, asin: str) -> list[tuple[date, int]]:
    """The price history of an item, the oldest first."""
    html = between(get(client, HOME.item(asin, {})), '<table class="spec prices">', "</table>")
    rows = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', html)
    return [(day(when), cents(amount)) for when, amount in rows][::-1]


def owed(client: FlaskClient, promised: Promised, order: Order) -> Iterator[tuple[str, int]]:
    """What is still owed for an order, by the promise."""
    if order.status == "Canceled":
        return
    price = sum(_for_line(client, promised, order, each) for each in order.lines)
    if price:
        yield "Price promise", price
    if order.delivered and order.delivered > promised.last_day(order):
        due = promised.fast_late if order.method in promised.fast else promised.late
        rest = due - sum(each for reason, each in order.refunds if reason == "Late delivery")
        if rest:
            yield "Late delivery", rest


def _for_line(client: FlaskClient, promised: Promised, order: Order, line: Bought) -> int:
    reasons = dict(order.refunds)
    if order.taken_off or f"Sent back: {line.name}" in reasons:
        return 0
    last = order.placed + timedelta(days=promised.window)
    every = [amount for when, amount in prices(client, line.asin) if order.placed < when <= last]
    due = (line.cents - min(every, default=line.cents)) * line.pieces
    if due < promised.least:
        return 0
    return due - reasons.get(f"Price promise: {line.name}", 0)
