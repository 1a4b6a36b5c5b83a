"""Close every ticket as refused, by the article that refuses most of them.

It knows what no agent should: the way to the form, and the article. Where a family has no tickets
it does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.interface import LLM, Advice, Observation, Page, Task
from agent.methods.expert import follow


@dataclass(frozen=True)
class Options:
    """`declined` is filled in by the engine."""

    declined: Callable[[Observation], Advice] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    if options.declined is None:
        raise ValueError("it needs how the family is declined; run it through the engine")
    return await follow(page, options.declined)
