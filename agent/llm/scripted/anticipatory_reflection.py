"""The scripted model's answers for the method Anticipatory Reflection: plans, actions and
assessments, a function for each kind of request.

A plan is the list of the task's steps. Depending on the model's skill, mistakes are made: a plan
drops, swaps or doubles a step; an action, a remedy (alternative action) or the answer to the task
is wrong; an assessment overlooks a mistake, rejects a right action, or takes for done what is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.element_matching import counterpart
from agent.interface import Action, Click, Observation, Reply, Stop
from agent.llm.simulated import looping, mistakes, page_view
from agent.llm.simulated.mistakes import Situation
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.page_view import PageView
from agent.llm.simulated.reading import Lost, Request
from agent.methods.anticipatory_reflection import parsing

_MOST = re.compile(r"^Suppose .* Write at most (\d+)", re.MULTILINE)
_FAILED_PLAN = re.compile(r"An earlier plan has failed:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
_STEPS = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_ELEMENT = re.compile(r"^Element: (\d+)$", re.MULTILINE)
_SKIP = f"write Action: {parsing.SKIP}"
_LOOPS = "write For each of"
_NEWEST = 5  # the lines of a history that its summary keeps


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    return Reply(("I do not know what this is about.",))


def plan(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a plan, the numbered steps of the task; a scripted mistake may change a step."""
    steps = _planned(PageView(simulated, request))
    written = looping.plan if _LOOPS in request.text else looping.listed
    return Reply((written(steps),))


def _planned(view: PageView) -> Sequence[str]:
    """Return the steps of a plan, possibly with a mistake. A revised plan is drawn separately; a
    wrong revision differs from the plan that failed.
    """
    found = _FAILED_PLAN.search(view.request.text_without_pages)
    failed = found[1] if found else ""
    about, right = (f"plan after {len(view.lines)}", failed), view.task.steps
    if not right or not view.errs(mistakes.PLAN, view.lacking, *about):
        return right
    wrong = mistakes.wrong_plans(right, view.seed(*about))
    return next((each for each in wrong if [*each] != _STEPS.findall(failed)), wrong[0])


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next action, which may be a scripted mistake; SKIP if the plan's step is done
    already.
    """
    view = PageView(simulated, request)
    action = page_view.decided(view)
    passes = _SKIP in request.text and page_view.is_passed(view)
    if passes and view.advice.actions[:1] == (action,):
        return Reply((f"Action: {parsing.SKIP}",))
    return page_view.message(action)


def remedy(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a remedy, that is, an alternative to the actions answered before: the right
    action or a scripted mistake. If the right action was answered already, give another sensible
    action, or repeat the right one if no other exists.
    """
    view = PageView(simulated, request)
    given = _answers(view)
    if not page_view.can_go_on(view):
        return page_view.message(page_view.NOTHING)
    situation = simulated.situation(request, view.rendering, view.done, view.task)
    return page_view.message(_instead(view, situation, given) or situation.right)


def _instead(view: PageView, situation: Situation, given: Sequence[Action]) -> Action | None:
    """Return an alternative action that differs from the answers so far, possibly a scripted
    mistake; None if no other exists.
    """
    wrong = _wrong_remedy(view, situation, given)
    sensible = [situation.right, *_others(situation.right, view.screens[-1])]
    return wrong or next((each for each in sensible if each not in given), None)


def _wrong_remedy(view: PageView, situation: Situation, given: Sequence[Action]) -> Action | None:
    """Return a mistaken alternative action that was neither answered nor tried before; each
    alternative is drawn separately.

    None if the model makes no mistake, or if the right action was answered already: then each
    remedy is another action anyway.
    """
    if situation.right in given:
        return None
    right = mistakes.named(situation.right, situation.observation)
    about = f"{situation.advice.step}/remedy {len(given)}", right
    if not view.errs(mistakes.REMEDY, view.lacking, *about):
        return None
    wrong = (
        page_view.nothing_left(situation) if isinstance(each.action, Stop) else each.action
        for each in mistakes.wrong_decisions(view.seed(*about), situation)
    )
    return next((each for each in wrong if each not in [*given, *view.done]), None)


def _answers(view: PageView) -> list[Action]:
    """Return the actions that the dialogue shows as the model's earlier answers. Raises `Lost` if
    it shows none.
    """
    messages = view.request.messages
    replies = [str(message["content"]) for message in messages if message["role"] == "assistant"]
    given = [action for text in replies for action in page_view.read(text.removeprefix("Action: "))]
    if not given:
        raise Lost("no answer is shown")
    return given


def _others(right: Action, screen: Observation) -> list[Action]:
    """Return clicks on elements other than the right one that submit nothing; elements of the same
    role come first.
    """
    target = mistakes.element_of(right, screen)
    able = (n for n in screen.elements if not n.commits and "disabled" not in n.states)
    others = [each for each in able if each != target]
    role = target.role if target else ""
    return [Click(each.id) for each in sorted(others, key=lambda each: each.role != role)]


def remedies(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with several alternative actions, each chosen as if the earlier ones had been answers;
    with none if no other exists.
    """
    view = PageView(simulated, request)
    if not page_view.can_go_on(view):
        return page_view.message(page_view.NOTHING)
    situation = simulated.situation(request, view.rendering, view.done, view.task)
    first = _answers(view)
    found: list[Action] = []
    for _ in range(int(view.find(_MOST))):
        other = _instead(view, situation, [*first, *found])
        found += [other] if other else []
    return Reply(("\n".join(page_view.message(*found).texts) or f"Action: {parsing.NONE}",))


def describe(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a sentence that describes the action taken."""
    return Reply((page_view.description(PageView(simulated, request)),))


def align(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a sentence that describes the action taken, and the verdict whether it
    was right.
    """
    view = PageView(simulated, request)
    return Reply((f"{page_view.description(view)}\n{page_view.word(page_view.is_aligned(view))}",))


def step_done(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer YES or NO to the question whether the plan's current step is done, because the next
    action belongs to a later step.
    """
    return Reply((page_view.word(page_view.is_step_done(PageView(simulated, request))),))


def task_done(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer whether the whole task is done or cannot be achieved."""
    return Reply((ended(PageView(simulated, request)),))


def ended(view: PageView) -> str:
    """Return the verdict on the task: YES (done), NO, or that the task cannot be achieved."""
    done = page_view.is_task_done(view)
    impossible = done and view.advice.answer == parsing.NOT_ACHIEVABLE
    return parsing.NOT_ACHIEVABLE if impossible else page_view.word(done)


def assess(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer all assessments that the request asks for in one reply."""
    view = PageView(simulated, request)
    verdicts = {
        parsing.SERVED: page_view.word(page_view.is_aligned(view)),
        "Step done": page_view.word(page_view.is_step_done(view)),
        "Task done": ended(view),
    }
    asked = {
        label: verdict for label, verdict in verdicts.items() if f"\n{label}: " in request.text
    }
    lines = (f"{label}: {verdict}" for label, verdict in asked.items())
    return Reply(("\n".join([page_view.description(view), *lines]),))


def things(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next thing of a loop, or that none is left."""
    thing = page_view.next_thing(PageView(simulated, request))
    return Reply((f"- {thing}" if thing else parsing.NONE,))


def reflect(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer that the last attempted action was not right."""
    view = PageView(simulated, request)
    if not (view.lines and view.advice):
        raise Lost("nothing was done")
    tried = re.sub(r"[\[\]]", "", view.lines[-1].partition(" -- ")[0])
    return Reply((f"The last thing tried was to {tried}; something else is needed there.",))


def answer(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer the task's question, possibly with a scripted mistake; empty if the task asks none."""
    view = PageView(simulated, request)
    right = view.advice.answer or ""
    return Reply((f"{parsing.ANSWER} {_answered(view, right) if right else ''}".strip(),))


def _answered(view: PageView, right: str) -> str:
    """Return the answer to the task; by scripted mistake, a misread answer or none."""
    situation = Situation(view.advice, view.screens[-1])
    about = view.advice.step, mistakes.named(situation.right, situation.observation)
    if not view.errs(mistakes.DECISION, view.lacking, *about):
        return right
    wrong = (each.action for each in mistakes.wrong_decisions(view.seed(*about), situation))
    return next(each.answer for each in wrong if isinstance(each, Stop))


def map_element(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the number that an element of an older screen has on the newer screen,
    or "none".
    """
    view = PageView(simulated, request)
    found = counterpart(int(view.find(_ELEMENT)), *view.screens[-2:])
    return Reply(("none" if found is None else str(found),))


def summary(simulated: SimulatedModel, request: Request) -> Reply:
    view = PageView(simulated, request)
    return page_view.summary(view.screens[-1], view.rendering)


def history_summary(simulated: SimulatedModel, request: Request) -> Reply:
    return Reply(("\n".join(PageView(simulated, request).lines[-_NEWEST:]),))
