"""Act at random and begin anew, until the page shows a reward."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from agent.interface import LLM, Observation, Page, Task
from agent.methods.random import any_action

REWARD = re.compile(r"reward[^0-9+-]*\+?(0*[1-9][\d.]*|0*\.\d*[1-9]\d*)", re.IGNORECASE)
SOURCE = "#reward-last, #reward-avg, [id*=reward]"


@dataclass(frozen=True)
class Options:
    """`actions`: in each of the `attempts`."""

    actions: int = 2
    attempts: int = 50


def budget(standard: Any, options: Options) -> Any:
    """It declares its attempts, as a method has to; its steps are the standard ones."""
    return replace(standard, attempts=options.attempts)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    for _ in range(options.attempts - 1):
        observation = await page.observe()
        for _ in range(options.actions):
            observation = await page.act(any_action(observation.elements, task))
        if _rewarded(await page.observe(source=SOURCE)):
            return ""
        await page.restart()
    return ""


def _rewarded(observation: Observation) -> bool:
    return REWARD.search(f"{observation.text} {observation.source}") is not None
