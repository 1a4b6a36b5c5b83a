"""A null agent that looks at nothing, does nothing and answers nothing; its score is the floor."""

from __future__ import annotations

from dataclasses import dataclass

from agent.interface import LLM, Page, Task


@dataclass(frozen=True)
class Options:
    pass


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Return no answer."""
    return ""
