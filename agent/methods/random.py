"""A null agent that clicks and types at random; its score shows the level of chance."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from agent.interface import LLM, Action, Back, Click, Element, Page, Select, Task, Type

_FIELDS = {"textbox", "searchbox", "spinbutton"}


@dataclass(frozen=True)
class Options:
    """Options of this null agent.

    Attributes:
        actions: Number of actions at most.
        stop: Probability of stopping before each action.
    """

    actions: int = 15
    stop: float = 0.02


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Act at random until the agent stops or has used up its actions."""
    observation = await page.observe()
    for _ in range(options.actions):
        if task.rng.random() < options.stop:
            break
        action = any_action(observation.elements, task)
        observation = await page.act(action)
    return ""


def any_action(elements: tuple[Element, ...], task: Task) -> Action:
    """Return a random action on a random enabled element; going back if the page has none."""
    enabled = [element for element in elements if "disabled" not in element.states]
    return _use(task.rng.choice(enabled), task) if enabled else Back()


def _use(element: Element, task: Task) -> Action:
    """Return a random action that fits the element: type into a field, select an option,
    or click.
    """
    if element.role in _FIELDS:
        return Type(element.id, _words(task.instruction, task.rng), enter=task.rng.random() < 0.5)
    if element.options:
        return Select(element.id, task.rng.choice(element.options))
    return Click(element.id)


def _words(instruction: str, rng: Random) -> str:
    """Return one to four consecutive words of the instruction."""
    words = instruction.split()
    start = rng.randrange(len(words))
    return " ".join(words[start : start + rng.randint(1, 4)])
