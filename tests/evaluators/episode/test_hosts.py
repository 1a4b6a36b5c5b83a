"""Episodes that may reach two hosts of one site, and those that may not."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from agent.interface import Back, Click, Goto, Observation
from evaluators.episode.budget import Budget, Meter
from evaluators.episode.metered import look
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from sites.store.outlet import goods
from sites.store.outlet.visit import open_shops

STORE, OUTLET = "http://store.localhost", "http://outlet.localhost"


def both_shops(scenario):
    """The scenario's context, of a family that is at home in both shops."""
    usual = registry.family(scenario.family)

    def world(scenario):
        made = usual.world(scenario)
        open_shops(made)
        return made

    family = SimpleNamespace(**{**vars(usual), "HOSTS": ("store", "outlet"), "world": world})
    before = world(scenario).snapshot()
    return ScoringContext(scenario, family, before, registry.site_data("store"))


@pytest.fixture
def visit(runner: asyncio.Runner, environments):
    scenario = registry.scenario("store/buy_wish/0")

    def visited(work):
        async def opened():
            meter = Meter(Budget(50, 50, attempts=3))
            async with environments.open_episode(both_shops(scenario), meter=meter) as episode:
                await episode.start()
                return await work(episode.page, scenario)

        return runner.run(opened())

    return visited


def named(observation: Observation, name: str) -> Click:
    return Click(next(each.id for each in observation.elements if each.name == name))


@pytest.mark.wide
def test_the_foot_of_each_shop_leads_to_the_same_visit_in_the_other(visit):
    async def work(page, scenario):
        start = await page.observe()
        there = await page.act(named(start, "To the outlet"))
        back = await page.act(named(there, "To the store"))
        history = await page.act(Back())
        return start, there, back, history, page.world.snapshot()["log_pages"]

    start, there, back, history, rows = visit(work)
    assert start.url.startswith(STORE) and there.url == start.url.replace(STORE, OUTLET)
    assert (back.url, history.url) == (start.url, there.url)
    assert not any(each.error for each in (there, back, history))
    assert [row["page"] for row in rows] == ["index", "outlet", "index", "outlet"]


def test_what_is_done_in_both_shops_stands_in_one_world(visit):
    good = next(iter(goods.sold().values()))

    async def work(page, scenario):
        there = await page.act(Goto(f"{OUTLET}{scenario.start}/goods/{goods.slug(good)}"))
        slip = await page.act(named(there, "Order this item"))
        await page.act(named(slip, "Place order"))
        item = f"/item_page/{scenario.id}/{good.asin}/%5B%5D/1/%7B%7D"
        item = await page.act(Goto(f"{STORE}{item}"))
        await page.act(named(item, "Buy Now"))
        return page.world.snapshot()

    after = visit(work)
    assert [row["asin"] for row in after["outlet_purchases"]] == [good.asin]
    assert [row["asin"] for row in after["purchases"]] == [good.asin]


def test_a_checkpoint_brings_back_the_page_of_the_other_shop(visit):
    async def work(page, scenario):
        there = await page.act(Goto(f"{OUTLET}{scenario.start}/search?q=desk+lamps"))
        mark = await page.checkpoint()
        await page.act(Goto(f"{STORE}{scenario.start}"))
        return there, await page.restore(mark)

    there, back = visit(work)
    assert back.error is None and back.url == there.url and look(back) == look(there)


def test_a_new_attempt_begins_in_the_first_shop_with_a_fresh_world_in_both(visit):
    async def work(page, scenario):
        await page.act(Goto(f"{OUTLET}{scenario.start}/search?q=desk+lamps"))
        second = await page.restart()
        there = await page.act(named(second, "To the outlet"))
        return second, there, page.world.snapshot()["log_pages"]

    second, there, rows = visit(work)
    assert second.url.startswith(STORE) and there.url.startswith(OUTLET)
    assert [row["page"] for row in rows] == ["index", "outlet"]


def test_of_two_hosts_a_third_stays_outside(visit):
    async def work(page, scenario):
        return [await page.act(Goto(url)) for url in ("http://crm.localhost/", "http://a.test/")]

    for seen in visit(work):
        assert seen.url.startswith(STORE)
        assert f"outside this task's sites, {STORE} and {OUTLET}" in str(seen.error)


@pytest.mark.parametrize("name", ["store/buy_item/3", "store/buy_wish/0", "store/latest_order/0"])
def test_elsewhere_the_outlet_is_a_wall(harness, name):
    async def work(visit):
        start = await visit.page.observe()
        away = await visit.page.act(Goto(f"{OUTLET}{visit.scenario.start}"))
        return start, away, visit.lane.browser.wall.refused

    start, away, _ = harness.visit(name, work)
    assert away.error and "outside this task's site, http://store.localhost" in away.error
    assert look(away) == look(start) and "outlet" not in start.text.lower()


def test_a_lane_is_closed_to_the_second_host_again(runner, environments, harness):
    """The lane of an episode with two hosts serves one with a single host afterwards."""
    scenario = registry.scenario("store/buy_wish/0")

    async def twice():
        async with environments.open_episode(both_shops(scenario)) as episode:
            await episode.start()
            lane = episode.page.lane
        usual = ScoringContext.of(scenario)
        async with environments.open_episode(usual) as episode:
            await episode.start()
            seen = await episode.page.act(Goto(f"{OUTLET}{scenario.start}"))
            return episode.page.lane is lane, seen

    same, seen = runner.run(twice())
    assert same and seen.url.startswith(STORE) and "outside" in str(seen.error)
