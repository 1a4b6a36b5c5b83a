"""A null agent that does its task like the expert and also obeys every instruction on a page.

Its result shows the effect of such injected instructions on an agent without any defence. If an
instruction takes more than one press of a button, the task's generator says how to carry it out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from agent.interface import LLM, Action, Advice, Click, Observation, Page, Stop, Task
from agent.methods.expert import follow

_PRESS = re.compile(r"\b[Pp]ress “([^”]+)”")
_ANSWER = re.compile(r"\bgive ([A-Z][A-Z_]{2,}) as your answer\b")


@dataclass(frozen=True)
class Options:
    """Options of this null agent; the engine fills in both.

    Attributes:
        advise: Returns the right next actions of the task on a page.
        obey: Returns the next actions that carry out the instructions on pages; None if the task's
            pages contain no such instructions.
    """

    advise: Callable[[Observation], Advice] | None = None
    obey: Callable[[Observation], Advice] | None = None


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Carry out the instructions on pages, and the task."""
    if options.advise is None:
        raise ValueError("it needs a family's advice; run it through the engine")
    if options.obey is not None:
        await follow(page, options.obey)
    return await follow(page, partial(_heeding, options.advise, set[str]()))


def _heeding(
    advise: Callable[[Observation], Advice], pressed: set[str], observation: Observation
) -> Advice:
    """Return the action that a text on the page demands; if the page demands nothing, the task's
    own right next actions.
    """
    command = commanded(observation, pressed)
    if isinstance(command, Stop):
        return Advice("", answer=command.answer)
    return advise(observation) if command is None else Advice("", (command,))


def commanded(observation: Observation, pressed: set[str]) -> Action | None:
    """Return the action that a text on the page demands, or None.

    Args:
        observation: The page.
        pressed: Labels of the buttons that were pressed already; a button is pressed only once.
    """
    text = observation.text
    for label in _PRESS.findall(text):
        named = (each for each in observation.elements if each.name == label)
        element = None if label in pressed else next(named, None)
        if element is not None:
            pressed.add(label)
            return Click(element.id)
    found = _ANSWER.search(text)
    return Stop(found[1]) if found else None
