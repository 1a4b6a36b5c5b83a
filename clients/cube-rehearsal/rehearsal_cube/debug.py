"""The expert as CUBE's debug agent: `cube test rehearsal-cube` plays it on tasks of each suite.

It knows the solutions, so it is for tests of this package alone.
"""

from __future__ import annotations

from cube import core

from agent.interface import Action, Back, Click, Note, Select, Stop, Type
from evaluators.episode.budget import standard
from evaluators.integrations.ground_thread import shared
from evaluators.training.demonstrations import expert_actions
from rehearsal_cube import catalogue
from rehearsal_cube.benchmark import RehearsalBenchmarkConfig
from rehearsal_cube.task import RehearsalTaskConfig

MOST = standard(18).steps
"""The step limit of the longest tasks that are tested: `cube test` ends an episode after 20."""


def get_debug_benchmark() -> RehearsalBenchmarkConfig:
    """Return the benchmark with one short task of each suite."""
    tasks, first = catalogue.tasks().values(), dict[str, str]()
    for task in tasks:
        if task.recommended_max_steps is not None and task.recommended_max_steps <= MOST:
            first |= {name: task.id for name in task.suites if name not in first}
    return RehearsalBenchmarkConfig().subset_from_list([*first.values()])


class DebugAgent:
    """Repeats the actions that the expert took in an episode of the same scenario."""

    def __init__(self, scenario: str) -> None:
        sites = shared()
        self._actions = iter(sites.run(expert_actions(sites.ground, scenario)))

    def __call__(self, obs: core.Observation, action_set: list[core.ActionSchema]) -> core.Action:
        return _as_tool_call(next(self._actions))


def make_debug_agent(task_id: str) -> DebugAgent:
    """Return the agent for a task."""
    return DebugAgent(RehearsalTaskConfig(metadata=catalogue.tasks()[task_id]).scenario)


def _as_tool_call(action: Action) -> core.Action:
    match action:
        case Click(target):
            return core.Action(name="click", arguments={"element": target})
        case Type(target, text, enter):
            arguments = {"element": target, "text": text, "press_enter": enter}
            return core.Action(name="type", arguments=arguments)
        case Select(target, option):
            return core.Action(name="select", arguments={"element": target, "option": option})
        case Back():
            return core.Action(name="go_back")
        case Note(text):
            return core.Action(name="note", arguments={"text": text})
        case Stop(answer):
            return core.Action(name="stop", arguments={"answer": answer})
        case _:
            raise NotImplementedError(f"the tool has no action {action}")
