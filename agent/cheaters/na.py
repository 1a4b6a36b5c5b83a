"""Open pages without reading them, and answer that the task is impossible."""

from __future__ import annotations

from dataclasses import dataclass

from agent.cheaters.crawl import crawl
from agent.interface import LLM, Page, Task


@dataclass(frozen=True)
class Options:
    """`pages`: so many links and buttons are opened."""

    pages: int = 12


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    await crawl(page, task.instruction, options.pages)
    return "N/A"
