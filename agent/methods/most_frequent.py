"""A null agent that answers with its family's most frequent answer, whatever is asked of it.

It knows what no agent should: the generator of its family, from which it draws scenarios of other
seeds with their solutions, and which pages the solution opens. It reads none of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agent.interface import LLM, Advice, Observation, Page, Task
from agent.methods.expert import follow


@dataclass(frozen=True)
class Options:
    """`opens`: before it answers it opens the pages that the known solution looks at, unread, for
    without them no answer counts. `look` for that, and `frequent`, the most frequent answer, are
    filled in by the engine."""

    opens: bool = True
    look: Callable[[Observation], Advice] | None = None
    frequent: Callable[[], Awaitable[str]] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Does nothing where nothing is asked."""
    if task.answer is None:
        return ""
    if options.frequent is None:
        raise ValueError("it needs a family's frequent answers; run it through the engine")
    if options.opens and options.look:
        await follow(page, options.look)
    return await options.frequent()
