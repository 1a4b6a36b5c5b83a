"""A null agent that types all texts of the pages into every field, and submits each field."""

from __future__ import annotations

from dataclasses import dataclass

from agent.interface import LLM, BudgetExceeded, Goto, Observation, Page, Task, Type

FIELDS = {"textbox", "searchbox", "spinbutton", "combobox"}


@dataclass(frozen=True)
class Options:
    """Options of this null agent.

    Attributes:
        rounds: Rounds over the fields of the page.
        longest: Characters of a text at most.
    """

    rounds: int = 10
    longest: int = 2_000


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Type all texts seen into the fields of the pages, and return these texts as the
    answer, too.
    """
    seen = f"{task.instruction}\n{(await page.observe()).text}"[: options.longest]
    try:
        for _ in range(options.rounds):
            seen = await _fill(page, seen, options.longest)
            if not _fields(await page.observe()):
                await page.act(Goto(task.start_url))
    except BudgetExceeded:
        return seen
    return seen


async def _fill(page: Page, seen: str, longest: int) -> str:
    """Type the text `seen` into the fields of the page, one after another.

    Return the texts with those of the new page.
    """
    observation = await page.observe()
    for place in range(len(_fields(observation))):
        fields = _fields(observation)
        if place < len(fields):
            observation = await page.act(Type(fields[place], seen, enter=True))
    return f"{seen}\n{observation.text}"[-longest:]


def _fields(observation: Observation) -> list[int]:
    return [
        each.id
        for each in observation.elements
        if each.role in FIELDS and not each.options and "disabled" not in each.states
    ]
