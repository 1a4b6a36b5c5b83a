"""The expert as CUBE's debug agent: `cube test rehearsal-cube` plays it on tasks of each suite.

It knows the solutions, so it is for tests of this package alone.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from cube import core

from agent.interface import Action, Back, Click, Note, Observation, Select, Stop, Type
from agent.methods.expert import follow
from evaluators.episode.budget import standard
from evaluators.integrations.ground_thread import shared
from evaluators.training.session import Ground, Session
from rehearsal_cube import catalogue
from rehearsal_cube.benchmark import RehearsalBenchmarkConfig
from rehearsal_cube.task import RehearsalTaskConfig
from scenarios import registry

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
        self._actions = iter(sites.run(_expert_actions(sites.ground, scenario)))

    def __call__(self, obs: core.Observation, action_set: list[core.ActionSchema]) -> core.Action:
        return _as_tool_call(next(self._actions))


def make_debug_agent(task_id: str) -> DebugAgent:
    """Return the agent for a task."""
    return DebugAgent(RehearsalTaskConfig(metadata=catalogue.tasks()[task_id]).scenario)


class _Recorded:
    """The page of the expert, with the actions that it took."""

    def __init__(self, session: Session, seen: Observation) -> None:
        self._session, self._seen, self.actions = session, seen, list[Action]()

    async def observe(self, **view: Any) -> Observation:
        return self._seen

    async def act(self, action: Action) -> Observation:
        self.actions.append(action)
        self._seen = (await self._session.step(action)).observation
        return self._seen


async def _expert_actions(ground: Ground, name: str) -> list[Action]:
    scenario = registry.scenario(name)
    session = await ground.session()
    try:
        page = _Recorded(session, (await session.reset(name)).observation)
        answer = await follow(page, partial(registry.family(scenario.family).advise, scenario))
    finally:
        await session.close()
    return [*page.actions, Stop(answer)]


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
