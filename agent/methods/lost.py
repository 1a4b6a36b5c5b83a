"""For tests: follow random links at the start, and once in the middle, and then the advice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from agent.interface import LLM, Advice, Click, Observation, Page, Task


@dataclass(frozen=True)
class Options:
    advise: Callable[[Observation], Advice] | None = None
    clicks: int = 4
    astray: int = 2


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    assert options.advise is not None
    rng, observation = Random(task.instruction), await page.observe()  # noqa: S311
    turns, strays = 0, options.clicks
    while True:
        while strays:
            links = [each for each in observation.elements if each.role == "link"]
            observation, strays = await page.act(Click(rng.choice(links).id)), strays - 1
        advice = options.advise(observation)
        if advice.answer is not None or not advice.actions:
            return advice.answer or ""
        for action in advice.actions:
            before, observation = observation, await page.act(action)
            if [e.name for e in before.elements] != [e.name for e in observation.elements]:
                break
        turns += 1
        strays = options.astray if turns == 2 else 0
