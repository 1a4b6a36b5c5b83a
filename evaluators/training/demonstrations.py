"""Demonstrations: the actions by which a family's expert solves a scenario."""

from __future__ import annotations

from functools import partial

from agent.interface import Action, Observation, Stop
from agent.methods.expert import follow
from evaluators.training.session import Ground, Session
from scenarios import registry


class _Recorded:
    """The page of the expert, with the actions that it took."""

    def __init__(self, session: Session, seen: Observation) -> None:
        self._session, self._seen, self.actions = session, seen, list[Action]()

    async def observe(self) -> Observation:
        return self._seen

    async def act(self, action: Action) -> Observation:
        self.actions.append(action)
        self._seen = (await self._session.step(action)).observation
        return self._seen


async def expert_actions(ground: Ground, name: str) -> list[Action]:
    """Return the actions of the expert in an episode of a scenario; the last one stops.

    Args:
        ground: A ground with the scenario's sites; the episode takes one of its places.
        name: The name of the scenario.
    """
    scenario = registry.scenario(name)
    session = await ground.session()
    try:
        page = _Recorded(session, (await session.reset(name)).observation)
        answer = await follow(page, partial(registry.family(scenario.family).advise, scenario))
    finally:
        await session.close()
    return [*page.actions, Stop(answer)]
