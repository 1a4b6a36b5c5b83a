"""A customer's subscriptions that have become too many: draw them, and find what is left of them.

What is right follows from a procedure with one result: of two things of one kind the one that is
dearer by the piece is canceled, then the dearest that is left comes every two months, and the next
one, until a month is within the limit. A `Reading` overlooks one thing.
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
"""Kinds of which one is left alone."""
PETS = ("cats", "dogs")
FROM, LATER = date(2026, 2, 1), date(2026, 3, 1)
"""When new prices begin: those that count, and one that does not count yet."""
TAXES = (60, 70, 75, 80, 90)
APART = 100
"""No total is nearer to the limit, in cents."""
CLEAR = 1.03
"""So much dearer is the next one at least, by the delivery and by the piece."""
HALVED = (2, 3)
"""The screw: so many have to come every two months."""
SINGLES = 4
"""Things of which there is one of their kind, besides those that are spared and the other pet's."""
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
"""None of them says what its message is about."""


@dataclass(frozen=True)
class Held:
    """A subscription. `today` is what a pack costs now, `february` then; the others are what
    somebody believes who overlooks something: the `first` message of two, when it is to be `later`,
    or whose `pack` it is about. `kept` is whether the customer wants it left alone, and why."""

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
        return self.line.kind.name

    @property
    def name(self) -> str:
        return self.line.good(self.asin).name

    @property
    def pieces(self) -> int:
        return self.line.pieces[self.asin]


@dataclass(frozen=True)
class Reading:
    """How somebody understands pages and wish; the usual one overlooks nothing.

    `price` names the prices that are taken, `per_piece` whether pieces are counted; `knows_pet` and
    `spares_both` whether the spared one's things are known, and the other pet's spared with them;
    with `revives` canceled ones count, without `packs` each delivery as one pack; `extra` is how
    many are put off too many.
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
"""Each must lead elsewhere in every scenario."""
CARELESS_AT_TIMES: Mapping[str, Reading] = {"one pack a delivery": Reading(packs=False)}
"""It leads elsewhere nearly always."""


@dataclass(frozen=True)
class Household:
    """All that is drawn: subscriptions as they are listed, messages with the newest first, the
    limit in cents, and the tax."""

    held: tuple[Held, ...]
    inbox: tuple[Message, ...]
    superseded: frozenset[int]
    """The ids of messages that decide nothing."""
    limit: int
    rules: ShopRules
    kind: str
    pet: str

    @property
    def lines(self) -> list[SupplyLine]:
        return [each.line for each in self.held]

    def subscriptions(self) -> list[Subscription]:
        start = FROM + timedelta(days=1)
        return [
            Subscription(each.asin, each.months, start + timedelta(days=3 * at % 17), each.quantity)
            for at, each in enumerate(self.held)
        ]


# What is right -----------------------------------------------------------------------------------


def rows(household: Household, reading: Reading = RIGHT) -> dict[int, int] | None:
    """By its id (from 1) the months of each subscription, once all is done; None where a month
    stays above the limit."""
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
    """As many put off as are too many or too few."""
    end = put_off + reading.extra
    if not 0 <= end <= len(free):
        return None
    return {**months, **{at: 2 if place < end else 1 for place, at in enumerate(free)}}


def _months(held: Held, reading: Reading) -> int:
    return 1 if reading.revives and held.months == CANCELED else held.months


def _is_kept(held: Held, reading: Reading) -> bool:
    if held.pet:
        return reading.spares_both or bool(held.kept and reading.knows_pet)
    return bool(held.kept)


def _doubles(
    held: Mapping[int, Held], months: Mapping[int, int], reading: Reading
) -> Iterator[int]:
    """Those that bring what another one brings for less."""
    able = [at for at in held if months[at] and not _is_kept(held[at], reading)]
    for kind in dict.fromkeys(held[at].kind for at in able):
        alike = [at for at in able if held[at].kind == kind]
        best = min(alike, key=lambda at: _worth(held[at], reading))
        yield from (at for at in alike if at != best)


def _cents(held: Held, reading: Reading) -> int:
    """What a pack costs by this reading."""
    found: int = getattr(held, reading.price)
    return found or held.february


def _worth(held: Held, reading: Reading) -> Fraction:
    return Fraction(_cents(held, reading), held.pieces if reading.per_piece else 1)


def _delivery(held: Held, reading: Reading) -> int:
    return _cents(held, reading) * (held.quantity if reading.packs else 1)


def _month(household: Household, months: Mapping[int, int], reading: Reading) -> Fraction:
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
    """One that is proved: each careless reading leads elsewhere, and nothing is near to a bound."""
    while True:
        household = _with_limit(_any(rng), rng, impossible=impossible)
        if household is not None and is_proved(household):
            return household


def is_proved(household: Household) -> bool:
    right = rows(household)
    if not _is_clear(household):
        return False
    if right is None:
        return True
    return all(rows(household, each) != right for each in CARELESS.values())


def _is_clear(household: Household) -> bool:
    """Whether no two deliveries, and no two of a kind by the piece, are nearly alike."""
    free = [each for each in household.held if each.months and not each.kept]
    prices = sorted(_delivery(each, RIGHT) for each in free if each.months == 1)
    apart = all(b >= a * CLEAR for a, b in itertools.pairwise(prices))
    return apart and all(
        max(pair) >= min(pair) * Fraction(CLEAR)
        for kind in {each.kind for each in free}
        if len(pair := [_worth(each, RIGHT) for each in free if each.kind == kind]) > 1
    )


def _with_limit(household: Household, rng: Random, *, impossible: bool) -> Household | None:
    """A limit in whole dollars that so many put off keep to; without tax one less would do."""
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
    """What a month comes to when none is put off, one, two, and so on."""
    unlimited = replace(household, limit=10**9)
    number = 0
    while (found := rows(unlimited, Reading(extra=number))) is not None:
        yield _month(household, found, RIGHT)
        number += 1


@dataclass(frozen=True)
class _Maker:
    """Draws one subscription after the other, each of a line of its own."""

    rng: Random
    designs: set[str]

    def line(self, kind: str, variant: int | None = None, *, low: int, high: int) -> SupplyLine:
        """Two packs of a variant and one of the other; the first costs between these cents."""
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
        """The line's first pack, which costs in February what the line says; today this share."""
        asin, february = line.packs[0], line.cents[line.packs[0]]
        now = _supplies.price(february * today) if today != 1 else february
        cents = {**line.cents, asin: now}
        return Held(replace(line, cents=cents), asin, today=now, february=february)


def _any(rng: Random) -> Household:
    """Subscriptions among which everything that can be overlooked is there."""
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
    """One or two, which would be of one kind; one of them gets dearer."""
    for place in range(rng.randint(1, 2)):
        line = maker.line(kind, low=900, high=1500)
        yield replace(maker.held(line, today=1 if place else 0.8), kept=kind)


def _pets(maker: _Maker, pet: str, rng: Random) -> Iterator[Held]:
    """The dearest of all, which is spared, and the dearest of those that are not, for the other
    pet; a cheap pack of that one's line is what another message is about."""
    kinds = ["pet_food", "pet_snacks"]
    rng.shuffle(kinds)
    [other] = [each for each in PETS if each != pet]
    own = maker.line(kinds[0], _of(kinds[0], pet), low=2300, high=2900)
    yield replace(maker.held(own), kept=pet, pet=pet)
    line = maker.line(kinds[1], _of(kinds[1], other), low=1900, high=2200)
    dearer = maker.held(line, today=rng.uniform(0.8, 0.9))
    yield replace(dearer, pet=other, pack=rng.choice((545, 595, 645)))


def _of(kind: str, pet: str) -> int:
    return _supplies.variant_of(supplies.kinds()[kind], pet)


def _by_pieces(maker: _Maker, kind: str, rng: Random) -> Iterator[Held]:
    """Two of one kind: the smaller pack is cheaper, and dearer by the piece."""
    sizes = sorted(supplies.pack_sizes(supplies.kinds()[kind]))
    few, many = sizes[rng.randrange(2)], sizes[rng.randrange(len(sizes) - 3, len(sizes))]
    cheap = rng.randint(850, 1250)
    dear = rng.randint(cheap + 120, 1550)
    for cents, pieces in ((cheap, few), (dear, many)):
        line = maker.line(kind, low=cents, high=cents)
        yield maker.held(replace(line, pieces=_with(line, pieces)))


def _with(line: SupplyLine, pieces: int) -> dict[str, int]:
    """So many in the first pack, and other numbers in the others."""
    first, *rest = line.every
    others = [each for each in supplies.pack_sizes(line.kind) if each != pieces]
    return {first: pieces, **dict(zip(rest, others[1:], strict=False))}


def _by_price(maker: _Maker, kind: str, rng: Random) -> Iterator[Held]:
    """Two of one kind, of which a new price makes the other one the dearer by the piece."""
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
    """One that was corrected, one that gets dearer in March, one every two months, and one in two
    packs, of whose kind another one was canceled."""
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
    """The newest first, by ids that rise with time; and which of them decide nothing."""
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
    """What each new price is, and whether it decides."""
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
    return (
        f"You subscribe to things of this line, so please note: one pack of {name} will cost"
        f" {dollars(cents)} from {spoken(day)} on, before tax."
    )


def _corrected(held: Held) -> str:
    return (
        f"We have told you a new price for {held.name}. That was too much, and we take it back:"
        f" one pack will cost {dollars(held.february)} from {spoken(FROM)} on, before tax."
    )


def _idle(held: Sequence[Held], rng: Random) -> Iterator[tuple[str, bool]]:
    """News that change nothing."""
    name = rng.choice(held).name
    look = f"The carton of {name} has a new look. What is in it and what it costs stays the same."
    yield look, False
    yield "Around the holidays our drivers may be a day late. Nothing else changes.", False
