"""A null agent that gives the most frequent answer of its kind of task, whatever is asked.

It uses knowledge that no agent should have: the generator of its tasks, from which it draws
scenarios of other seeds with their solutions, and the pages that the solution opens. It opens these
pages but does not read them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agent.interface import LLM, Advice, Observation, Page, Task
from agent.methods.expert import follow


@dataclass(frozen=True)
class Options:
    """Options of this null agent.

    Attributes:
        opens: Whether to open the pages that the known solution looks at before answering, without
            reading them. No answer counts unless these pages were opened.
        look: Advice that opens these pages; the engine fills it in.
        frequent: Returns the family's most frequent answer; the engine fills it in.
    """

    opens: bool = True
    look: Callable[[Observation], Advice] | None = None
    frequent: Callable[[], Awaitable[str]] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Answer with the most frequent answer of this kind of task; do nothing if the task asks for no
    answer.
    """
    if task.answer is None:
        return ""
    if options.frequent is None:
        raise ValueError("it needs a family's frequent answers; run it through the engine")
    if options.opens and options.look:
        await follow(page, options.look)
    return await options.frequent()
