"""Returns and claims: proved from the pages, each rule of weight, nothing left to taste."""

from __future__ import annotations

import re
import statistics
from datetime import date
from functools import partial
from types import ModuleType

import pytest
from flask.testing import FlaskClient

from scenarios import registry
from scenarios.phrasings import phrasings
from scenarios.scenario import Scenario, budgeted_length
from scenarios.store.ledger import _audit, _returns, ledger_audit, return_by_policy
from scenarios.store.pages import visits
from sites.store.market.goods.bank import kinds
from sites.store.market.pricing import HOLIDAYS, METHODS, arrives, is_business_day
from tests.drawing import drawn
from tests.measuring import DEEP, cpu_seconds
from tests.scenarios.store.ledger import service_reader
from tests.scenarios.store.pages.visiting import visit

DATA = registry.site_data("store")
QUICK = 0.2
"""Seconds for one drawing; half of them take less."""
SEEDS = (*range(200 if DEEP else 2), 600, 2000)
FAMILIES = (return_by_policy, ledger_audit)
SINCE = re.compile(service_reader.DAY)


def scenario(family: ModuleType, seed: int) -> Scenario:
    return drawn(family.__name__.rpartition(".")[2], seed)


def reader(family: ModuleType, seed: int) -> FlaskClient:
    world = family.world(scenario(family, seed))
    world.session = "reader"
    return visit(world)


def since(family: ModuleType, seed: int) -> date:
    return service_reader.day(SINCE.findall(scenario(family, seed).instruction)[0])


def rare(family: str, seed: int) -> bool:
    return visits.is_rare(family, seed, 8)


# From the pages ----------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize("seed", SEEDS)
def test_the_pages_suffice_to_find_what_goes_back(seed: int) -> None:
    client, own = reader(return_by_policy, seed), scenario(return_by_policy, seed)
    rules, name = service_reader.rules(client), service_reader.customer(client)
    opened = {each.breadcrumb.rpartition(" › ")[2] for each in kinds().values()
              if each.name in own.instruction}  # fmt: skip
    found = {}
    for order in service_reader.orders(client, since(return_by_policy, seed)):
        if order.ship_to != name or order.status != "Complete" or order.taken_off:
            continue
        for line in order.lines:
            paid = any(reason.endswith(line.name) for reason, _ in order.refunds)
            is_opened = service_reader.kind(client, line.asin) in opened
            ways = service_reader.free_ways(client, order.number, line.asin)
            final = service_reader.is_final(client, line.asin, order.placed)
            stays = paid or final or (is_opened and rules.loses(line.department))
            if ways and not stays and rules.in_time(order, line.department):
                condition = "Opened" if is_opened else "Sealed"
                found[order.number, line.asin] = ([condition], ways)
    wanted = {
        (row["order_number"], row["asin"]): (row["condition"], row["method"])
        for row in own.gold["rows"]
    }
    assert found == wanted
    assert bool(found) == own.gold["possible"] != rare("return_by_policy", seed)


@pytest.mark.wide
@pytest.mark.parametrize("seed", SEEDS)
def test_the_pages_suffice_to_find_what_is_owed(seed: int) -> None:
    client, own = reader(ledger_audit, seed), scenario(ledger_audit, seed)
    promised = service_reader.promises(client)
    found = {
        (order.number, promise): amount
        for order in service_reader.orders(client, since(ledger_audit, seed))
        for promise, amount in service_reader.owed(client, promised, order)
    }
    rows = own.gold["rows"]
    wanted = {(row["order_number"], row["reason"]): row["cents"][0] for row in rows}
    assert found == wanted
    assert bool(found) == own.gold["possible"] != rare("ledger_audit", seed)


# What is drawn -----------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_whatever_is_overlooked_the_outcome_is_another_one(family: ModuleType) -> None:
    for seed in SEEDS:
        gold = scenario(family, seed).gold
        if gold["possible"]:
            assert [name for name, rows in gold["wrong"].items() if rows == gold["rows"]] == []
    assert {*gold["wrong"]} == {*(_returns if family is return_by_policy else _audit).READINGS}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_lengths_are_those_of_a_hard_task(family: ModuleType) -> None:
    own = [scenario(family, seed) for seed in SEEDS if scenario(family, seed).gold["possible"]]
    lengths = sorted(family.length(each) for each in own)
    assert lengths[0] >= 40 and lengths[-1] <= 90
    known = registry.family(own[0].family)
    assert all(budgeted_length(known, each) <= 110 for each in own)


def test_the_last_days_of_orders_do_not_hang_on_other_holidays() -> None:
    for seed in SEEDS:
        every = service_reader.orders(reader(ledger_audit, seed), since(ledger_audit, seed))
        for order in every:
            method = next(each for each in METHODS if each.name == order.method)
            if order.delivered is None or order.delivered <= arrives(order.placed, method):
                continue
            days = range(1, (order.delivered - order.placed).days)
            between = (date.fromordinal(order.placed.toordinal() + each) for each in days)
            off = {*HOLIDAYS, *_audit.NO_POST}
            assert sum(is_business_day(each, off) for each in between) >= method.days


@pytest.mark.parametrize("family", FAMILIES)
def test_each_split_has_words_of_its_own(family: ModuleType) -> None:
    name = family.__name__.rpartition(".")[2]
    texts = [
        text
        for split in visits.SPLITS
        for act, texts in phrasings(name, split).items()
        if act not in ("opening", "closing")
        for text in texts
    ]
    assert len(texts) == len(set(texts)) >= 15


@pytest.mark.wide
@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("family", FAMILIES)
def test_drawing_is_quick(family: ModuleType) -> None:
    family.generate(0, DATA)
    taken = [
        cpu_seconds(partial(family.generate, seed, DATA), enough=QUICK)
        for seed in range(24 if DEEP else 5)
    ]
    assert statistics.median(taken) < QUICK
    assert max(taken) < 2
