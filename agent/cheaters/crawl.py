"""A null agent that opens every link and form of the start page and of the pages that follow."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from agent.interface import (
    LLM,
    BudgetExceeded,
    Click,
    Element,
    Goto,
    Observation,
    Page,
    Task,
    Type,
)

OPENING = {"link", "button", "tab", "menuitem"}
FIELDS = {"textbox", "searchbox"}
"""Roles of fields. The agent types the instruction into a field and presses Enter to submit its
form.
"""


@dataclass(frozen=True)
class Options:
    """Options of this null agent; `pages` is the number of pages to open at most."""

    pages: int = 1_000


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Open all pages of the site that links and forms lead to, and give no answer."""
    await crawl(page, task.instruction, options.pages)
    return ""


async def crawl(page: Page, text: str, pages: int) -> None:
    """Open the links and forms of the start page and of all pages found, at most `pages` of them;
    `text` is typed into forms.
    """
    observation = await page.observe()
    waiting = deque(_ways(observation))
    known = set(waiting)
    try:
        for _ in range(pages):
            if not waiting:
                break
            observation = await _open(page, observation, waiting.popleft(), text)
            found = [way for way in _ways(observation) if way not in known]
            known.update(found)
            waiting.extend(found)
    except BudgetExceeded:
        return


def _ways(observation: Observation) -> list[tuple[str, str, int]]:
    """Return the elements that can be opened on a page, each as the page's address, the element's
    name, and its number among the elements of that name.
    """
    found: list[tuple[str, str, int]] = []
    for element in observation.elements:
        if _opens(element):
            number = sum(name == element.name for _, name, _ in found)
            found.append((observation.url, element.name, number))
    return found


def _opens(element: Element) -> bool:
    return element.role in OPENING | FIELDS and "disabled" not in element.states


async def _open(
    page: Page, observation: Observation, way: tuple[str, str, int], text: str
) -> Observation:
    """Go to the page of an element, unless it is shown, and open the element."""
    url, name, number = way
    if observation.url != url:
        observation = await page.act(Goto(url))
    named = [each for each in observation.elements if _opens(each) and each.name == name]
    if number >= len(named):
        return observation
    element = named[number]
    is_field = element.role in FIELDS
    return await page.act(Type(element.id, text, enter=True) if is_field else Click(element.id))
