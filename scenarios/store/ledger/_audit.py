"""An audit: draw orders, price histories and refunds, and find what the shop still owes.

Of the orders in question each is owed something that somebody may overlook, or looks as if it were.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any

from scenarios.store.ledger._returns import numbered
from scenarios.store.market import task
from sites.store.account.account import Address
from sites.store.catalogue.clock import TODAY
from sites.store.market import pricing
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder, Refund
from sites.store.market.account.draw import (
    CANCELED,
    COMPLETE,
    REVISED,
    REVISIONS,
    SHIPPED,
    draw_account,
)
from sites.store.market.goods.bank import kinds
from sites.store.market.goods.stock import Market
from sites.store.market.offers import Offer, Offers
from sites.store.market.pricing import HOLIDAYS, METHODS, Method
from sites.store.market.service.claims import LATE, PRICE, Price, Promises

SHORT_DELAY = 0.5
"""So often there is a sixth row: too little was paid for a delay."""
STEADY = range(4, 7)
"""The screw of the family: so many items beside those in question are owed nothing for; each has
its own page, and more of them make it harder."""
SINCE = date(2025, 10, 27)
"""Orders count from a day on that is up to twelve days later."""
KNOWN_SINCE = date(2025, 10, 1)
"""Price histories begin on this day."""
LAST = TODAY - timedelta(days=20)
"""No order in question is younger: all of its days are over."""
BEFORE = timedelta(days=13)
"""An order that would be right but for its day is so much older at most."""
WINDOW = 14
JUST_AFTER = range(15, 19)
"""The days after an order on which it is too late for a price to fall."""
OTHERS = range(28, 37)
BACK, DAMAGED = "Sent back", ("Came with a scratch", "Came damaged", "One part was missing")
NO_POST = tuple(
    date(*each) for each in ((2025, 11, 11), (2025, 11, 27), (2025, 11, 28), (2025, 12, 24),
                             (2025, 12, 25), (2025, 12, 26), (2025, 12, 31), (2026, 1, 1))
)  # fmt: skip
"""Days that somebody might take for holidays; what is late is so with and without them."""


@dataclass(frozen=True)
class Reading:
    """How somebody reads the promises; a careful person keeps to all of this."""

    window: int = WINDOW
    lowest: bool = True
    pieces: bool = True
    codes: bool = True
    least: bool = True
    sent_back: bool = True
    canceled: bool = True
    paid: bool = True
    paid_short: bool = True
    paid_for_this: bool = True
    business_days: bool = True
    by_way: bool = True
    every_item: bool = True
    since: bool = True


CAREFUL = Reading()
READINGS: Mapping[str, Reading] = {
    "a day too many": Reading(window=JUST_AFTER[-1]),
    "the last day left out": Reading(window=WINDOW - 1),
    "the price of today": Reading(lowest=False),
    "one piece of several": Reading(pieces=False),
    "a code overlooked": Reading(codes=False),
    "less than the least": Reading(least=False),
    "sent back": Reading(sent_back=False),
    "canceled": Reading(canceled=False),
    "paid already": Reading(paid=False),
    "paid short not noticed": Reading(paid_short=False),
    "paid for something else": Reading(paid_for_this=False),
    "days instead of business days": Reading(business_days=False),
    "the same for every way": Reading(by_way=False),
    "one item of two": Reading(every_item=False),
    "ordered too early": Reading(since=False),
}
"""Each leaves out one thing; the outcome is another one then."""


@dataclass(frozen=True)
class Audit:
    """What was drawn: what was ordered from `since` on is to be looked at."""

    since: date
    promises: Promises
    account: MarketAccount
    offers: Offers

    @property
    def asked(self) -> list[MarketOrder]:
        """The orders of the time that were not canceled, as My Orders lists them."""
        return [each for each in self.account.orders if is_asked(self, each)]


def is_asked(audit: Audit, order: MarketOrder) -> bool:
    return order.placed >= audit.since and order.status != CANCELED


Owed = dict[tuple[str, str], int]
"""Cents by the order's number and the promise."""


# What is owed ------------------------------------------------------------------------------------


def owed(audit: Audit, reading: Reading = CAREFUL) -> Owed:
    """All that is still owed, in the order in which the orders are listed."""
    found = Owed()
    for order in audit.account.orders:
        if reading.since and order.placed < audit.since:
            continue
        if reading.canceled and order.status == CANCELED:
            continue
        for promise, cents in ((PRICE, _for_prices(audit.promises, order, reading)),
                               (LATE, _for_delay(audit.promises, order, reading))):  # fmt: skip
            if cents > 0:
                found[order.number, promise] = cents
    return found


def _for_prices(promises: Promises, order: MarketOrder, reading: Reading) -> int:
    if reading.codes and order.discount:
        return 0
    each_line = [_for_line(promises, order, line, reading) for line in order.lines]
    positive = [cents for cents in each_line if cents > 0]
    return sum(positive) if reading.every_item else sum(positive[:1])


def _for_line(
    promises: Promises, order: MarketOrder, line: MarketLine, reading: Reading
) -> int:  # fmt: skip
    name = _name(line)
    if reading.sent_back and f"{BACK}: {name}" in [each.reason for each in order.refunds]:
        return 0
    window = replace(promises, window=reading.window, least=promises.least if reading.least else 1)
    if not reading.lowest:
        window = replace(window, prices=_only_last(promises, line.asin))
    one = line if reading.pieces else replace(line, quantity=1)
    cents = window.difference(one, order.placed)
    return _rest(cents, _paid(order, PRICE, name, reading), reading) if cents else 0


def _only_last(promises: Promises, asin: str) -> Mapping[str, tuple[Price, ...]]:
    """Whatever it costs today, as if it did on every day."""
    every = promises.prices.get(asin, ())
    return {asin: tuple((day, every[-1][1]) for day, _ in every)}


def _for_delay(promises: Promises, order: MarketOrder, reading: Reading) -> int:
    if order.delivered is None:
        return 0
    if reading.business_days:
        cents = promises.for_late(order, METHODS)
    else:
        last = order.placed + timedelta(days=_method(order).days)
        late = replace(order, delivered=date.max if order.delivered > last else None)
        cents = promises.for_late(late, METHODS)
    if cents and not reading.by_way:
        cents = promises.late
    return _rest(cents, _paid(order, LATE, "", reading), reading) if cents else 0


def _paid(order: MarketOrder, promise: str, name: str, reading: Reading) -> int:
    """What was paid back under a promise, of a price for an item."""
    if not reading.paid:
        return 0
    of_item = [each for each in order.refunds if each.reason.endswith(name)]
    own = [each for each in of_item if each.reason.startswith(promise)]
    counted = own if reading.paid_for_this or promise == LATE else of_item
    return sum(each.cents for each in counted)


def _rest(cents: int, paid: int, reading: Reading) -> int:
    if paid and not reading.paid_short:
        return 0
    return cents - paid


def _name(line: MarketLine) -> str:
    return task.by_asin(line.asin).name


def _method(order: MarketOrder) -> Method:
    return next(each for each in METHODS if each.name == order.method)


# Drawing -----------------------------------------------------------------------------------------


def draw(stock: Market, rng: Random, *, barren: bool) -> Audit:
    """Where it is `barren` nothing is owed any more."""
    base = draw_account(rng, stock, OTHERS)
    promises = Promises(KNOWN_SINCE, WINDOW, rng.choice((100, 150, 200)), rng.choice((400, 500)),
                        ("Courier", "Express"), rng.choice((800, 1000)))  # fmt: skip
    since = SINCE + timedelta(days=rng.randrange(13))
    books = _Books(stock, base, rng, since, promises, {}, {}, set())
    books.add_false_friends()
    books.add_paid() if barren else books.add_owed()
    books.add_steady()
    books.add_others()
    orders = numbered(list(books.orders.values()), rng)
    offers = {asin: Offer(cents=prices[-1][1]) for asin, prices in books.prices.items()}
    promises = replace(promises, prices={asin: tuple(each) for asin, each in books.prices.items()})
    return Audit(since, promises, replace(base, orders=tuple(orders)), offers)


@cache
def _kinds() -> Sequence[str]:
    return sorted(each.name for each in kinds().values())


@dataclass
class _Books:
    """Where the orders are put together; `orders` are by their days, no two on one day."""

    stock: Market
    base: MarketAccount
    rng: Random
    since: date
    promises: Promises
    orders: dict[date, MarketOrder]
    prices: dict[str, list[Price]]
    designs: set[str]

    # Parts of an order

    def day(self, first: date | None = None, last: date = LAST) -> date:
        """One on which there is no order yet, of those that are asked about."""
        first = first or self.since
        days = [first + timedelta(days=each) for each in range((last - first).days + 1)]
        return self.rng.choice([each for each in days if each not in self.orders])

    def line(self, quantity: int = 0) -> MarketLine:
        """An item of a design that is nowhere else."""
        while True:
            good = self.rng.choice(task.of_kind(self.rng.choice(_kinds())))
            if good.design not in self.designs:
                break
        self.designs.add(good.design)
        return MarketLine(
            good.asin,
            self.stock.line(good.asin).cents,
            quantity or self.rng.choice((1, 1, 2, 3)),
            {name: self.rng.choice(values) for name, values in good.options.items()},
            self.rng.choice(REVISIONS) if good.kind.name in REVISED else "",
        )

    def place(
        self,
        placed: date,
        lines: Iterable[MarketLine],
        method: Method | None = None,
        delivered: date | None = None,
        **more: Any,
    ) -> MarketOrder:
        """Put an order there that was delivered in time, unless it is said when."""
        chosen = method or self.rng.choice(METHODS)
        in_time = replace(chosen, days=max(1, chosen.days - self.rng.randrange(2)))
        order = MarketOrder(
            number="",
            placed=placed,
            status=COMPLETE,
            lines=tuple(lines),
            ship_to=self.rng.choice(self._addresses(chosen)),
            method=chosen.name,
            delivered=delivered or pricing.arrives(placed, in_time),
            postage=chosen.cents,
        )
        self.orders[placed] = replace(order, **more)
        return self.orders[placed]

    def _addresses(self, method: Method) -> list[Address]:
        home = [self.base.addresses[0]] * 3
        return home + [x for x in self.base.addresses if pricing.goes_to(method, x.country)]

    # Prices

    def off(self, line: MarketLine) -> int:
        """By how much a price falls, clearly more than the least."""
        least = self.promises.least + 60
        return max(least, line.cents * self.rng.randint(5, 18) // 100 // 10 * 10)

    def falls(self, line: MarketLine, placed: date, *changes: tuple[int, int]) -> None:
        """So many days after the order the price was so many cents below what was paid."""
        days = [(placed + timedelta(days=each), line.cents - off) for each, off in changes]
        self.prices[line.asin] = [(KNOWN_SINCE, line.cents), *days]

    def steady(self, line: MarketLine, placed: date) -> None:
        """A history of which nothing is owed: cheaper before, dearer after, or much too late."""
        off, rng = self.off(line), self.rng
        before = (placed - KNOWN_SINCE).days
        early = (KNOWN_SINCE, line.cents - off)
        if rng.random() < 0.4 and before > 3:
            changed = placed - timedelta(days=rng.randint(1, min(12, before - 1)))
            self.prices[line.asin] = [early, (changed, line.cents)]
        elif rng.random() < 0.5 and placed + timedelta(days=12) < TODAY:
            self.falls(line, placed, (rng.randint(2, 11), -off))
        elif placed + timedelta(days=32) < TODAY:
            self.falls(line, placed, (rng.randint(21, 31), off))
        else:
            self.falls(line, placed)

    # Orders

    def owed(self, last: int = WINDOW - 2, quantity: int = 0) -> tuple[date, MarketLine, int]:
        """A day, an item and by how much its price fell within the days that count."""
        placed, line = self.day(), self.line(quantity)
        off = self.off(line)
        self.falls(line, placed, (self.rng.randint(2, last), off))
        return placed, line, off

    def paid(self, placed: date, cents: int, reason: str) -> Refund:
        return Refund(placed + timedelta(days=self.rng.randint(15, 20)), cents, reason)

    def for_price(self, placed: date, line: MarketLine, cents: int) -> Refund:
        return self.paid(placed, cents, f"{PRICE}: {_name(line)}")

    def late(self, method: Method) -> tuple[date, date]:
        """An order's day and the day of its delivery, which is too late by any calendar."""
        placed = self.day()
        days, holidays = method.days + self.rng.randint(1, 3), {*HOLIDAYS, *NO_POST}
        day = placed
        while days:
            day += timedelta(days=1)
            days -= pricing.is_business_day(day, holidays)
        return placed, day

    def add_false_friends(self) -> None:
        """What looks as if something were owed."""
        rng = self.rng
        placed, line = self.day(), self.line()
        self.falls(line, placed, (rng.choice(JUST_AFTER), self.off(line)))
        slow = METHODS[0]
        self.place(placed, [line], slow, pricing.arrives(placed, slow))
        placed, line, _ = self.owed()
        self.place(placed, [line], discount=line.total * rng.choice((5, 10)) // 100)
        placed, line = self.day(), self.line(2)
        self.falls(line, placed, (rng.randint(2, 10), (self.promises.least - 20) // 2))
        self.place(placed, [line])
        placed, line, off = self.owed()
        back = Refund(placed + timedelta(days=16), line.total, f"{BACK}: {_name(line)}")
        self.place(placed, [line], refunds=(back,))
        placed, line, _ = self.owed()
        self.place(placed, [line], status=CANCELED)
        self.orders[placed] = replace(self.orders[placed], delivered=None)
        placed, line, off = self.owed()
        self.place(placed, [line], refunds=(self.for_price(placed, line, off * line.quantity),))
        self.add_paid_delay()
        placed, line = self.day(self.since - BEFORE, self.since - timedelta(days=1)), self.line()
        self.falls(line, placed, (rng.randint(4, 12), self.off(line)))
        self.place(placed, [line])

    def add_paid_delay(self) -> None:
        """A slow order that was late, which was paid for."""
        method = self.rng.choice(METHODS[:2])
        placed, delivered = self.late(method)
        line = self.line()
        self.steady(line, placed)
        refund = Refund(delivered + timedelta(days=2), self.promises.late, LATE)
        self.place(placed, [line], method, delivered, refunds=(refund,))

    def add_owed(self) -> None:
        """What is owed, each in a way that somebody may overlook."""
        rng = self.rng
        placed, line = self.day(), self.line(rng.choice((2, 3)))
        off = self.off(line)
        self.falls(line, placed, (WINDOW, off), (rng.choice(JUST_AFTER), 2 * off))
        self.place(placed, [line])
        placed, line = self.day(), self.line()
        off, first = self.off(line), rng.randint(1, 6)
        self.falls(line, placed, (first, off), (first + rng.randint(1, 6), rng.choice((0, -off))))
        damage = Refund(placed + timedelta(days=9), line.cents * 15 // 100,
                        f"{rng.choice(DAMAGED)}: {_name(line)}")  # fmt: skip
        self.place(placed, [line], refunds=(damage,))
        self._add_short_payment()
        self._add_delay()
        self._add_two_items()
        if rng.random() < SHORT_DELAY:
            self._add_short_delay()

    def _add_short_payment(self) -> None:
        """Paid for one piece of several, or for the first of two falls."""
        rng = self.rng
        placed, line = self.day(), self.line(rng.choice((2, 3)))
        off = self.off(line)
        if rng.random() < 0.5:
            self.falls(line, placed, (rng.randint(2, WINDOW), off))
            paid = off
        else:
            self.falls(line, placed, (rng.randint(1, 6), off), (rng.randint(7, WINDOW), 2 * off))
            paid = off * line.quantity
        self.place(placed, [line], refunds=(self.for_price(placed, line, paid),))

    def _add_delay(self) -> None:
        method = self.rng.choice(METHODS[2:])
        placed, delivered = self.late(method)
        line = self.line()
        self.steady(line, placed)
        self.place(placed, [line], method, delivered)

    def _add_two_items(self) -> None:
        placed, first, _ = self.owed()
        second = self.line()
        self.falls(second, placed, (self.rng.randint(2, 13), self.off(second)))
        self.place(placed, [first, second])

    def _add_short_delay(self) -> None:
        """A slow order that was late, for which too little was paid."""
        method = METHODS[0]
        placed, delivered = self.late(method)
        line = self.line()
        self.steady(line, placed)
        refund = Refund(delivered + timedelta(days=1), self.promises.late - 150, LATE)
        self.place(placed, [line], method, delivered, refunds=(refund,))

    def add_paid(self) -> None:
        """In place of what is owed: all that was owed was paid."""
        for _ in range(3):
            placed, line, off = self.owed()
            self.place(placed, [line], refunds=(self.for_price(placed, line, off * line.quantity),))
        self.add_paid_delay()

    def add_steady(self) -> None:
        """Items beside others, of which nothing is owed."""
        asked = [day for day, each in self.orders.items() if day >= self.since]
        able = [day for day in asked if self._is_plain(self.orders[day])]
        for placed in self.rng.sample(able, min(len(able), self.rng.choice(STEADY))):
            line = self.line()
            self.steady(line, placed)
            lines = [*self.orders[placed].lines, line]
            self.rng.shuffle(lines)
            self.orders[placed] = replace(self.orders[placed], lines=tuple(lines))

    def _is_plain(self, order: MarketOrder) -> bool:
        return order.status == COMPLETE and not order.discount and len(order.lines) == 1

    def add_others(self) -> None:
        """One order that is on its way, and all that was ordered long before."""
        placed = TODAY - timedelta(days=1)
        line = self.line()
        self.falls(line, placed)
        order = self.place(placed, [line], METHODS[0])
        self.orders[placed] = replace(order, status=SHIPPED, delivered=None)
        for each in self.base.orders:
            designs = {task.by_asin(line.asin).design for line in each.lines}
            if each.placed < KNOWN_SINCE and not designs & self.designs:
                self.orders[each.placed] = each
