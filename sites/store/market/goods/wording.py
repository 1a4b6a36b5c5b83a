"""The shop's wording of a product: its table, description, features and answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from sites.store.catalogue.nouns import nouns_of
from sites.store.catalogue.product import Product
from sites.store.market.goods.bank import Fact, MeasuredFact
from sites.store.market.goods.goods import Good, texts
from sites.store.market.goods.units import IMPERIAL

STATED = "Where the table and another text on this item differ, the table counts."


@dataclass(frozen=True, slots=True)
class Answered:
    """A customer's question and the shop's answer."""

    question: str
    answer: str


def table(good: Good) -> list[tuple[str, str]]:
    """Return labels and values of the facts that a product's specification table states."""
    style = int(good.convention == IMPERIAL)
    return [(fact.labels[style], texts(good, fact)[0]) for fact in _facts(good, "table")]


def answers(good: Good) -> list[Answered]:
    """Return the customers' questions and the shop's answers on a product's page."""
    return [Answered(fact.question, texts(good, fact)[2]) for fact in _facts(good, "answers")]


def description(good: Good) -> str:
    rng = random.Random(f"store/market/description/{good.asin}")
    own = [texts(good, fact)[1] for fact in _facts(good, "description")]
    sentences = [*rng.sample(good.kind.story, 2), *own]
    rng.shuffle(sentences)
    return " ".join((f"The {good.line} by {good.brand}, one of our {good.kind.name}.", *sentences))


def features(good: Good) -> tuple[str, ...]:
    own = [texts(good, fact)[1] for fact in _facts(good, "features")]
    return (*_boast(good), *own)


def _boast(good: Good) -> Iterator[str]:
    """Yield the exaggerated claim of a product's advertisement, if the table states the true
    figure.
    """
    if good.boast is None or "table" not in good.places[good.boast[0]]:
        return
    name, value = good.boast
    fact = good.kind.facts[name]
    assert isinstance(fact, MeasuredFact)
    yield fact.boast.format(x=fact.unit.text(value, good.convention))


def product(good: Good, rating: float, review_count: int) -> Product:
    """Return one of the market's goods as a `Product`; its `attributes` are empty, so that they
    reveal no facts.
    """
    return Product(
        asin=good.asin,
        name=good.name,
        brand=good.brand,
        kind=good.kind.name,
        category=good.kind.department,
        product_category=good.kind.breadcrumb,
        price=good.price,
        pricing=(good.price,),
        description=description(good),
        bullets=features(good),
        options=dict(good.options),
        attributes=(),
        nouns=nouns_of(good.name),
        rating=rating,
        review_count=review_count,
    )


def _facts(good: Good, place: str) -> list[Fact]:
    """Return the product's facts that a place of its page states, in an order that depends on the
    design.
    """
    rng = random.Random(f"store/market/order/{good.design}/{place}")
    found = [fact for name, fact in good.kind.facts.items() if place in good.places[name]]
    rng.shuffle(found)
    return found
