"""A null agent that declares every task impossible."""

from __future__ import annotations

from dataclasses import dataclass

from agent.interface import LLM, Page, Task


@dataclass(frozen=True)
class Options:
    pass


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Answer that the task is impossible."""
    return "NOT_ACHIEVABLE"
