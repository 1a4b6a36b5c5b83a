"""A null agent that drags, draws, marks, scrolls and points at random, and submits the result.

Only the inputs that the page declares are used. Then the agent presses the last button of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from agent.interface import (
    LLM,
    Action,
    Click,
    ClickAt,
    Drag,
    Draw,
    Element,
    HoverAt,
    MarkText,
    Observation,
    Page,
    Place,
    ScrollIn,
    Task,
)

WIDE, OUTSIDE = 150, 400
"""Distances in pixels for random places: WIDE is the size of a task's page, within which places
lie; OUTSIDE is how far outside a path may end.
"""


@dataclass(frozen=True)
class Options:
    """Options of this null agent; `gestures` is the number of gestures before it presses the
    button.
    """

    gestures: int = 6


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Make random gestures, then press the last button of the page."""
    observation = await page.observe()
    for _ in range(options.gestures):
        gesture = _any(observation, task.rng)
        if gesture is None:
            break
        observation = await page.act(gesture)
    buttons = [each for each in observation.elements if each.role == "button"]
    if buttons:
        await page.act(Click(buttons[-1].id))
    return ""


def _any(observation: Observation, rng: Random) -> Action | None:
    """Return a random gesture that the page declares, on random elements; None if it declares
    none.
    """
    verbs = [verb for verb in observation.inputs if verb in GESTURES]
    if not verbs or not observation.elements:
        return None
    one, other = (rng.choice(observation.elements) for _ in "ab")
    return GESTURES[rng.choice(verbs)](one, other, rng)


def _place(rng: Random) -> Place:
    return rng.randrange(WIDE), rng.randrange(WIDE)


def _path(rng: Random) -> tuple[Place, ...]:
    """Return a path from a place within the page to a random place."""
    return _place(rng), (rng.randint(-OUTSIDE, OUTSIDE), rng.randint(-OUTSIDE, OUTSIDE))


GESTURES: Mapping[str, Callable[[Element, Element, Random], Action]] = {
    "drag": lambda one, other, rng: Drag(one.id, other.id),
    "click_at": lambda one, other, rng: ClickAt(one.id, _place(rng)),
    "hover_at": lambda one, other, rng: HoverAt(one.id, _place(rng)),
    "draw": lambda one, other, rng: Draw(one.id, _path(rng)),
    "mark_text": lambda one, other, rng: MarkText(one.id, one.name),
    "scroll_in": lambda one, other, rng: ScrollIn(one.id, rng.choice(("up", "down"))),
}
"""For each verb, a function that makes a random action from one or two elements."""
