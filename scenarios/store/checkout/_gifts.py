"""Presents for three people: draw the people and their lists, and prove which things fit.

A single thing fits on each list. Every other thing breaks one rule: a note in the address book, an
earlier present, the person's size, or the limit, which includes postage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from scenarios.phrasings import Speaker
from scenarios.store.checkout import _notes
from scenarios.store.checkout._notes import JACKETS, KINDS, SHOES, Note
from scenarios.store.market import task
from scenarios.store.market.past_orders import numbered
from sites.store.account.account import Address
from sites.store.catalogue.clock import TODAY
from sites.store.market import pricing
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder, SharedList
from sites.store.market.account.draw import CANCELED, COMPLETE, DAYS, draw_account
from sites.store.market.goods import charts
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.goods.units import CONVENTIONS
from sites.store.market.offers import Offer
from sites.store.market.pricing import METHODS, PLAN, ROUND_UP, WRAP, Method, ShopRules

PEOPLE = 3
LISTED = range(7, 10)
"""How many things a list has; more things make the family harder."""
NOTES = (1, 2, 2)
NOTE, HAD, SIZE, LIMIT = "note", "had before", "size", "limit"
OTHERS = range(7, 11)
"""How many orders of the account are not presents for the three people."""
APART = 100
"""The least difference in cents between the cost of a thing and the limit."""
ENDS = 95
"""The last two digits of every price that the scenario sets: $39.95."""
PLANTED = (0.7, 1.3)
"""The range of a price set by the scenario, as a share of the usual price."""
DEADLINES = (21, 22, 23, 24, 26, 26, 28, 30)
"""Days in January 2026 by which presents must arrive; some are too early for some deliveries."""
LIMITS = range(68, 90)
"""The limit for a present in whole dollars, before postage is added to it."""
WORN = (SHOES, JACKETS)
FREE, CANCELED_ONCE, OWN_TOO = 0.5, 0.5, 0.5
"""Probabilities.

`FREE`: a price is set so that postage is free. `CANCELED_ONCE`: a thing on a list was ordered
before, but the order was canceled. `OWN_TOO`: the customer owns a thing on a list.
"""
GROWN = 3
"""At most so far apart, in sizes, are a person's size now and earlier, if such a size is sold."""
TRIES = 300
"""How many products are drawn for a thing on a list before the draw fails."""


@dataclass(frozen=True)
class Frame:
    """The conditions for all three people: the shop's rules, limit in cents, and last day."""

    rules: ShopRules
    limit: int
    day: date

    def methods(self, country: str) -> list[Method]:
        """Return the ways to deliver to a country that arrive by the deadline, the cheapest
        first.
        """
        able = (each for each in self.rules.methods if pricing.goes_to(each, country))
        in_time = [each for each in able if pricing.arrives(TODAY, each) <= self.day]
        return sorted(in_time, key=lambda each: each.cents)


@dataclass(frozen=True)
class Person:
    """A person who gets a present.

    `sizes` are their current sizes, by type of clothing, as their last orders show. `had` are the
    asins of the things that reached them earlier.
    """

    address: Address
    notes: tuple[Note, ...]
    listed: tuple[str, ...]
    had: tuple[str, ...]
    sizes: Mapping[str, str]

    @property
    def first(self) -> str:
        """Return the first name."""
        return self.address.name.split()[0]


@dataclass(frozen=True)
class Party:
    """The customer's account, people and conditions of one scenario, the people in the request's
    order.
    """

    frame: Frame
    people: tuple[Person, ...]
    account: MarketAccount
    offers: Mapping[str, Offer]


# Rules -------------------------------------------------------------------------------------------


def broken(stock: Market, good: Good, person: Person, frame: Frame) -> list[str]:
    """Return the rules that a thing breaks as a present for a person."""
    kind = good.kind.name
    rules = {
        NOTE: any(each.forbids(good) for each in person.notes),
        HAD: good.asin in person.had,
        SIZE: kind in WORN and person.sizes.get(kind, "") not in good.options[charts.SIZE],
        LIMIT: not able(stock, good, person, frame),
    }
    return [rule for rule, breaks in rules.items() if breaks]


def able(stock: Market, good: Good, person: Person, frame: Frame) -> list[Method]:
    """Return the ways to deliver a thing in time that keep its cost within the limit, cheapest
    first.
    """
    in_time = frame.methods(person.address.country)
    return [each for each in in_time if total(stock, good, each, frame) <= frame.limit]


def total(stock: Market, good: Good, method: Method, frame: Frame) -> int:
    """Return the cost of a thing with this delivery, in cents."""
    return pricing.quote([stock.line(good.asin)], frame.rules, method.name).total


def fitting(stock: Market, person: Person, frame: Frame) -> list[Good]:
    """Return the things on a person's list that break no rule."""
    every = [stock.good(asin) for asin in person.listed]
    return [good for good in every if not broken(stock, good, person, frame)]


def is_clear(stock: Market, person: Person, frame: Frame) -> bool:
    """Return whether every thing on a person's list breaks at most one rule, and none is near a
    limit.
    """
    every = [stock.good(asin) for asin in person.listed]
    in_time = frame.methods(person.address.country)
    return (
        len({good.design for good in every}) == len(every)
        and all(len(broken(stock, good, person, frame)) <= 1 for good in every)
        and not any(note.is_near(good) for note in person.notes for good in every)
        and not any(
            abs(total(stock, good, method, frame) - frame.limit) < APART
            for good in every
            for method in in_time[:1]
        )
    )


# Drawing -----------------------------------------------------------------------------------------


def draw(split: str, stock: Market, rng: Random, *, barren: bool) -> Party:
    """Draw three people, each with a list on which a single thing fits.

    Args:
        split: The split of the seed, which has its own wordings.
        stock: The market's stock.
        rng: The source of randomness.
        barren: Whether no thing on the list of the second or the third person fits.
    """
    frame = _frame(rng)
    base = draw_account(rng, stock, OTHERS, frame.rules)
    empty = rng.randrange(1, PEOPLE) if barren else PEOPLE
    wears = rng.sample((True, True, False), PEOPLE)
    taken: set[str] = set()
    drawn = []
    for number, address in enumerate(_addresses(frame, base, stock, rng)):
        setting = _Setting(split, stock, frame, address, rng, taken)
        drawn.append(_proved(setting, worn=wears[number], empty=number == empty))
        taken |= {stock.good(asin).design for asin in drawn[-1].person.listed}
    return _party(frame, base, drawn, stock, rng)


def _proved(setting: _Setting, *, worn: bool, empty: bool) -> _Drawn:
    """Draw people until one has the intended number of suitable things on their list."""
    while True:
        found = _person(setting, worn=worn, empty=empty)
        if found is not None and is_proved(found.person, setting, found.cents, empty=empty):
            return found


def is_proved(
    person: Person, setting: _Setting, cents: Mapping[str, int], *, empty: bool
) -> bool:  # fmt: skip
    """Return whether a single thing fits on the person's list (none if `empty`), without doubt."""
    own = setting.stock.offering(_offers(cents))
    fits = fitting(own, person, setting.frame)
    return len(fits) == (0 if empty else 1) and is_clear(own, person, setting.frame)


def _offers(cents: Mapping[str, int]) -> dict[str, Offer]:
    return {asin: Offer(cents=each) for asin, each in cents.items()}


def _frame(rng: Random) -> Frame:
    """Draw the conditions for all presents: the shop's rules, the limit, and the deadline.

    In up to half of the draws, delivery is free from an amount just below the limit.
    """
    day = date(2026, 1, rng.choice(DEADLINES))
    usual = ShopRules(preset=rng.choice(((), (PLAN,), (WRAP,), (ROUND_UP,))))
    [cheapest, *_] = Frame(usual, 0, day).methods(pricing.HOME)
    limit = 100 * (rng.choice(LIMITS) + cheapest.cents // 100)
    if rng.random() < 0.5 and cheapest.cents > METHODS[0].cents:
        free = limit - cheapest.cents // 200 * 100
        return Frame(replace(usual, free_over=free, free_method=cheapest.name), limit, day)
    return Frame(usual, limit, day)


def _addresses(
    frame: Frame, base: MarketAccount, stock: Market, rng: Random
) -> list[Address]:  # fmt: skip
    """Draw addresses, not in the account, of three people with different first names."""
    known = {each.name.split()[0] for each in base.addresses}
    found: dict[str, Address] = {}
    while len(found) < PEOPLE:
        other = draw_account(rng, stock, range(1, 2))
        for each in other.addresses:
            first = each.name.split()[0]
            if each.name != other.name and first not in known and frame.methods(each.country):
                found.setdefault(first, each)
    return list(found.values())[:PEOPLE]


def _notes_for(split: str, worn: bool, rng: Random) -> tuple[Note, ...]:
    """Draw one or two notes of an address book that leave enough kinds of things to give.

    With `worn`, they leave a kind of clothing.
    """
    while True:
        rules = rng.sample(sorted(_notes.RULES), rng.choice(NOTES))
        notes = tuple(_notes.draw(rule, split, rng) for rule in rules)
        kinds = _kinds(notes)
        decided = {kind for kind in kinds if any(_bans(note, kind) for note in notes)}
        if len(kinds) > 3 and decided and (not worn or {*WORN} & _givable(notes)):
            return notes


def _kinds(notes: Sequence[Note]) -> set[str]:
    """Return the kinds of products that each of the notes clearly allows or forbids."""
    return {kind for kind in KINDS if all(note.concerns(kind) for note in notes)}


def _bans(note: Note, kind: str) -> bool:
    """Return whether a note of the address book forbids some or all things of a kind."""
    return kind in _notes.RULES[note.rule].bans


def _givable(notes: Sequence[Note]) -> set[str]:
    """Return the kinds of products that no note forbids entirely."""
    whole = {
        kind for note in notes for kind, ban in _notes.RULES[note.rule].bans.items() if not ban.fact
    }
    return _kinds(notes) - whole


# One person --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Setting:
    """The conditions for drawing a person.

    `taken` are the designs that are already on the lists of other people.
    """

    split: str
    stock: Market
    frame: Frame
    address: Address
    rng: Random
    taken: set[str]

    @property
    def cheapest(self) -> Method:
        """Return the cheapest way to deliver to the person that arrives by the deadline."""
        return self.frame.methods(self.address.country)[0]


@dataclass(frozen=True)
class _Sent:
    """A thing that was ordered for a person `age` days ago."""

    age: int
    asin: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class _Drawn:
    """A person, the prices in cents set for the things on their list, and earlier orders of such
    things.

    Things in `sent` reached the person, orders in `canceled` were canceled, and things in `own`
    went to the customer's own home.
    """

    person: Person
    cents: Mapping[str, int]
    sent: tuple[_Sent, ...]
    canceled: tuple[_Sent, ...]
    own: tuple[_Sent, ...]


@dataclass(frozen=True)
class _Draft:
    """A person whose list is being drawn; `used` are the designs that the list may not have."""

    setting: _Setting
    notes: tuple[Note, ...]
    sizes: Mapping[str, str]
    used: set[str]


def _person(setting: _Setting, *, worn: bool, empty: bool) -> _Drawn | None:
    """Draw a person with a list of things; None if the products do not suffice for a list."""
    rng = setting.rng
    notes = _notes_for(setting.split, worn, rng)
    wearable = sorted({*WORN} & _givable(notes))
    sizes, sent = _worn_before([rng.choice(wearable)] if worn else (), rng)
    used = {setting.stock.good(each.asin).design for each in sent} | setting.taken
    draft = _Draft(setting, notes, sizes, used)
    listed, cents = list[tuple[str, Good]](), dict[str, int]()
    for rule in _plan(rng, worn=worn, empty=empty):
        found = _entry(draft, rule)
        if found is None:
            return None
        good, price = found
        used.add(good.design)
        listed.append((rule, good))
        cents |= {good.asin: price} if price else {}
    rng.shuffle(listed)
    return _with_history(draft, listed, cents, sent)


def _with_history(
    draft: _Draft,
    listed: Sequence[tuple[str, Good]],
    cents: Mapping[str, int],
    worn: Sequence[_Sent],
) -> _Drawn:
    """Return the drawn person with earlier presents, and with orders that only look like
    presents.
    """
    rng, sizes = draft.setting.rng, draft.sizes
    had = (good for rule, good in listed if rule == HAD)
    sent = (*worn, *(_sent(good, range(40, DAYS), sizes, rng) for good in had))
    others = [good for rule, good in listed if rule != HAD]
    canceled = tuple(_decoys(others, CANCELED_ONCE, sizes, rng))
    own = tuple(_decoys(others, OWN_TOO, {}, rng))
    asins = tuple(good.asin for _, good in listed)
    reached = tuple(each.asin for each in sent)
    person = Person(draft.setting.address, draft.notes, asins, reached, sizes)
    return _Drawn(person, cents, sent, canceled, own)


def _decoys(
    goods: Sequence[Good], share: float, sizes: Mapping[str, str], rng: Random
) -> Iterator[_Sent]:
    """Yield, with probability `share`, an order of one of the things that did not reach the
    person.
    """
    if rng.random() < share:
        yield _sent(rng.choice(goods), range(10, DAYS), sizes, rng)


def _sent(good: Good, days: range, sizes: Mapping[str, str], rng: Random) -> _Sent:
    """Return an earlier order of a thing, in the person's size if it is known and sold.

    All other options have the first value.
    """
    options = {name: values[0] for name, values in good.options.items()}
    size = sizes.get(good.kind.name, "")
    if size in good.options.get(charts.SIZE, ()):
        options[charts.SIZE] = size
    return _Sent(rng.choice(days), good.asin, options)


def _plan(rng: Random, *, worn: bool, empty: bool) -> list[str]:
    """Return the rule that each thing on a person's list breaks; "" for the thing that fits."""
    sure = ["" if not empty else NOTE, NOTE, HAD, LIMIT, *([SIZE] if worn else [])]
    more = rng.choice(LISTED) - len(sure)
    return [*sure, *(rng.choice((HAD, LIMIT, LIMIT)) for _ in range(more))]


def _worn_before(kinds: Sequence[str], rng: Random) -> tuple[dict[str, str], list[_Sent]]:
    """Draw a person's size in each kind of clothing, and the orders from which it can be seen.

    For each kind, an older order has a different size.
    """
    sizes, sent = dict[str, str](), list[_Sent]()
    for kind in kinds:
        convention = rng.choice(CONVENTIONS)
        goods = [each for each in task.of_kind(kind) if each.convention == convention]
        last, first = rng.sample(goods, 2)
        sizes[kind] = rng.choice(last.options[charts.SIZE])
        older = _near(sizes[kind], first, rng)
        sent.append(_sent(last, range(60, 300), sizes, rng))
        sent.append(_sent(first, range(330, DAYS), {kind: older}, rng))
    return sizes, sent


def _near(size: str, good: Good, rng: Random) -> str:
    """Draw a different size in which a product is sold, if possible at most `GROWN` sizes away."""
    chart = charts.chart(good.kind.name, good.brand, good.convention)
    place = {name: number for number, (name, _) in enumerate(chart.rows)}
    others = [each for each in good.options[charts.SIZE] if each != size]
    near = [each for each in others if abs(place[each] - place[size]) <= GROWN]
    return rng.choice(near or others)


def _entry(draft: _Draft, rule: str) -> tuple[Good, int] | None:
    """Draw a thing that breaks only this rule, and its price in cents (0 for the usual price).

    Returns:
        None if `TRIES` draws give no such thing.
    """
    rng, kinds = draft.setting.rng, _able(draft, rule)
    for _ in range(TRIES * bool(kinds)):
        good = rng.choice(task.of_kind(rng.choice(kinds)))
        if _is(draft, rule, good):
            price = _price(draft.setting, good, too_much=rule == LIMIT)
            if price is not None:
                return good, price
    return None


def _able(draft: _Draft, rule: str) -> list[str]:
    """Return the kinds of products from which a thing that breaks only this rule can be drawn.

    The thing that fits (the rule is "") is worn if the person wears something; else it is of a kind
    that a note restricts, if there is any.
    """
    every = {kind for kind in _kinds(draft.notes) if kind not in WORN or kind in draft.sizes}
    decided = {kind for kind in every if any(_bans(note, kind) for note in draft.notes)}
    if rule == NOTE:
        return sorted(decided)
    givable = every & _givable(draft.notes)
    worn = givable & {*draft.sizes}
    if rule == SIZE:
        return sorted(worn)
    return sorted(givable if rule else worn or givable & decided or givable)


def _is(draft: _Draft, rule: str, good: Good) -> bool:
    """Return whether a product breaks the rules about notes and sizes only if `rule` is such a
    rule.
    """
    if good.design in draft.used or any(note.is_near(good) for note in draft.notes):
        return False
    forbidden = sum(note.forbids(good) for note in draft.notes)
    if good.kind.name not in WORN:
        return forbidden == (rule == NOTE)
    size = draft.sizes[good.kind.name]
    rows = charts.chart(good.kind.name, good.brand, good.convention).rows
    is_sold = size in good.options[charts.SIZE]
    same_numbers = any(size == own for own, _ in rows)
    return same_numbers and forbidden == (rule == NOTE) and is_sold == (rule != SIZE)


def _price(setting: _Setting, good: Good, *, too_much: bool) -> int | None:
    """Draw the price of a thing, in cents, that keeps or (with `too_much`) exceeds the limit.

    Returns:
        0 if the usual price will do, or None if no similar price gives the intended result.
    """
    frame, rng, usual = setting.frame, setting.rng, round(good.price * 100)
    bulky = frame.rules.bulky if good.kind.name in frame.rules.bulky_kinds else 0
    most, postage = frame.limit - bulky - APART, setting.cheapest.cents
    if setting.cheapest.name == frame.rules.free_method and frame.rules.free_over < frame.limit:
        free = frame.rules.free_over
    else:
        free = frame.limit
    if too_much:
        low, high = most - postage + 2 * APART, min(frame.limit, free) - APART
    elif free + APART // 2 < most - APART and rng.random() < FREE:
        low, high = free + APART // 2, most
    else:
        return 0 if usual + postage < most else None
    usual_ends = [cents for cents in range(low, high) if cents % 100 == ENDS]
    price = rng.choice(usual_ends) if usual_ends else frame.limit + 4 * APART + ENDS
    return price if PLANTED[0] < price / usual < PLANTED[1] else None


# The account -------------------------------------------------------------------------------------


def _party(
    frame: Frame, base: MarketAccount, drawn: Sequence[_Drawn], stock: Market, rng: Random
) -> Party:
    people = [each.person for each in drawn]
    others = list(_others(base, people, stock))
    own = _orders(frame, drawn, base.addresses[0], stock)
    days, method = {each.placed for each in others}, frame.rules.methods[0]
    orders = [*others, *_on_days_of_their_own(own, days, method)]
    known = _with_people(base, people, rng)
    account = replace(known, orders=tuple(numbered(orders, rng)))
    cents = {asin: price for each in drawn for asin, price in each.cents.items()}
    return Party(frame, tuple(people), account, _offers(cents))


def _with_people(base: MarketAccount, people: Sequence[Person], rng: Random) -> MarketAccount:
    """Return the account with the addresses and lists of the people.

    It has no codes: a code would lower a price, so that a second thing could keep the limit.
    """
    home, *rest = zip(base.addresses, base.notes, strict=True)
    rest += [_entry_of(each, rng) for each in people]
    lists = [*base.lists, *(SharedList(each.address.name, each.listed) for each in people)]
    rng.shuffle(rest)
    rng.shuffle(lists)
    addresses, notes = zip(home, *rest, strict=True)
    return replace(base, codes=(), addresses=addresses, notes=notes, lists=tuple(lists))


def _others(
    base: MarketAccount, people: Sequence[Person], stock: Market
) -> Iterator[MarketOrder]:  # fmt: skip
    """Yield the account's own orders, except for those of products that look like a thing on a
    list.
    """
    listed = {stock.good(asin).design for person in people for asin in person.listed}
    for order in base.orders:
        if not listed & {stock.good(line.asin).design for line in order.lines}:
            yield order


def _entry_of(person: Person, rng: Random) -> tuple[Address, str]:
    """Return an entry of the address book: the address, and its notes with an irrelevant remark."""
    texts = [each.text for each in person.notes] + [Speaker(_notes.WORDS, "", rng).choose("idle")]
    rng.shuffle(texts)
    return person.address, " ".join(texts)


def _orders(
    frame: Frame, drawn: Sequence[_Drawn], home: Address, stock: Market
) -> Iterator[MarketOrder]:
    """Yield the orders that reached the people, were canceled, or went to the customer's home."""
    for each in drawn:
        there = each.person.address
        yield from (_order(stock, frame, sent, there, COMPLETE) for sent in each.sent)
        yield from (_order(stock, frame, sent, there, CANCELED) for sent in each.canceled)
        yield from (_order(stock, frame, sent, home, COMPLETE) for sent in each.own)


def _order(
    stock: Market, frame: Frame, sent: _Sent, there: Address, status: str
) -> MarketOrder:  # fmt: skip
    line, method = stock.line(sent.asin), frame.rules.methods[0]
    cost = pricing.quote([line], frame.rules, method.name)
    return MarketOrder(
        number="",
        placed=TODAY - timedelta(days=sent.age),
        status=status,
        lines=(MarketLine(sent.asin, line.cents, 1, sent.options),),
        ship_to=there,
        method=method.name,
        postage=cost.postage + cost.bulky,
    )


def _on_days_of_their_own(
    orders: Iterator[MarketOrder], taken: set[date], method: Method
) -> Iterator[MarketOrder]:
    """Yield each order on a day without other orders, if necessary some days earlier."""
    for each in orders:
        placed = each.placed
        while placed in taken:
            placed -= timedelta(days=1)
        taken.add(placed)
        arrived = pricing.arrives(placed, method) if each.status == COMPLETE else None
        yield replace(each, placed=placed, delivered=arrived)
