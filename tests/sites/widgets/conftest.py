"""Task pages in the browser, with scripts of other people."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from agent.browser.lane import Lane
from agent.browser.virtual_time import VirtualTime
from agent.interface import Observation
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.scenario import Scenario
from sites.site_app import COOKIE
from sites.world import World


@dataclass
class Visit:
    """A task page in a lane, with its world."""

    lane: Lane
    scenario: Scenario
    world: World
    seen: Observation

    async def js(self, script: str) -> Any:
        """Run a script in the page's own world; the value of its last expression."""
        reply = await self.lane._tab.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    async def solve(self) -> None:
        """Do what the family advises, once."""
        made = registry.family(self.scenario.family)
        instruction = made.instruction(self.seen)
        for action in made.adviser(page_view(instruction, self.seen)).actions:
            self.seen = await self.lane.act(action)

    async def settled(self) -> Score:
        """The verdict once everything that was posted has arrived."""
        self.seen = await self.lane.observe()
        return ScoringContext.of(self.scenario).score(self.world.snapshot())


def page_view(instruction: str, seen: Observation) -> Any:
    from scenarios.widgets._page_view import PageView

    return PageView(instruction, seen)


@asynccontextmanager
async def lane_whose_pages_post(environments) -> AsyncIterator[Lane]:
    """A lane to which its pages cannot report, so that they post as with other drivers."""
    site = environments.sites["widgets"]
    lane = Lane(environments.browser, virtual_time=VirtualTime(site.now, site.action_ms))
    try:
        yield lane
    finally:
        await lane.close()


@pytest.fixture
def visit(environments, runner):
    """`visit(scenario, work)`: what the coroutine function `work` says of its opened page.

    With `posts` the page posts its reports, as it does with drivers that are not ours."""

    async def opened(name: str, work: Callable[[Visit], Awaitable[Any]], *, posts: bool) -> Any:
        site, scenario = environments.sites["widgets"], registry.scenario(name)
        world = registry.family(scenario.family).world(scenario)
        cookie, on_report = (COOKIE, site.worlds.admit(world)), site.report_taker(world)
        lanes = lane_whose_pages_post(environments) if posts else environments.lane("widgets")
        async with lanes as lane:
            url = site.origin + scenario.start
            seen = await lane.open(url, cookie=cookie, on_report=on_report)
            return await work(Visit(lane, scenario, world, seen))

    return lambda name, work, posts=False: runner.run(opened(name, work, posts=posts))
