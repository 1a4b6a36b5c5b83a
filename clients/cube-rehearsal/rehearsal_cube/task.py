"""A task of CUBE: episodes of one scenario."""

from __future__ import annotations

from typing import Any

from cube.core import Observation, TextContent
from cube.task import RuntimeContext, Task, TaskConfig

from agent.interface import Stop
from evaluators.training import splits
from evaluators.training.session import StepResult
from rehearsal_cube.catalogue import RehearsalTaskMetadata
from rehearsal_cube.tool import PageTool, PageToolConfig
from rehearsal_errors import RehearsalError, RunFailed


class EpisodeFailed(RunFailed):
    """An episode that failed by a fault of Rehearsal, so it has no reward."""


class FrozenScenario(RehearsalError):
    """A seed was given for a scenario of a suite, which has its own."""


class RehearsalTask(Task[RehearsalTaskMetadata, PageTool]):
    """Episodes of one scenario; each `reset` opens a new one."""

    scenario: str

    def reset(self) -> tuple[Observation, dict[str, Any]]:
        """Open a new episode.

        Returns:
            The instruction with the first page, and `info`.

        Raises:
            EpisodeFailed: The site failed.
        """
        turn = _sound(self.tool.begin(self.scenario))
        goal = TextContent(name="goal", data=self.tool.goal)
        return Observation(contents=[goal, TextContent(name="page", data=turn.text)]), turn.info

    def evaluate(self, obs: Observation | None = None) -> tuple[float, dict[str, Any]]:
        """Return the reward of the episode; end the episode without an answer if it is open.

        Returns:
            1 for success or 0, and `info` with the checks and `truncated`.

        Raises:
            EpisodeFailed: The episode failed by a fault of Rehearsal.
        """
        if not self.finished():
            self.tool.take(Stop(""))
        turn = _sound(self.tool.turn)
        return turn.reward, {**turn.info, "truncated": turn.truncated}

    def finished(self, obs: Observation | None = None) -> bool:
        """Return whether the episode has ended: by the agent, by its budget, or by a fault."""
        return self.tool.turn is not None and self.tool.turn.done


def _sound(turn: StepResult) -> StepResult:
    """Return the turn. Raise `EpisodeFailed` if Rehearsal failed."""
    if turn.is_masked:
        failed = EpisodeFailed(turn.error, "leave the episode out")
        failed.add_note(turn.info["fault"])
        raise failed
    return turn


class RehearsalTaskConfig(TaskConfig[RehearsalTaskMetadata]):
    """Makes a task. Any integer is a seed of a training split and chooses one of its scenarios."""

    def make(self, runtime_context: RuntimeContext | None = None) -> RehearsalTask:
        """Return the task, whose tool has the sites of this process open; raise as `scenario`."""
        return RehearsalTask(
            metadata=self.metadata,
            tool_config=self.tool_config or PageToolConfig(),
            runtime_context=runtime_context,
            scenario=self.scenario,
        )

    @property
    def scenario(self) -> str:
        """The name of the scenario. Raises `FrozenScenario` for a seed of a suite's scenario."""
        if self.metadata.draws_from:
            split = splits.split(self.metadata.draws_from)
            return split.scenario((self.seed or 0) % len(split))
        if self.seed is not None:
            raise FrozenScenario(
                f"{self.task_id} has its own seed, not {self.seed}",
                "leave the seed out, or take a task of the subset train",
            )
        return self.metadata.scenario
