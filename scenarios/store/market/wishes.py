"""Wishes at the market: constraints on facts, in a customer's words, that exactly one good meets.

Nothing that the wish says stands on a page in the same words. A bound keeps `GAP` away from every
product that would fit but for it, so that rounding to another unit never decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from sites.store.market.goods import charts
from sites.store.market.goods.bank import GatheredFact, Kind, MeasuredFact, WordedFact, shared
from sites.store.market.goods.charts import Chart
from sites.store.market.goods.goods import Good
from sites.store.market.goods.units import IMPERIAL, METRIC

IS, NOT, MOST, LEAST, HAS, OPTION, PRICE, SIZE = (
    "is", "not", "at most", "at least", "has", "option", "price", "size",
)  # fmt: skip
GAP = 0.04
SLACK = (0.05, 0.16)
"""How far a bound is from what the wished product has."""
PRICE_SLACK = (0.05, 0.8)
"""The same of the price, wider: else the dearest good that the wish allows would often be right."""
OTHER_UNIT = 0.6
"""The share of measures that a wish gives in the other convention's unit."""


@dataclass(frozen=True)
class Constraint:
    """One thing that is wished for: of a fact, an option (`fact` is its name) or the price.

    `value` is what the form compares with (of a bound the metric figure, of a size the `cm` of a
    body and whether it is `padded`), `text` the sentence.
    """

    fact: str
    form: str
    value: Any
    text: str

    def holds(self, good: Good) -> bool:
        if self.form == PRICE:
            return bool(good.price <= self.value)
        if self.form == OPTION:
            return bool(self.value in good.options.get(self.fact, ()))
        if self.form == SIZE:
            return size_of(good, self) in good.options[self.fact]
        return self.of_fact(good.facts[self.fact])

    def of_fact(self, has: Any) -> bool:
        if self.form == IS:
            return bool(has == self.value)
        if self.form == NOT:
            return bool(has != self.value)
        if self.form == HAS:
            return bool(self.value in has)
        return bool(has <= self.value) if self.form == MOST else bool(has >= self.value)

    def is_near(self, good: Good) -> bool:
        """Whether a bound is so near to what a good has that rounding could decide."""
        if self.form == SIZE:
            return _chart(good).is_near(self.value["cm"]) or not _is_clear(good, self)
        if self.form not in (MOST, LEAST, PRICE):
            return False
        has = good.price if self.form == PRICE else good.facts[self.fact]
        return bool(abs(float(str(has)) / self.value - 1) < GAP)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def size_of(good: Good, constraint: Constraint) -> str:
    """The size of a good for a body, by the brand's chart; "" where it has none."""
    return _chart(good).size(constraint.value["cm"], constraint.value["padded"])


def _chart(good: Good) -> Chart:
    return charts.chart(good.kind.name, good.brand, good.convention)


def _is_clear(good: Good, constraint: Constraint) -> bool:
    """Whether the chart says what to do over thick clothes, where the wish speaks of them."""
    return bool(_chart(good).note.padded) or not constraint.value["padded"]


def constraints(gold: Mapping[str, Any]) -> list[Constraint]:
    return [Constraint(**each) for each in gold["constraints"]]


def fitting(goods: Sequence[Good], wished: Sequence[Constraint]) -> list[Good]:
    return [good for good in goods if all(each.holds(good) for each in wished)]


def violated(good: Good, wished: Sequence[Constraint]) -> list[Constraint]:
    return [each for each in wished if not each.holds(good)]


def is_fair(goods: Sequence[Good], wished: Sequence[Constraint]) -> bool:
    """Whether no bound is near to a good that every other constraint lets through."""
    return not any(
        each.is_near(good)
        for each in wished
        for good in fitting(goods, [other for other in wished if other is not each])
    )


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """How many constraints of each form a wish has: the ends of a range."""

    worded: tuple[int, int] = (2, 3)
    measured: tuple[int, int] = (1, 2)
    gathered: tuple[int, int] = (0, 1)
    negation: float = 0.5
    option: float = 0.7
    price: float = 0.8


def draw(good: Good, split: str, shape: Shape, rng: Random) -> list[Constraint]:
    """Constraints that the good meets, in the wordings of a split, no two of one fact."""
    return [*_facts(good, split, shape, rng), *_offer(good, shape, rng)]


def _facts(good: Good, split: str, shape: Shape, rng: Random) -> Iterator[Constraint]:
    facts = list(good.kind.facts.values())
    rng.shuffle(facts)
    worded = [each for each in facts if isinstance(each, WordedFact)]
    number = rng.randint(*shape.worded)
    for fact in worded[:number]:
        value = str(good.facts[fact.name])
        yield Constraint(fact.name, IS, value, rng.choice(fact.values[value].wish[split]))
    if rng.random() < shape.negation:
        yield from list(_negations(good, worded[number:], split, rng))[:1]
    measured = [each for each in facts if isinstance(each, MeasuredFact)]
    for measure in measured[: rng.randint(*shape.measured)]:
        yield bound(good, measure, split, rng)
    gathered = [each for each in facts if isinstance(each, GatheredFact)]
    for gathering in gathered[: rng.randint(*shape.gathered)]:
        member = rng.choice([*_members(good, gathering)])
        text = rng.choice(gathering.members[member].wish[split])
        yield Constraint(gathering.name, HAS, member, text)


def _members(good: Good, fact: GatheredFact) -> tuple[str, ...]:
    value = good.facts[fact.name]
    assert isinstance(value, tuple)
    return value


def _negations(
    good: Good, facts: Sequence[WordedFact], split: str, rng: Random
) -> Iterator[Constraint]:
    for fact in facts:
        others = [each for each in fact.values.values() if each.unlike]
        able = [each for each in others if each.name != good.facts[fact.name]]
        if able:
            value = rng.choice(able)
            yield Constraint(fact.name, NOT, value.name, rng.choice(value.unlike[split]))


def bound(good: Good, fact: MeasuredFact, split: str, rng: Random) -> Constraint:
    """A bound that the good keeps, in the unit of one of the two conventions."""
    value = good.facts[fact.name]
    assert isinstance(value, float)
    form = rng.choice([form for form, texts in ((MOST, fact.most), (LEAST, fact.least)) if texts])
    slack = rng.uniform(*SLACK)
    limit = value * (1 + slack if form == MOST else 1 - slack)
    convention = convention_of(good, rng)
    limit = fact.unit.metric(plain(fact.unit.converted(limit, convention)), convention)
    texts = fact.most if form == MOST else fact.least
    figure = fact.unit.text(limit, convention)
    return Constraint(fact.name, form, round(limit, 4), rng.choice(texts[split]).format(x=figure))


def convention_of(good: Good, rng: Random) -> str:
    """In whose unit a wish tells a measure: mostly not in the one that the good's page uses."""
    other = IMPERIAL if good.convention == METRIC else METRIC
    return other if rng.random() < OTHER_UNIT else good.convention


def plain(figure: float) -> float:
    """A figure as people say it: in tens from three hundred, whole from twenty, in halves from four
    on."""
    if figure >= 300:
        return float(round(figure, -1))
    if figure >= 20:
        return float(round(figure))
    return round(figure * 2) / 2 if figure >= 4 else figure


def _offer(good: Good, shape: Shape, rng: Random) -> Iterator[Constraint]:
    frames = shared()["wishes"]
    for name, values in good.options.items():
        if rng.random() < shape.option:
            value = rng.choice(values)
            texts = frames[SIZE if name == charts.SIZE else OPTION]
            text = rng.choice(texts).format(value=value, Value=value.capitalize())
            yield Constraint(name, OPTION, value, text)
            break
    if rng.random() < shape.price:
        yield price_bound(good.price * (1 + rng.uniform(*PRICE_SLACK)), rng)


def price_bound(limit: float, rng: Random) -> Constraint:
    dollars = float(round(limit))
    text = rng.choice(shared()["wishes"]["price"]).format(price=int(dollars))
    return Constraint("price", PRICE, dollars, text)


# Wording -----------------------------------------------------------------------------------------


def instruction(kind: Kind, wished: Sequence[Constraint], split: str, rng: Random) -> str:
    """The wish as a customer writes it: what it is for, then its sentences in any order."""
    frames = shared()["wishes"]
    if rng.random() < 0.5:
        first = rng.choice(kind.needs[split]) + " " + rng.choice(frames["help"])
    else:
        first = rng.choice(frames["kind"]).format(kind=kind.one)
    sentences = [each.text for each in wished if each.form not in (PRICE, OPTION)]
    rng.shuffle(sentences)
    for context in rng.sample(shared()["contexts"], rng.choice((1, 1, 2))):
        text = context["text"].format(price=rng.randrange(12, 400))
        sentences.insert(rng.randrange(len(sentences) + 1), text)
    offer = [each.text for each in wished if each.form in (PRICE, OPTION)]
    ending = f"{rng.choice(frames['unmet'])} {rng.choice(frames['closings'])}".strip()
    opening = rng.choice(frames["openings"])
    return " ".join(filter(None, (opening.strip(), first, *sentences, *offer, ending)))
