"""Suites and families as tasks of Inspect; needs the extra `inspect`.

`inspect eval evaluators/suite -T name=store-20 --model …` runs a suite, `evaluators/family` a
family. Any solver of Inspect can play, with the tools `look` and `act`; the default is Inspect's
ReAct. The score is ours: success, progress and the checks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from inspect_ai import Task, task
from inspect_ai.agent import AgentPrompt, react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.hooks import Hooks, RunEnd, hooks
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, tool
from inspect_ai.util import store

from agent import actions
from agent.actions import BadAction
from agent.interface import BudgetExceeded, Observation, Stop
from agent.methods import outside
from evaluators.episode import budget
from evaluators.episode.budget import Meter
from evaluators.episode.environment import EnvironmentPool, Episode, open_environments
from evaluators.episode.metered import MeteredPage
from evaluators.episode.termination import FAULTS
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.registry import TaskSet
from scenarios.scenario import answer_schema

MESSAGES = 200
"""The most messages of a sample (a task in Inspect) whose model never submits.

Its steps are limited separately.
"""
SPENT = "All steps of this task are spent; call submit."
SUBMIT = "When the task is done, or cannot be, call submit; what you submit is your answer."


class NothingShown(RuntimeError):
    """A sample (a task in Inspect) has no score because its model has seen no page."""


@dataclass
class Opened:
    """The sites, browser and episodes that the samples of an event loop use.

    The first sample opens them, and the end of the run closes them.
    """

    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    pools: dict[frozenset[str], EnvironmentPool] = field(default_factory=dict)
    episodes: dict[str, tuple[Episode, AsyncExitStack]] = field(default_factory=dict)
    """Episodes by the sample's uuid, from its first page on."""

    async def pool(self, sites: frozenset[str]) -> EnvironmentPool:
        """Return the environments (sites and a browser), which are started once for all samples."""
        async with self.opening:
            if sites not in self.pools:
                opened = open_environments(sorted(sites))
                self.pools[sites] = await self.stack.enter_async_context(opened)
            return self.pools[sites]

    async def open(self, uuid: str, name: str, sites: frozenset[str]) -> Episode:
        """Open the scenario of a sample and return its episode."""
        context, page = ScoringContext.of(registry.scenario(name)), AsyncExitStack()
        pool = await self.pool(sites)
        meter = Meter(budget.of_a_guest(context.family, context.scenario))
        episode = await page.enter_async_context(pool.open_episode(context, meter=meter))
        self.episodes[uuid] = episode, page
        return episode

    def left(self, uuid: str) -> Episode:
        """Return the episode of a sample that has ended.

        Raises:
            NothingShown: The sample ended before its first page.
            Exception: The infrastructure error that ended the episode.
        """
        if uuid not in self.episodes:
            raise NothingShown("the sample ended before its first page was shown")
        episode = self.episodes[uuid][0]
        fault, infra = episode.page.fault, tuple(FAULTS)
        if fault is not None and issubclass(type(fault), infra):
            raise fault
        return episode


_OPENED: dict[asyncio.AbstractEventLoop, Opened] = {}


def _opened() -> Opened:
    return _OPENED.setdefault(asyncio.get_running_loop(), Opened())


def _episode(uuid: str) -> Episode:
    return _opened().episodes[uuid][0]


@hooks(name="rehearsal", description="closes Rehearsal's sites and browser after a run")
class CloseAfterRun(Hooks):
    """Closes the sites and the browser; Inspect calls it in the event loop of the samples."""

    async def on_run_end(self, data: RunEnd) -> None:
        if opened := _OPENED.pop(asyncio.get_running_loop(), None):
            await opened.stack.aclose()


@solver
def opened(sites: Iterable[str]) -> Solver:
    """Return a solver that opens the sample's scenario and gives the model its task, the actions
    and the first page.
    """
    names = frozenset(sites)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        store().set("uuid", state.uuid)
        episode = await _opened().open(state.uuid, state.metadata["scenario"], names)
        page = await episode.start()
        asks = answer_schema(episode.context.family, episode.scenario)
        state.user_prompt.text = "\n\n".join(
            (
                f"Task: {episode.scenario.instruction}",
                f"{outside.asked(asks)} {SUBMIT}",
                f"Actions, one a call of act:\n{actions.describe(outside.ACTIONS)}",
                outside.shown(page, episode.scenario.site),
            )
        )
        return state

    return solve


@tool(parallel=False)
def act() -> Tool:
    async def execute(action: str) -> str:
        """Do one action on the page, and see the page that follows.

        Args:
            action: One line, such as `click [12]`.
        """
        try:
            done = actions.parse(action)
        except BadAction as error:
            return str(error)
        if isinstance(done, Stop):
            return "To end, call submit."
        return await _seen(_page().act(done))

    return execute


@tool(parallel=False)
def look() -> Tool:
    async def execute() -> str:
        """See the page as it is now."""
        return await _seen(_page().observe())

    return execute


def _page() -> MeteredPage:
    """Return the page of the sample that calls a tool."""
    return _called().page


def _called() -> Episode:
    return _episode(store().get("uuid"))


async def _seen(observed: Awaitable[Observation]) -> str:
    try:
        return outside.shown(await observed, _called().scenario.site)
    except BudgetExceeded:
        return SPENT


@scorer(metrics={"success": [mean(), stderr()], "progress": [mean(), stderr()]})
def world_scorer() -> Scorer:
    """Return a scorer of the final state of a sample, even if its solver or model failed.

    An infrastructure error is raised: Inspect stores it as the sample's error, without a score.
    """

    async def score(state: TaskState, target: Target) -> Score:
        episode, answer = _opened().left(state.uuid), state.output.completion
        found = episode.score(answer)
        return Score(
            value={"success": float(found.success), "progress": found.progress},
            answer=answer,
            explanation="; ".join(
                f"{check.name}: {'held' if check.held else 'failed'}" for check in found.checks
            ),
            metadata={"unverified": found.unverified, "failure": found.failure},
        )

    return score


async def _close(state: TaskState) -> None:
    if kept := _opened().episodes.pop(state.uuid, None):
        await kept[1].aclose()


@task
def suite(name: str = "store-20", seeds: str = "") -> Task:
    """A frozen suite, or its scenarios whose seeds are in `seeds`, such as 0:5."""
    return _task(registry.from_suite(name, registry.read_seeds(seeds) if seeds else None))


@task
def family(name: str, seeds: str = "0:5") -> Task:
    """A family at a range of seeds.

    A file is not accepted, because a log that is run again could name any file.
    """
    registry.family(name)
    return _task(registry.from_family(name, registry.read_seeds(seeds)))


def _task(tasks: TaskSet) -> Task:
    samples = [
        Sample(
            input="The scenario is opened when the sample begins.",
            id=name,
            metadata={"scenario": name},
        )
        for name in tasks.names
    ]
    sites = registry.sites_of_tasks(tasks.names, tasks.sources)
    return Task(
        dataset=MemoryDataset(samples, name=tasks.label),
        setup=opened(sites),
        solver=react(tools=[look(), act()], prompt=AgentPrompt(handoff_prompt=None)),
        scorer=world_scorer(),
        cleanup=_close,
        message_limit=MESSAGES,
        score_on_error=True,
    )
