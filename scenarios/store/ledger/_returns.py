"""Returns: draw an account and the shop's rules for returns, and find what may be sent back.

Each order line in question that may not go back breaks a single rule. Each line that may go back
depends on a rule that a careless agent overlooks. Further lines in their orders may break any
rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from random import Random

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
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import METHODS, Method
from sites.store.market.service.claims import LATE as LATE_REFUND
from sites.store.market.service.returns import Extension, ReturnPolicy

COMPANIONS = 6
"""The number of orders with a further line that cannot go back; more make the family harder."""
MORE = (0, 1, 1, 2)
"""The possible numbers of returnable lines, in addition to four that hang on an easily missed rule.
"""
OLD, GIFT, LATE, FINAL, OPENED = "old", "gift", "late", "final", "opened"
KEPT, FEE, VOUCHER, PAID = "kept", "fee", "voucher", "paid"
"""Rules that forbid a return: the shop keeps a part or takes a fee, a code was used, it paid back.
"""
DAYS = (14, 21, 30, 30, 45, 60, 100)
"""The possible numbers of days in which a department accepts returns."""
SINCE = range(86, 93)
"""How many days ago the first day lies from which the customer wants to return things.

The longest period for returns begins earlier.
"""
BEFORE = range(1, 9)
"""How many days before that first day a decoy was ordered, which is wrong only by its day."""
OTHERS = range(30, 41)
FOOD, PLUGS = ("Clothing", "Grocery", "Kitchen", "Shoes"), ("Electronics", "Office", "Outdoors")
"""Departments whose opened goods may be refused (`FOOD`) or may lose part of the price (`PLUGS`).
"""
BULKY = ("camping chairs", "coolers", "standing desks")
DAMAGED = ("Came with a scratch", "Came damaged", "One part was missing")
TRIES = 3000


@dataclass(frozen=True)
class Owned:
    """An order line together with its order."""

    order: MarketOrder
    line: MarketLine

    @property
    def good(self) -> Good:
        """Return the product of the line."""
        return task.by_asin(self.line.asin)


@dataclass(frozen=True)
class Frame:
    """The conditions of a task: return what was ordered since a day, and what is opened.

    All products of the kinds in `opened` are opened, all others are not.
    """

    policy: ReturnPolicy
    since: date
    opened: tuple[str, ...]
    name: str
    """The name of the customer; an order that was sent to another name was a present."""


@dataclass(frozen=True)
class Reading:
    """A way to read the shop's rules for returns; by default without a mistake."""

    from_delivery: bool = True
    extension: bool = True
    extension_by_order: bool = True
    exclusions: bool = True
    final: bool = True
    final_from_its_day: bool = True
    opened: bool = True
    kept: bool = True
    fees: bool = True
    vouchers: bool = True
    paid: bool = True
    late_is_no_matter: bool = True
    gifts: bool = True
    since: bool = True


CAREFUL = Reading()
READINGS: Mapping[str, Reading] = {
    "days counted from the order": Reading(from_delivery=False),
    "extension overlooked": Reading(extension=False),
    "extension by the day of delivery": Reading(extension_by_order=False),
    "extension for every department": Reading(exclusions=False),
    "final sale overlooked": Reading(final=False),
    "final sale whatever the day": Reading(final_from_its_day=False),
    "opened goods that must be sealed": Reading(opened=False),
    "a part of the price kept": Reading(kept=False),
    "no way is free": Reading(fees=False),
    "paid back with a voucher": Reading(vouchers=False),
    "paid back already": Reading(paid=False),
    "a refund for a delay minded": Reading(late_is_no_matter=False),
    "somebody else's present": Reading(gifts=False),
    "ordered too early": Reading(since=False),
}
"""Careless readings of the shop's rules, by label; each makes one mistake that changes the result.
"""


@dataclass(frozen=True)
class Errand:
    """A drawn task: an account, and the conditions in `frame`."""

    frame: Frame
    account: MarketAccount

    @property
    def asked(self) -> list[Owned]:
        """Return all lines of completed orders, in the order in which My Orders lists them."""
        return [
            Owned(order, line)
            for order in self.account.orders
            for line in order.lines
            if order.status == COMPLETE
        ]


# What may go back --------------------------------------------------------------------------------


def broken(frame: Frame, own: Owned, reading: Reading = CAREFUL) -> list[str]:
    """Return the names of the rules that an order line breaks, as this reading has it."""
    policy, order, kind = frame.policy, own.order, own.good.kind
    opened = kind.name in frame.opened
    rules = {
        OLD: reading.since and order.placed < frame.since,
        GIFT: reading.gifts and order.ship_to.name != frame.name,
        LATE: not is_in_time(policy, own, reading),
        FINAL: _is_final(policy, own, reading),
        OPENED: reading.opened and opened and kind.department in policy.sealed_only,
        KEPT: reading.kept and opened and kind.department in policy.kept_of,
        FEE: reading.fees and not free_ways(policy, own),
        VOUCHER: reading.vouchers and bool(order.discount),
        PAID: reading.paid and _is_paid(own, reading),
    }
    return [rule for rule, breaks in rules.items() if breaks]


def right(errand: Errand, reading: Reading = CAREFUL) -> list[Owned]:
    """Return the order lines to send back, in the order in which My Orders lists them."""
    return [own for own in errand.asked if not broken(errand.frame, own, reading)]


def free_ways(policy: ReturnPolicy, own: Owned) -> list[str]:
    """Return the ways to send an order line back that cost nothing, such as a drop-off point."""
    return [way for way, cents in policy.ways(own.good, own.line).items() if not cents]


def is_in_time(policy: ReturnPolicy, own: Owned, reading: Reading = CAREFUL) -> bool:
    """Return whether a line may still go back today, by its department's days or their
    extension.
    """
    order, department = own.order, own.good.kind.department
    if order.delivered is None:
        return False
    start = order.delivered if reading.from_delivery else order.placed
    if policy.last_day(start, department) >= TODAY:
        return True
    extension = policy.extension if reading.exclusions else replace(policy.extension, but=())
    day = order.placed if reading.extension_by_order else order.delivered
    return reading.extension and extension.holds(day, department)


def _is_final(policy: ReturnPolicy, own: Owned, reading: Reading) -> bool:
    """Return whether a line was bought in a final sale, as this reading has it."""
    day = policy.final.get(own.line.asin)
    if day is None or not reading.final:
        return False
    return own.order.placed >= day or not reading.final_from_its_day


def _is_paid(own: Owned, reading: Reading) -> bool:
    """Return whether the shop has already paid money back for a line, as this reading has it."""
    reasons = [each.reason for each in own.order.refunds]
    if not reading.late_is_no_matter and LATE_REFUND in reasons:
        return True
    return any(each.endswith(own.good.name) for each in reasons)


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Role:
    """The kind of order line to draw: it breaks only the rule `rule` ("" for none).

    If `misread` is given, that careless reading comes to the opposite result.
    """

    rule: str = ""
    misread: Reading | None = None
    is_opened: bool = False
    final: str = ""
    """"after" if the order was placed after the start of a final sale, "before" if before it."""


_RIGHT = (
    Role(misread=Reading(from_delivery=False)),
    Role(misread=Reading(extension=False)),
    Role(is_opened=True),
    Role(final="before"),
)
_WRONG = (
    *(Role(rule) for rule in (OLD, GIFT, OPENED, KEPT, FEE, VOUCHER, PAID)),
    Role(LATE, Reading(extension_by_order=False)),
    Role(LATE, Reading(exclusions=False)),
    Role(FINAL, final="after"),
    Role(FINAL, final="after"),
)
_BARREN = (Role(FINAL, final="after"), Role(VOUCHER), Role(FEE))


def draw(stock: Market, rng: Random, *, barren: bool) -> Errand:
    """Draw a customer's orders and the shop's rules, from which the lines to send back follow.

    Args:
        stock: The market's stock.
        rng: The source of randomness.
        barren: Whether nothing may go back.
    """
    while True:
        found = _errand(stock, rng, barren)
        if found is not None:
            return found


def _errand(stock: Market, rng: Random, barren: bool) -> Errand | None:
    base = draw_account(rng, stock, OTHERS)
    frame = Frame(_policy(rng), TODAY - timedelta(days=rng.choice(SINCE)), (), base.name)
    frame = replace(frame, opened=_opened(frame.policy, rng))
    books = _Books(stock, base, rng, frame, {})
    more = [Role()] * rng.choice(MORE)
    roles = [*_WRONG, *(_BARREN if barren else (*_RIGHT, *more))]
    rng.shuffle(roles)
    for role in roles:
        if not books.add(role):
            return None
    books.add_companions()
    books.add_others()
    if not barren:
        books.pay_for_a_delay()
    return Errand(books.frame, replace(base, orders=tuple(books.numbered())))


def _policy(rng: Random) -> ReturnPolicy:
    departments = sorted({each.department for each in kinds().values()})
    days = rng.sample(DAYS, len(departments))
    extension = Extension(
        date(2025, 11, rng.randint(8, 14)),
        date(2025, 12, rng.randint(17, 23)),
        date(2026, 1, 31),
        tuple(sorted(rng.sample(departments, 2))),
    )
    return ReturnPolicy(
        days=dict(zip(departments, days, strict=True)),
        extension=extension,
        sealed_only=tuple(sorted(rng.sample(FOOD, 2))),
        kept_of=tuple(sorted(rng.sample(PLUGS, 2))),
        kept=rng.choice((10, 15, 20)),
        lockers=tuple(sorted(rng.sample(departments, 3))),
        bulky=BULKY,
        picked_up=(rng.choice(BULKY),),
        free_over=rng.choice((4000, 5000, 6000)),
        parcel=rng.choice((395, 495, 595)),
        pick_up=rng.choice((795, 895, 995)),
    )


@cache
def _kinds() -> Sequence[str]:
    return sorted(each.name for each in kinds().values())


def _opened(policy: ReturnPolicy, rng: Random) -> tuple[str, ...]:
    """Draw three kinds of goods that are opened: not returnable, returnable at a loss, and
    returnable.
    """
    groups: dict[str, list[str]] = {}
    for kind in kinds().values():
        is_plain = kind.department not in (*policy.sealed_only, *policy.kept_of)
        sealed = kind.department in policy.sealed_only
        groups.setdefault("plain" if is_plain else "sealed" if sealed else "kept", []).append(
            kind.name
        )
    found = [rng.choice(sorted(names)) for names in groups.values()]
    rng.shuffle(found)
    return tuple(found)


@dataclass
class _Books:
    """Builds the customer's orders, kept by their days; no two orders share a day."""

    stock: Market
    base: MarketAccount
    rng: Random
    frame: Frame
    orders: dict[date, MarketOrder]

    @property
    def others(self) -> list[Address]:
        """Return the postal addresses in the customer's address book that are of other people."""
        own = self.base.name
        return [each for each in self.base.addresses if each.name != own]

    def add(self, role: Role) -> bool:
        """Add an order with a line of this role; return False if no draw fits it."""
        for _ in range(TRIES):
            own = self._any(role)
            policy = self.frame.policy
            if own.order.placed in self.orders or not self._is(role, own):
                continue
            if role.final:
                day = own.order.placed + timedelta(days=self._days_off(role.final))
                final = {**policy.final, own.line.asin: day}
                self.frame = replace(self.frame, policy=replace(policy, final=final))
            self.orders[own.order.placed] = own.order
            return True
        return False

    def _days_off(self, final: str) -> int:
        """Draw how many days after the order the final sale begins; negative if it began before."""
        return self.rng.randint(1, 9) if final == "before" else -self.rng.randint(0, 9)

    def _is(self, role: Role, own: Owned) -> bool:
        """Return whether an order line fits a role, and no other order has its design."""
        wanted = [] if role.rule in ("", FINAL) else [role.rule]
        if broken(self.frame, own) != wanted or self._is_known(own.line.asin):
            return False
        if role.is_opened and own.good.kind.name not in self.frame.opened:
            return False
        return role.misread is None or bool(broken(self.frame, own, role.misread)) != bool(wanted)

    def _is_known(self, asin: str) -> bool:
        """Return whether one of the orders already has a product of the same design."""
        design = task.by_asin(asin).design
        there = (line.asin for order in self.orders.values() for line in order.lines)
        return any(task.by_asin(each).design == design for each in there)

    def _any(self, role: Role) -> Owned:
        """Draw an order with a line that may fit a role; the caller checks it."""
        rng, since = self.rng, self.frame.since
        last = (TODAY - since).days
        age = rng.randint(9, last)
        if role.rule == OLD:
            age = last + rng.choice(BEFORE)
        home = self.base.addresses[0]
        ship_to = rng.choice(self.others) if role.rule == GIFT else home
        line = self.line()
        order = self.order(TODAY - timedelta(days=age), [line], ship_to)
        if role.rule == VOUCHER:
            order = replace(order, discount=line.total * rng.choice((5, 10)) // 100)
        if role.rule == PAID and order.delivered:
            name = task.by_asin(line.asin).name
            cents = line.cents * rng.choice((15, 25, 40)) // 100
            day = order.delivered + timedelta(days=rng.randint(1, 4))
            order = replace(order, refunds=(Refund(day, cents, f"{rng.choice(DAMAGED)}: {name}"),))
        return Owned(order, line)

    def line(self) -> MarketLine:
        good = self.rng.choice(task.of_kind(self.rng.choice(_kinds())))
        return MarketLine(
            good.asin,
            self.stock.line(good.asin).cents,
            self.rng.choice((1, 1, 1, 2)),
            {name: self.rng.choice(values) for name, values in good.options.items()},
            self.rng.choice(REVISIONS) if good.kind.name in REVISED else "",
        )

    def order(
        self, placed: date, lines: Sequence[MarketLine], ship_to: Address, status: str = COMPLETE
    ) -> MarketOrder:
        able = [each for each in METHODS if pricing.goes_to(each, ship_to.country)]
        method = self.rng.choice(able)
        return MarketOrder(
            number="",
            placed=placed,
            status=status,
            lines=tuple(lines),
            ship_to=ship_to,
            method=method.name,
            delivered=self._delivered(placed, method) if status == COMPLETE else None,
            postage=method.cents,
        )

    def _delivered(self, placed: date, method: Method) -> date:
        """Draw the day of the delivery: the day expected, or sometimes a few days later."""
        late = self.rng.choice((0, 0, 0, 1, 2, 3))
        return pricing.arrives(placed, replace(method, days=method.days + late))

    def add_companions(self) -> None:
        """Add a line to some orders that cannot go back; the order's page alone shows it."""
        places = self.rng.sample(sorted(self.orders), COMPANIONS)
        for place in places:
            for _ in range(TRIES):
                line, order = self.line(), self.orders[place]
                rules = broken(self.frame, Owned(order, line))
                if {*rules} - {FINAL, VOUCHER, PAID} and not self._is_known(line.asin):
                    lines = [*order.lines, line]
                    self.rng.shuffle(lines)
                    self.orders[place] = replace(order, lines=tuple(lines))
                    break

    def add_others(self) -> None:
        """Add a canceled order, an order on its way, and the account's much older orders."""
        home, first = self.base.addresses[0], min(self.orders)
        recent = TODAY - timedelta(days=self.rng.randint(1, 2))
        for day, status in ((self._free_day(), CANCELED), (recent, SHIPPED)):
            order = self.order(day, [self._new_line()], home, status)
            self.orders[day] = order
        known = {each.design for each in self._goods()}
        for order in self.base.orders:
            designs = {task.by_asin(line.asin).design for line in order.lines}
            if order.placed < first - timedelta(days=10) and not designs & known:
                self.orders[order.placed] = order

    def _goods(self) -> list[Good]:
        return [task.by_asin(line.asin) for each in self.orders.values() for line in each.lines]

    def _new_line(self) -> MarketLine:
        while True:
            line = self.line()
            if not self._is_known(line.asin):
                return line

    def _free_day(self) -> date:
        first = self.frame.since
        days = (first + timedelta(days=each) for each in range((TODAY - first).days - 3))
        return self.rng.choice([day for day in days if day not in self.orders])

    def pay_for_a_delay(self) -> None:
        """Add a refund for late delivery, which does not matter, to an order with a returnable
        line.
        """
        able = [
            order
            for order in self.orders.values()
            if any(not broken(self.frame, Owned(order, line)) for line in order.lines)
        ]
        order = self.rng.choice(able)
        assert order.delivered is not None
        day = order.delivered + timedelta(days=1)
        self.orders[order.placed] = replace(
            order, refunds=(Refund(day, order.postage, LATE_REFUND),)
        )

    def numbered(self) -> list[MarketOrder]:
        """Return the orders, the newest first, each with a number that fits its day."""
        return numbered(list(self.orders.values()), self.rng)
