"""Several environments in one process, with synchronous calls.

with Environments(8) as environments:
    task = splits.split("reply:train")
    turns = environments.reset_many([task.scenario(3)] * 8)   # a group: one scenario, 8 worlds
    turns = environments.step_many(["click [4]"] * 8)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from typing import Self

from agent.interface import Action
from evaluators.run.event_loop import Runner
from evaluators.training.session import SITES, Session, StepResult, TrainingError, open_ground


class Environments:
    """Environments that are reset and stepped together; use it as a context manager.

    Args:
        count: The number of environments.
        sites: The sites whose scenarios can be played.
        shaping: The reward for reaching progress 1, which is spread over the steps; 0 for none.
    """

    def __init__(
        self, count: int, *, sites: Iterable[str] = SITES, shaping: float = 0.0
    ) -> None:  # fmt: skip
        self.count = count
        self._sites, self._shaping = tuple(sites), shaping
        self._runner, self._stack = Runner(), AsyncExitStack()
        self._sessions: list[Session] = []

    def __enter__(self) -> Self:
        try:
            self._runner.run(self._open())
        except BaseException:
            self._runner.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._runner.run(self._stack.aclose())
        finally:
            self._runner.close()

    @property
    def goals(self) -> list[str]:
        """The instructions of the open episodes."""
        return [each.goal for each in self._sessions]

    def reset_many(self, scenarios: Sequence[str]) -> list[StepResult]:
        """Begin an episode in each environment.

        Args:
            scenarios: The name of a scenario for each environment. Equal names give equal episodes,
                each with a database of its own.

        Raises:
            TrainingError: There are fewer or more scenarios than environments.
            RehearsalError: A scenario is unknown; the environments before it were reset.
        """
        self._check(scenarios)
        return self._runner.run(self._reset(scenarios))

    def step_many(self, actions: Sequence[str | Action | None]) -> list[StepResult | None]:
        """Do an action in each environment.

        Args:
            actions: An action for each environment, or None to leave it as it is.

        Returns:
            The results; None for an environment that was left as it is.

        Raises:
            TrainingError: There are fewer or more actions than environments.
            EpisodeOver: An environment has no open episode; those before it did their action.
        """
        self._check(actions)
        return self._runner.run(self._step(actions))

    def _check(self, given: Sequence[object]) -> None:
        if len(given) != self.count:
            raise TrainingError(
                f"{len(given)} were given for {self.count} environments", "give one for each"
            )

    async def _open(self) -> None:
        async with AsyncExitStack() as stack:
            ground = await stack.enter_async_context(
                open_ground(self._sites, shaping=self._shaping, limit=self.count)
            )
            self._sessions = [await ground.session() for _ in range(self.count)]
            self._stack = stack.pop_all()

    async def _reset(self, scenarios: Sequence[str]) -> list[StepResult]:
        pairs = zip(self._sessions, scenarios, strict=True)
        return [await session.reset(name) for session, name in pairs]

    async def _step(self, actions: Sequence[str | Action | None]) -> list[StepResult | None]:
        pairs = zip(self._sessions, actions, strict=True)
        return [None if each is None else await session.step(each) for session, each in pairs]
