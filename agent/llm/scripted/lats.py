"""The scripted model's answers for LATS: values of states; other answers are those of the baselines
with the same prompts.

A value depends on the verdict whether the last action was right, so it may overlook a mistake.
"""

from __future__ import annotations

from agent.interface import Reply
from agent.llm.scripted import anticipatory_reflection as checks
from agent.llm.scripted import sampled_alternatives as shared
from agent.llm.simulated import page_view
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.page_view import PageView
from agent.llm.simulated.reading import Request

act, answer, lost, plan = shared.act, shared.answer, shared.lost, shared.plan
describe, reflect = checks.describe, shared.reflect
step_done, task_done = shared.step_done, shared.task_done
history_summary, summary = shared.history_summary, shared.summary

_NEAREST = 10


def value(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the value of the screen: higher near the end of the task, low after a wrong
    action.
    """
    view = PageView(simulated, request)
    worth = f"Value: {_worth(view)}"
    if "\nTask done: " not in request.text:
        return Reply((worth,))
    lines = (
        page_view.description(view),
        worth,
        f"Step done: {page_view.word(page_view.is_step_done(view))}",
        f"Task done: {checks.ended(view)}",
    )
    return Reply(("\n".join(lines),))


def _worth(view: PageView) -> int:
    steps, advice = view.task.steps, view.advice
    if not page_view.is_aligned(view):
        return shared.BAD
    if advice.answer is not None:
        return _NEAREST
    done = steps.index(advice.step) / len(steps) if advice.step in steps else 0
    return shared.GOOD + int(done * (_NEAREST - shared.GOOD))
