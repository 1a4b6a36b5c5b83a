"""A null agent that opens pages without reading them, and answers that the task is impossible."""

from __future__ import annotations

from dataclasses import dataclass

from agent.cheaters.crawl import crawl
from agent.interface import LLM, Page, Task


@dataclass(frozen=True)
class Options:
    """Options of this null agent; `pages` is the number of links and buttons to open."""

    pages: int = 12


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Open pages of the site by its links and forms, and answer "N/A"."""
    await crawl(page, task.instruction, options.pages)
    return "N/A"
