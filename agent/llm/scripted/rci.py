"""The scripted model's answers for RCI: the plan and its critique, the next instruction, and the
operation that carries it out.

A plan is the list of the task's steps, which a scripted mistake may change. A critique may overlook
that. The model stops early at a step that its plan lacks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.actions import show
from agent.interface import Action, Reply, Stop
from agent.llm.simulated import looping, mistakes
from agent.llm.simulated.mistakes import Situation
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.page_view import PageView
from agent.llm.simulated.reading import Lost, Request
from agent.llm.simulated.reasons import because

SOUND, FAULTY = "There is no problem with it.", "A step is missing, doubled or out of its place."
_PLAN = re.compile(r"^The plan:\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)
_STEPS = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_ONE = "exactly one operation"


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    return Reply(("I do not know what to do.",))


def plan(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the steps of the task; a scripted mistake may change one."""
    return Reply((looping.listed(_planned(PageView(simulated, request), "plan")),))


def critique(simulated: SimulatedModel, request: Request) -> Reply:
    """Say whether the plan has a problem; a scripted mistake may overlook it."""
    view = PageView(simulated, request)
    right = [*view.task.steps] == _given(view)
    overlooks = not right and view.errs(mistakes.OVERLOOKED, view.lacking, "critique", "plan")
    return Reply((SOUND if right or overlooks else FAULTY,))


def improve(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the plan as it was, or with another if the critique named a problem."""
    view = PageView(simulated, request)
    kept = SOUND in view.request.text_without_pages
    return Reply((looping.listed(_given(view) if kept else _planned(view, "improve")),))


def _planned(view: PageView, about: str) -> Sequence[str]:
    """Return the steps of a plan, possibly with a mistake."""
    right = view.task.steps
    if not right or not view.errs(mistakes.PLAN, view.lacking, about, ""):
        return right
    return mistakes.wrong_plans(right, view.seed(about, ""))[0]


def _given(view: PageView) -> list[str]:
    """Return the plan that the dialogue shows as the model's last answer with steps. Raises `Lost`
    if it shows no task or no plan.
    """
    written = (str(each["content"]) for each in reversed(view.request.messages))
    own = (_STEPS.findall(text) for text in written if text.startswith("List\n1. "))
    steps = next(own, [])
    if not view.task.steps or not steps:
        raise Lost("no plan of this task is shown")
    return steps


def task(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next instruction and its reason, or with the operation if asked for it."""
    view = PageView(simulated, request)
    situation, action = _decided(view)
    if _ONE in str(request.messages[-1]["content"]):
        return Reply((show(action),))
    return Reply((because(situation, action, view.task.instruction),))


def state(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next operation."""
    return Reply((show(_decided(PageView(simulated, request))[1]),))


def _decided(view: PageView) -> tuple[Situation, Action]:
    """Return the page with the right action, and the action that the model takes."""
    situation, decision = view.simulated.decide(
        view.request, view.rendering, already=view.done, tried=view.tried, task=view.task
    )
    planned, step = _STEPS.findall(view.find(_PLAN)), situation.advice.step
    lacks = step in view.task.steps and step not in planned
    return situation, Stop() if lacks else decision.action
