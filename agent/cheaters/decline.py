"""A null agent that closes every ticket as refused, citing the usual article of the handbook.

It uses knowledge that no agent should have: the way to the form, and the article. On tasks without
tickets it does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.interface import LLM, Advice, Observation, Page, Task
from agent.methods.expert import follow


@dataclass(frozen=True)
class Options:
    """Options of this null agent. `declined` returns the next actions that refuse the ticket; the
    engine fills it in.
    """

    declined: Callable[[Observation], Advice] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Carry out the actions that refuse the ticket."""
    if options.declined is None:
        raise ValueError("it needs how the family is declined; run it through the engine")
    return await follow(page, options.declined)
