"""The outlet's wishes: solved from the served pages alone, and fair to both readings of a price."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache

import pytest

from scenarios import registry
from scenarios.store.market import wishes
from scenarios.store.pages import visits
from scenarios.store.wishes import _outlet
from sites.store import create_app
from sites.store.market.goods import bank
from sites.store.outlet.goods import sold
from sites.store.outlet.visit import new_outlet_world
from sites.world import Worlds
from tests.between import shared
from tests.drawing import drawn
from tests.measuring import DEEP, unmeasured
from tests.scenarios.store.market import market_reader
from tests.scenarios.store.wishes import outlet_reader
from tests.scenarios.store.wishes.outlet_reader import SeenInOutlet

SEEDS = range(200 if DEEP else 8)
DATA = registry.site_data("store")
FAMILY = registry.family("buy_wish.outlet")
MANY = range(120 if DEEP else 60)
"""Seeds of which shares are counted."""
KINDS = [each.name for each in bank.kinds().values()]
MEASURED = KINDS[0]


@cache
def products(kind: str) -> tuple[SeenInOutlet, ...]:
    """What a reader of the pages knows of a kind, who read them once in a run of the tests.
    Coverage sees that of one kind; others show the same pages."""
    with nullcontext() if kind == MEASURED else unmeasured():
        read: tuple[SeenInOutlet, ...] = shared("outlet", kind, lambda: _read(kind))
    return read


def _read(kind: str) -> tuple[SeenInOutlet, ...]:
    worlds = Worlds()
    worlds.publish(new_outlet_world("reader", ""))
    client = create_app(DATA, worlds).test_client()
    [found] = [each for each in bank.kinds().values() if each.name == kind]
    return tuple(outlet_reader.crawl(client, found))


@pytest.mark.wide
@pytest.mark.parametrize("seed", SEEDS)
def test_the_pages_suffice_to_find_the_good(seed: int) -> None:
    scenario = drawn("buy_wish.outlet", seed)
    gold = scenario.gold
    [kind] = [each for each in bank.kinds().values() if each.name == gold["kind"]]
    split = visits.split_of(seed)
    wished = list(market_reader.wished(kind, scenario.instruction, split))
    assert len(wished) == len(gold["constraints"])
    for reading in (outlet_reader.fits, market_reader.fits):
        found = [
            each.name
            for each in products(kind.name)
            if all(reading(each, constraint) for constraint in wished)
        ]
        assert found == ([gold["name"]] if gold["possible"] else []), reading


@pytest.mark.wide
@pytest.mark.parametrize("kind", KINDS)
def test_every_good_of_the_outlet_is_reached_with_all_its_facts(kind: str) -> None:
    goods = [good for good in sold().values() if good.kind.name == kind]
    seen = products(kind)
    assert len(seen) == len(goods)
    assert all(each.facts.keys() == goods[0].kind.facts.keys() for each in seen)


@pytest.mark.wide
def test_the_wish_never_depends_on_tax() -> None:
    for seed in range(60):
        gold = drawn("buy_wish.outlet", seed).gold
        others = [each for each in wishes.constraints(gold) if each.form != wishes.PRICE]
        prices = [each for each in wishes.constraints(gold) if each.form == wishes.PRICE]
        for good in wishes.fitting(_outlet.of_kind(gold["kind"]), others):
            for price in prices:
                net = sold()[good.asin].price
                assert (net <= price.value) == (good.price <= price.value)
                assert abs(net / price.value - 1) >= wishes.GAP
                assert abs(good.price / price.value - 1) >= wishes.GAP


def test_half_of_the_wishes_are_hard_to_search_for_and_most_have_siblings() -> None:
    made = [drawn("buy_wish.outlet", seed) for seed in range(60)]
    assert sum(each.details["hard"] for each in made) >= 30
    assert sum(len(each.gold["opened"]) > 1 for each in made) >= 40


@unmeasured()
def test_a_price_rank_is_no_hint() -> None:
    """Of the items that a list does not tell apart the good is rarely the cheapest or dearest."""
    made = [drawn("buy_wish.outlet", seed) for seed in MANY]
    groups = [each.gold["opened"] for each in made if len(each.gold["opened"]) > 1]
    chance = sum(1 / len(group) for group in groups)
    for choose in (min, max):
        found = sum(
            choose(group, key=lambda asin: sold()[asin].price) == group[-1] for group in groups
        )
        assert found / len(groups) <= chance / len(groups) + 0.1
