"""Answers for LATS: samples, values and lessons; else those of Anticipatory Reflection.

A value is a judgement as that of alignment is, so it may overlook a mistake.
"""

from __future__ import annotations

import re

from agent import actions
from agent.interface import Action, Reply
from agent.llm.scripted.anticipatory_reflection import (
    align,
    answer,
    history_summary,
    judge,
    lost,
    map_element,
    plan,
    step_done,
    summary,
    task_done,
)
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.page_view import (
    PageView,
    decided,
    description,
    is_aligned,
    is_right,
    is_step_done,
    is_task_done,
    message,
    word,
)
from agent.llm.simulated.reading import Lost, Request

__all__ = [
    "act",
    "align",
    "answer",
    "history_summary",
    "judge",
    "lost",
    "map_element",
    "plan",
    "rank",
    "reflect",
    "step_done",
    "summary",
    "task_done",
    "value",
]

_CANDIDATES = re.compile(r"of which one can be taken:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
_GOOD, _BAD, _NEAREST = 6, 2, 10


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """The next thing to do on this screen, as many samples as are asked for."""
    view = PageView(simulated, request)
    return message(*(decided(view, sample) for sample in range(request.body.get("n", 1))))


def rank(simulated: SimulatedModel, request: Request) -> Reply:
    """A high value for each action that is to be done on this screen, a low one for others."""
    view = PageView(simulated, request)
    screen = view.screens[-1]
    rated = (is_right(view, each, screen) for each in _candidates(view))
    lines = (f"{i}: {_GOOD if right else _BAD}" for i, right in enumerate(rated, start=1))
    return Reply(("\n".join(lines),))


def _candidates(view: PageView) -> list[Action]:
    lines = view.heard(_CANDIDATES).split("\n")
    return [actions.parse(line.partition(". ")[2].partition(" -- ")[0]) for line in lines]


def value(simulated: SimulatedModel, request: Request) -> Reply:
    """How near the screen is to the end, little for a wrong action or where nothing is left."""
    view = PageView(simulated, request)
    lines = (
        description(view),
        f"Value: {_worth(view)}",
        f"Step done: {word(is_step_done(view))}",
        f"Task done: {word(is_task_done(view))}",
    )
    return Reply(("\n".join(lines),))


def _worth(view: PageView) -> int:
    steps, advice = view.task.steps, view.advice
    if not is_aligned(view):
        return _BAD
    if advice.answer is not None:
        return _NEAREST
    done = steps.index(advice.step) / len(steps) if advice.step in steps else 0
    return _GOOD + int(done * (_NEAREST - _GOOD))


def reflect(simulated: SimulatedModel, request: Request) -> Reply:
    """That the last thing tried should be looked at once more."""
    view = PageView(simulated, request)
    if not (view.lines and view.advice):
        raise Lost("nothing was done")
    tried = re.sub(r"[\[\]]", "", view.lines[-1].partition(" -- ")[0])
    return Reply((f"The last thing tried was to {tried}; something else is needed there.",))
