"""Do as the mail of a ticket asks, and close it as done; read no handbook.

It knows what no agent should: what the mail asks for, as the family has it. Where a family has no
such thing it does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.interface import LLM, Advice, Observation, Page, Task
from agent.methods.expert import follow


@dataclass(frozen=True)
class Options:
    """`naive` is filled in by the engine."""

    naive: Callable[[Observation], Advice] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    if options.naive is None:
        raise ValueError("it needs what the family says is naive; run it through the engine")
    return await follow(page, options.naive)
