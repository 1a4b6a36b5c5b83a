"""Buy a product that fits by its measures, mostly given in the unit that its page does not use.

For products that are worn, the customer gives the measure of a body; the size follows from the
brand's chart and the chart's note. For others, one limit is the sum or the difference of two
measures that the customer gives. Half of the seeds are about products that are worn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import task, wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import visits
from scenarios.store.wishes import _buying
from sites.store import StoreData
from sites.store.market.goods import charts
from sites.store.market.goods.bank import MeasuredFact
from sites.store.market.goods.charts import Fit
from sites.store.market.goods.goods import Good, Value
from sites.store.market.goods.units import UNITS

SITE = "store"
TAG = "transaction"
SCORING = "market"
STEPS = task.STEPS
ANSWER: AnswerSchema | None = AnswerSchema("text", "NOT_ACHIEVABLE where nothing fits")

MEASURED = (2, 3)
"""The least and the most number of measured facts in a request, the fact that must fit included."""
PADDED = 0.9
"""The probability that the customer wears thick clothes, if the chart's note mentions them."""
BETWEEN = (0.25, 0.75)
"""Where a body's measure lies between two rows of the chart, as shares of the distance."""
TRIES = 8
"""How many limits are drawn before a request is given up."""
_FIGURES = re.compile(r"\d+(?:\.\d+)?")
_NONE_FITS, _DEAR = "said that nothing fits", "bought though too dear"
_SHAPE = wishes.Shape((1, 2), (0, 0), (0, 1), negation=0.3, option=0.5)

world = task.world
length = task.length
honest_length = task.honest_length
solve = _buying.solve


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise as for any request; choosing a size also needs the body's measure from the
    instruction.
    """
    advice = task.advise(scenario, observation)
    bodies: dict[tuple[str, ...], tuple[str, ...]] = {
        (size,): (each.text, size)
        for each in _sized(wishes.constraints(scenario.gold))
        if (size := scenario.gold["options"][each.fact])
    }
    needs = (bodies.get(each, each) for each in advice.needs)
    return replace(advice, needs=tuple(needs))


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: a product and a request with measures that only it meets."""
    rng = visits.rng("buy_measured", seed)
    split = visits.split_of(seed)
    goods = [good for good in task.every() if charts.is_worn(good.kind.name) == bool(seed % 2)]
    attempt = partial(_attempt, goods, split, rng)
    good, wished = task.proved("buy_measured", seed, attempt, rng)
    text = wishes.instruction(good.kind, wished, split, rng)
    gold = task.gold_of(good, wished, data)
    gold["options"].update({each.fact: wishes.size_of(good, each) for each in _sized(wished)})
    level = _level(gold, wished)
    return task.scenario("buy_measured", seed, text, gold, data, level=level)


def _level(gold: Mapping[str, Any], wished: Sequence[Constraint]) -> dict[str, Any]:
    """Return the figures of the task's difficulty; a size chart counts as a rule outside the
    request.
    """
    facts = [each for each in wished if each.form not in (wishes.OPTION, wishes.PRICE)]
    numbers = [each for each in facts if each.form in (wishes.MOST, wishes.LEAST, wishes.SIZE)]
    return {"name": "L2", "P": len(gold["decides"]), "M": len(facts), "C": len(numbers),
            "R": len(_sized(wished)), "W": round(1 - len(numbers) / len(wished), 2),
            "K": 2}  # fmt: skip


# Drawing -----------------------------------------------------------------------------------------


def _attempt(goods: Sequence[Good], split: str, rng: Random) -> task.Drawn:
    """Draw a product and a request that it meets; the request is [] if no measure that must fit
    decides.

    Other products may meet the request too.
    """
    good = rng.choice(goods)
    rules = charts.fits(good.kind.name)
    if not rules:
        body = size(good, split, rng)
        return good, [*_others(good, body.fact, rng.randint(*MEASURED), split, rng), body]
    rule = rng.choice(rules)
    others = _others(good, rule.fact, rng.randint(*MEASURED) - 1, split, rng)
    own = _deciding(good, rule, others, split, rng)
    return good, [*others, own] if own else []


def _others(good: Good, but: str, measured: int, split: str, rng: Random) -> list[Constraint]:
    """Draw the rest of a request: constraints on other facts, and this number of measured ones.

    Args:
        good: The product that meets the request.
        but: The fact that is left out.
        measured: How many limits of measured facts to add.
        split: The split of the seed.
        rng: The source of randomness.
    """
    drawn = [each for each in wishes.draw(good, split, _SHAPE, rng) if each.fact != charts.SIZE]
    return [*drawn, *_bounds(good, but, split, rng)[:measured]]


def _deciding(
    good: Good, rule: Fit, others: Sequence[Constraint], split: str, rng: Random
) -> Constraint | None:
    """Draw a limit, given as two measures, that decides between the products meeting all other
    constraints.

    A reader who ignores the rule would accept one of the products ruled out. The result is None if
    a few draws give no such limit.
    """
    rivals = wishes.fitting(task.of_kind(good.kind.name), others)
    for own in (fit(good, rule, split, rng) for _ in range(TRIES * (len(rivals) > 1))):
        broken = [each for each in rivals if not own.holds(each)]
        is_alone = len(broken) + 1 == len(rivals) and own.holds(good)
        if is_alone and any(_without(own, rule, each.facts[own.fact]) for each in broken):
            return own
    return None


def _bounds(good: Good, but: str, split: str, rng: Random) -> list[Constraint]:
    """Draw limits of all measured facts but one, first those with a metric and an imperial unit."""
    facts = [each for each in good.kind.facts.values() if isinstance(each, MeasuredFact)]
    rng.shuffle(facts)
    facts.sort(key=lambda each: not each.unit.other)
    return [wishes.bound(good, each, split, rng) for each in facts if each.name != but]


def size(good: Good, split: str, rng: Random) -> Constraint:
    """Draw a body that takes one of the product's sizes; return the constraint that gives its
    measure.

    The body has a size that the product offers in thin clothes too. The measure is in a metric or
    an imperial unit.
    """
    worn = charts.measures()["worn"][good.kind.name]
    chart = charts.chart(good.kind.name, good.brand, good.convention)
    padded = bool(chart.note.padded) and rng.random() < PADDED
    cm, offered = 0.0, good.options[charts.SIZE]
    while not cm or chart.is_near(cm) or chart.size(cm, padded=False) not in offered:
        taken = rng.choice(offered)
        cm, figure = _spoken(chart.body(taken, padded, rng.uniform(*BETWEEN)), good, rng)
    text = rng.choice(worn["wish"][split]).format(x=figure)
    over = f" {rng.choice(worn['padded'][split])}" if padded else ""
    value = {"cm": round(cm, 4), "padded": padded}
    return Constraint(charts.SIZE, wishes.SIZE, value, text + over)


def _spoken(cm: float, good: Good, rng: Random) -> tuple[float, str]:
    """Return a length in cm, rounded as a customer would give it, and its text with the unit."""
    unit, convention = UNITS["cm"], wishes.convention_of(good, rng)
    cm = unit.metric(round(unit.exact(cm, convention), 1), convention)
    return cm, unit.text(cm, convention)


def fit(good: Good, rule: Fit, split: str, rng: Random) -> Constraint:
    """Draw a limit that the product keeps, given as two measures whose sum or difference it is."""
    fact, has = good.kind.facts[rule.fact], good.facts[rule.fact]
    assert isinstance(fact, MeasuredFact) and isinstance(has, float)
    convention = wishes.convention_of(good, rng)
    air = rng.choice(rule.amounts[convention])
    limit = fact.unit.exact(has * (1 - rule.sign * rng.uniform(*wishes.SLACK)), convention)
    gap = wishes.plain(rule.gap(limit, air)) if limit >= 10 else round(rule.gap(limit, air), 1)
    texts = {name: f"{figure:g} {fact.unit.symbol_in(convention)}"
             for name, figure in (("gap", gap), ("air", air))}  # fmt: skip
    value = round(fact.unit.metric(rule.bound(gap, air), convention), 4)
    return Constraint(fact.name, rule.form, value, rng.choice(rule.wish[split]).format(**texts))


def _sized(wished: Sequence[Constraint]) -> list[Constraint]:
    """Return those constraints that ask for a size."""
    return [each for each in wished if each.form == wishes.SIZE]


# Near misses -------------------------------------------------------------------------------------


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: products and sizes chosen by a careless reading."""
    gold, wished = scenario.gold, wishes.constraints(scenario.gold)
    usual = _buying.near_misses(scenario, data)
    if not gold["possible"]:
        return {_NONE_FITS: usual["gave up unseen"], _DEAR: usual[_DEAR]}
    right = task.by_name()[gold["name"]]
    misses = {label: usual[label] for label in ("bought twice", _NONE_FITS)}
    for good in task.of_kind(gold["kind"]):
        broken = wishes.violated(good, wished)
        if len(broken) == 1:
            for label in _readings(good, broken[0], right):
                bought = partial(_buying.buy, data, [good], gold["options"])
                misses.setdefault(label, NearMiss(bought, "product"))
    for each in _sized(wished):
        for label, taken in _other_sizes(right, each):
            options = {**gold["options"], charts.SIZE: taken}
            if taken in right.options[charts.SIZE] and options != gold["options"]:
                bought = partial(_buying.buy, data, [right], options)
                misses[label] = NearMiss(bought, "options")
    return misses


def _readings(good: Good, broken: Constraint, right: Good) -> Iterator[str]:
    """Yield the names of careless readings by which a product that breaks a constraint would be
    right.
    """
    if broken.form == wishes.PRICE:
        yield _DEAR
    fact = good.kind.facts.get(broken.fact)
    has = good.facts.get(broken.fact)
    if broken.form not in (wishes.MOST, wishes.LEAST) or not isinstance(has, float):
        return
    yield f"{broken.form} read the other way round"
    assert isinstance(fact, MeasuredFact)
    by_unit = [broken.value * factor for factor in (fact.unit.factor, 1 / fact.unit.factor)]
    is_most = broken.form == wishes.MOST
    if fact.unit.other and any(has <= x if is_most else has >= x for x in by_unit):
        yield "same number in the other unit"
    rules = [each for each in charts.fits(right.kind.name) if each.fact == broken.fact]
    if any(_without(broken, each, has) for each in rules):
        yield "air forgotten"


def _without(broken: Constraint, rule: Fit, has: Value) -> bool:
    """Return whether a figure keeps the limit for a reader who uses only the first of its two
    measures.
    """
    found = [float(x) for x in _FIGURES.findall(broken.text)]
    if len(found) != 2 or not rule.bound(*found):
        return False
    gap = broken.value / rule.bound(*found) * found[0]
    return Constraint(rule.fact, rule.form, gap, "").of_fact(has)


def _other_sizes(right: Good, sized: Constraint) -> Iterator[tuple[str, str]]:
    """Yield wrong sizes of the right product: the mistake in reading the chart, and the size."""
    chart = charts.chart(right.kind.name, right.brand, right.convention)
    cm, padded = sized.value["cm"], sized.value["padded"]
    taken, note = chart.size(cm, padded), chart.note
    sizes = [size for size, _ in chart.rows]
    offered = right.options[charts.SIZE]
    at = sizes.index(taken)
    yield from (("next size", size) for size in sizes[max(0, at - 1) : at + 2])
    usual = "smaller" if note.between == charts.LARGER else charts.LARGER
    yield "note ignored", chart.read(cm, usual, 0)
    if padded:
        yield "thick clothes forgotten", chart.size(cm, padded=False)
    brands = {good.brand for good in task.every() if good.convention == right.convention}
    for brand in sorted(brands - {right.brand}):
        other = charts.chart(right.kind.name, brand, right.convention).size(cm, padded)
        if other != taken and other in offered:
            yield "another brand's chart", other
            return
