"""No shortcut at the market: who understands a wish and opens nothing does no better than chance.

Somebody narrows a list by all that its links and cards tell: price, three facts of the kind, three
rows of each table. What is left, no list tells apart. Of that each shortcut chooses one by what a
card shows besides: title, price, stars, place. The good itself is no likelier there than another.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import pytest

from scenarios import registry
from scenarios.store.market import look_alikes, task, wishes
from sites.store.market.goods.goods import Good
from sites.store.market.goods.reviews import rating
from tests import drawing
from tests.each import for_each
from tests.measuring import DEEP

SEEDS = range(500 if DEEP else 25)
DATA = registry.site_data("store")
ABOVE_CHANCE = 0.05
"""So much a shortcut may lie above chance, over the test split."""
TAIL = 1e-4
"""Of so many fair generators one lies above the bound of a few seeds."""
QUARTERS = 4
SHORTCUTS: Mapping[str, Callable[[Sequence[Good]], Good]] = {
    "the first in the list": lambda alike: alike[0],
    "the middle of the list": lambda alike: alike[len(alike) // 2],
    "the last in the list": lambda alike: alike[-1],
    "the cheapest": lambda alike: min(alike, key=lambda good: good.price),
    "the dearest": lambda alike: max(alike, key=lambda good: good.price),
    "the middle price": lambda alike: sorted(alike, key=lambda g: g.price)[len(alike) // 2],
    "the first title": lambda alike: min(alike, key=lambda good: good.name),
    "the last title": lambda alike: max(alike, key=lambda good: good.name),
    "the shortest title": lambda alike: min(alike, key=lambda good: len(good.name)),
    "the longest title": lambda alike: max(alike, key=lambda good: len(good.name)),
    "the best rated": lambda alike: max(alike, key=rating),
    "the worst rated": lambda alike: min(alike, key=rating),
}

each_family = pytest.mark.parametrize("family", ["buy_wish", "buy_measured"])


@dataclass(frozen=True)
class Drawn:
    """The good of a wish, the whole list of its kind, and those that no list tells from it."""

    good: Good
    listed: Sequence[Good]
    alike: Sequence[Good]


@cache
def drawn(family: str) -> Sequence[Drawn]:
    made = (drawing.drawn(family, seed) for seed in SEEDS)
    return [_drawn(scenario.gold) for scenario in made if scenario.gold["possible"]]


def _drawn(gold: task.Gold) -> Drawn:
    good, wished = task.by_asin(gold["asin"]), wishes.constraints(gold)
    kind = good.kind.name
    listed = [task.by_asin(asin) for asin in DATA.market.hits(kind, {"kind": kind})]
    return Drawn(
        good, listed, look_alikes.left(listed, wished, look_alikes.facts_of_links(good.kind))
    )


def hits(found: Sequence[Drawn], choose: Callable[[Sequence[Good]], Good]) -> int:
    return sum(choose(each.alike) is each.good for each in found)


def most_of_fair(chances: Sequence[float]) -> int:
    """The number of hits that only one fair generator of 1 / TAIL lies above."""
    spread = [1.0]
    for chance in chances:
        missed = [share * (1 - chance) for share in (*spread, 0.0)]
        spread = [a + share * chance for a, share in zip(missed, (0.0, *spread), strict=True)]
    held = itertools.accumulate(spread)
    return next(number for number, share in enumerate(held) if share >= 1 - TAIL)


def bound(found: Sequence[Drawn]) -> float:
    chances = [1 / len(each.alike) for each in found]
    return sum(chances) + ABOVE_CHANCE * len(found) if DEEP else most_of_fair(chances)


@each_family
@for_each("shortcut", SHORTCUTS)
def test_no_shortcut_beats_chance(family: str, shortcut: str) -> None:
    found = drawn(family)
    assert hits(found, SHORTCUTS[shortcut]) <= bound(found)


@each_family
def test_the_good_stands_anywhere_in_the_list_of_its_kind(family: str) -> None:
    found = drawn(family)
    places = [each.listed.index(each.good) * QUARTERS // len(each.listed) for each in found]
    most = most_of_fair([1 / QUARTERS] * len(found))
    assert all(places.count(quarter) <= most for quarter in range(QUARTERS))


def test_the_bound_of_a_fair_generator_is_exact() -> None:
    assert most_of_fair([0.5] * 3) == 3
    assert most_of_fair([0.001] * 2) == 1
    assert most_of_fair([]) == 0
