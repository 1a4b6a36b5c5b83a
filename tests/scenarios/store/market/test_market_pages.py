"""Advice along a path over the account, wallet, shared lists, help and items of the market."""

from __future__ import annotations

import pytest

from agent.interface import Click
from scenarios import registry
from scenarios.store.market import market_pages
from scenarios.store.pages import visits
from scenarios.store.pages.visits import PathStep
from sites.store.market.account.account import MarketAccount

DATA = registry.site_data("store")
SEEDS = range(200)


@pytest.fixture(scope="module")
def scenario():
    drawn = (registry.scenario(f"store/ledger_sum/{seed}") for seed in SEEDS)
    return next(each for each in drawn if len(_account(each).lists) > 1)


def _account(scenario) -> MarketAccount:
    return MarketAccount.from_json(scenario.details["account"])


@pytest.fixture(scope="module")
def path(scenario) -> list[PathStep]:
    account = _account(scenario)
    one, two = account.lists[:2]
    first, second = account.orders[2], account.orders[5]
    third = account.orders[14]
    return [
        market_pages.addresses_step(),
        *market_pages.shared_steps(one.person),
        *(_item(asin) for asin in one.asins[:2]),
        market_pages.shared_steps(two.person)[1],
        *market_pages.help_steps("delivery", "offers"),
        market_pages.orders_step(1),
        market_pages.order_step(first),
        *(_item(line.asin) for line in first.lines),
        visits.path_step("Description", "read on", asin=first.lines[-1].asin, number=1),
        market_pages.order_step(second),
        market_pages.orders_step(2),
        market_pages.order_step(third),
    ]


def _item(asin: str) -> PathStep:
    return market_pages.item_step(asin, DATA.market.good(asin).name)


@pytest.mark.wide
def test_the_path_is_walked_in_the_browser(harness, scenario, path) -> None:
    """Screen by screen, from one observation each."""
    gold = {"path": path, "told": []}

    async def walk(visit) -> tuple[list[PathStep], int]:
        seen, pages, number = await visit.page.observe(), [], 0
        while (advice := market_pages.follow(gold, seen)) is not None:
            assert len(advice.actions) == 1 and isinstance(advice.actions[0], Click)
            seen = await visit.page.act(advice.actions[0])
            assert seen.error is None
            pages.append(market_pages.here(seen))
            number += 1
        return pages, number

    pages, number = harness.visit(scenario.name, walk)
    stops = [
        next((at for at, step in enumerate(path) if _fits(step, place)), None) for place in pages
    ]
    assert None not in stops
    assert list(dict.fromkeys(stops)) == list(range(len(path)))
    assert number == market_pages.actions(path)


def _fits(step: PathStep, place: PathStep) -> bool:
    return all(step.get(key) == value for key, value in place.items())


def test_the_operations_open_the_same_pages(scenario, path) -> None:
    world = registry.family("ledger_sum").world(scenario)
    market_pages.walk(path, world, DATA.market)
    rows = world.read("SELECT page, asin, number FROM log_pages ORDER BY id")
    assert [row["page"] for row in rows] == [step["page"] for step in path]
    for row, step in zip(rows, path, strict=True):
        assert row["asin"] == step.get("asin")
        if step["page"] in ("orders", "order"):
            assert row["number"] == step["number"]


@pytest.mark.wide
def test_from_a_page_beside_the_path_one_comes_back(harness, scenario, path) -> None:
    gold = {"path": path[-2:], "told": []}
    account = _account(scenario)

    async def stray(visit) -> str:
        seen = await visit.page.observe()
        for name in ("My Orders", account.orders[0].number):
            [found] = [each for each in seen.elements if each.name == name]
            seen = await visit.page.act(Click(found.id))
        advice = market_pages.follow(gold, seen)
        assert advice is not None
        [press] = advice.actions
        return next(each.name for each in seen.elements if each.id == press.target)

    assert harness.visit(scenario.name, stray) == "Back to My Orders"
