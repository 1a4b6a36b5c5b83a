"""What tests on real pages share: short ways to play on the stage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from agent.browser.lane import Lane
from evaluators import agents, casting
from evaluators.budget import Budget, Meter
from evaluators.doors import PageDoor
from evaluators.episode import run_episode
from evaluators.play import Job, Terms
from evaluators.stage import Stage
from evaluators.trace import Trace
from scenarios.scenario import Scenario


@dataclass(frozen=True)
class Theatre:
    """A stage with the loop that it lives on."""

    runner: asyncio.Runner
    stage: Stage

    def play(self, agent: str, scenario: str, run: Path, *, source: str = "", **terms: Any) -> Play:
        """One episode of the agent; `terms` as `evaluators.play.Terms`."""
        made = agents.read(agent)
        job = Job(made, scenario, source=source)
        record = self.runner.run(run_episode(job, self.stage, Terms(run, **terms)))
        return Play(record, next(run.glob(f"episodes/*/*-{record['seed']}/0/")), self)

    def visit(self, scenario: str, work: Any, budget: Budget = Budget(50, 400)) -> Any:  # noqa: B008
        """What `work(visit)` returns, a coroutine function on an opened page."""

        async def visited() -> Any:
            async with opened(self.stage, casting.scenario(scenario), budget) as visit:
                return await work(visit)

        return self.runner.run(visited())


@dataclass(frozen=True)
class Play:
    """An episode that was played: its record and its folder."""

    record: dict[str, Any]
    home: Path
    theatre: Theatre


@dataclass(frozen=True)
class Visit:
    """A page door on a world, with what it counts and writes."""

    door: PageDoor
    lane: Lane
    meter: Meter
    trace: Trace
    scenario: Scenario


@asynccontextmanager
async def opened(stage: Stage, scenario: Scenario, budget: Budget) -> AsyncIterator[Visit]:
    site, meter, trace = stage.sites[scenario.site], Meter(budget), Trace()
    start = casting.family(scenario.family).world(scenario)
    async with stage.lane(scenario.site) as lane:
        url = site.origin + scenario.start
        door = PageDoor(lane, site.worlds, start, url, meter, trace)
        await door.open()
        try:
            yield Visit(door, lane, meter, trace, scenario)
        finally:
            door.close()


@dataclass(frozen=True)
class Ended:
    """An end state with what its judge says."""

    before: dict[str, Any]
    after: dict[str, Any]
    score: Any
    answer: str = ""

    def held(self) -> dict[str, bool]:
        return {check.name: check.held for check in self.score.checks}


def judged(module: ModuleType, scenario: Scenario, act: Any) -> Ended:
    """Let `act(world)` change the scenario's world; its return value is the answer."""
    data = casting.site_data(scenario.site)
    world = module.world(scenario)
    before = world.snapshot()
    answer = str(act(world) or "")
    after = world.snapshot()
    score = casting.judge(scenario.site).judge(scenario, before, after, answer, data)
    return Ended(before, after, score, answer)
