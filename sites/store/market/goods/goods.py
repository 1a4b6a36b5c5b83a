"""The market's products: each design has several similar products (siblings), whose facts no page
lists completely.

The siblings of a design share brand, line and title. Each has its own code and differs from the
first in one or two facts. Scorers and proofs read only the facts, pages show only wordings.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count

from sites.store.catalogue.product import asin_at
from sites.store.market.goods import bank, charts
from sites.store.market.goods.bank import Fact, GatheredFact, Kind, MeasuredFact, WordedFact
from sites.store.market.goods.units import IMPERIAL, METRIC

PER_KIND = 200
SIBLINGS = (4, 8)
PLACES = ("table", "description", "features", "answers", "reviews")
IN_TWO_PLACES = 0.4
"""The share of a product's facts that its page states in two places."""
BOASTED = 1 / 6
"""The share of products whose advertisement exaggerates a figure of their specification table."""
PREFIX = "M0"
"""The first characters of the asins (product codes) of the market; WebShop's begin with B0."""
OFFSET = 512_964_852_083

Value = str | float | tuple[str, ...]
"""The value of a product's fact: the name of a worded value, a metric figure, or names of members
in the word list's order.
"""


@dataclass(frozen=True, eq=False)
class Good:
    """A product of the market: its code, its facts, and the places that state each fact.

    Attributes:
        price: The price in dollars.
        facts: The value of each fact.
        places: The parts of the page that state each fact.
        boast: A fact that the advertisement exaggerates, with the claimed figure; None for none.
    """

    asin: str
    kind: Kind
    brand: str
    convention: str
    line: str
    head: str
    model: str
    price: float
    options: Mapping[str, tuple[str, ...]]
    facts: Mapping[str, Value]
    places: Mapping[str, tuple[str, ...]]
    boast: tuple[str, float] | None

    @cached_property
    def name(self) -> str:
        return f"{self.design} {self.model}"

    @property
    def design(self) -> str:
        """The design, a name that similar products (siblings) share."""
        return f"{self.brand} {self.line} {self.head}"


@cache
def goods() -> Mapping[str, Good]:
    """Return all products of the market by asin (product code), kind by kind; the same in every
    process.
    """
    asins = (asin_at(place, PREFIX, OFFSET) for place in count())
    return {
        good.asin: good
        for kind in bank.kinds().values()
        for good in _of_kind(kind, asins)
    }  # fmt: skip


def _of_kind(kind: Kind, asins: Iterator[str]) -> Iterator[Good]:
    made = 0
    for turn in count():
        rng = random.Random(f"store/market/{kind.name}/{turn}")
        for good in _siblings(kind, turn, rng):
            if made == PER_KIND:
                return
            made += 1
            yield replace(good, asin=next(asins), options={**good.options, **_sizes(good)})


def _sizes(good: Good) -> Mapping[str, tuple[str, ...]]:
    """Return the option "size" of a product that is worn, as a dict; {} for other products."""
    return charts.options(good.kind.name, good.brand, good.convention, good.model)


def _siblings(kind: Kind, turn: int, rng: random.Random) -> list[Good]:
    """Draw the first product of a design and similar ones (siblings) that differ from it in one or
    two facts.
    """
    first = _first(kind, turn, rng)
    family = [first]
    while len(family) < rng.randint(*SIBLINGS):
        changed = rng.sample(sorted(kind.facts), rng.randint(1, 2))
        facts = {**first.facts, **{name: _other(kind.facts[name], first, rng) for name in changed}}
        if all(facts != each.facts for each in family):
            family.append(_sibling(first, facts, rng))
    return family


def _first(kind: Kind, turn: int, rng: random.Random) -> Good:
    words = bank.shared()
    convention = rng.choice((METRIC, IMPERIAL))
    facts = {name: _value(fact, rng) for name, fact in kind.facts.items()}
    lines = len(kind.lines)
    return Good(
        asin="",
        kind=kind,
        brand=rng.choice(words[f"{convention}_brands"]),
        convention=convention,
        line=f"{kind.lines[turn % lines]}{'' if turn < lines else f' {turn // lines + 1}'}",
        head=rng.choice(kind.heads),
        model=_model(rng),
        price=_price(rng.uniform(kind.lowest, kind.highest)),
        options={name: _some(values, rng) for name, values in kind.options.items()},
        facts=facts,
        places=_all_places(kind, rng),
        boast=_boast(kind, facts, rng),
    )


def _sibling(first: Good, facts: Mapping[str, Value], rng: random.Random) -> Good:
    return replace(
        first,
        model=_model(rng),
        price=_price(first.price * rng.uniform(0.92, 1.08)),
        facts=facts,
        places=_all_places(first.kind, rng),
        boast=_boast(first.kind, facts, rng),
    )


def _value(fact: Fact, rng: random.Random) -> Value:
    if isinstance(fact, WordedFact):
        return rng.choice(list(fact.values))
    if isinstance(fact, MeasuredFact):
        return _figure(fact, rng.uniform(fact.lowest, fact.highest))
    chosen = rng.sample(list(fact.members), rng.randint(fact.fewest, fact.most))
    return tuple(name for name in fact.members if name in chosen)


def _other(fact: Fact, first: Good, rng: random.Random) -> Value:
    """Draw another value of a fact than the first product has; a figure differs by a
    tenth or more.
    """
    old = first.facts[fact.name]
    while True:
        value = _value(fact, rng)
        near = isinstance(value, float) and isinstance(old, float) and abs(value / old - 1) < 0.1
        if value != old and not near:
            return value


def _figure(fact: MeasuredFact, value: float) -> float:
    return round(round(value / fact.step) * fact.step, fact.unit.decimals)


def _all_places(kind: Kind, rng: random.Random) -> dict[str, tuple[str, ...]]:
    """Draw one or two places on the page for each fact; reviews state neither figures nor lists."""
    return {name: _places(fact, rng) for name, fact in kind.facts.items()}


def _places(fact: Fact, rng: random.Random) -> tuple[str, ...]:
    able = PLACES if isinstance(fact, WordedFact) else PLACES[:-1]
    chosen = rng.sample(able, 2 if rng.random() < IN_TWO_PLACES else 1)
    return tuple(place for place in able if place in chosen)


def _boast(
    kind: Kind, facts: Mapping[str, Value], rng: random.Random
) -> tuple[str, float] | None:  # fmt: skip
    able = [each for each in kind.facts.values() if isinstance(each, MeasuredFact) and each.boast]
    if not able or rng.random() >= BOASTED:
        return None
    fact = rng.choice(able)
    value = facts[fact.name]
    assert isinstance(value, float)
    return fact.name, _figure(fact, value * rng.uniform(1.3, 1.7))


def _some(values: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    """Draw two or more of the values, and return them in their original order."""
    chosen = rng.sample(values, rng.randint(min(2, len(values)), len(values)))
    return tuple(value for value in values if value in chosen)


def _price(amount: float) -> float:
    return round(int(amount) + 0.95, 2)


def _model(rng: random.Random) -> str:
    letters = "".join(rng.choice("ABCDEFGHKLMNPRSTVX") for _ in range(2))
    return f"{letters}-{rng.randrange(1000, 10000)}"


def texts(good: Good, fact: Fact) -> tuple[str, str, str]:
    """Return the shop's wording of a product's fact: in the table, in a sentence and in
    an answer.
    """
    value = good.facts[fact.name]
    if isinstance(fact, WordedFact):
        wording = fact.values[str(value)]
        return wording.table, wording.page, wording.answer
    if isinstance(fact, MeasuredFact):
        assert isinstance(value, float)
        figure = fact.unit.text(value, good.convention)
    else:
        assert isinstance(fact, GatheredFact) and isinstance(value, tuple)
        figure = ", ".join(fact.members[name].text for name in value)
    table = figure[:1].upper() + figure[1:]
    return table, fact.page.format(x=figure), fact.answer.format(x=figure)
