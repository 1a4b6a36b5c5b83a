"""Requests (wishes) at the market: constraints in a customer's words that just one product meets.

The sentences of a wish never appear on a page in the same words. A limit differs by at least `GAP`
from the figure of every product that meets the rest of the wish, so that rounding to another unit
never decides.
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
"""By what share a limit differs from the right product's figure: least and most."""
PRICE_SLACK = (0.05, 0.8)
"""By what share a price limit exceeds the right product's price: least and most.

It is wider than `SLACK`; otherwise the dearest product that the wish allows would often be right.
"""
OTHER_UNIT = 0.6
"""The share of measures that a wish gives in the unit that the product's page does not use."""


@dataclass(frozen=True)
class Constraint:
    """A condition of the customer's request: about a fact, an option (`fact` is its name) or the
    price.

    The form compares with `value`: for a limit the metric figure, for a size the `cm` of a body and
    whether it is `padded` (wears thick clothes). `text` is its sentence in the request.
    """

    fact: str
    form: str
    value: Any
    text: str

    def holds(self, good: Good) -> bool:
        """Return whether a product meets the constraint."""
        if self.form == PRICE:
            return bool(good.price <= self.value)
        if self.form == OPTION:
            return bool(self.value in good.options.get(self.fact, ()))
        if self.form == SIZE:
            return size_of(good, self) in good.options[self.fact]
        return self.of_fact(good.facts[self.fact])

    def of_fact(self, has: Any) -> bool:
        """Return whether a value of the constraint's fact meets it."""
        if self.form == IS:
            return bool(has == self.value)
        if self.form == NOT:
            return bool(has != self.value)
        if self.form == HAS:
            return bool(self.value in has)
        return bool(has <= self.value) if self.form == MOST else bool(has >= self.value)

    def is_near(self, good: Good) -> bool:
        """Return whether a product is so near to the limit that rounding could decide."""
        if self.form == SIZE:
            return _chart(good).is_near(self.value["cm"]) or not _is_clear(good, self)
        if self.form not in (MOST, LEAST, PRICE):
            return False
        has = good.price if self.form == PRICE else good.facts[self.fact]
        return bool(abs(float(str(has)) / self.value - 1) < GAP)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def size_of(good: Good, constraint: Constraint) -> str:
    """Return the size of a product for the body in a constraint, by the brand's chart.

    Returns:
        "" if the chart has no size for this body.
    """
    return _chart(good).size(constraint.value["cm"], constraint.value["padded"])


def _chart(good: Good) -> Chart:
    return charts.chart(good.kind.name, good.brand, good.convention)


def _is_clear(good: Good, constraint: Constraint) -> bool:
    """Return whether the product's chart covers thick clothes, or the request does not mention
    them.
    """
    return bool(_chart(good).note.padded) or not constraint.value["padded"]


def constraints(gold: Mapping[str, Any]) -> list[Constraint]:
    """Return the constraints of the request that a gold holds."""
    return [Constraint(**each) for each in gold["constraints"]]


def fitting(goods: Sequence[Good], wished: Sequence[Constraint]) -> list[Good]:
    """Return the products that meet all constraints."""
    return [good for good in goods if all(each.holds(good) for each in wished)]


def violated(good: Good, wished: Sequence[Constraint]) -> list[Constraint]:
    """Return the constraints that a product breaks."""
    return [each for each in wished if not each.holds(good)]


def is_fair(goods: Sequence[Good], wished: Sequence[Constraint]) -> bool:
    """Return whether no limit is so close to a product's figure that rounding could decide.

    Only products that meet all other constraints count.
    """
    return not any(
        each.is_near(good)
        for each in wished
        for good in fitting(goods, [other for other in wished if other is not each])
    )


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """How many constraints of each form a customer's request has.

    The least and the most numbers of `worded`, `measured` and `gathered` facts; `negation`,
    `option` and `price` are the probabilities that it has such a constraint.
    """

    worded: tuple[int, int] = (2, 3)
    measured: tuple[int, int] = (1, 2)
    gathered: tuple[int, int] = (0, 1)
    negation: float = 0.5
    option: float = 0.7
    price: float = 0.8


def draw(good: Good, split: str, shape: Shape, rng: Random) -> list[Constraint]:
    """Draw constraints that a product meets, no two about the same fact.

    Args:
        good: The product that must meet the constraints.
        split: The split of the seed (test, dev or train), which has its own wordings.
        shape: How many constraints of each form to draw.
        rng: The source of randomness.
    """
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
    """Draw a limit for a measured fact that the product keeps, in a metric or an imperial unit."""
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
    """Draw metric or imperial units for a measure in a request, mostly unlike the product's
    page.
    """
    other = IMPERIAL if good.convention == METRIC else METRIC
    return other if rng.random() < OTHER_UNIT else good.convention


def plain(figure: float) -> float:
    """Round a figure as people do: to tens from 300, to units from 20, to halves from 4."""
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
    """Return the constraint that the price is at most `limit` dollars, rounded to whole dollars."""
    dollars = float(round(limit))
    text = rng.choice(shared()["wishes"]["price"]).format(price=int(dollars))
    return Constraint("price", PRICE, dollars, text)


# Wording -----------------------------------------------------------------------------------------


def instruction(kind: Kind, wished: Sequence[Constraint], split: str, rng: Random) -> str:
    """Return the request as a customer writes it.

    It opens with the kind or its purpose, continues with the sentences and some irrelevant remarks
    in random order, and ends with options, the price, and what to do if nothing fits.
    """
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
