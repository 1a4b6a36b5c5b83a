"""The scripted model's answers for the method of sampled alternatives: sampled actions and their
ranks; other answers are those of Anticipatory Reflection.

A rank depends on the verdict whether an action is right, so it may overlook a mistake.
"""

from __future__ import annotations

import re

from agent import actions
from agent.interface import Reply
from agent.llm.scripted import anticipatory_reflection as shared
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.page_view import PageView, decided, is_right, message
from agent.llm.simulated.reading import Request

align, answer, assess, lost = shared.align, shared.answer, shared.assess, shared.lost
history_summary, summary = shared.history_summary, shared.summary
map_element, plan = shared.map_element, shared.plan
reflect = shared.reflect
step_done, task_done = shared.step_done, shared.task_done
things = shared.things

GOOD, BAD = 6, 2
_CANDIDATES = re.compile(r"of which one can be taken:\n(.*?)(?:\n\n|\Z)", re.DOTALL)


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next action on this screen, as many samples as the request asks for."""
    view = PageView(simulated, request)
    return message(*(decided(view, sample) for sample in range(request.body.get("n", 1))))


def rank(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a value for each proposed action: high if it is right on this screen,
    else low.
    """
    view = PageView(simulated, request)
    screen = view.screens[-1]
    written = view.find(_CANDIDATES).split("\n")
    texts = (line.partition(". ")[2].partition(" -- ")[0] for line in written)
    rated = (is_right(view, actions.parse(text), screen) for text in texts)
    lines = (f"{i}: {GOOD if right else BAD}" for i, right in enumerate(rated, start=1))
    return Reply(("\n".join(lines),))
