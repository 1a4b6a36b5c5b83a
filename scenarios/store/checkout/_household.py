"""Supplies of a household and when they were ordered: draw them, and find what to order now.

A thing lasts, piece by piece, as long as the order before the last one did. The agent orders each
thing that runs out before a day and that no subscription brings, in the pack with the cheapest
pieces. A `Reading` is a way to understand the pages and the wish; a careless reading overlooks one
thing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from random import Random

from scenarios.store.checkout import _supplies
from scenarios.store.checkout._supplies import SupplyLine
from scenarios.store.market import task
from scenarios.store.market.past_orders import numbered
from sites.store.account.account import Address
from sites.store.catalogue.clock import TODAY
from sites.store.market import pricing
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder, Refund
from sites.store.market.account.draw import CANCELED, COMPLETE, RETURNED, draw_account
from sites.store.market.goods import supplies
from sites.store.market.goods.bank import kinds
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import METHODS, PLAN, ROUND_UP, WRAP, ShopRules
from sites.store.market.service.subscriptions import Subscription

AHEAD = range(38, 56)
"""How many days from today the request's day is; things that run out before it must be ordered."""
CLEAR = 3
"""The least number of days between the day on which a thing runs out and the request's day."""
BEST = 1.03
"""How much dearer per piece the second pack is than the best, at least, as a factor."""
OLDEST = 640
"""The age of the oldest orders, in days."""
BETWEEN = range(4, 8)
"""The number of days from an order of the household to its next order."""
PACKS = 3
"""How many pack sizes a product comes in; another pack belongs to a variant of the product.

More packs make the family harder.
"""
DUE = (1, 1, 2)
"""How many of the three things with a canceled, returned or passed-on order must be ordered."""
OWN, TO_OTHERS = "own", "to others"
SHARES = (100, 100, 100, 95, 90, 105)
"""The price of a pack at the time of an order, in percent of today's price."""
TRIES = 400


@dataclass(frozen=True)
class Event:
    """An order of a thing: its packs, ordered `age` days ago.

    The status is `OWN`, `TO_OTHERS` (sent to somebody else), or the status of a canceled or
    returned order.
    """

    age: int
    asin: str
    quantity: int = 1
    status: str = OWN


@dataclass(frozen=True)
class Thing:
    """A product that the household uses, with all orders of it, the newest first.

    It is to last for `ahead` days. If the product succeeds another, `old` is the line of that
    product.
    `subscribed` is the asin of a subscription, which is a pack of the product or of the other
    variant; `months` is 0 if it was canceled.
    """

    ahead: int
    line: SupplyLine
    events: tuple[Event, ...]
    old: SupplyLine | None = None
    subscribed: str = ""
    months: int = 1

    @property
    def lines(self) -> list[SupplyLine]:
        """Return the product's range of packs, after the range of the product that it succeeds, if
        any.
        """
        return [self.line] if self.old is None else [self.old, self.line]

    def pieces(self, event: Event) -> int:
        """Return the number of pieces in all packs of an order."""
        own = next(each for each in self.lines if event.asin in each.pieces)
        return own.pieces[event.asin] * event.quantity

    @property
    def last_two(self) -> tuple[Event, Event]:
        """Return the last two orders that reached the household, the newer first."""
        first, second, *_ = [each for each in self.events if each.status == OWN]
        return first, second


@dataclass(frozen=True)
class Reading:
    """A way to understand the pages and the wish; the default overlooks nothing.

    Orders with a status in `counted` count. Without `pieces` an order lasts as long as the order
    before it, whatever the packs hold. With `subscribed`, things that a subscription brings are
    left out; with `ended` also those of a canceled subscription, with `variant` also those that
    come in the other variant. Without `successor`, things that are no longer sold are left out.
    `pack` is the choice of the pack: the cheapest per piece ("apiece"), the cheapest pack
    ("price"), the cheapest per piece of both variants ("variant"), or the pack ordered last
    ("last").
    """

    counted: tuple[str, ...] = (OWN,)
    pieces: bool = True
    subscribed: bool = True
    ended: bool = False
    variant: bool = False
    successor: bool = True
    pack: str = "apiece"


RIGHT = Reading()
CARELESS: Mapping[str, Reading] = {
    "canceled ones counted": Reading(counted=(OWN, CANCELED)),
    "returned ones counted": Reading(counted=(OWN, RETURNED)),
    "what went to others counted": Reading(counted=(OWN, TO_OTHERS)),
    "pieces ignored": Reading(pieces=False),
    "what is subscribed to ordered, too": Reading(subscribed=False),
    "a canceled subscription believed": Reading(ended=True),
    "a subscription to the other variant believed": Reading(variant=True),
    "what has a successor left out": Reading(successor=False),
    "the pack that was ordered last": Reading(pack="last"),
    "the pack with the lowest price": Reading(pack="price"),
    "the other variant, as it is cheaper": Reading(pack="variant"),
}
"""Misreadings of the pages, by label; each of these leads to a wrong order in every scenario."""


@dataclass(frozen=True)
class Household:
    """The things, account and stock changes that are drawn for one scenario."""

    things: tuple[Thing, ...]
    account: MarketAccount
    subscriptions: tuple[Subscription, ...]
    rules: ShopRules

    @property
    def lines(self) -> list[SupplyLine]:
        """Return the ranges of packs of all things."""
        return [line for thing in self.things for line in thing.lines]

    @property
    def until(self) -> date:
        """Return the day that the request names: things that run out before it must be ordered."""
        return TODAY + timedelta(days=self.things[0].ahead)


# What is right -----------------------------------------------------------------------------------


def basket(things: Sequence[Thing], reading: Reading = RIGHT) -> set[str]:
    """Return the asins of the packs to order, as a reader with this reading of the pages sees it.

    The set contains "" if something is no longer sold and has no successor.
    """
    return {pack(each, reading) for each in things if is_due(each, reading)} - {_SKIPPED}


_SKIPPED = "skipped"


def is_due(thing: Thing, reading: Reading = RIGHT) -> bool:
    """Return whether a thing has to be ordered, as this reading of the pages has it."""
    return left(thing, reading) < thing.ahead and not _comes(thing, reading)


def left(thing: Thing, reading: Reading = RIGHT) -> Fraction:
    """Return in how many days a thing runs out, as this reading of the pages has it.

    It lasts, piece by piece, as long as the order before the last one did.
    """
    last, before = [each for each in thing.events if each.status in reading.counted][:2]
    share = Fraction(thing.pieces(last), thing.pieces(before)) if reading.pieces else Fraction(1)
    return (before.age - last.age) * share - last.age


def _comes(thing: Thing, reading: Reading) -> bool:
    """Return whether a subscription brings a thing, as this reading of the pages has it."""
    if not thing.subscribed or not reading.subscribed:
        return False
    is_own = any(thing.subscribed in each.packs for each in thing.lines)
    return (thing.months > 0 or reading.ended) and (is_own or reading.variant)


def pack(thing: Thing, reading: Reading = RIGHT) -> str:
    """Return the asin of the pack of a thing to order.

    "" if no pack of the thing is sold any more, and `_SKIPPED` if the reading leaves the thing out.
    """
    if thing.old is not None and not reading.successor:
        return _SKIPPED
    line, last = thing.line, thing.last_two[0].asin
    if reading.pack == "last":
        return last if last in line.sold else pack(thing)
    able = [*line.sold, *(line.others if reading.pack == "variant" else ())]
    if reading.pack == "price":
        return min(able, key=lambda asin: line.cents[asin], default="")
    return min(able, key=line.apiece, default="")


# Drawing -----------------------------------------------------------------------------------------


def draw(rng: Random, stock: Market, *, impossible: bool) -> Household:
    """Draw a household until every careless reading gives a wrong order and no figure is near a
    limit.
    """
    while True:
        things = _things(rng, impossible=impossible)
        if things is not None and is_proved(things, impossible=impossible):
            return _drawn_household(things, stock, rng)


def is_proved(things: Sequence[Thing], *, impossible: bool = False) -> bool:
    """Return whether every careless reading leads to a wrong order, and no figure is close to a
    limit.
    """
    right = basket(things)
    if impossible != ("" in right) or not all(_is_clear(each) for each in things):
        return False
    return impossible or all(basket(things, each) != right for each in CARELESS.values())


def _is_clear(thing: Thing) -> bool:
    """Return whether a thing is not used up yet, its end is clear, and a pack is clearly best."""
    days = left(thing)
    apiece = sorted(map(thing.line.apiece, thing.line.sold))
    is_best = len(apiece) < 2 or apiece[1] >= apiece[0] * BEST
    return days > CLEAR and abs(days - thing.ahead) > CLEAR and is_best


@dataclass(frozen=True)
class _Maker:
    """Draws the things of a household, which places its orders at these `ages` (days ago)."""

    rng: Random
    ahead: int
    ages: Sequence[int]
    names: list[str]

    def line(self, *, gone: bool = False, kind: str = "") -> SupplyLine:
        """Draw a range of packs of a product, of a kind that no other thing of the household
        has.
        """
        rng = self.rng
        name = kind or self.names.pop()
        packs = rng.choice(_supplies.lines_of(supplies.kinds()[name]))
        return self.priced(packs, gone=gone)

    def priced(self, found: Sequence[Sequence[Good]], *, gone: bool = False) -> SupplyLine:
        """Return packs with prices: one is clearly the best, and the other variant is cheaper per
        piece.
        """
        rng, own = self.rng, self.rng.randrange(2)
        kind = found[0][0].kind
        packs = [each.asin for each in rng.sample(list(found[own]), PACKS)]
        other = rng.choice(found[1 - own]).asin
        pieces = dict(zip(packs, _supplies.drawn_pieces(kind, PACKS, rng), strict=True))
        low, high = supplies.cents_apiece(kind)
        base = rng.uniform(low, high)
        best = rng.choice(packs)
        shares = {asin: 0.8 if asin == best else rng.uniform(0.87, 1.1) for asin in packs}
        cents = {asin: _supplies.price(base * shares[asin] * pieces[asin]) for asin in packs}
        pieces[other] = rng.choice(supplies.pack_sizes(kind))
        cents[other] = _supplies.price(base * rng.uniform(0.66, 0.74) * pieces[other])
        return SupplyLine(
            tuple(packs), (other,), pieces, cents, frozenset(packs) if gone else frozenset()
        )

    def thing(
        self, line: SupplyLine, *, due: bool, old: SupplyLine | None = None, **how: str
    ) -> Thing | None:
        """Draw a product's earlier orders such that it has to be ordered now, or not.

        Args:
            line: The product.
            due: Whether the thing has to be ordered.
            old: The line that the product succeeds, if any.
            how: The mistake that has to change the result: `status` is the status of a further
                order that must not count; `pieces` says that the pieces of the last two orders
                matter.

        Returns:
            None if `TRIES` draws give no such orders.
        """
        for _ in range(TRIES):
            drawn = self._any(line, old, how)
            if is_due(drawn) == due and _is_clear_in_time(drawn) and _turns(drawn, how):
                return replace(drawn, events=(*drawn.events, *self._earlier(drawn)))
        return None

    def _any(self, line: SupplyLine, old: SupplyLine | None, how: Mapping[str, str]) -> Thing:
        """Draw earlier orders of a product, whether or not it then has to be ordered."""
        rng = self.rng
        at = rng.randrange(1, 12)
        ages = [self.ages[at], self.ages[at + rng.randrange(5, 16)]]
        packs = self._packs(line, old, varied="pieces" in how)
        numbers = [rng.choice((1, 1, 2)), rng.choice((1, 1, 2))] if "pieces" in how else [1, 1]
        own = [Event(age, asin, n) for age, asin, n in zip(ages, packs, numbers, strict=True)]
        events = [*own]
        if "status" in how:
            age = rng.choice([each for each in range(9, ages[1] - 4) if each not in self.ages])
            events.append(Event(age, rng.choice((old or line).packs), 1, how["status"]))
        ordered = sorted(events, key=lambda each: each.age)
        return Thing(self.ahead, line, tuple(ordered), old)

    def _packs(self, line: SupplyLine, old: SupplyLine | None, *, varied: bool) -> list[str]:
        """Draw the asins of the packs in the last order and in the order before it.

        With `varied` the two differ.
        """
        first = self.rng.choice((old or line).packs)
        if varied:
            second = self.rng.choice([each for each in (old or line).packs if each != first])
            return [first, second]
        return [first, first]

    def _earlier(self, thing: Thing) -> Iterator[Event]:
        """Yield orders older than the last two, at about the same interval."""
        last, event = thing.last_two
        age = event.age
        while True:
            age += max(14, round((event.age - last.age) * self.rng.uniform(0.8, 1.25)))
            at = bisect_left(self.ages, age)
            if at == len(self.ages):
                return
            age = self.ages[at]
            yield replace(event, age=age)


def _is_clear_in_time(thing: Thing) -> bool:
    """Return whether a thing runs out some days after today and not near the day that matters."""
    return left(thing) > CLEAR and abs(left(thing) - thing.ahead) > CLEAR


def _turns(thing: Thing, how: Mapping[str, str]) -> bool:
    """Return whether the careless mistake that `how` names would clearly change what is ordered."""
    if "status" in how:
        other = Reading(counted=(OWN, how["status"]))
    elif "pieces" in how:
        other = Reading(pieces=False)
    else:
        return True
    return is_due(thing, other) != is_due(thing) and abs(left(thing, other) - thing.ahead) > CLEAR


def _things(rng: Random, *, impossible: bool) -> list[Thing] | None:
    """Draw a thing for each possible mistake of a careless reader; None if a thing cannot be
    drawn.
    """
    maker = _Maker(rng, rng.choice(AHEAD), _ages(rng), _kinds(rng))
    statuses = {CANCELED: False, RETURNED: False, TO_OTHERS: False}
    statuses.update(dict.fromkeys(rng.sample([*statuses], rng.choice(DUE)), True))
    found = [
        maker.thing(maker.line(), due=True, pieces="fewer"),
        maker.thing(maker.line(), due=False, pieces="more"),
        *(maker.thing(maker.line(), due=due, status=each) for each, due in statuses.items()),
        maker.thing(maker.line(), due=True),
        maker.thing(maker.line(), due=True),
        _succeeding(maker, impossible=impossible),
    ]
    things = [each for each in found if each is not None]
    aside = [event.age for each in things for event in each.events if event.status != OWN]
    if len(things) < len(found) or len(set(aside)) < len(aside):
        return None
    ended, comes, other = things[0], things[5], things[6]
    packs = [each for each in comes.line.packs if each != comes.last_two[0].asin]
    things[0] = replace(ended, subscribed=rng.choice(ended.line.packs), months=0)
    things[5] = replace(comes, subscribed=rng.choice(packs), months=rng.choice((1, 2)))
    things[6] = replace(other, subscribed=other.line.others[0], months=rng.choice((1, 2)))
    return things


def _succeeding(maker: _Maker, *, impossible: bool) -> Thing | None:
    """Draw a thing that is no longer sold; its successor, if any, is to be ordered."""
    name = maker.names.pop()
    lines = _supplies.lines_of(supplies.kinds()[name])
    first, second = maker.rng.sample(lines, 2)
    old = maker.priced(first, gone=True)
    if impossible:
        return maker.thing(old, due=True)
    new = maker.priced(second)
    old = replace(old, successor=new.packs[0])
    return maker.thing(new, due=True, old=old)


def _ages(rng: Random) -> list[int]:
    """Draw the days on which the household placed orders, as numbers of days before today."""
    found, age = list[int](), rng.randint(9, 12)
    while age < OLDEST:
        found.append(age)
        age += rng.choice(BETWEEN)
    return found


def _kinds(rng: Random) -> list[str]:
    """Return all kinds of supplies in random order."""
    names = [*supplies.kinds()]
    rng.shuffle(names)
    return names


# The account -------------------------------------------------------------------------------------


def _drawn_household(things: Sequence[Thing], stock: Market, rng: Random) -> Household:
    """Return the household of these things, with an account, past orders and subscriptions."""
    extras = rng.choice(((PLAN,), (WRAP,), (ROUND_UP,), (PLAN, WRAP)))
    rules = ShopRules(preset=extras)
    base = replace(draw_account(rng, stock, range(1, 2), rules), codes=(), lists=())
    while len(base.addresses) < 2:
        base = replace(draw_account(rng, stock, range(1, 2), rules), codes=(), lists=())
    orders = numbered(list(_orders(things, base.addresses, stock, rng)), rng)
    mixed = [*things]
    rng.shuffle(mixed)
    return Household(
        things=tuple(mixed),
        account=replace(base, orders=tuple(orders)),
        subscriptions=tuple(_subscriptions(mixed, rng)),
        rules=rules,
    )


def _subscriptions(things: Sequence[Thing], rng: Random) -> Iterator[Subscription]:
    for each in things:
        if each.subscribed:
            day = TODAY + timedelta(days=rng.randint(6, 30))
            yield Subscription(each.subscribed, each.months, day)


def _orders(
    things: Sequence[Thing], addresses: Sequence[Address], stock: Market, rng: Random
) -> Iterator[MarketOrder]:
    """Yield the household's past orders; things ordered on the same day share an order.

    Orders that were canceled, returned or sent to somebody else are orders of their own, on other
    days.
    """
    events = [(event, thing) for thing in things for event in thing.events]
    own = [(event, thing) for event, thing in events if event.status == OWN]
    days = {event.age for event, _ in own}
    for age in sorted(days):
        lines = [_line(event, thing, rng) for event, thing in own if event.age == age]
        rng.shuffle(lines)
        yield _order(age, lines + _besides(stock, rng), addresses[0], COMPLETE, rng)
    for event, thing in events:
        if event.status == OWN:
            continue
        to = rng.choice(addresses[1:]) if event.status == TO_OTHERS else addresses[0]
        status = COMPLETE if event.status == TO_OTHERS else event.status
        yield _order(event.age, [_line(event, thing, rng)], to, status, rng)


def _line(event: Event, thing: Thing, rng: Random) -> MarketLine:
    own = next(each for each in thing.lines if event.asin in each.cents)
    cents = _supplies.price(own.cents[event.asin] * rng.choice(SHARES) / 100)
    return MarketLine(event.asin, cents, event.quantity)


def _besides(stock: Market, rng: Random) -> list[MarketLine]:
    """Draw, for one order in five, a further line with something that does not have to be
    restocked.
    """
    if rng.random() > 0.2:
        return []
    good = rng.choice(task.of_kind(rng.choice([each.name for each in kinds().values()])))
    options = {name: rng.choice(values) for name, values in good.options.items()}
    return [MarketLine(good.asin, stock.line(good.asin).cents, 1, options)]


def _order(
    age: int, lines: Sequence[MarketLine], to: Address, status: str, rng: Random
) -> MarketOrder:
    method = METHODS[0]
    placed = TODAY - timedelta(days=age)
    arrived = min(pricing.arrives(placed, method), TODAY - timedelta(days=1))
    goods = sum(each.total for each in lines)
    back = arrived + timedelta(days=rng.randint(2, 6))
    refunds = [
        Refund(min(back, TODAY), each.total, f"Sent back: {task.by_asin(each.asin).name}")
        for each in lines
        if status == RETURNED
    ]
    return MarketOrder(
        number="",
        placed=placed,
        status=status,
        lines=tuple(lines),
        ship_to=to,
        method=method.name,
        delivered=None if status == CANCELED else arrived,
        postage=0 if goods >= 7500 else method.cents,
        refunds=tuple(refunds),
    )
