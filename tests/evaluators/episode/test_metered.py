"""The page as a method may use it: counted, limited, traced, and shut at the end."""

from __future__ import annotations

import asyncio
import re
import signal
from dataclasses import replace

import pytest

from agent.interface import (
    Back,
    BudgetExceeded,
    Click,
    Goto,
    Note,
    Observation,
    Stop,
    Type,
)
from evaluators.episode.budget import Budget
from evaluators.episode.metered import look
from evaluators.episode.termination import SiteFault
from scenarios import registry
from sites.world import state

SCENARIO = "store/buy_item/3"


@pytest.fixture
def visit(harness):
    return lambda work, **budget: harness.visit(
        SCENARIO, work, Budget(**{"steps": 50, "calls": 400, "attempts": 2, **budget})
    )


def named(observation: Observation, pattern: str) -> Click:
    return Click(next(e.id for e in observation.elements if re.fullmatch(pattern, e.name)))


async def search(visit, words: str = "") -> Observation:
    words = words or registry.scenario(SCENARIO).gold["query"]
    box = next(e for e in (await visit.page.observe()).elements if e.role == "searchbox")
    return await visit.page.act(Type(box.id, words, enter=True))


async def to_item(visit) -> Observation:
    results = await search(visit)
    return await visit.page.act(named(results, r"B0\w{8}"))


def test_an_action_is_a_step_and_a_line(visit):
    async def work(v):
        await to_item(v)
        return v.meter.steps, [
            line.to_json() for line in v.trace.lines if line.kind != "observation"
        ]

    steps, lines = visit(work)
    assert steps == 2
    assert [line["kind"] for line in lines] == ["action", "action"]
    assert lines[0]["target"].startswith("searchbox") and lines[1]["target"].startswith("link 'B0")


def test_what_is_seen_is_written_and_costs_nothing(visit):
    async def work(v):
        for _ in range(5):
            await v.page.observe()
        await v.page.observe(view="viewport")
        return v.meter.steps, [line.to_json() for line in v.trace.lines]

    steps, lines = visit(work)
    assert steps == 0
    first = next(line for line in lines if line["kind"] == "observation")
    assert first["url"].startswith("http://store.localhost/") and "searchbox" in first["text"]


def test_notes_and_stops_touch_nothing(visit):
    async def work(v):
        before = await v.page.observe()
        after = await v.page.act(Note("remember"))
        await v.page.act(Stop("done"))
        return v.meter.steps, v.trace.events, before == after

    steps, events, same = visit(work)
    assert steps == 0 and events == {"note": 1, "stop": 1} and same


def test_a_failed_action_is_counted_as_invalid_and_is_a_step(visit):
    async def work(v):
        seen = await v.page.act(Click("No Such Thing"))
        return seen.error, v.meter.invalid_actions, v.meter.steps

    error, invalid, steps = visit(work)
    assert error and (invalid, steps) == (1, 1)


def test_the_same_action_on_the_same_page_is_a_repeat(visit):
    async def work(v):
        await v.page.act(Click("No Such Thing"))
        one = v.meter.repeats
        await v.page.act(Click("No Such Thing"))
        two = v.meter.repeats
        await search(v)
        await v.page.act(Click("No Such Thing"))
        return one, two, v.meter.repeats

    assert visit(work) == (0, 1, 1)


def test_steps_are_limited_and_the_refused_one_is_not_done(visit):
    async def work(v):
        results = await search(v)
        with pytest.raises(BudgetExceeded):
            await v.page.act(named(results, r"B0\w{8}"))
        return v.page.world.snapshot()["log_pages"], v.meter.steps

    pages, steps = visit(work, steps=1)
    assert steps == 1 and not [row for row in pages if row["page"] == "item"]


def test_a_method_that_only_takes_notes_meets_its_deadline(visit):
    """Nothing on its way waits for the browser, and still others get their turn."""

    async def work(v):
        async with asyncio.timeout(0.3):
            while True:
                await v.page.act(Note("hm"))

    def give_up(*_):
        raise AssertionError("the loop never gave way")

    old = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(3)
    try:
        with pytest.raises(TimeoutError):
            visit(work)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def test_nothing_counts_after_the_end(visit):
    """The page stays in the browser, its world is shut: a late purchase is none."""

    async def work(v):
        item = await to_item(v)
        world = v.page.world
        before = world.snapshot()
        v.page.close()
        assert world.closed
        await v.lane.act(named(item, "Buy Now"))
        return before, world.snapshot(), v.page.attempts

    before, after, attempts = visit(work)
    assert before == after and len(attempts) == 1


def test_a_new_attempt_is_a_fresh_copy_of_the_start(visit):
    async def work(v):
        item = await to_item(v)
        await v.page.act(named(item, "Buy Now"))
        restarted = await v.page.restart()
        first, second = (world.snapshot() for world in v.page.attempts)
        results = await search(v)
        return first, second, restarted, results, v.trace.events, v.page.world.snapshot()

    first, second, restarted, results, events, after = visit(work)
    assert len(first["purchases"]) == 1 and not second["purchases"]
    assert not [row for row in second["log_pages"] if row["page"] == "receipt"]
    assert restarted.url.startswith("http://store.localhost/") and "Page 1" in results.text
    assert events["attempt"] == 1
    assert after["log_queries"] and "item" not in [row["page"] for row in after["log_pages"]]


def test_an_earlier_attempt_is_shut(visit):
    async def work(v):
        await v.page.restart()
        return [world.closed for world in v.page.attempts]

    assert visit(work) == [True, False]


def test_back_on_a_new_attempt_does_not_lead_into_the_last(visit):
    async def work(v):
        await search(v)
        start = await v.page.restart()
        return start, await v.page.act(Back())

    start, back = visit(work)
    assert look(back) == look(start)


def test_a_checkpoint_brings_back_world_and_page(visit):
    async def work(v):
        item = await to_item(v)
        mark = await v.page.checkpoint()
        before = v.page.world.snapshot()
        bought = await v.page.act(named(item, "Buy Now"))
        assert "/done/" in bought.url and v.page.world.snapshot()["purchases"]
        back = await v.page.restore(mark)
        return item, back, before, v.page.world.snapshot()

    item, back, before, after = visit(work)
    assert back.error is None and look(back) == look(item)
    assert state(before) == state(after)


def test_a_checkpoint_brings_back_what_was_typed(visit):
    async def work(v):
        start = await v.page.observe()
        box = next(e for e in start.elements if e.role == "searchbox")
        typed = await v.page.act(Type(box.id, "half a thought"))
        mark = await v.page.checkpoint()
        await search(v)
        return typed, await v.page.restore(mark)

    typed, back = visit(work)
    assert back.error is None
    values = [[e.value for e in page.elements if e.role == "searchbox"] for page in (typed, back)]
    assert values == [["half a thought"]] * 2


def test_a_way_back_to_a_page_that_looks_different_is_an_error(visit):
    async def work(v):
        await to_item(v)
        mark = await v.page.checkpoint()
        return await v.page.restore(replace(mark, look="of another page"))

    assert "looks different" in visit(work).error


def test_the_agent_reaches_its_own_site_only(visit):
    async def work(v):
        seen = [
            await v.page.act(Goto(url))
            for url in (
                "file:///etc/passwd",
                "http://127.0.0.1:1/",
                "http://example.com/",
                "chrome://version",
            )
        ]
        return seen, await v.page.act(Goto("http://store.localhost/evaluate?scenario=x"))

    seen, control = visit(work)
    assert all(each.error and "root:" not in each.text for each in seen)
    assert "success" not in control.text


def test_a_fault_of_the_site_is_ours(visit):
    """The journal is gone, so that the next page fails."""

    async def work(v):
        v.page.world.write("DROP TABLE log_pages")
        with pytest.raises(SiteFault, match=r"GET /.*log_pages"):
            await v.page.act(Goto((await v.page.observe()).url))
        return v.meter.fault

    assert isinstance(visit(work), SiteFault)
