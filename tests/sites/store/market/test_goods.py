"""The market's goods: siblings, facts and where they are told, facets, reviews."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from scenarios.store.market import wishes
from sites.site_app import Refusal
from sites.store import load_data, new_world
from sites.store.market.goods import bank, facets, reviews, stock, wording
from sites.store.market.goods.bank import MeasuredFact, WordedFact
from sites.store.market.goods.goods import PER_KIND, PLACES, Good, goods, texts
from sites.store.market.goods.units import IMPERIAL, METRIC, UNITS
from sites.store.shop import operations
from tests.sites.other_processes import printed_elsewhere

EVERY = tuple(goods().values())
PEOPLE_WHO_TELL = 3


@pytest.fixture(scope="module")
def market():
    return load_data().market


def siblings() -> dict[str, list[Good]]:
    found = defaultdict(list)
    for good in EVERY:
        found[good.design].append(good)
    return found


def test_each_kind_has_its_share() -> None:
    counts = Counter(good.kind.name for good in EVERY)
    assert set(counts.values()) == {PER_KIND}
    assert len(counts) == len(bank.kinds()) == 12


def test_names_and_codes_are_never_given_twice() -> None:
    assert len({good.name for good in EVERY}) == len({good.asin for good in EVERY}) == len(EVERY)


def test_goods_are_the_same_in_every_process() -> None:
    assert printed_elsewhere("goods") == {f"{stock.digest()} {load_data().market.digest}"}


def test_siblings_differ_in_one_or_two_facts_from_the_first() -> None:
    differences = Counter(
        sum(first.facts[name] != other.facts[name] for name in first.facts)
        for first, *others in siblings().values()
        for other in others
    )
    assert set(differences) == {1, 2}
    assert all(len(family) <= 8 for family in siblings().values())


def test_siblings_cost_about_the_same() -> None:
    spread = [max(g.price for g in f) / min(g.price for g in f) for f in siblings().values()]
    assert max(spread) < 1.25


def test_titles_hold_no_deciding_word() -> None:
    for good in EVERY:
        assert good.name == f"{good.design} {good.model}"


def test_every_fact_is_told_somewhere_and_no_figure_by_reviews() -> None:
    for good in EVERY:
        assert set(good.places) == set(good.facts)
        for name, places in good.places.items():
            assert 1 <= len(places) <= 2 and set(places) <= set(PLACES)
            assert isinstance(good.kind.facts[name], WordedFact) or "reviews" not in places


def test_what_reviews_tell_is_told_by_three_and_denied_by_none() -> None:
    for good in EVERY[::7]:
        bodies = [each.body for each in reviews.reviews(good)]
        for name, places in good.places.items():
            fact = good.kind.facts[name]
            if not isinstance(fact, WordedFact):
                continue
            for value in fact.values.values():
                found = [line for line in value.review if _stands_in(line, bodies)]
                is_own = value.name == good.facts[name]
                assert bool(found) == (is_own and "reviews" in places), (good.name, name)
            if "reviews" in places:
                own = fact.values[str(good.facts[name])].review
                tellers = sum(any(_stands_in(line, [body]) for line in own) for body in bodies)
                assert tellers >= PEOPLE_WHO_TELL
                assert any(_stands_in(line, bodies[:8]) for line in own), "on the first page"


def _stands_in(line: str, bodies: list[str]) -> bool:
    return any(f"{line[:1].upper()}{line[1:]}" in body for body in bodies)


def test_an_advertisement_says_more_only_where_the_table_tells() -> None:
    boasting = [good for good in EVERY if good.boast]
    assert 0.1 < len(boasting) / len(EVERY) < 0.25
    shown = 0
    for good in boasting:
        assert good.boast is not None
        fact = good.kind.facts[good.boast[0]]
        assert isinstance(fact, MeasuredFact)
        claim = fact.boast.format(x=fact.unit.text(good.boast[1], good.convention))
        is_shown = claim in wording.features(good)
        assert is_shown == ("table" in good.places[fact.name])
        shown += is_shown
    assert shown


@pytest.mark.parametrize("kind", bank.kinds().values(), ids=lambda kind: kind.name)
def test_rounding_to_another_unit_never_decides(kind) -> None:
    """A figure read back from a page is nearer than a bound may be."""
    for fact in kind.facts.values():
        if isinstance(fact, MeasuredFact) and fact.unit.other:
            shown = fact.unit.converted(fact.lowest, IMPERIAL) * fact.unit.factor
            assert abs(shown / fact.lowest - 1) < wishes.GAP / 2, fact.name


def test_units_are_written_in_their_convention() -> None:
    assert UNITS["cm"].text(34.2, METRIC) == "34.2 cm"
    assert UNITS["cm"].text(35.56, IMPERIAL) == "14 in"
    assert UNITS["W"].text(900.0, IMPERIAL) == "900 W"


# Facets ------------------------------------------------------------------------------------------


def test_facets_count_what_they_lead_to(market) -> None:
    narrowing: dict[str, str] = {}
    for _ in range(3):
        found = market.found("desk lamp", narrowing)
        open_facets = [each for each in market.facets("desk lamp", narrowing)
                       if each.name not in narrowing]  # fmt: skip
        for facet in open_facets:
            for choice in facet.choices:
                chosen = {**narrowing, facet.name: choice.value}
                assert len(market.found("desk lamp", chosen)) == choice.number
        if len(found) > 1:
            narrowing[open_facets[0].name] = open_facets[0].choices[0].value


def test_ratings_of_facets_are_those_of_the_reviews(market) -> None:
    assert all(market.rating(good) == reviews.rating(good) for good in EVERY[::40])


def test_facts_narrow_the_hits_of_one_kind(market) -> None:
    kind = bank.kinds()["desk_lamps"]
    mixed = {each.name for each in market.facets("desk", {})}
    own = {each.name for each in market.facets("desk", {"kind": kind.name})}
    assert facets.KIND in mixed
    assert own - mixed == {fact.name for fact in facets.fact_facets(kind)}


def test_results_are_sorted_as_chosen(market) -> None:
    for sort, (_, key) in facets.SORTS.items():
        found = [key(good, market.rating) for good in market.found("monitor", {"sort": sort})]
        assert found == sorted(found)


def test_a_sort_that_does_not_exist_is_refused(market) -> None:
    world = new_world("s", "", stock="market")
    with pytest.raises(Refusal, match="cannot be narrowed"):
        operations.search(world, market, "monitor", 1, {"sort": "by-colour"})


def test_the_name_of_a_kind_finds_all_of_it(market) -> None:
    for kind in bank.kinds().values():
        found = market.found(kind.name, {"kind": kind.name})
        assert len(found) == PER_KIND


def test_texts_are_those_of_the_value() -> None:
    good = EVERY[0]
    for name, fact in good.kind.facts.items():
        table, page, answer = texts(good, fact)
        assert table and page and answer and "{x}" not in page + answer, name
