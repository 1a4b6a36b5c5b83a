"""Plays an episode, by the expert or by recorded actions, and keeps each page with its action."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from agent.interface import Action, Observation
from agent.methods.expert import follow
from evaluators.episode import demonstration
from evaluators.episode.budget import unlimited
from evaluators.episode.demonstration import Demonstration, NoDemonstration
from evaluators.episode.environment import EnvironmentPool, Episode
from evaluators.episode.metered import MeteredPage
from evaluators.mind2web.build.acting import Operation, Untellable, operation, parts
from evaluators.mind2web.build.pages import Page, page
from evaluators.scoring.context import ScoringContext
from scenarios.scenario import Family, Scenario

AREA = "html"
"""The part of a page that is recorded: all of it."""
MOST_STEPS = 60
"""The most steps of a task; longer ones are left out."""


@dataclass(frozen=True)
class Shot:
    """A page and the operation that was done there."""

    page: Page
    operation: Operation


@dataclass(frozen=True)
class Recorded:
    """A played episode.

    Attributes:
        scenario: The scenario, with the instruction that the page shows.
        shots: The pages with their operations, in their order.
        answer: The answer; "" if there is none.
    """

    scenario: Scenario
    shots: tuple[Shot, ...]
    answer: str = ""


@dataclass
class _Recorder:
    """The page of whoever plays: it keeps what the page was before each action."""

    page: MeteredPage
    seen: Observation
    shots: list[Shot] = field(default_factory=list)

    async def observe(self) -> Observation:
        return self.seen

    async def act(self, action: Action) -> Observation:
        for part in parts(action):
            await self._record(part)
            self.seen = await self.page.act(part)
            if self.seen.error:
                raise Untellable("an action that failed")
        return self.seen

    async def _record(self, action: Action) -> None:
        now = await self.page.observe(source=AREA)
        if (done := operation(action, now)) is None:
            return
        if len(self.shots) == MOST_STEPS:
            raise Untellable(f"more than {MOST_STEPS} steps")
        self.shots.append(Shot(page(now), done))


async def expert(pool: EnvironmentPool, scenario: Scenario, family: Family) -> Recorded:
    """Let the expert play a scenario.

    Raises:
        Untellable: The way of the expert cannot be told, or the expert fails.
    """
    context = ScoringContext.of(scenario, family)
    async with pool.open_episode(context, meter=unlimited(), snapshots=False) as episode:
        recorder = _Recorder(episode.page, await episode.start())
        answer = await follow(recorder, partial(family.advise, episode.scenario))
        return _result(episode, recorder, answer)


async def repeated(pool: EnvironmentPool, shown: Demonstration, family: Family) -> Recorded:
    """Do the actions of a recorded episode again.

    Raises:
        Untellable: The actions cannot be told, or lead elsewhere now.
    """
    context = ScoringContext.of(shown.scenario, family)
    async with pool.open_episode(context, meter=unlimited(), snapshots=False) as episode:
        recorder = _Recorder(episode.page, await episode.start())
        try:
            for place in range(len(shown.steps)):
                await recorder.act(demonstration.action(shown, place, recorder.seen))
        except NoDemonstration as error:
            raise Untellable(str(error)) from None
        return _result(episode, recorder, shown.record.answer)


def _result(episode: Episode, recorder: _Recorder, answer: str) -> Recorded:
    if not episode.score(answer).success:
        raise Untellable("an episode that does not succeed")
    if not recorder.shots:
        raise Untellable("no step")
    return Recorded(episode.scenario, tuple(recorder.shots), answer)
