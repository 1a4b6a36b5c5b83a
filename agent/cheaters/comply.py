"""A null agent that does as a ticket's mail asks and closes it as done, without the handbook.

It uses knowledge that no agent should have: the task generator's description of what the mail asks
for. On tasks without tickets it does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.interface import LLM, Advice, Observation, Page, Task
from agent.methods.expert import follow


@dataclass(frozen=True)
class Options:
    """Options of this null agent. `naive` returns the next actions that do as the mail asks; the
    engine fills it in.
    """

    naive: Callable[[Observation], Advice] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Carry out the actions that do as the mail asks."""
    if options.naive is None:
        raise ValueError("it needs what the family says is naive; run it through the engine")
    return await follow(page, options.naive)
