"""The task pages driven below the model: `python -m benchmarks.widgets [--quick]`.

Whole episodes through a lane, by the family's advice alone; the naive way is a script that opens a
new context for each. Nothing is asserted of speed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from agent.interface import Action, Observation
from benchmarks.foundation import Benchmark, run
from benchmarks.measuring import Effort, Row, Timing, alternate
from benchmarks.naive import playwright_browser
from evaluators.episode.environment import EnvironmentPool, Episode, open_environments
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.widgets._page_view import PageView, over
from scenarios.widgets._widget import Widget

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Page

EPISODE_MS, EPISODE_CPU_MS, RESTART_MS = 25, 30, 5
"""The bars: forty episodes of login-user a second, its CPU time, and one new seed in the page."""
MOST_ACTIONS = 60


@dataclass
class Driver:
    """Runs one task again and again in one lane, each time with another seed."""

    environments: EnvironmentPool
    task: str
    chromium: Chromium
    """For the naive way."""
    seeds: Any = field(default_factory=lambda: itertools.count(1))

    @property
    def family(self) -> Widget:
        made = registry.family(self.task)
        assert isinstance(made, Widget)
        return made

    def open(self) -> AbstractAsyncContextManager[Episode]:
        """The episode of the next seed."""
        drawn = self.family.generate(next(self.seeds), self.environments.sites["widgets"].data)
        return self.environments.open_episode(ScoringContext.of(drawn, self.family))

    async def episode(self) -> None:
        """Run the next seed to its end; it must succeed."""
        async with self.open() as episode:
            seen, lane, actions = await episode.start(), episode.page.lane, 0
            while not over(seen) and actions < MOST_ACTIONS:
                for action in self._advised(episode.scenario.instruction, seen):
                    before, seen = seen, await lane.act(action)
                    actions += 1
                    if _names(before) != _names(seen):
                        break
        [verdict] = episode.page.world.snapshot()["verdicts"]
        assert verdict["raw"] == 1, f"{self.task} ended with {verdict}"

    async def restart(self) -> None:
        async with self.open() as episode:
            await episode.start()

    def _advised(self, instruction: str, seen: Observation) -> tuple[Action, ...]:
        actions = self.family.adviser(PageView(instruction, seen)).actions
        assert actions, f"there is no advice for {self.task}: {instruction}"
        return actions


def _names(seen: Observation) -> list[str]:
    return [element.name for element in seen.elements]


@asynccontextmanager
async def open_driver(task: str) -> AsyncIterator[Driver]:
    async with (
        open_environments(["widgets"]) as environments,
        playwright_browser(environments.browser) as chromium,
    ):
        yield Driver(environments, task, chromium)


async def login_user(quick: bool) -> list[Row]:
    """Two texts typed and a click."""
    async with open_driver("login-user") as ours:
        naive = partial(_in_new_context, ours, _log_in)
        timings = await alternate(Effort(2 if quick else 6, 10), ours.episode, naive)
    return _rows("login-user", timings, EPISODE_MS, "naive: new context, goto, fill, click")


async def choose_date(quick: bool) -> list[Row]:
    """A calendar, up to eleven months back."""
    async with open_driver("choose-date") as ours:
        naive = partial(_in_new_context, ours, _choose_date)
        timings = await alternate(Effort(2 if quick else 6, 6), ours.episode, naive)
    return _rows("choose-date", timings, None, "naive: new context, goto, a click for each month")


async def restart(quick: bool) -> list[Row]:
    """The next seed: by the page itself, and by loading it again."""
    async with open_driver("login-user") as ours, _new_page(ours) as page:
        seeds = itertools.count(1)

        async def naive() -> None:
            await page.goto(_address(ours, next(seeds)))

        timings = await alternate(Effort(3 if quick else 8, 10), ours.restart, naive)
    mine, theirs = timings
    note = "cookie, new seed and the first observation; naive: page.goto"
    return [
        Row("the next seed, opened", "ms", mine.median, theirs.median, None, mine.cpu_each,
            theirs.cpu_each, note),
        await _restarted_in_page(quick),
    ]  # fmt: skip


async def _restarted_in_page(quick: bool) -> Row:
    """What the page itself needs to begin again, in the life cycle of its drivers."""
    script = "core.endEpisode(0); Math.seedrandom({}); core.startEpisodeReal()"
    async with open_driver("login-user") as ours, _new_page(ours) as page:
        await page.goto(_address(ours, 1))
        seeds = itertools.count(1)

        async def restart() -> None:
            await page.evaluate(script.format(next(seeds)))

        [timing] = await alternate(Effort(3 if quick else 8, 20), restart)
    return Row("restart in the page", "ms", timing.median, None, RESTART_MS, timing.cpu_each)


def _rows(task: str, timings: list[Timing], bar: float | None, note: str) -> list[Row]:
    mine, naive = timings
    rate = f"{1000 / mine.median:.1f} episodes a second; {note}"
    medians, cpu = (mine.median, naive.median), (mine.cpu_each, naive.cpu_each)
    rows = [Row(f"{task}, an episode", "ms", *medians, bar, *cpu, rate)]
    if bar is not None:
        rows.append(Row(f"{task}, its CPU time", "ms", *cpu, EPISODE_CPU_MS))
    return rows


# The naive way: Playwright's page, a new context for each episode -------------------------------


Moves = Callable[["Page"], Awaitable[None]]


async def _in_new_context(ours: Driver, moves: Moves) -> None:
    async with _new_page(ours) as page:
        await page.goto(_address(ours, next(ours.seeds)))
        await moves(page)
        assert await page.evaluate("WOB_RAW_REWARD_GLOBAL") == 1


@asynccontextmanager
async def _new_page(ours: Driver) -> AsyncIterator[Page]:
    context = await ours.chromium.new_context()
    try:
        yield await context.new_page()
    finally:
        await context.close()


def _address(ours: Driver, seed: int) -> str:
    drawn = ours.family.generate(seed, ours.environments.sites["widgets"].data)
    return ours.environments.sites["widgets"].origin + drawn.start


async def _log_in(page: Page) -> None:
    user, password = re.findall('"([^"]*)"', await page.inner_text("#query"))
    await page.fill("#username", user)
    await page.fill("#password", password)
    await page.click("#subbtn")


async def _choose_date(page: Page) -> None:
    found = re.search(r"(\d+)/(\d+)/\d+", await page.inner_text("#query"))
    assert found is not None
    month, day = map(int, found.groups())
    await page.click("#datepicker")
    for _ in range(12 - month):
        await page.click("[title=Prev]")
    await page.click(f"td[data-handler=selectDay] a:text-is('{day}')")
    await page.click("#subbtn")


BENCHMARKS: dict[str, Benchmark] = {
    "login-user": login_user,
    "choose-date": choose_date,
    "restart": restart,
}


if __name__ == "__main__":
    run("benchmarks.widgets", str(__doc__), BENCHMARKS)
