"""What tests on real pages share: short ways to run an episode."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from agent import agent_spec
from agent.agent_spec import Agent
from agent.browser.lane import Lane
from evaluators.episode.budget import Budget, Meter
from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.metered import MeteredPage
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.episode.trace import Trace
from evaluators.records import files, run_folder
from evaluators.records.trace_events import read_trace
from evaluators.scoring.context import ScoringContext, reads
from scenarios import registry
from scenarios.scenario import Scenario, sites_of

BUDGET = Budget(100, 400, attempts=9)


@dataclass(frozen=True)
class EpisodeHarness:
    """Environments with the event loop that they run on.

    Attributes:
        text: Environments without a browser. If there are some, they play the episodes that need no
            browser.
    """

    runner: asyncio.Runner
    environments: EnvironmentPool
    text: EnvironmentPool | None = None

    def run(
        self, agent: str, scenario: str, run: Path, *, family_file: str = "", **run_context: Any
    ) -> RecordedEpisode:
        """Run one episode; `run_context` as `evaluators.episode.spec.RunContext`."""
        made = agent_spec.read(agent)
        spec = EpisodeSpec(made, scenario, family_file=family_file)
        pool = self.environments if family_file else self._pool(made, scenario.split("/")[1])
        record = self.runner.run(run_episode(spec, pool, RunContext(run, **run_context)))
        home = run_folder.home(run, record)
        return RecordedEpisode(files.load(home / "episode.json"), home, self)

    def _pool(self, agent: Agent, family: str) -> EnvironmentPool:
        """The environments in which an agent plays a family."""
        if self.text is None or agent.needs_sight:
            return self.environments
        made = registry.family(family)
        if registry.needs_browser(made):
            return self.environments
        if not {*sites_of(made)} <= self.text.sites.keys():  # a site that was added
            return self.environments
        return self.text

    def expert_succeeds(self, scenario: str, run: Path) -> None:
        """Let the expert play it, for tests of what may be in its way."""
        record = self.run("expert", scenario, run, strict=True).record
        assert record["success"], (scenario, record["checks"])

    def visit(self, scenario: str, work: Any, budget: Budget = BUDGET) -> Any:
        """What `work(visit)` returns, a coroutine function on an opened page."""

        async def visited() -> Any:
            async with opened(self.environments, registry.scenario(scenario), budget) as visit:
                return await work(visit)

        return self.runner.run(visited())


@dataclass(frozen=True)
class RecordedEpisode:
    """An episode that ran: its record and its folder."""

    record: dict[str, Any]
    home: Path
    harness: EpisodeHarness

    @property
    def trace(self) -> list[dict[str, Any]]:
        """The lines of its trace."""
        return trace_of(self.home / "trace.jsonl")


def trace_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a trace as plain values, which all must be whole."""
    events, faults = read_trace(path)
    assert faults == []
    return [each.to_json() for each in events]


@dataclass(frozen=True)
class Visit:
    """An opened page on a world, with what it counts and writes."""

    page: MeteredPage
    lane: Lane
    meter: Meter
    trace: Trace
    scenario: Scenario


@asynccontextmanager
async def opened(
    environments: EnvironmentPool, scenario: Scenario, budget: Budget
) -> AsyncIterator[Visit]:
    meter, trace, context = Meter(budget), Trace(), ScoringContext.of(scenario)
    async with environments.open_episode(context, meter=meter, trace=trace) as episode:
        await episode.start()
        yield Visit(episode.page, episode.page.lane, meter, trace, scenario)


@dataclass(frozen=True)
class ScoredWorld:
    """An end state with its score; of both states the tables that the scorer reads."""

    before: dict[str, Any]
    after: dict[str, Any]
    score: Any
    answer: str = ""

    def held(self) -> dict[str, bool]:
        return {check.name: check.held for check in self.score.checks}


def scored(module: ModuleType, scenario: Scenario, act: Any) -> ScoredWorld:
    """Let `act(world)` change the scenario's world; its return value is the answer."""
    wanted = reads(module)
    with module.world(scenario) as world:
        context = ScoringContext.of(scenario, before=world.snapshot(wanted))
        answer = str(act(world) or "")
        after = world.snapshot(wanted)
    return ScoredWorld(context.before, after, context.score(after, answer), answer)
