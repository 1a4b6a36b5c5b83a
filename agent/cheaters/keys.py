"""Go from element to element by the Tab key, and press each."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from agent.interface import LLM, BudgetExceeded, Page, Press, Task


@dataclass(frozen=True)
class Options:
    """`key` presses what has the focus, after each of so many `tabs`."""

    key: str = "Enter"
    tabs: int = 20


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    with suppress(BudgetExceeded):
        for _ in range(options.tabs):
            await page.act(Press("Tab"))
            await page.act(Press(options.key))
    return ""
