"""Baskets: the right order leads all others, goods that nobody looks at cannot be in it, and the
pages tell all that decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from types import ModuleType

import pytest
from flask.testing import FlaskClient

from scenarios import registry
from scenarios.scenario import Scenario
from scenarios.store.baskets import _baskets, _lines, best_basket, fitting_set
from scenarios.store.baskets._lines import Sought
from scenarios.store.baskets.best_basket import Plan
from scenarios.store.market import ordering, task, wishes
from scenarios.store.pages import visits
from sites.store import create_app, new_world
from sites.store.market import pricing
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import PricedLine
from sites.store.shop.address import Visit
from sites.world import Worlds
from tests import drawing
from tests.each import for_each
from tests.measuring import DEEP
from tests.scenarios.store.market import market_reader
from tests.scenarios.store.pages.visiting import visit

SEEDS = (*range(40 if DEEP else 1), 500, 1500)
EACH = 1 if DEEP else 3
"""Of the goods that nobody looks at, each so manieth is tried."""
DATA = registry.site_data("store")
FAMILIES = (best_basket, fitting_set)


def drawn(family: ModuleType, seed: int) -> Scenario:
    return drawing.drawn(family.__name__.rpartition(".")[2], seed)


def offered(scenario: Scenario) -> Market:
    return DATA.market.offering(task.offered(scenario))


def lines_of(scenario: Scenario, asins: tuple[str, ...]) -> list[PricedLine]:
    sought = _baskets.sought(scenario)
    stock = offered(scenario)
    return [stock.line(asin, line.quantity) for asin, line in zip(asins, sought, strict=True)]


# The least amount --------------------------------------------------------------------------------


def others(scenario: Scenario, line: Sought) -> list[Good]:
    """What meets the wish of a line but need not be looked at."""
    cell = _lines.cell(line.kind, line.wished)
    return [good for good in cell if good.asin not in line.candidates]


@pytest.mark.wide
@for_each("seed", SEEDS)
def test_no_order_of_anything_else_costs_less(seed):
    scenario = drawn(best_basket, seed)
    sought, rules = _baskets.sought(scenario), ordering.rules_of(scenario)
    plan = Plan(sought, task.offered(scenario), rules, ordering.account_of(scenario).codes)
    wanted = scenario.gold["wanted"]
    right = tuple(asin for asin, _, _ in wanted["lines"])
    codes = [code for code in plan.codes if code.name in wanted["codes"]]
    least = pricing.quote(lines_of(scenario, right), rules, "Economy", codes).total
    found = best_basket.outcomes(plan, DATA.market)
    assert (found[0].total, found[0].asins) == (least, right)
    assert found[1].total >= least + best_basket.LEAD
    for place, line in enumerate(sought):
        for good in [*wishes.fitting(others(scenario, line), line.wished)][::EACH]:
            wider = replace(line, candidates=(good.asin,))
            tried = replace(plan, sought=(*sought[:place], wider, *sought[place + 1 :]))
            assert best_basket.outcomes(tried, DATA.market)[0].total > least + best_basket.LEAD


@for_each("seed", SEEDS)
def test_the_cheapest_of_each_never_is_the_least(seed):
    scenario = drawn(best_basket, seed)
    stock = offered(scenario)
    cheapest = [
        min(line.good_ones(), key=lambda good: stock.line(good.asin).cents).asin
        for line in _baskets.sought(scenario)
    ]
    assert cheapest != [asin for asin, _, _ in scenario.gold["wanted"]["lines"]]


# The first set -----------------------------------------------------------------------------------


@pytest.mark.wide
@for_each("seed", SEEDS)
def test_no_other_set_has_a_larger_screen_or_costs_less(seed):
    scenario = drawn(fitting_set, seed)
    gold, rules = scenario.gold, ordering.rules_of(scenario)
    desks, screens, lamps = _baskets.sought(scenario)
    stock, limit = offered(scenario), gold["limit"] * 100
    able = []
    for goods in product(*(_every(line, stock, limit) for line in (desks, screens, lamps))):
        desk, screen, lamp = (good for good, _ in goods)
        room = screen.facts["foot"] + gold["keyboard"] <= desk.facts["depth"]
        grip = lamp.facts["clamp"] >= desk.facts["thickness"]
        if sum(cents for _, cents in goods) <= limit and room and grip:
            asins = (desk.asin, screen.asin, lamp.asin)
            total = pricing.quote(lines_of(scenario, asins), rules, "Economy").total
            able.append((-screen.facts["diagonal"], total, asins))
    found = sorted(each for each in able if each[1] <= limit)
    if gold["possible"]:
        right = tuple(asin for asin, _, _ in gold["wanted"]["lines"])
        assert found[0][2] == right
        lead = found[0][0], found[0][1] + fitting_set.LEAD
        assert all(each[:2] >= lead for each in found[1:])
    else:
        assert not found


def _every(line: Sought, stock: Market, limit: int) -> list[tuple[Good, int]]:
    """What meets the wish of a line, with its price, of what is no dearer than all may be."""
    fits = wishes.fitting(_lines.cell(line.kind, line.wished), line.wished)
    priced = [(good, stock.line(good.asin).cents) for good in fits]
    return [(good, cents) for good, cents in priced if cents <= limit]


# The pages ---------------------------------------------------------------------------------------


def client_of(scenario: Scenario, family: ModuleType) -> FlaskClient:
    return visit(family.world(scenario))


@pytest.mark.parametrize("family", FAMILIES)
@for_each("seed", SEEDS[: 3 if DEEP else 1])
def test_one_page_of_results_shows_all_that_has_to_be_looked_at(family, seed):
    scenario = drawn(family, seed)
    client = client_of(scenario, family)
    for line in _baskets.sought(scenario):
        listed = list(_cards(_narrowed(client, scenario, line)))
        assert [asin for asin, _ in listed[: len(line.candidates)]] == list(line.candidates)
        assert len(line.candidates) <= 8
        prices = [price for _, price in listed]
        assert prices == sorted(prices)


def _narrowed(client: FlaskClient, scenario: Scenario, line: Sought) -> str:
    """The results, narrowed by following links."""
    page = client.get(Visit(scenario.id, tuple(line.kind.split())).results()).text
    for name, value in line.narrowing.items():
        links = re.findall(r'<p><a href="([^"]+)">', page)
        [link] = [each for each in links if f"{name}={value.replace(' ', '+')}" in each][:1]
        page = client.get(link.replace("&amp;", "&")).text
    return page


def _cards(page: str) -> Iterator[tuple[str, float]]:
    shown = re.findall(r'product-link[^>]*>(\w{10})<.*?product-price">\$([\d.]+)<', page, re.DOTALL)
    return ((asin, float(price)) for asin, price in shown)


@cache
def reader() -> FlaskClient:
    worlds = Worlds()
    worlds.publish(new_world("reader", "", stock="market"))
    return create_app(DATA, worlds).test_client()


@pytest.mark.parametrize("family", FAMILIES)
@for_each("seed", SEEDS)
def test_the_pages_and_the_wish_tell_what_fits(family, seed):
    scenario = drawn(family, seed)
    split = visits.split_of(seed)
    for line in _baskets.sought(scenario):
        kind = _lines.kind_of(line.kind)
        read = list(market_reader.wished(kind, scenario.instruction, split))
        own = {each.fact for each in line.wished}
        wished = [each for each in read if each.fact in own]
        assert {each.fact for each in wished} == own
        seen = [market_reader.read_item(reader(), asin, kind) for asin in line.candidates]
        fits = [
            each.asin
            for each in seen
            if all(market_reader.fits(each, constraint) for constraint in wished)
        ]
        assert fits == [good.asin for good in line.good_ones()]


def test_an_item_names_the_department_that_codes_speak_of():
    scenario = drawn(best_basket, 0)
    client = client_of(scenario, best_basket)
    for line in _baskets.sought(scenario):
        page = client.get(Visit(scenario.id).item(line.candidates[0], {})).text
        assert f"Department: {_lines.kind_of(line.kind).department}<" in page


@pytest.mark.parametrize("family", FAMILIES)
def test_the_steps_and_deciding_pages_are_those_of_the_ladder(family):
    for seed in SEEDS:
        scenario = drawn(family, seed)
        assert 30 <= family.length(scenario) <= 85
        assert 10 <= len(scenario.gold["decides"]) <= 30
