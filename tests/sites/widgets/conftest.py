"""Task pages in the browser, with scripts of other people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from agent.browser.lane import Lane
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


@pytest.fixture
def visit(environments, runner):
    """`visit(scenario, work)`: what the coroutine function `work` says of its opened page."""

    async def opened(name: str, work: Callable[[Visit], Awaitable[Any]]) -> Any:
        site, scenario = environments.sites["widgets"], registry.scenario(name)
        world = registry.family(scenario.family).world(scenario)
        token = site.worlds.admit(world)
        async with environments.lane("widgets") as lane:
            seen = await lane.open(site.origin + scenario.start, cookie=(COOKIE, token))
            return await work(Visit(lane, scenario, world, seen))

    return lambda name, work: runner.run(opened(name, work))
