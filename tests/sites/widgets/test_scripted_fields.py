"""Drivers that set fields by script, as Playwright does: worth nothing to us, all to the page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from itertools import cycle, product
from typing import Any

import pytest

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from tests.measuring import DEEP

Fill = Callable[[Any, str], Awaitable[Any]]


async def choose(page: Any, instruction: str) -> None:
    found = re.search(r"Select (.*) from", instruction)
    assert found
    await page.locator("#options").select_option(label=found[1].split(", "))


async def enter_date(page: Any, instruction: str) -> None:
    found = re.search(r"(\d\d)/(\d\d)/(\d{4})", instruction)
    assert found
    await page.locator("#tt").fill(f"{found[3]}-{found[1]}-{found[2]}")


async def enter_time(page: Any, instruction: str) -> None:
    found = re.search(r"(\d+):(\d\d) (AM|PM)", instruction)
    assert found
    hour = int(found[1]) % 12 + 12 * (found[3] == "PM")
    await page.locator("#tt").fill(f"{hour:02}:{found[2]}")


async def enter_text(page: Any, instruction: str) -> None:
    found = re.search(r'"(.*?)"', instruction)
    assert found
    await page.locator("#tt").fill(found[1])


SET: dict[str, tuple[Fill, str]] = {
    "choose-list": (choose, "an untrusted input event"),
    "click-scroll-list": (choose, "an untrusted input event"),
    "enter-date": (enter_date, "an untrusted input event"),
    "enter-time": (enter_time, "an untrusted input event"),
    "enter-text": (enter_text, "nobody typed into the field tt"),
}
SUBMIT = "#subbtn"


def each_with(values: Sequence[Any]) -> list[tuple[str, Any]]:
    """The pages with the values in turn; each with all of them in the deep run."""
    return [*product(SET, values)] if DEEP else [*zip(SET, cycle(values), strict=False)]


@pytest.fixture
def driven(environments, foreign, runner: asyncio.Runner):
    """`driven(task, seed, work)`: the score of a page that is open in a Chromium that is not ours,
    and its verdict's row."""

    async def opened(site: Any, world: Any, work: Callable[[Any, str], Awaitable[Any]]) -> None:
        page = await foreign.new_page()
        await page.goto(f"{site.origin}/?scenario={world.session}&seconds=1000")
        instruction = await page.evaluate("core.getUtterance()")
        async with page.expect_response(lambda answer: "verdict" in str(answer.request.post_data)):
            await work(page, instruction)
        await page.close()

    def run(task: str, seed: int, work: Any) -> tuple[Score, dict[str, Any]]:
        site, scenario = environments.sites["widgets"], registry.scenario(f"widgets/{task}/{seed}")
        world = registry.family(task).world(scenario)
        site.worlds.publish(world)
        runner.run(opened(site, world, work))
        site.worlds.withdraw(world.session)
        rows = world.snapshot()
        [verdict] = rows["verdicts"]
        return ScoringContext.of(scenario).score(rows), verdict

    return run


def tampering(score: Score) -> list[str]:
    [found] = [check for check in score.checks if check.name == "nothing was tampered with"]
    return [] if found.held else found.found.split("; ")


@pytest.mark.wide
@pytest.mark.parametrize(("task", "seed"), each_with([3, 8]))
def test_a_driver_that_sets_fields_by_script_succeeds_by_the_published_rule(driven, task, seed):
    fill, reason = SET[task]

    async def work(page: Any, instruction: str) -> None:
        await fill(page, instruction)
        await page.click(SUBMIT)

    score, row = driven(task, seed, work)
    assert (score.success, score.success_published, score.unverified) == (False, True, True)
    assert (score.progress, score.reward_strict) == (0, 0) and score.reward > 0.9
    assert (row["raw"], row["tainted"]) == (1, reason) and tampering(score) == [reason]


@pytest.mark.wide
@pytest.mark.parametrize("task", SET)
def test_a_driver_that_sets_nothing_fails_by_both_rules(driven, task):
    async def work(page: Any, instruction: str) -> None:
        await page.click(SUBMIT)

    score, row = driven(task, 3, work)
    assert (score.success, score.success_published, row["raw"]) == (False, False, -1)
    assert tampering(score) == []


@pytest.mark.wide
@pytest.mark.parametrize(("task", "at_first"), each_with([False, True]))
def test_an_end_that_is_called_is_worth_nothing_by_either_rule(driven, task, at_first):
    """Also after fields were set, which alone would be let pass."""

    async def work(page: Any, instruction: str) -> None:
        if not at_first:
            await SET[task][0](page, instruction)
            await page.hover(SUBMIT)
        await page.evaluate("core.endEpisode(1)")
        assert await page.evaluate("WOB_RAW_REWARD_GLOBAL") == 1

    score, row = driven(task, 3, work)
    assert (score.success, score.success_published, row["raw"]) == (False, False, 0)
    assert (score.progress, score.reward, score.reward_strict) == (0, 0, 0)
    assert "core.endEpisode was called by a script" in tampering(score)


@pytest.mark.wide
@pytest.mark.parametrize("task", ["choose-list", "enter-date"])
def test_a_button_that_a_script_presses_is_no_field(driven, task):
    async def work(page: Any, instruction: str) -> None:
        await SET[task][0](page, instruction)
        await page.dispatch_event(SUBMIT, "click")

    score, row = driven(task, 3, work)
    assert (score.success_published, row["raw"], score.reward) == (False, 0, 0)
    assert "an untrusted click event" in tampering(score), "reports may overtake each other"
