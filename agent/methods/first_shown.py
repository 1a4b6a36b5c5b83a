"""A null agent that answers with the first number, name or date on the start page."""

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
    """Options of this null agent.

    Attributes:
        opens: Whether to open the pages that the known solution looks at before answering, without
            reading them. No answer counts unless these pages were opened.
        look: Advice that opens these pages; the engine fills it in.
    """

    opens: bool = True
    look: Callable[[Observation], Advice] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Answer with the first fitting value; do nothing if the task asks for no answer."""
    if task.answer is None:
        return ""
    answer = first_shown(task.answer, await page.observe())
    if options.opens and options.look:
        await follow(page, options.look)
    return answer


def first_shown(asked: AnswerSchema, observation: Observation) -> str:
    """Return the first value on the page of the kind that the task asks for; "" if the page has
    none.
    """
    if asked.kind == "yes_no":
        return "yes"
    if asked.kind in _PATTERNS:
        found = re.search(_PATTERNS[asked.kind], observation.text)
        return found[0] if found else ""
    return next((each.name for each in observation.elements if each.name), "")
