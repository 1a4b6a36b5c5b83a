"""A null agent that clicks and types at random: what a score is worth above chance."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from agent.interface import LLM, Action, Back, Click, Element, Page, Select, Task, Type

_FIELDS = {"textbox", "searchbox", "spinbutton"}


@dataclass(frozen=True)
class Options:
    """`actions`: how many inputs at most; `stop`: the chance to stop after each."""

    actions: int = 15
    stop: float = 0.02


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    observation = await page.observe()
    for _ in range(options.actions):
        if task.rng.random() < options.stop:
            break
        action = any_action(observation.elements, task)
        observation = await page.act(action)
    return ""


def any_action(elements: tuple[Element, ...], task: Task) -> Action:
    """An input that some element takes, at random."""
    enabled = [element for element in elements if "disabled" not in element.states]
    return _use(task.rng.choice(enabled), task) if enabled else Back()


def _use(element: Element, task: Task) -> Action:
    if element.role in _FIELDS:
        return Type(element.id, _words(task.instruction, task.rng), enter=task.rng.random() < 0.5)
    if element.options:
        return Select(element.id, task.rng.choice(element.options))
    return Click(element.id)


def _words(instruction: str, rng: Random) -> str:
    words = instruction.split()
    start = rng.randrange(len(words))
    return " ".join(words[start : start + rng.randint(1, 4)])
