"""A null agent that acts at random and restarts the task, until the page shows a reward."""

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
    """Options of this null agent.

    Attributes:
        actions: Number of actions in each attempt.
        attempts: Number of attempts at most.
    """

    actions: int = 2
    attempts: int = 50


def budget(standard: Any, options: Options) -> Any:
    """Return the standard budget of an episode with the number of attempts that this agent's
    options allow.
    """
    return replace(standard, attempts=options.attempts)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Act and restart until the page shows a reward or the attempts are used up."""
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
