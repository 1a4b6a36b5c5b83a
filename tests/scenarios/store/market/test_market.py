"""The market's wishes: proved on the goods, and solved from the served pages alone."""

from __future__ import annotations

import itertools
from functools import cache

import pytest

from scenarios import registry
from scenarios.store.market import wishes
from scenarios.store.pages import visits
from sites.store import create_app, new_world
from sites.store.market.goods import bank
from sites.world import Worlds
from tests.between import shared
from tests.drawing import drawn
from tests.measuring import DEEP, unmeasured
from tests.scenarios.store.market import market_reader
from tests.scenarios.store.market.market_reader import Seen

FAMILIES = ("buy_wish", "buy_measured")
CASES = [(family, seed) for family in FAMILIES for seed in range(200) if DEEP] or [
    *(("buy_wish", seed) for seed in (3, 13)),
    *(("buy_measured", seed) for seed in (2, 5, 9)),
]
"""The few are about the two kinds that `test_owned` reads too, and about rain jackets, which have
sizes; of two wishes nothing is right. `test_outlet` reads goods of every kind."""
DATA = registry.site_data("store")


@cache
def products(kind: str) -> tuple[Seen, ...]:
    """What a reader of the pages knows of a kind, who read them once in a run of the tests."""
    with unmeasured():
        read: tuple[Seen, ...] = shared("market", kind, lambda: _read(kind))
    return read


def _read(kind: str) -> tuple[Seen, ...]:
    worlds = Worlds()
    worlds.publish(new_world("reader", "", stock="market"))
    client = create_app(DATA, worlds).test_client()
    [found] = [each for each in bank.kinds().values() if each.name == kind]
    return tuple(market_reader.crawl(client, found))


@pytest.mark.wide
@pytest.mark.parametrize(("family", "seed"), CASES)
def test_the_pages_suffice_to_find_the_good(family: str, seed: int) -> None:
    scenario = drawn(family, seed)
    [kind] = [each for each in bank.kinds().values() if each.name == scenario.gold["kind"]]
    split = visits.split_of(seed)
    wished = list(market_reader.wished(kind, scenario.instruction, split))
    assert len(wished) == len(scenario.gold["constraints"])
    found = [
        each
        for each in products(kind.name)
        if all(market_reader.fits(each, constraint) for constraint in wished)
    ]
    asins = [each.asin for each in found]
    assert asins == ([scenario.gold["asin"]] if scenario.gold["possible"] else [])
    sized = [each for each in wished if each.form == wishes.SIZE]
    for seen, constraint in itertools.product(found, sized):
        assert market_reader.size(seen, constraint) == scenario.gold["options"]["size"]
