"""An audit: draw orders, price histories and refunds, and find what the shop still owes.

The shop promises refunds for prices that fall soon after an order and for late deliveries. For each
order in question it either owes an amount that a careless agent overlooks, or seems to owe
something but does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any

from scenarios.store.market import task
from scenarios.store.market.past_orders import numbered
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
"""The probability of a sixth amount owed: the shop paid too little for a late order."""
STEADY = range(4, 7)
"""How many further items, for which nothing is owed, stand in the orders in question.

Each has a page of its own, so more items make the family harder.
"""
SINCE = date(2025, 10, 27)
"""The first day from which orders may count; the drawn day is up to twelve days later."""
KNOWN_SINCE = date(2025, 10, 1)
"""The first day of the price histories."""
LAST = TODAY - timedelta(days=20)
"""The latest day of an order in question; by today, all periods of its promises are over."""
BEFORE = timedelta(days=13)
"""How long before the audit's first day a decoy may lie: an order that is wrong only by its day."""
WINDOW = 14
JUST_AFTER = range(15, 19)
"""Numbers of days after an order at which a lower price comes just too late to count."""
OTHERS = range(28, 37)
BACK, DAMAGED = "Sent back", ("Came with a scratch", "Came damaged", "One part was missing")
NO_POST = tuple(
    date(*each) for each in ((2025, 11, 11), (2025, 11, 27), (2025, 11, 28), (2025, 12, 24),
                             (2025, 12, 25), (2025, 12, 26), (2025, 12, 31), (2026, 1, 1))
)  # fmt: skip
"""Days that an agent might take for holidays; late orders are late with and without them."""


@dataclass(frozen=True)
class Reading:
    """A way to read the shop's promises; by default, as a careful person does, without a
    mistake.
    """

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
"""Careless readings of promises and pages, by label; each makes one mistake that changes the
result.
"""


@dataclass(frozen=True)
class Audit:
    """A drawn task: the agent has to check everything that was ordered from the day `since` on."""

    since: date
    promises: Promises
    account: MarketAccount
    offers: Offers

    @property
    def asked(self) -> list[MarketOrder]:
        """Return the orders that the agent must check: since the audit's first day, and not
        canceled.
        """
        return [each for each in self.account.orders if is_asked(self, each)]


def is_asked(audit: Audit, order: MarketOrder) -> bool:
    """Return whether an order was placed since the audit's first day and not canceled."""
    return order.placed >= audit.since and order.status != CANCELED


Owed = dict[tuple[str, str], int]
"""Amounts owed, in cents, by the order's number and the promise (lower price or late delivery)."""


# What is owed ------------------------------------------------------------------------------------


def owed(audit: Audit, reading: Reading = CAREFUL) -> Owed:
    """Return all amounts that the shop still owes, in the order in which My Orders lists the
    orders.

    Args:
        audit: The orders and promises.
        reading: The way to read the promises.
    """
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
    """Return the cents that are owed for lower prices of an order's items."""
    if reading.codes and order.discount:
        return 0
    each_line = [_for_line(promises, order, line, reading) for line in order.lines]
    positive = [cents for cents in each_line if cents > 0]
    return sum(positive) if reading.every_item else sum(positive[:1])


def _for_line(
    promises: Promises, order: MarketOrder, line: MarketLine, reading: Reading
) -> int:  # fmt: skip
    """Return the cents that are owed for a lower price of an item."""
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
    """Return an item's price history as if today's price had held on every day of it."""
    every = promises.prices.get(asin, ())
    return {asin: tuple((day, every[-1][1]) for day, _ in every)}


def _for_delay(promises: Promises, order: MarketOrder, reading: Reading) -> int:
    """Return the cents that are owed because an order was late."""
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
    """Return the cents that were paid back under a promise; for a lower price, for this item."""
    if not reading.paid:
        return 0
    of_item = [each for each in order.refunds if each.reason.endswith(name)]
    own = [each for each in of_item if each.reason.startswith(promise)]
    counted = own if reading.paid_for_this or promise == LATE else of_item
    return sum(each.cents for each in counted)


def _rest(cents: int, paid: int, reading: Reading) -> int:
    """Return the cents that are still owed after a payment; 0 if the reading ignores short
    payments.
    """
    if paid and not reading.paid_short:
        return 0
    return cents - paid


def _name(line: MarketLine) -> str:
    return task.by_asin(line.asin).name


def _method(order: MarketOrder) -> Method:
    return next(each for each in METHODS if each.name == order.method)


# Drawing -----------------------------------------------------------------------------------------


def draw(stock: Market, rng: Random, *, barren: bool) -> Audit:
    """Draw a customer's orders with what the shop owes for them.

    Args:
        stock: The market's stock.
        rng: The source of randomness.
        barren: Whether the shop owes nothing any more.
    """
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
    """Builds the customer's orders, kept by their days; no two orders share a day."""

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
        """Draw a day without an order, by default from the audit's first day on."""
        first = first or self.since
        days = [first + timedelta(days=each) for each in range((last - first).days + 1)]
        return self.rng.choice([each for each in days if each not in self.orders])

    def line(self, quantity: int = 0) -> MarketLine:
        """Draw an order line with an item of a design that no other order has."""
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
        """Add an order, which is delivered in time unless `delivered` is given.

        Args:
            placed: The day of the order.
            lines: The items of the order.
            method: The delivery; None to draw it.
            delivered: The day of the delivery; None for a day in time.
            more: Further fields of the order.
        """
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
        """Draw by how many cents an item's price falls, clearly more than the least that counts."""
        least = self.promises.least + 60
        return max(least, line.cents * self.rng.randint(5, 18) // 100 // 10 * 10)

    def falls(self, line: MarketLine, placed: date, *changes: tuple[int, int]) -> None:
        """Set an item's price history.

        Args:
            line: The item.
            placed: The day of its order.
            changes: Pairs of days after the order and cents below the price that was paid.
        """
        days = [(placed + timedelta(days=each), line.cents - off) for each, off in changes]
        self.prices[line.asin] = [(KNOWN_SINCE, line.cents), *days]

    def steady(self, line: MarketLine, placed: date) -> None:
        """Give an item prices for which nothing is owed: lower before the order, higher after, or
        too late.
        """
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
        """Draw a day, an order line, and by how many cents its price fell soon enough to be
        owed.
        """
        placed, line = self.day(), self.line(quantity)
        off = self.off(line)
        self.falls(line, placed, (self.rng.randint(2, last), off))
        return placed, line, off

    def paid(self, placed: date, cents: int, reason: str) -> Refund:
        """Return a refund of these cents, paid some days after the promise's period."""
        return Refund(placed + timedelta(days=self.rng.randint(15, 20)), cents, reason)

    def for_price(self, placed: date, line: MarketLine, cents: int) -> Refund:
        """Return a refund for a lower price of an item."""
        return self.paid(placed, cents, f"{PRICE}: {_name(line)}")

    def late(self, method: Method) -> tuple[date, date]:
        """Draw the day of an order and the day of its delivery, too late by any calendar."""
        placed = self.day()
        days, holidays = method.days + self.rng.randint(1, 3), {*HOLIDAYS, *NO_POST}
        day = placed
        while days:
            day += timedelta(days=1)
            days -= pricing.is_business_day(day, holidays)
        return placed, day

    def add_false_friends(self) -> None:
        """Add orders for which the shop seems to owe something but does not."""
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
        """Add an order that came late by a slow delivery and for which the shop has paid in
        full.
        """
        method = self.rng.choice(METHODS[:2])
        placed, delivered = self.late(method)
        line = self.line()
        self.steady(line, placed)
        refund = Refund(delivered + timedelta(days=2), self.promises.late, LATE)
        self.place(placed, [line], method, delivered, refunds=(refund,))

    def add_owed(self) -> None:
        """Add orders for which the shop owes something, each with a detail that is easily
        overlooked.
        """
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
        """Add an order with a refund that is too low.

        It paid for one of several pieces, or for the first of two price cuts.
        """
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
        """Add an order that came late by a fast delivery, for which the shop owes more."""
        method = self.rng.choice(METHODS[2:])
        placed, delivered = self.late(method)
        line = self.line()
        self.steady(line, placed)
        self.place(placed, [line], method, delivered)

    def _add_two_items(self) -> None:
        """Add an order of two items whose prices both fell."""
        placed, first, _ = self.owed()
        second = self.line()
        self.falls(second, placed, (self.rng.randint(2, 13), self.off(second)))
        self.place(placed, [first, second])

    def _add_short_delay(self) -> None:
        """Add an order that came late by a slow delivery and for which the shop paid too little."""
        method = METHODS[0]
        placed, delivered = self.late(method)
        line = self.line()
        self.steady(line, placed)
        refund = Refund(delivered + timedelta(days=1), self.promises.late - 150, LATE)
        self.place(placed, [line], method, delivered, refunds=(refund,))

    def add_paid(self) -> None:
        """Add orders for which the shop has paid everything, instead of orders for which it owes
        something.
        """
        for _ in range(3):
            placed, line, off = self.owed()
            self.place(placed, [line], refunds=(self.for_price(placed, line, off * line.quantity),))
        self.add_paid_delay()

    def add_steady(self) -> None:
        """Add items for which nothing is owed to some of the orders in question."""
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
        """Add an order that is on its way, and the account's orders from before the price
        histories.
        """
        placed = TODAY - timedelta(days=1)
        line = self.line()
        self.falls(line, placed)
        order = self.place(placed, [line], METHODS[0])
        self.orders[placed] = replace(order, status=SHIPPED, delivered=None)
        for each in self.base.orders:
            designs = {task.by_asin(line.asin).design for line in each.lines}
            if each.placed < KNOWN_SINCE and not designs & self.designs:
                self.orders[each.placed] = each
