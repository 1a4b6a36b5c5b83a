"""Training episodes: a ground with the sites of this process, and sessions that act on them.

Everything runs on one thread, in the caller's event loop. Nothing of an episode outlives it, and no
episode sees the database of another.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from agent import actions
from agent.actions import BadAction
from agent.interface import Action, AnswerSchema, BudgetExceeded, Observation, Stop
from agent.renderings import tree
from evaluators.episode import budget
from evaluators.episode.budget import Meter
from evaluators.episode.environment import EnvironmentPool, Episode, open_environments
from evaluators.episode.environment_lanes import TEXT
from evaluators.episode.notebook import Notebook, NotingPage
from evaluators.episode.termination import OWN_DOING
from evaluators.episode.trace import Trace
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.scenario import answer_schema

SITES = ("forum", "shop", "store")
"""The sites with families that can be played without a browser."""
LIMIT = 1024
"""The number of sessions that a ground has at most."""
IDLE_SECONDS = 900.0
"""If the ground is full, a session that did nothing for so long loses its place."""
ENDED: tuple[type[Exception], ...] = (BudgetExceeded, *OWN_DOING)
"""Errors that end an episode by the agent's own doing."""


class TrainingError(RehearsalError, ValueError):
    """A client used a session in a way that it does not allow; nothing was changed."""


class EpisodeOver(TrainingError):
    """The session has no open episode."""


class StepInProgress(TrainingError):
    """The session still does the last step."""


class SessionClosed(TrainingError):
    """The session was closed."""


class TooManySessions(TrainingError):
    """The ground has no place for another session."""


@dataclass(frozen=True)
class StepResult:
    """The result of a reset or a step.

    Attributes:
        text: The page as a tree, and the agent's notes; each element has the id that actions name.
        observation: The same page, as a method sees it.
        reward: 1 for a success and else 0, plus the shaping if it is on. None if the episode
            failed by a fault of Rehearsal: leave such an episode out.
        terminated: Whether the agent stopped, which ends the episode.
        truncated: Whether the episode ended in another way: its budget is spent, or it failed.
        error: Why the last action was not done, "" if it was.
        info: The `scenario`; with shaping, the `progress`; at the end, `success` and `checks`;
            after a fault of Rehearsal, the `fault`.
    """

    text: str
    observation: Observation
    reward: float | None = 0.0
    terminated: bool = False
    truncated: bool = False
    error: str = ""
    info: dict[str, Any] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.terminated or self.truncated

    @property
    def is_masked(self) -> bool:
        """Whether the episode says nothing about the agent, because Rehearsal failed."""
        return self.reward is None


class Session:
    """One client's place on a ground; it has one episode at a time."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._stack = AsyncExitStack()
        self._episode: Episode | None = None
        self._page: NotingPage | None = None
        self._seen = Observation("", "")
        self._progress = 0.0
        self._busy = False
        self.closed = ""
        """Why the session is closed, or ""."""
        self.goal = ""
        """The instruction of the open episode."""
        self.answer: AnswerSchema | None = None
        """The form of the answer that the open episode asks for, or None."""
        self.used = time.monotonic()
        """The time of the last call, in seconds of the monotonic clock."""

    async def reset(self, scenario: str) -> StepResult:
        """End the open episode, if there is one, and begin another.

        Args:
            scenario: A name such as "forum/reply/3"; see `splits`.

        Raises:
            RehearsalError: No scenario has this name, or it needs a browser.
            StepInProgress: A step of this session has not ended.
            SessionClosed: The session was closed.
        """
        with self._exclusively():
            context = ScoringContext.of(self._ground.scenario(scenario))
            await self._leave()
            meter = Meter(budget.LEAST)
            trace, pool = Trace(), self._ground.pool
            try:
                with context.family.world(context.scenario) as start:  # only a restart needs it
                    self._episode = episode = await self._stack.enter_async_context(
                        pool.open_episode(context, start, meter, trace, snapshots=False)
                    )
                self._page = NotingPage(episode.page, Notebook(), trace.record)
                self._seen = await episode.start()
            except Exception as error:
                return await self._failed(error)
            self.goal = episode.scenario.instruction
            self.answer = answer_schema(context.family, episode.scenario)
            self._shaped(episode.score)  # what holds at the start earns nothing
            return self._turn(episode)

    async def step(self, action: str | Action) -> StepResult:
        """Do an action.

        An action that cannot be read changes nothing, costs no step and returns an error.

        Args:
            action: An action, or a line of `agent.actions`, such as "click [12]".

        Raises:
            EpisodeOver: No episode is open.
            StepInProgress: A step of this session has not ended.
            SessionClosed: The session was closed.
        """
        with self._exclusively():
            episode = self._open()
            assert self._page is not None
            try:
                chosen = actions.parse(action) if isinstance(action, str) else action
            except BadAction as error:
                return self._turn(episode, error=str(error))
            try:
                if isinstance(chosen, Stop):
                    return await self._ended(chosen.answer, terminated=True)
                self._check_budget(episode)
                self._seen = await self._page.act(chosen)
                return self._turn(episode)
            except ENDED as error:
                return await self._ended("", terminated=False, error=str(error))
            except Exception as error:
                return await self._failed(error)

    async def close(self) -> None:
        """End the open episode and give the place back. A second call does nothing."""
        await self.expel("it was closed")

    async def expel(self, why: str) -> None:
        """Close the session for a reason that later calls tell."""
        if not self.closed:
            self.closed = why
            self._ground.sessions.discard(self)
            await self._leave()

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        """Let one call at a time use the session."""
        if self.closed:
            raise self._is_over()
        if self._busy:
            raise StepInProgress(
                "the last step of this session has not ended", "wait for its result"
            )
        self._busy, self.used = True, time.monotonic()
        try:
            yield
        finally:
            self._busy = False

    def _is_over(self) -> SessionClosed:
        return SessionClosed(f"this session is over, {self.closed}", "open another session")

    def _open(self) -> Episode:
        if self._episode is None:
            raise EpisodeOver("no episode is open in this session", "call reset first")
        return self._episode

    async def _leave(self) -> None:
        """Release the databases of the episode."""
        self._episode, stack, self._stack = None, self._stack, AsyncExitStack()
        await stack.aclose()

    def _check_budget(self, episode: Episode) -> None:
        """Give the episode its budget when it has used up the least one.

        The budget follows from the length of the expert's way, which takes longer to find than all
        else of a reset. Most episodes end before.
        """
        meter, context = episode.page.meter, episode.context
        if meter.budget is budget.LEAST and meter.steps == meter.budget.steps:
            meter.budget = budget.of_a_guest(context.family, context.scenario)

    def _turn(self, episode: Episode, error: str = "") -> StepResult:
        """Return the result of a step that does not end the episode."""
        shaped, progress = self._shaped(episode.score)
        info = {"scenario": episode.scenario.name, **progress}
        refused = error or self._seen.error or ""
        return StepResult(self._text(), self._seen, shaped, error=refused, info=info)

    def _text(self) -> str:
        """Return the last observation as text, without its error."""
        if not self._seen.notes:
            return self._open().page.shown
        return tree.render(replace(self._seen, error=None))

    def _shaped(self, score: Callable[[], Score]) -> tuple[float, dict[str, float]]:
        """Return the reward for what the progress has grown by, and the progress for `info`.

        Without shaping return nothing of both, and do not ask for the score.
        """
        if not self._ground.shaping:
            return 0.0, {}
        before, self._progress = self._progress, score().progress
        return self._ground.shaping * (self._progress - before), {"progress": self._progress}

    async def _ended(self, answer: str, *, terminated: bool, error: str = "") -> StepResult:
        """Score the episode and end it."""
        episode, text = self._open(), self._text()
        score = episode.score(answer)
        shaped, progress = self._shaped(lambda: score)
        info: dict[str, Any] = {"scenario": episode.scenario.name, "success": score.success}
        info |= {"checks": {check.name: check.held for check in score.checks}, **progress}
        await self._leave()
        reward = float(score.success) + shaped
        return StepResult(text, self._seen, reward, terminated, not terminated, error, info)

    async def _failed(self, error: Exception) -> StepResult:
        """End the episode after a fault of Rehearsal.

        Raises:
            SessionClosed: The session was closed during the call, which explains the error.
        """
        if self.closed:
            raise self._is_over() from error
        episode = self._episode
        info: dict[str, Any] = {"scenario": episode.scenario.name} if episode else {}
        info["fault"] = "".join(traceback.format_exception(error))
        await self._leave()
        return StepResult(
            "", Observation("", ""), None, False, True, f"Rehearsal failed: {error}", info
        )


@dataclass
class Ground:
    """The sites of this process, and the sessions that act on them.

    Attributes:
        pool: The sites.
        shaping: The reward for reaching progress 1, which is spread over the steps; 0 for none.
        limit: The number of sessions at most.
        idle_seconds: See `IDLE_SECONDS`.
    """

    pool: EnvironmentPool
    shaping: float = 0.0
    limit: int = LIMIT
    idle_seconds: float = IDLE_SECONDS
    sessions: set[Session] = field(default_factory=set)

    async def session(self) -> Session:
        """Return a new session.

        Raises:
            TooManySessions: All places are taken, by sessions that are in use.
        """
        if len(self.sessions) >= self.limit:
            await self._expel_idle()
        if len(self.sessions) >= self.limit:
            raise TooManySessions(
                f"all {self.limit} sessions are in use", "close one, or set a higher limit"
            )
        made = Session(self)
        self.sessions.add(made)
        return made

    def scenario(self, name: str) -> Any:
        """Return a scenario that can be played here. Raise a `RehearsalError` for another name."""
        found = registry.scenario(name)
        if reason := registry.needs_browser(registry.family(found.family)):
            raise TrainingError(f"{name} needs a browser: {reason}", "see docs/text-lane.md")
        if found.site not in self.pool.sites:
            raise TrainingError(
                f"{name}: this ground has no site {found.site}", "name the site when it is opened"
            )
        return found

    async def close(self) -> None:
        """Close all sessions."""
        for each in [*self.sessions]:
            await each.expel("because the ground was closed")

    async def _expel_idle(self) -> None:
        """Close the sessions that did nothing for a long time."""
        now = time.monotonic()
        for each in [*self.sessions]:
            if now - each.used > self.idle_seconds:
                await each.expel(f"it did nothing for {self.idle_seconds:g} seconds")


@asynccontextmanager
async def open_ground(
    sites: Iterable[str] = SITES,
    *,
    shaping: float = 0.0,
    limit: int = LIMIT,
    idle_seconds: float = IDLE_SECONDS,
) -> AsyncIterator[Ground]:
    """Open a ground until the end of the block.

    Args:
        sites: The sites.
        shaping: See `Ground`.
        limit: The number of sessions at most.
        idle_seconds: See `Ground`.
    """
    async with open_environments(sites, lane=TEXT) as pool:
        ground = Ground(pool, shaping, limit, idle_seconds)
        try:
            yield ground
        finally:
            await ground.close()
