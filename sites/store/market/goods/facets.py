"""The market's facets: filters and sort orders of search results, in the shop's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sites.store.market.goods.bank import Kind, WordedFact, kinds
from sites.store.market.goods.goods import Good

SORT, KIND, BRAND, PRICE, RATING = "sort", "kind", "brand", "price", "rating"
Rating = Callable[[Good], float]
"""A function that returns a product's mean number of stars."""
SORTS: Mapping[str, tuple[str, Callable[[Good, Rating], float]]] = {
    "price-up": ("Price: low to high", lambda good, rating: good.price),
    "price-down": ("Price: high to low", lambda good, rating: -good.price),
    "best-rated": ("Best rated", lambda good, rating: -rating(good)),
}
STEP = 25
"""The width of a price range in the filter for prices, in dollars."""
STARS = ("4", "3")
FACTS = 3
"""The number of worded facts of a kind of product by which results can be filtered: the first in
its word list.
"""

Narrowing = Mapping[str, str]
"""The filters of search results: the chosen value of each facet, and of "sort"."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a facet (filter), and the number of results that have it."""

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
    """Return the names of all facets (filters) of all kinds of products, and "sort"."""
    own = (fact.name for kind in kinds().values() for fact in fact_facets(kind))
    return frozenset((SORT, KIND, BRAND, PRICE, RATING, *own))


def narrowed(goods: Sequence[Good], narrowing: Narrowing, rating: Rating) -> list[Good]:
    """Return the products that have every chosen value, in the chosen sort order.

    An unknown value matches no good. Raises `LookupError` for an unknown sort order.
    """
    found = list(goods)
    for name, value in narrowing.items():
        if name != SORT:
            found = [good for good in found if value in _values(good, name, rating)]
    if SORT in narrowing:
        key = SORTS[narrowing[SORT]][1]
        found.sort(key=lambda good: key(good, rating))
    return found


def facets(goods: Sequence[Good], narrowing: Narrowing, rating: Rating) -> list[Facet]:
    """Return the facets by which search results that are already filtered can be filtered further.

    Hits of one kind can be filtered by its facts, hits of several kinds by the kind.
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
    """Return the worded facts of a kind of product by which results can be filtered."""
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
    """Return the values of a facet that a product has; for stars, every number of stars that it
    reaches.
    """
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
