"""A null agent that answers with what stands on the start page: the first number, name or date."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from agent.interface import LLM, Advice, AnswerSchema, Observation, Page, Task
from agent.methods.expert import follow

_PATTERNS = {
    "number": r"\d[\d,]*(?:\.\d+)?",
    "money": r"\$?\d[\d,]*(?:\.\d+)?",
    "date": r"[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]+ \d{4}|\d{4}-\d\d-\d\d",
}


@dataclass(frozen=True)
class Options:
    """`opens`: before it answers it opens the pages that the known solution looks at, unread, for
    without them no answer counts. `look` is filled in by the engine for that."""

    opens: bool = True
    look: Callable[[Observation], Advice] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Does nothing where nothing is asked."""
    if task.answer is None:
        return ""
    answer = first_shown(task.answer, await page.observe())
    if options.opens and options.look:
        await follow(page, options.look)
    return answer


def first_shown(asked: AnswerSchema, observation: Observation) -> str:
    """The first value of the kind that is asked for, "" where the page shows none."""
    if asked.kind == "yes_no":
        return "yes"
    if asked.kind in _PATTERNS:
        found = re.search(_PATTERNS[asked.kind], observation.text)
        return found[0] if found else ""
    return next((each.name for each in observation.elements if each.name), "")
