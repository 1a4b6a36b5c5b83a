"""Advice along a path over the account, wallet, shared lists, help and items of the market."""

from __future__ import annotations

import pytest

from agent.interface import Click
from scenarios import registry
from scenarios.store.pages import following, site_map
from scenarios.store.pages.site_map import PathStep
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
        site_map.addresses_step(),
        *site_map.shared_steps(one.person),
        *(_item(asin) for asin in one.asins[:2]),
        site_map.shared_steps(two.person)[1],
        *site_map.help_steps("delivery", "offers"),
        site_map.orders_step(1),
        site_map.order_step(first),
        *(_item(line.asin) for line in first.lines),
        site_map.path_step("Description", "read on", asin=first.lines[-1].asin, number=1),
        site_map.order_step(second),
        site_map.orders_step(2),
        site_map.order_step(third),
    ]


def _item(asin: str) -> PathStep:
    return site_map.item_step(asin, DATA.market.good(asin).name)


@pytest.mark.wide
def test_the_path_is_walked_in_the_browser(harness, scenario, path) -> None:
    """Screen by screen, from one observation each."""
    gold = {"path": path, "told": []}

    async def walk(visit) -> tuple[list[PathStep], int]:
        seen, pages, number = await visit.page.observe(), [], 0
        while (advice := following.follow(gold, seen)) is not None:
            assert len(advice.actions) == 1 and isinstance(advice.actions[0], Click)
            seen = await visit.page.act(advice.actions[0])
            assert seen.error is None
            pages.append(site_map.here(seen))
            number += 1
        return pages, number

    pages, number = harness.visit(scenario.name, walk)
    stops = [
        next((at for at, step in enumerate(path) if _fits(step, place)), None) for place in pages
    ]
    assert None not in stops
    assert list(dict.fromkeys(stops)) == list(range(len(path)))
    assert number == site_map.actions(path)


def _fits(step: PathStep, place: PathStep) -> bool:
    return all(step.get(key) == value for key, value in place.items())


def test_the_operations_open_the_same_pages(scenario, path) -> None:
    world = registry.family("ledger_sum").world(scenario)
    site_map.walk(path, world, DATA.market)
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
        advice = following.follow(gold, seen)
        assert advice is not None
        [press] = advice.actions
        return next(each.name for each in seen.elements if each.id == press.target)

    assert harness.visit(scenario.name, stray) == "Back to My Orders"
