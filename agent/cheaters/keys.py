"""A null agent that goes from element to element with the Tab key, and presses each."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from agent.interface import LLM, BudgetExceeded, Page, Press, Task


@dataclass(frozen=True)
class Options:
    """Options of this null agent.

    Attributes:
        key: Key that presses the focused element.
        tabs: Number of Tab presses.
    """

    key: str = "Enter"
    tabs: int = 20


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Press Tab and then the key `key`, again and again, and give no answer."""
    with suppress(BudgetExceeded):
        for _ in range(options.tabs):
            await page.act(Press("Tab"))
            await page.act(Press(options.key))
    return ""
