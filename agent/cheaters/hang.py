"""A null agent that acts at random, then hangs the page, so that the episode may not count."""

from __future__ import annotations

from dataclasses import dataclass

from agent.interface import LLM, Click, Page, Task
from agent.methods.random import any_action


@dataclass(frozen=True)
class Options:
    """Options of this null agent; `depth` is the nesting of the XPath that hangs the page; each
    level visits the whole document.
    """

    depth: int = 12


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Act once at random, then click a target whose XPath takes very long to evaluate."""
    observation = await page.observe()
    await page.act(any_action(observation.elements, task))
    await page.act(Click(_slow(options.depth)))
    return ""


def _slow(depth: int) -> str:
    """Return an XPath whose evaluation takes the number of elements to the power of `depth`."""
    return "//*" if depth == 0 else f"//*[count({_slow(depth - 1)})>0]"
