"""The expert agent: it takes the right next actions, asks no model, and sets the ceiling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from agent.interface import LLM, Action, Advice, Note, Observation, Page, Task


@dataclass(frozen=True)
class Options:
    """Options of the expert. `advise` returns the task's advice, the right next actions on a page;
    the engine fills it in.
    """

    advise: Callable[[Observation], Advice] | None = None


class Followed(Protocol):
    """The part of a page that the expert needs; every `Page` has it."""

    async def observe(self) -> Observation:
        """Return what the page shows."""
        ...

    async def act(self, action: Action) -> Observation:
        """Do an action, and return what the page shows."""
        ...


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Take the right next actions to the end of the task, and return the answer."""
    if options.advise is None:
        raise ValueError("the expert needs a family's advice; run it through the engine")
    return await follow(page, options.advise)


async def follow(page: Followed, advise: Callable[[Observation], Advice]) -> str:
    """Take the actions that `advise` gives for each page, until it gives an answer or no more
    actions.

    The expert keeps the advised notes, and each later page comes with them.

    Returns:
        The advised answer; "" if there is none.
    """
    observation = await page.observe()
    notes: tuple[str, ...] = ()
    while True:
        advice = advise(replace(observation, notes=observation.notes or notes))
        if advice.answer is not None or not advice.actions:
            return advice.answer or ""
        for action in advice.actions:
            if isinstance(action, Note):
                notes = (*notes, action.kept)
            before = observation
            observation = await page.act(action)
            if _names(observation) != _names(before):
                break


def _names(observation: Observation) -> tuple[str, ...]:
    """Return the names of all elements of a page. While these do not change, element ids stay
    valid.
    """
    return tuple(element.name for element in observation.elements)
