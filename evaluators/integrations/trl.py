"""Tasks in the form that TRL's GRPOTrainer takes: a class whose public methods are the tools.

Give the trainer `environment_factory=Environment` and `reward_funcs=reward`. Each row of the data
set has the columns `split` and `index` (see `evaluators.training.splits`). TRL itself is not
imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.interface import Action
from evaluators.integrations.ground_thread import shared
from evaluators.integrations.tools import Tools, read, task_of
from evaluators.training import splits
from evaluators.training.session import Session
from rehearsal_errors import RehearsalError


class Environment(Tools):
    """The task of one rollout; the trainer resets it for the next rollout.

    Attributes:
        reward: 1.0 if the task is done, 0.0 if it is not, None if the episode failed by our fault.
            It is 0.0 until the model stops or its steps are used up.
    """

    def __init__(self) -> None:
        self.reward: float | None = 0.0
        self._session: Session | None = None

    def reset(self, split: str, index: int, **columns: Any) -> str:
        """Open a task, and return its instruction and the first page for the model."""
        thread, scenario = shared(), splits.split(split).scenario(index)
        if self._session is None or self._session.closed:
            self._session = thread.run(thread.ground.session())
        opened = thread.run(self._session.reset(scenario))
        self.reward = opened.reward
        return f"{task_of(self._session)}\n\n{opened.text}"

    def _perform(self, action: Action) -> str:
        if self._session is None:
            raise ValueError("EpisodeOver: no episode is open; reset the environment")
        try:
            turn = shared().run(self._session.step(action))
        except RehearsalError as error:  # TRL shows the text of an error to the model
            raise ValueError(f"{type(error).__name__}: {error}") from error
        self.reward = turn.reward
        return "The task is over." if turn.done else read(turn)


def reward(environments: Sequence[Environment], **columns: Any) -> list[float | None]:
    """Return the reward of each rollout; TRL leaves a rollout with None out of the training."""
    return [each.reward for each in environments]
