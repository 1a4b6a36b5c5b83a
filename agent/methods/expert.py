"""The ceiling: follow the family's advice; no model is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.interface import LLM, Advice, Observation, Page, Task


@dataclass(frozen=True)
class Options:
    """`advise` is filled in by the engine."""

    advise: Callable[[Observation], Advice] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    if options.advise is None:
        raise ValueError("the expert needs a family's advice; run it through the engine")
    return await follow(page, options.advise)


async def follow(page: Page, advise: Callable[[Observation], Advice]) -> str:
    """Do what is advised to the end; the advised answer."""
    observation = await page.observe()
    while True:
        advice = advise(observation)
        if advice.answer is not None or not advice.actions:
            return advice.answer or ""
        for action in advice.actions:
            before = observation
            observation = await page.act(action)
            if _names(observation) != _names(before):
                break


def _names(observation: Observation) -> tuple[str, ...]:
    """Ids stay good as long as the same elements stand in the same order."""
    return tuple(element.name for element in observation.elements)
