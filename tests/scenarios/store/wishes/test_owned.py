"""What is bought in place of something, or to go with it: found from the served pages alone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest
from flask.testing import FlaskClient

from scenarios import registry
from scenarios.phrasings import phrasings
from scenarios.scenario import Scenario
from scenarios.store.market import wishes
from scenarios.store.market.wishes import Constraint
from scenarios.store.pages import visits
from scenarios.store.wishes import _fits, buy_compatible, cheaper_substitute
from sites.store.market.goods import bank
from sites.store.market.goods.bank import Kind, MeasuredFact
from tests.drawing import drawn
from tests.scenarios.store.market import market_reader
from tests.scenarios.store.market.market_reader import Seen
from tests.scenarios.store.market.test_market import DEEP, products
from tests.scenarios.store.pages.visiting import visit
from tests.scenarios.store.wishes import owned_reader
from tests.sites.store.market.test_banks import stems

SPLITS = (0, 500, 1500)
"""A seed of each split."""
RARE = {"buy_compatible": 3, "cheaper_substitute": 7}
"""A seed of each family at which nothing is right."""


def seeds(family: str) -> list[int]:
    """A few, with `tox -e deep` many."""
    return [*(range(200) if DEEP else (0, RARE[family])), *SPLITS[1:]]


def kind_of(name: str) -> Kind:
    return next(each for each in bank.kinds().values() if each.name == name)


def client_of(scenario: Scenario) -> FlaskClient:
    return visit(registry.family(scenario.family).world(scenario))


def test_the_registry_knows_both() -> None:
    assert {"buy_compatible", "cheaper_substitute"} <= set(registry.family_modules())


# Found from the pages ----------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize("seed", seeds("buy_compatible"))
def test_the_pages_suffice_to_find_what_fits(seed: int) -> None:
    scenario = drawn("buy_compatible", seed)
    client, text, split = client_of(scenario), scenario.instruction, visits.split_of(seed)
    words = phrasings("buy_compatible", split)
    [name] = [each for each in buy_compatible.DEVICES if _speaks(text, words[each])]
    crumb = kind_of(name).breadcrumb
    every = owned_reader.bought(client, scenario.id, text)
    [owned] = [e for e in every if owned_reader.crumbs(client, scenario.id, e.asin) == crumb]
    kind = kind_of("charging cables")
    wished = [*market_reader.wished(kind, text, split), *_reach(kind, text, split)]
    assert len(wished) == len(scenario.gold["constraints"])
    able = [each for each in products(kind.name) if _meets(each, wished)]
    assert len(able) > buy_compatible.RIVALS
    found = [
        each.asin
        for each in able
        if owned_reader.fits(owned_reader.offered(client, scenario.id, each.asin), owned)
    ]
    assert found == ([scenario.gold["asin"]] if scenario.gold["possible"] else [])


def _speaks(text: str, things: Sequence[str]) -> bool:
    return any(each in text for each in things)


def _reach(kind: Kind, text: str, split: str) -> Iterator[Constraint]:
    fact = kind.facts["length"]
    assert isinstance(fact, MeasuredFact)
    yield from market_reader.bounds(text, replace(fact, least=buy_compatible.reach()), split)


def _meets(seen: Seen, wished: list[Constraint]) -> bool:
    return all(market_reader.fits(seen, each) for each in wished)


@pytest.mark.wide
@pytest.mark.parametrize("seed", seeds("cheaper_substitute"))
def test_the_pages_suffice_to_find_the_best_deal(seed: int) -> None:
    scenario = drawn("cheaper_substitute", seed)
    client, text, split = client_of(scenario), scenario.instruction, visits.split_of(seed)
    kind = kind_of("herbal tea")
    teas = {each.asin: each for each in products(kind.name)}
    [owned] = [e for e in owned_reader.bought(client, scenario.id, text) if e.asin in teas]
    old = owned_reader.offered(client, scenario.id, owned.asin)
    assert not old.is_sold
    wished = [*market_reader.wished(kind, text, split), *_kept(teas[owned.asin], text, split)]
    assert len(wished) == len(scenario.gold["constraints"])
    able = [asin for asin, each in teas.items() if _meets(each, wished) and asin != owned.asin]
    offers = {asin: owned_reader.offered(client, scenario.id, asin) for asin in able}
    apiece = {
        asin: each.price / each.pieces
        for asin, each in offers.items()
        if each.pieces >= old.pieces and each.price / each.pieces <= owned.price / old.pieces
    }
    found = [min(apiece, key=apiece.__getitem__)] if apiece else []
    assert found == ([scenario.gold["asin"]] if scenario.gold["possible"] else [])


def _kept(old: Seen, text: str, split: str) -> Iterator[Constraint]:
    for fact in cheaper_substitute.ALIKE:
        texts = phrasings("cheaper_substitute", split)[fact]
        yield from market_reader.stands(text, fact, wishes.IS, old.facts[fact], texts)


# Wordings ----------------------------------------------------------------------------------------


def test_what_is_kept_is_said_in_no_word_of_the_pages() -> None:
    kind = kind_of(cheaper_substitute.KIND)
    for name in cheaper_substitute.ALIKE:
        fact = kind.facts[name]
        assert isinstance(fact, bank.WordedFact)
        shop = [*fact.labels]
        for value in fact.values.values():
            shop += [value.table, value.page, value.answer, *value.review]
        for text in _kept_texts(name):
            assert not stems(text) & stems(*shop), text


def test_how_far_it_reaches_is_said_in_no_word_of_the_pages() -> None:
    fact = kind_of(buy_compatible.KIND).facts["length"]
    assert isinstance(fact, MeasuredFact)
    for text in itertools.chain(*buy_compatible.reach().values()):
        assert not stems(text) & stems(*fact.labels, fact.page, fact.answer), text


def test_no_wording_stands_for_two_things() -> None:
    kept = [text for name in cheaper_substitute.ALIKE for text in _kept_texts(name)]
    every = [*kept, *itertools.chain(*buy_compatible.reach().values())]
    assert len(every) == len(set(every))
    words = phrasings("cheaper_substitute", "test")
    assert {len(words[each]) for each in cheaper_substitute.ALIKE} == {3}


def _kept_texts(fact: str) -> list[str]:
    """Return all sentences that ask for a fact to stay the same."""
    words = (phrasings("cheaper_substitute", split) for split in visits.SPLITS)
    return [text for each in words for text in each[fact]]


# Revisions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "fits", "not_"),
    [
        ("3 to 5", "3 4 5", "2 6 4S"),
        ("3 to 5, not 4S", "3 4 5", "4S 2 6"),
        ("3 to 5, also 4S", "3 4 5 4S", "2 6 3S"),
        ("2 and 3", "2 3", "1 4 2S"),
        ("3 and later", "3 4 6", "2 2S"),
        ("up to 3", "1 2 3", "4 3S"),
        ("2S only", "2S", "2 3 1"),
    ],
)
def test_a_table_covers_the_revisions_that_it_states(stated: str, fits: str, not_: str) -> None:
    assert all(_fits.covers(stated, each) for each in fits.split())
    assert not any(_fits.covers(stated, each) for each in not_.split())


@pytest.mark.parametrize("revision", buy_compatible.REVISIONS)
@pytest.mark.parametrize("fits", [True, False])
def test_a_drawn_table_leaves_no_doubt(revision: str, fits: bool) -> None:
    rng = Random(revision)
    drawn = {_fits.stated_with(revision, rng, fits=fits) for _ in range(200)}
    assert len(drawn) > 1
    for each in drawn:
        assert _fits.covers(each, revision) == fits
        named = re.findall(r"\d+S?", each)
        assert revision.isdigit() or revision in named or revision[:-1] not in named
    assert not _fits.is_clear("2 to 4", "3S")
