"""The expert's actions in the text lane, as steps that any browser can repeat."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.interface import Action, Click, Element, Note, Observation, Select, Tab, Type
from agent.methods import expert
from evaluators.server.webarena import SITES
from evaluators.training.session import Ground, Session, open_ground
from scenarios import registry
from tests.evaluators.integrations.webarena.client import Step


class Recorder:
    """A page that notes each action of the expert as a step."""

    def __init__(self, session: Session, seen: Observation) -> None:
        self._session, self._seen = session, seen
        self.steps: list[Step] = []

    async def observe(self) -> Observation:
        return self._seen

    async def act(self, action: Action) -> Observation:
        if not isinstance(action, Note):
            self.steps.append(step(action, self._seen))
        result = await self._session.step(action)
        assert not result.error, result.error
        self._seen = result.observation
        return self._seen


def step(action: Action, seen: Observation) -> Step:
    """An action of the expert by the role and the name of its element."""
    if isinstance(action, Tab):
        return Step("tab", nth=action.index)
    assert isinstance(action, Click | Type | Select), action
    found = element(action.target, seen)
    like = [each for each in seen.elements if (each.role, each.name) == (found.role, found.name)]
    nth = like.index(found)
    if isinstance(action, Type):
        return Step("type", found.role, found.name, nth, action.text, action.enter)
    if isinstance(action, Select):
        return Step("type", found.role, found.name, nth, action.option)
    return Step("click", found.role, found.name, nth)


def element(target: int | str, seen: Observation) -> Element:
    [found] = [each for each in seen.elements if target in (each.id, each.name)][:1]
    return found


async def way_of(ground: Ground, name: str) -> list[Step]:
    """The steps of the expert on a scenario, `stop` with its answer last."""
    scenario = registry.scenario(name)
    family = registry.family(scenario.family)
    session = await ground.session()
    begun = await session.reset(name)
    page = Recorder(session, begun.observation)
    answer = await expert.follow(page, lambda seen: family.advise(scenario, seen))
    await session.close()
    return [*page.steps, Step("stop", text=answer)]


def ways_of(names: Sequence[str]) -> dict[str, list[Step]]:
    """The steps of the expert on each scenario."""

    async def every() -> dict[str, list[Step]]:
        async with open_ground(SITES) as ground:
            return {name: await way_of(ground, name) for name in names}

    return asyncio.run(every())
