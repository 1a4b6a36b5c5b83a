"""The scripted model's answers for AdaPlanner: a plan for the page that the request shows, the
revised plan for the next page, and the answers to the questions of a plan.

A plan has one step with all actions for this page. Between them it asserts that no other elements
have come up. An answer that the page shows is asked for in the plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent.actions import show
from agent.interface import Action, Reply, Stop
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.page_view import PageView
from agent.llm.simulated.reading import Lost, Request, occurs

_STEP = re.compile(r"\[Step (\d+)\]")
_REVISED = re.compile(r"revised function:\n```\n(.*?)\n```", re.DOTALL)
_RUN = re.compile(r"function that was run:\n```\n(.*?)\n```", re.DOTALL)


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    return Reply(("I do not know what to do.",))


def plan(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a function that does what the page shows."""
    return _function(PageView(simulated, request), 1)


def revise(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a function for the page now, whose step follows the last one; a step that failed
    is written again.
    """
    view = PageView(simulated, request)
    last = max(map(int, _STEP.findall(view.find(_RUN))), default=0)
    return _function(view, last if request.says_failed else last + 1)


def resume(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the number of the only step of a revised function for a known task."""
    simulated.task(request)
    revised = _REVISED.search(request.text)
    steps = _STEP.findall(revised[1]) if revised else []
    if not steps:
        raise Lost("no revised function with steps is shown")
    return Reply((steps[0],))


def ask(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer the question of a plan, which is the task, from the page."""
    answer = PageView(simulated, request).advice.answer
    if answer is None:
        raise Lost("the page does not answer the task")
    return Reply((answer,))


def _function(view: PageView, number: int) -> Reply:
    situation, decision = view.simulated.decide(
        view.request, view.rendering, already=view.done, tried=view.tried, task=view.task
    )
    advice = situation.advice
    body = _lines(view, [decision.action])
    if not decision.mistake and advice.ahead:
        body = _lines(view, [action for _, action in advice.ahead])
    elif not decision.mistake and advice.answer is None:
        body = _checked(_lines(view, advice.actions), len(situation.observation.elements))
    lines = [
        f"# General plan: {'; '.join(view.task.steps) or advice.step}.",
        f"if start_from <= {number}:",
        f"    print({f'[Step {number}] {advice.step}'!r})",
        *(f"    {line}" for line in body),
    ]
    function = ["def solution(agent, start_from=1):", *(f"    {line}" for line in lines)]
    return Reply(("\n".join(["```", *function, "```"]),))


def _lines(view: PageView, actions: Iterable[Action]) -> list[str]:
    """Return the lines of a plan that do these actions; an answer may be asked for."""
    asks = "agent.ask(" in str(view.request.messages[0]["content"])
    lines: list[str] = []
    for action in actions:
        if isinstance(action, Stop) and asks and _is_read(view, action.answer):
            lines.append(f"answer = agent.ask({view.task.instruction!r})")
            lines.append('agent.act(f"stop [{answer}]")')
        else:
            lines.append(f"page = agent.act({show(action)!r})")
    return lines


def _checked(lines: Sequence[str], elements: int) -> list[str]:
    """Return the lines with an assertion between them that the page still has as many elements."""
    check = f'assert page.count("\\n[") == {elements}, "the page has other elements than before"'
    return [each for line in lines for each in (line, check)][:-1]


def _is_read(view: PageView, answer: str) -> bool:
    """Return whether the page and the task are enough to answer, so that the plan can ask."""
    screen, task = view.screens[-1], view.task.instruction
    known = view.simulated.task(view.request).advise(screen)
    asked = Request("ask", {"messages": [{"role": "user", "content": task}]})
    enough = known.answer == answer and all(map(asked.holds, known.needs))
    return bool(answer) and enough and occurs(answer, screen.text)
