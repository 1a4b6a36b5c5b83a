"""A customer's subscriptions that cost too much: draw them, and find which of them remain.

The right result follows from a procedure: of two things of a kind, cancel the thing that is dearer
per piece; then let the dearest delivery that remains come every two months, then the next, until a
month's cost keeps the limit. A `Reading` is a way to understand the pages and the wish; a careless
reading overlooks one thing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from random import Random

from scenarios.store.checkout import _supplies
from scenarios.store.checkout._supplies import SupplyLine
from sites.store.catalogue.clock import TODAY, spoken
from sites.store.market.goods import supplies
from sites.store.market.pricing import ShopRules
from sites.store.market.service.help import dollars
from sites.store.market.service.subscriptions import CANCELED, Message, Subscription

SPARED = ("coffee", "razor_blades", "brush_heads", "batteries", "wipes")
"""Kinds of supplies; the customer wants the subscriptions of one of these left as they are."""
PETS = ("cats", "dogs")
FROM, LATER = date(2026, 2, 1), date(2026, 3, 1)
"""The days on which new prices begin: those of `FROM` count for the task, those of `LATER` do not.
"""
TAXES = (60, 70, 75, 80, 90)
APART = 100
"""The least difference in cents between a month's cost and the limit."""
CLEAR = 1.03
"""The least ratio of two prices that are compared, per delivery or per piece."""
HALVED = (2, 3)
"""The possible numbers of subscriptions that must be slowed to every two months; the difficulty."""
SINGLES = 4
"""How many subscribed things have no other thing of their kind.

Things that must be left alone, and the other pet's thing, are not counted.
"""
SUBJECTS = (
    "About one of your subscriptions",
    "A note on your deliveries",
    "From our desk to yours",
    "Please take note",
    "Something small has changed",
    "What is new in your subscriptions",
    "For your information",
    "A short word from us",
    "Concerning a delivery of yours",
    "To our subscribers",
    "Your subscriptions in the new year",
    "Before your next delivery",
)
"""Subjects of the shop's messages; none of them shows what its message is about."""


@dataclass(frozen=True)
class Held:
    """A subscription of the customer, with all prices that right and careless readers may use.

    The price of a pack is `today` now and `february` from February on. Further prices belong to
    careless readings: `first` from a message that was corrected later, `later` from March on, and
    `pack` for another pack. `kept` is the kind or the pet for which the customer leaves it alone,
    "" if not. All prices are in cents; 0 means that there is no such price.
    """

    line: SupplyLine
    asin: str
    today: int
    february: int
    quantity: int = 1
    months: int = 1
    first: int = 0
    later: int = 0
    pack: int = 0
    kept: str = ""
    pet: str = ""

    @property
    def kind(self) -> str:
        """Return the name of the kind of product."""
        return self.line.kind.name

    @property
    def name(self) -> str:
        """Return the name of the subscribed pack, as pages show it."""
        return self.line.good(self.asin).name

    @property
    def pieces(self) -> int:
        """Return the number of pieces in the subscribed pack."""
        return self.line.pieces[self.asin]


@dataclass(frozen=True)
class Reading:
    """A way to understand the pages and the customer's request; the default overlooks nothing.

    `price` names the price of `Held` that is used, and `tax` says whether tax is counted. Without
    `per_piece` packs are compared by their price. Without `knows_pet` the things for the pet to
    spare are not recognized; with `spares_both` the other pet's things are spared, too. With
    `revives`, canceled subscriptions count; without `packs`, each delivery counts as a single pack.
    `extra` is the number of subscriptions put off too many.
    """

    price: str = "february"
    tax: bool = True
    per_piece: bool = True
    knows_pet: bool = True
    spares_both: bool = False
    revives: bool = False
    packs: bool = True
    extra: int = 0


RIGHT = Reading()
CARELESS: Mapping[str, Reading] = {
    "prices of today": Reading(price="today"),
    "the first of two messages": Reading(price="first"),
    "a price that holds from March": Reading(price="later"),
    "the price of another pack": Reading(price="pack"),
    "without tax": Reading(tax=False),
    "cheaper by the pack": Reading(per_piece=False),
    "the pet's things not known": Reading(knows_pet=False),
    "the other pet spared, too": Reading(spares_both=True),
    "a canceled one counted": Reading(revives=True),
    "one put off too many": Reading(extra=1),
    "one put off too few": Reading(extra=-1),
}
"""Misreadings of the pages, by label; each of these leads to a wrong result in every scenario."""
CARELESS_AT_TIMES: Mapping[str, Reading] = {"one pack a delivery": Reading(packs=False)}
"""Misreadings of the pages, by label, that lead to a wrong result in nearly every scenario."""


@dataclass(frozen=True)
class Household:
    """A customer's subscriptions, messages, rules and cost limit (in cents), drawn for one
    scenario.

    The subscriptions stand in the order of their list, the messages have the newest first.
    """

    held: tuple[Held, ...]
    inbox: tuple[Message, ...]
    superseded: frozenset[int]
    """The ids of messages that do not matter: idle news, and prices that were corrected later."""
    limit: int
    rules: ShopRules
    kind: str
    pet: str

    @property
    def lines(self) -> list[SupplyLine]:
        """Return the range of packs of each subscribed product."""
        return [each.line for each in self.held]

    def subscriptions(self) -> list[Subscription]:
        """Return the subscriptions in the form in which the visit's database stores them."""
        start = FROM + timedelta(days=1)
        return [
            Subscription(each.asin, each.months, start + timedelta(days=3 * at % 17), each.quantity)
            for at, each in enumerate(self.held)
        ]


# What is right -----------------------------------------------------------------------------------


def rows(household: Household, reading: Reading = RIGHT) -> dict[int, int] | None:
    """Return how many months apart the deliveries of each subscription must be at the end, by id
    (from 1).

    Returns:
        None if a month's cost stays above the limit.
    """
    months = {at: _months(each, reading) for at, each in enumerate(household.held, start=1)}
    held = dict(enumerate(household.held, start=1))
    for at in _doubles(held, months, reading):
        months[at] = CANCELED
    free = [at for at, each in held.items() if months[at] == 1 and not _is_kept(each, reading)]
    free.sort(key=lambda at: -_delivery(held[at], reading))
    put_off = 0
    while _month(household, months, reading) > household.limit and put_off < len(free):
        months[free[put_off]] = 2
        put_off += 1
    if _month(household, months, reading) > household.limit:
        return None
    return _extra(months, free, put_off, reading)


def _extra(
    months: dict[int, int], free: Sequence[int], put_off: int, reading: Reading
) -> dict[int, int] | None:
    """Return the months of all subscriptions with the first of `free` set to every two months.

    Their number is `put_off`, changed by the reading's `extra`; None if there are too few.
    """
    end = put_off + reading.extra
    if not 0 <= end <= len(free):
        return None
    return {**months, **{at: 2 if place < end else 1 for place, at in enumerate(free)}}


def _months(held: Held, reading: Reading) -> int:
    """Return the months between a subscription's deliveries at the start, as the reading sees
    them.
    """
    return 1 if reading.revives and held.months == CANCELED else held.months


def _is_kept(held: Held, reading: Reading) -> bool:
    """Return whether the reading leaves a subscription alone."""
    if held.pet:
        return reading.spares_both or bool(held.kept and reading.knows_pet)
    return bool(held.kept)


def _doubles(
    held: Mapping[int, Held], months: Mapping[int, int], reading: Reading
) -> Iterator[int]:
    """Yield the ids of subscriptions to cancel, as another of the same kind costs less."""
    able = [at for at in held if months[at] and not _is_kept(held[at], reading)]
    for kind in dict.fromkeys(held[at].kind for at in able):
        alike = [at for at in able if held[at].kind == kind]
        best = min(alike, key=lambda at: _worth(held[at], reading))
        yield from (at for at in alike if at != best)


def _cents(held: Held, reading: Reading) -> int:
    """Return the price of a pack, in cents, that a reader with this reading of the pages uses."""
    found: int = getattr(held, reading.price)
    return found or held.february


def _worth(held: Held, reading: Reading) -> Fraction:
    """Return the price by which two things of a kind are compared, in cents."""
    return Fraction(_cents(held, reading), held.pieces if reading.per_piece else 1)


def _delivery(held: Held, reading: Reading) -> int:
    """Return the price of a delivery, in cents, as this reading of the pages has it."""
    return _cents(held, reading) * (held.quantity if reading.packs else 1)


def _month(household: Household, months: Mapping[int, int], reading: Reading) -> Fraction:
    """Return a month's cost of all subscriptions with these intervals, in cents."""
    goods = sum(
        (
            Fraction(_delivery(household.held[at - 1], reading), each)
            for at, each in months.items()
            if each
        ),
        Fraction(0),
    )
    return goods * (1000 + household.rules.tax * reading.tax) / 1000


# Drawing -----------------------------------------------------------------------------------------


def draw(rng: Random, *, impossible: bool) -> Household:
    """Draw a household until it is a proved task.

    Each careless reading leads to a wrong result, and no figure is close to the limit.
    """
    while True:
        household = _with_limit(_any(rng), rng, impossible=impossible)
        if household is not None and is_proved(household):
            return household


def is_proved(household: Household) -> bool:
    """Return whether no two prices are close and every careless reading gives a wrong result."""
    right = rows(household)
    if not _is_clear(household):
        return False
    if right is None:
        return True
    return all(rows(household, each) != right for each in CARELESS.values())


def _is_clear(household: Household) -> bool:
    """Return whether no two deliveries, and no two things of a kind per piece, cost nearly the
    same.
    """
    free = [each for each in household.held if each.months and not each.kept]
    prices = sorted(_delivery(each, RIGHT) for each in free if each.months == 1)
    apart = all(b >= a * CLEAR for a, b in itertools.pairwise(prices))
    return apart and all(
        max(pair) >= min(pair) * Fraction(CLEAR)
        for kind in {each.kind for each in free}
        if len(pair := [_worth(each, RIGHT) for each in free if each.kind == kind]) > 1
    )


def _with_limit(household: Household, rng: Random, *, impossible: bool) -> Household | None:
    """Return the household with a limit that is kept once a drawn number of subscriptions is put
    off.

    The limit is in whole dollars. Without tax, one fewer would be enough. If `impossible`, no
    number is enough. The result is None if there is no such limit.
    """
    totals = list(_totals(household))
    if impossible:
        low, high = round(totals[-1] * 0.88), round(totals[-1] * 0.95)
    else:
        number = rng.choice(HALVED)
        untaxed = totals[number - 1] * 1000 / (1000 + household.rules.tax)
        low = round(max(totals[number], untaxed)) + APART
        high = round(totals[number - 1]) - APART
    able = list(range(-(-low // 100) * 100, high + 1, 100))
    return replace(household, limit=rng.choice(able)) if able else None


def _totals(household: Household) -> Iterator[Fraction]:
    """Yield the cost of a month if no subscription is put off, then one, then two, and so on."""
    unlimited = replace(household, limit=10**9)
    number = 0
    while (found := rows(unlimited, Reading(extra=number))) is not None:
        yield _month(household, found, RIGHT)
        number += 1


@dataclass(frozen=True)
class _Maker:
    """Draws subscriptions to products of different designs."""

    rng: Random
    designs: set[str]

    def line(self, kind: str, variant: int | None = None, *, low: int, high: int) -> SupplyLine:
        """Draw a product's range: two packs of one variant and one pack of the other.

        The first costs `low` to `high` cents.
        """
        rng = self.rng
        found = rng.choice(_supplies.lines_of(supplies.kinds()[kind], self.designs))
        own = rng.randrange(2) if variant is None else variant
        self.designs.add(found[0][0].design)
        packs = [each.asin for each in rng.sample(found[own], 2)]
        other = rng.choice(found[1 - own]).asin
        pieces = _supplies.drawn_pieces(found[0][0].kind, 3, rng)
        cents = [_supplies.price(rng.randint(low, high))]
        cents += [_supplies.price(cents[0] * n / pieces[0] * rng.uniform(0.85, 1.2))
                  for n in pieces[1:]]  # fmt: skip
        every = (*packs, other)
        return SupplyLine(
            packs=tuple(packs),
            others=(other,),
            pieces=dict(zip(every, pieces, strict=True)),
            cents=dict(zip(every, cents, strict=True)),
        )

    def held(self, line: SupplyLine, *, today: float = 1.0) -> Held:
        """Return a subscription to the first pack of a range.

        The pack costs the range's price in February, and `today` times as much now.
        """
        asin, february = line.packs[0], line.cents[line.packs[0]]
        now = _supplies.price(february * today) if today != 1 else february
        cents = {**line.cents, asin: now}
        return Held(replace(line, cents=cents), asin, today=now, february=february)


def _any(rng: Random) -> Household:
    """Draw a customer's subscriptions, in which every careless reading can go wrong."""
    maker = _Maker(rng, set())
    spared, pet = rng.choice(SPARED), rng.choice(PETS)
    plain = [each for each in supplies.kinds() if not each.startswith("pet") and each != spared]
    rng.shuffle(plain)
    held = [
        *_spared(maker, spared, rng),
        *_pets(maker, pet, rng),
        *_by_pieces(maker, plain.pop(), rng),
        *_by_price(maker, plain.pop(), rng),
        *_singles(maker, [plain.pop() for _ in range(SINGLES)], rng),
    ]
    rng.shuffle(held)
    rules = ShopRules(tax=rng.choice(TAXES))
    inbox, idle = _inbox(held, rng)
    kind = supplies.kinds()[spared].name
    return Household(tuple(held), inbox, idle, 0, rules, kind, pet)


def _spared(maker: _Maker, kind: str, rng: Random) -> Iterator[Held]:
    """Yield one or two subscriptions of the kind to leave alone; the first one's price rises."""
    for place in range(rng.randint(1, 2)):
        line = maker.line(kind, low=900, high=1500)
        yield replace(maker.held(line, today=1 if place else 0.8), kept=kind)


def _pets(maker: _Maker, pet: str, rng: Random) -> Iterator[Held]:
    """Yield the subscriptions for two pets, one to leave alone and one to change.

    The dearest of all is left alone. The other pet's thing is the dearest of the rest; a message is
    about a cheap pack of its line.
    """
    kinds = ["pet_food", "pet_snacks"]
    rng.shuffle(kinds)
    [other] = [each for each in PETS if each != pet]
    own = maker.line(kinds[0], _of(kinds[0], pet), low=2300, high=2900)
    yield replace(maker.held(own), kept=pet, pet=pet)
    line = maker.line(kinds[1], _of(kinds[1], other), low=1900, high=2200)
    dearer = maker.held(line, today=rng.uniform(0.8, 0.9))
    yield replace(dearer, pet=other, pack=rng.choice((545, 595, 645)))


def _of(kind: str, pet: str) -> int:
    """Return which variant (0 or 1) of a kind of supplies is for this pet."""
    return _supplies.variant_of(supplies.kinds()[kind], pet)


def _by_pieces(maker: _Maker, kind: str, rng: Random) -> Iterator[Held]:
    """Yield subscriptions to two things of a kind: the smaller pack is cheaper, but dearer per
    piece.
    """
    sizes = sorted(supplies.pack_sizes(supplies.kinds()[kind]))
    few, many = sizes[rng.randrange(2)], sizes[rng.randrange(len(sizes) - 3, len(sizes))]
    cheap = rng.randint(850, 1250)
    dear = rng.randint(cheap + 120, 1550)
    for cents, pieces in ((cheap, few), (dear, many)):
        line = maker.line(kind, low=cents, high=cents)
        yield maker.held(replace(line, pieces=_with(line, pieces)))


def _with(line: SupplyLine, pieces: int) -> dict[str, int]:
    """Return the numbers of pieces of a range's packs, by asin, with this number for the first."""
    first, *rest = line.every
    others = [each for each in supplies.pack_sizes(line.kind) if each != pieces]
    return {first: pieces, **dict(zip(rest, others[1:], strict=False))}


def _by_price(maker: _Maker, kind: str, rng: Random) -> Iterator[Held]:
    """Yield subscriptions to two things of a kind; the new price makes the second dearer per
    piece.
    """
    cents, apiece = rng.randint(950, 1450), rng.uniform(1.07, 1.15)
    first = maker.line(kind, low=cents, high=cents)
    second = maker.line(kind, low=cents, high=cents)
    pieces = first.pieces[first.packs[0]]
    second = replace(second, pieces=_with(second, pieces))
    price = _supplies.price(cents * apiece)
    second = replace(second, cents={**second.cents, second.packs[0]: price})
    yield maker.held(first)
    yield maker.held(second, today=rng.uniform(0.76, 0.84))


def _singles(maker: _Maker, kinds: Sequence[str], rng: Random) -> Iterator[Held]:
    """Yield subscriptions to things that are alone of their kind, and a canceled subscription.

    A price was corrected, a price rises in March only, a thing comes every two months, and a thing
    comes in two packs; the canceled subscription is of the last thing's kind.
    """
    corrected = maker.held(maker.line(kinds[0], low=700, high=1000), today=0.9)
    yield replace(corrected, first=_supplies.price(rng.randint(2400, 2900)))
    march = maker.held(maker.line(kinds[1], low=650, high=950))
    yield replace(march, later=_supplies.price(rng.randint(2400, 2900)))
    yield replace(maker.held(maker.line(kinds[2], low=900, high=1500)), months=2)
    low = rng.randint(480, 780)
    double = maker.held(maker.line(kinds[3], low=low, high=low), today=0.85)
    yield replace(double, quantity=2)
    ended = maker.line(kinds[3], low=400, high=470)
    pieces = max(supplies.pack_sizes(ended.kind))
    yield replace(maker.held(replace(ended, pieces=_with(ended, pieces))), months=CANCELED)


# Messages ----------------------------------------------------------------------------------------


def _inbox(held: Sequence[Held], rng: Random) -> tuple[tuple[Message, ...], frozenset[int]]:
    """Return the shop's messages, the newest first, and the ids of those that do not matter.

    The ids rise with time.
    """
    texts = [*_changes(held), *_idle(held, rng)]
    rng.shuffle(texts)
    last = [_corrected(each) for each in held if each.first]
    days = sorted(rng.sample(range(2, 40), len(texts) + len(last)), reverse=True)
    sent = [TODAY - timedelta(days=each) for each in days]
    whole = [*texts, *((text, True) for text in last)]
    subjects = rng.sample(SUBJECTS, len(whole))
    inbox = [
        Message(day, subject, text, at)
        for at, (day, subject, (text, _)) in enumerate(zip(sent, subjects, whole, strict=True), 1)
    ]
    idle = (at for at, (_, decides) in enumerate(whole, start=1) if not decides)
    return tuple(inbox[::-1]), frozenset(idle)


def _changes(held: Sequence[Held]) -> Iterator[tuple[str, bool]]:
    """Yield the text of a message for each new price, and whether the task's solution needs it."""
    for each in held:
        if each.first:
            yield _price(each.name, each.first, FROM), False
        elif each.later:
            yield _price(each.name, each.later, LATER), True
        elif each.february != each.today:
            yield _price(each.name, each.february, FROM), True
        if each.pack:
            other = each.line.good(each.line.packs[1]).name
            yield _price(other, each.pack, FROM), False


def _price(name: str, cents: int, day: date) -> str:
    """Return the text of a message about a new price."""
    return (
        f"You subscribe to things of this line, so please note: one pack of {name} will cost"
        f" {dollars(cents)} from {spoken(day)} on, before tax."
    )


def _corrected(held: Held) -> str:
    """Return the text of a message that corrects a new price."""
    return (
        f"We have told you a new price for {held.name}. That was too much, and we take it back:"
        f" one pack will cost {dollars(held.february)} from {spoken(FROM)} on, before tax."
    )


def _idle(held: Sequence[Held], rng: Random) -> Iterator[tuple[str, bool]]:
    """Yield the texts of messages that change nothing, each with False, as it does not matter."""
    name = rng.choice(held).name
    look = f"The carton of {name} has a new look. What is in it and what it costs stays the same."
    yield look, False
    yield "Around the holidays our drivers may be a day late. Nothing else changes.", False
