"""The market's facets: by what results can be narrowed and sorted, in the shop's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sites.store.market.goods.bank import Kind, WordedFact, kinds
from sites.store.market.goods.goods import Good

SORT, KIND, BRAND, PRICE, RATING = "sort", "kind", "brand", "price", "rating"
Rating = Callable[[Good], float]
"""The mean of a good's stars, which the catalogue holds."""
SORTS: Mapping[str, tuple[str, Callable[[Good, Rating], float]]] = {
    "price-up": ("Price: low to high", lambda good, rating: good.price),
    "price-down": ("Price: high to low", lambda good, rating: -good.price),
    "best-rated": ("Best rated", lambda good, rating: -rating(good)),
}
STEP = 25
"""Dollars of one band of prices."""
STARS = ("4", "3")
FACTS = 3
"""So many of a kind's worded facts are facets, the first of its bank."""

Narrowing = Mapping[str, str]
"""The chosen value of each facet, and of `sort`."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet, and how many of the hits have it."""

    value: str
    label: str
    number: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    name: str
    label: str
    choices: tuple[Choice, ...]


@cache
def names() -> frozenset[str]:
    """Of all facets of all kinds, and `sort`."""
    own = (fact.name for kind in kinds().values() for fact in fact_facets(kind))
    return frozenset((SORT, KIND, BRAND, PRICE, RATING, *own))


def narrowed(goods: Sequence[Good], narrowing: Narrowing, rating: Rating) -> list[Good]:
    """Those that have every chosen value, sorted as chosen; none for an unknown value. Raises
    `LookupError` for an unknown sort."""
    found = list(goods)
    for name, value in narrowing.items():
        if name != SORT:
            found = [good for good in found if value in _values(good, name, rating)]
    if SORT in narrowing:
        key = SORTS[narrowing[SORT]][1]
        found.sort(key=lambda good: key(good, rating))
    return found


def facets(goods: Sequence[Good], narrowing: Narrowing, rating: Rating) -> list[Facet]:
    """What the hits (already narrowed) can be narrowed by, with what is chosen.

    Hits of one kind can be narrowed by its facts, those of several kinds by the kind.
    """
    return [
        Facet(name, label, choices)
        for name, label in _names(goods)
        if len(choices := tuple(_choices(goods, name, narrowing, rating))) > 1 or name in narrowing
    ]


def _names(goods: Sequence[Good]) -> Iterator[tuple[str, str]]:
    yield from ((KIND, "Kind"), (BRAND, "Brand"), (PRICE, "Price"), (RATING, "Rating"))
    if len({good.kind.name for good in goods}) == 1:
        yield from ((fact.name, fact.labels[0]) for fact in fact_facets(goods[0].kind))


def fact_facets(kind: Kind) -> list[WordedFact]:
    return [fact for fact in kind.facts.values() if isinstance(fact, WordedFact)][:FACTS]


def _choices(
    goods: Sequence[Good], name: str, narrowing: Narrowing, rating: Rating
) -> Iterator[Choice]:
    counts = Counter(value for good in goods for value in _values(good, name, rating))
    for value in sorted(counts, key=_natural):
        yield Choice(value, _label(goods, name, value), counts[value], narrowing.get(name) == value)


def _natural(value: str) -> tuple[float, str]:
    return (float(value), "") if value.isdigit() else (0, value)


def _values(good: Good, name: str, rating: Rating) -> tuple[str, ...]:
    """The values of one facet that a good has; of the stars each number that it reaches."""
    if name == KIND:
        return (good.kind.name,)
    if name == BRAND:
        return (good.brand,)
    if name == PRICE:
        return (str(int(good.price // STEP * STEP)),)
    if name == RATING:
        mean = rating(good)
        return tuple(stars for stars in STARS if mean >= int(stars))
    fact = good.kind.facts.get(name)
    return (str(good.facts[name]),) if isinstance(fact, WordedFact) else ()


def _label(goods: Sequence[Good], name: str, value: str) -> str:
    if name == PRICE:
        return f"${value} to ${int(value) + STEP}"
    if name == RATING:
        return f"{value} stars and more"
    for good in goods:
        fact = good.kind.facts.get(name)
        if isinstance(fact, WordedFact) and value in fact.values:
            return fact.values[value].table
    return value
