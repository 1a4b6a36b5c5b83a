"""What a household uses up, and when it was ordered: draw it, and find what has to be ordered now.

Each thing lasts, piece by piece, as long as what was ordered before the last time did. What is used
up before a day and does not come by itself is ordered, in the pack that costs least by the piece. A
`Reading` overlooks one thing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import count
from random import Random

from scenarios.store.checkout import _supplies
from scenarios.store.checkout._supplies import SupplyLine
from scenarios.store.market import task
from sites.store.account.account import Address
from sites.store.catalogue.clock import TODAY
from sites.store.market import pricing
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder, Refund
from sites.store.market.account.draw import CANCELED, COMPLETE, FIRST_NUMBER, RETURNED, draw_account
from sites.store.market.goods import supplies
from sites.store.market.goods.bank import kinds
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import METHODS, PLAN, ROUND_UP, WRAP, ShopRules
from sites.store.market.service.subscriptions import Subscription

AHEAD = range(38, 56)
"""What is used up before a day so many days from today is ordered."""
CLEAR = 3
"""No thing is used up within so many days of that one."""
BEST = 1.03
"""So much dearer by the piece is the second pack at least."""
OLDEST = 640
"""Days ago."""
BETWEEN = range(4, 8)
"""Days from one order to the next."""
PACKS = 3
"""The screw: so many packs a product comes in, besides one of the other variant."""
DUE = (1, 1, 2)
"""So many of those with an order that does not count are to be ordered, besides four others."""
OWN, TO_OTHERS = "own", "to others"
SHARES = (100, 100, 100, 95, 90, 105)
"""What a pack cost then, in percent of today's price."""
TRIES = 400


@dataclass(frozen=True)
class Event:
    """Packs that were ordered so many days ago; `status` is OWN, TO_OTHERS, or the order's."""

    age: int
    asin: str
    quantity: int = 1
    status: str = OWN


@dataclass(frozen=True)
class Thing:
    """A product with all that was ordered of it, the newest first, which is to last for `ahead`
    days. `old` is what it succeeds. What is subscribed to is a pack of it, or of the other variant,
    or was canceled (0 months)."""

    ahead: int
    line: SupplyLine
    events: tuple[Event, ...]
    old: SupplyLine | None = None
    subscribed: str = ""
    months: int = 1

    @property
    def lines(self) -> list[SupplyLine]:
        return [self.line] if self.old is None else [self.old, self.line]

    def pieces(self, event: Event) -> int:
        """Those of all packs of an order."""
        own = next(each for each in self.lines if event.asin in each.pieces)
        return own.pieces[event.asin] * event.quantity

    @property
    def last_two(self) -> tuple[Event, Event]:
        """The last order that counts, and the one before it."""
        first, second, *_ = [each for each in self.events if each.status == OWN]
        return first, second


@dataclass(frozen=True)
class Reading:
    """How somebody understands pages and wish; the usual one overlooks nothing.

    `counted` are statuses that count; without `pieces` an order lasts as long as the last one did,
    whatever was in it. `subscribed`: what comes by itself is left out; with `ended` also what was
    canceled, with `variant` also what comes in the other variant. `pack` is which pack is taken:
    the cheapest by the piece, by the pack, of both variants, or the one that was ordered last.
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
"""Each must lead elsewhere in every scenario."""


@dataclass(frozen=True)
class Household:
    """All that is drawn for one scenario."""

    things: tuple[Thing, ...]
    account: MarketAccount
    subscriptions: tuple[Subscription, ...]
    rules: ShopRules

    @property
    def lines(self) -> list[SupplyLine]:
        return [line for thing in self.things for line in thing.lines]

    @property
    def until(self) -> date:
        """What is used up before this day is ordered."""
        return TODAY + timedelta(days=self.things[0].ahead)


# What is right -----------------------------------------------------------------------------------


def basket(things: Sequence[Thing], reading: Reading = RIGHT) -> set[str]:
    """The packs to order; "" stands for what is no longer sold and has no successor."""
    return {pack(each, reading) for each in things if is_due(each, reading)} - {_SKIPPED}


_SKIPPED = "skipped"


def is_due(thing: Thing, reading: Reading = RIGHT) -> bool:
    return left(thing, reading) < thing.ahead and not _comes(thing, reading)


def left(thing: Thing, reading: Reading = RIGHT) -> Fraction:
    """In how many days it is used up."""
    last, before = [each for each in thing.events if each.status in reading.counted][:2]
    share = Fraction(thing.pieces(last), thing.pieces(before)) if reading.pieces else Fraction(1)
    return (before.age - last.age) * share - last.age


def _comes(thing: Thing, reading: Reading) -> bool:
    """Whether a subscription brings it."""
    if not thing.subscribed or not reading.subscribed:
        return False
    is_own = any(thing.subscribed in each.packs for each in thing.lines)
    return (thing.months > 0 or reading.ended) and (is_own or reading.variant)


def pack(thing: Thing, reading: Reading = RIGHT) -> str:
    """Which pack of a thing is ordered."""
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
    """One that is proved: each careless reading leads elsewhere, and nothing is near to a bound."""
    while True:
        things = _things(rng, impossible=impossible)
        if things is not None and is_proved(things, impossible=impossible):
            return _drawn_household(things, stock, rng)


def is_proved(things: Sequence[Thing], *, impossible: bool = False) -> bool:
    right = basket(things)
    if impossible != ("" in right) or not all(_is_clear(each) for each in things):
        return False
    return impossible or all(basket(things, each) != right for each in CARELESS.values())


def _is_clear(thing: Thing) -> bool:
    """Whether it is not used up yet, nor near to the day, and one pack is clearly the best."""
    days = left(thing)
    apiece = sorted(map(thing.line.apiece, thing.line.sold))
    is_best = len(apiece) < 2 or apiece[1] >= apiece[0] * BEST
    return days > CLEAR and abs(days - thing.ahead) > CLEAR and is_best


@dataclass(frozen=True)
class _Maker:
    """Draws one thing after the other: on the household's `ages` it placed its orders."""

    rng: Random
    ahead: int
    ages: Sequence[int]
    names: list[str]

    def line(self, *, gone: bool = False, kind: str = "") -> SupplyLine:
        """A product of a kind that there is no other of, in several packs."""
        rng = self.rng
        name = kind or self.names.pop()
        packs = rng.choice(_supplies.lines_of(supplies.kinds()[name]))
        return self.priced(packs, gone=gone)

    def priced(self, found: Sequence[Sequence[Good]], *, gone: bool = False) -> SupplyLine:
        """One pack is the best, and the other variant's is still cheaper by the piece."""
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
        """Ordered at such times that it is due or not; None where none was found. `how` says which
        `status` another order has that turns this round if it counts, and whether the pieces of
        the last two orders do (`pieces`)."""
        for _ in range(TRIES):
            drawn = self._any(line, old, how)
            if is_due(drawn) == due and _is_clear_in_time(drawn) and _turns(drawn, how):
                return replace(drawn, events=(*drawn.events, *self._earlier(drawn)))
        return None

    def _any(self, line: SupplyLine, old: SupplyLine | None, how: Mapping[str, str]) -> Thing:
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
        """Those of the last order and of the one before."""
        first = self.rng.choice((old or line).packs)
        if varied:
            second = self.rng.choice([each for each in (old or line).packs if each != first])
            return [first, second]
        return [first, first]

    def _earlier(self, thing: Thing) -> Iterator[Event]:
        """Older orders, at about the same pace."""
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
    return left(thing) > CLEAR and abs(left(thing) - thing.ahead) > CLEAR


def _turns(thing: Thing, how: Mapping[str, str]) -> bool:
    """Whether what must not be overlooked decides; nothing is used up at the same day by both."""
    if "status" in how:
        other = Reading(counted=(OWN, how["status"]))
    elif "pieces" in how:
        other = Reading(pieces=False)
    else:
        return True
    return is_due(thing, other) != is_due(thing) and abs(left(thing, other) - thing.ahead) > CLEAR


def _things(rng: Random, *, impossible: bool) -> list[Thing] | None:
    """One thing for each that can be overlooked; None where there is no time for one of them."""
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
    """A thing that is no longer sold: what succeeds it is to be ordered, if anything does."""
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
    """The days on which orders were placed, as days ago."""
    found, age = list[int](), rng.randint(9, 12)
    while age < OLDEST:
        found.append(age)
        age += rng.choice(BETWEEN)
    return found


def _kinds(rng: Random) -> list[str]:
    names = [*supplies.kinds()]
    rng.shuffle(names)
    return names


# The account -------------------------------------------------------------------------------------


def _drawn_household(things: Sequence[Thing], stock: Market, rng: Random) -> Household:
    extras = rng.choice(((PLAN,), (WRAP,), (ROUND_UP,), (PLAN, WRAP)))
    rules = ShopRules(preset=extras)
    base = replace(draw_account(rng, stock, range(1, 2), rules), codes=(), lists=())
    while len(base.addresses) < 2:
        base = replace(draw_account(rng, stock, range(1, 2), rules), codes=(), lists=())
    orders = _numbered(list(_orders(things, base.addresses, stock, rng)), rng)
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
    """What was ordered on one day is one order, apart from what was canceled, returned or sent to
    somebody else: that is an order of its own, on a day of its own."""
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
    """Now and then something that is not used up."""
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


def _numbered(orders: Sequence[MarketOrder], rng: Random) -> list[MarketOrder]:
    """The newest first, each with a number of its day."""
    numbers = (FIRST_NUMBER + 4_000 + step * 3_000 + rng.randrange(3_000) for step in count())
    in_turn = sorted(orders, key=lambda each: each.placed)
    return [replace(each, number=str(next(numbers))) for each in in_turn][::-1]
