"""Episodes at two sites: one browser, one episode, two worlds that are one."""

from __future__ import annotations

import asyncio

import pytest

from agent.interface import Back, Click, Goto, Observation
from evaluators.episode.budget import Budget, Meter
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from sites.store.shop import operations
from sites.world import WorldClosed

FORUM, STORE = "http://forum.localhost", "http://store.localhost"


@pytest.fixture
def visit(runner: asyncio.Runner, environments):
    context = ScoringContext.of(registry.scenario("forum/reviews_to_forum/0"))

    def visited(work):
        async def opened():
            meter = Meter(Budget(50, 50, attempts=3))
            async with environments.open_episode(context, meter=meter) as episode:
                return await work(episode.page, await episode.start(), context)

        return runner.run(opened())

    return visited


def named(observation: Observation, name: str) -> Click:
    return Click(next(each.id for each in observation.elements if each.name == name))


def buy(page) -> None:
    data = registry.site_data("store")
    product = operations.product(data, next(iter(data.catalogue.asins())))
    operations.buy(page.world.of("store"), product, {})


def test_each_site_leads_to_the_other_in_the_same_visit(visit):
    async def work(page, start, context):
        there = await page.act(named(start, "To the store"))
        back = await page.act(named(there, "To the forum"))
        history = await page.act(Back())
        return start, there, back, history, page.world.snapshot()

    start, there, back, history, rows = visit(work)
    assert start.url.startswith(FORUM) and there.url.startswith(STORE)
    assert back.url.startswith(FORUM) and history.url == there.url
    links = [next(e for e in each.elements if e.name == "To the store") for each in (start, back)]
    assert ["visited" in each.states for each in links] == [False, True]
    assert [row["page"] for row in rows["store.log_pages"]] == ["index", "index"]
    assert len(rows["forum.log_pages"]) == 2


def test_a_checkpoint_brings_both_sites_back_together(visit):
    async def work(page, start, context):
        family = context.family
        there = await page.act(named(start, "To the store"))
        mark = await page.checkpoint()
        family.solve(context.scenario, page.world, context.data)
        buy(page)
        done = page.world.snapshot()
        back = await page.restore(mark)
        family.solve(context.scenario, page.world, context.data)
        return there, back, done, page.world.snapshot(), context

    there, back, done, second, context = visit(work)
    assert back.error is None and back.url == there.url
    assert done["store.purchases"] and not second["store.purchases"]
    assert not context.score(done).success and context.score(second).success


@pytest.mark.parametrize("site", ["forum", "store"])
def test_nothing_is_restored_if_one_site_of_the_checkpoint_is_gone(visit, site):
    async def work(page, start, context):
        mark = await page.checkpoint()
        context.family.solve(context.scenario, page.world, context.data)
        buy(page)
        before = page.world.snapshot()
        mark.world.of(site).release()
        with pytest.raises(WorldClosed):
            await page.restore(mark)
        return before, page.world.snapshot()

    before, after = visit(work)
    assert before == after and after["store.purchases"]


def test_a_new_attempt_begins_at_the_first_site_with_fresh_worlds_at_both(visit):
    async def work(page, start, context):
        await page.act(named(start, "To the store"))
        buy(page)
        second = await page.restart()
        there = await page.act(named(second, "To the store"))
        first, last = page.attempts
        return second, there, first.snapshot(), last.snapshot(), first.closed

    second, there, first, last, closed = visit(work)
    assert second.url.startswith(FORUM) and there.url.startswith(STORE) and closed
    assert first["store.purchases"] and not last["store.purchases"]


def test_a_third_site_stays_outside_and_no_part_stays_open(visit):
    async def work(page, start, context):
        return await page.act(Goto("http://crm.localhost/")), page

    seen, page = visit(work)
    assert "outside this task's sites" in str(seen.error)
    assert all(page.world.of(site).released for site in ("forum", "store"))


def test_the_expert_succeeds_with_as_many_steps_as_the_family_says(harness, tmp_path):
    record = harness.run("expert", "forum/reviews_to_forum/1", tmp_path, strict=True).record
    scenario = registry.scenario("forum/reviews_to_forum/1")
    assert record["success"], record["checks"]
    assert record["steps"] == registry.family("reviews_to_forum").length(scenario)
