"""The scripted model's answers for LASER: first a rationale whose last words are a function call,
then that call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from agent import prompting
from agent.interface import (
    Action,
    Advice,
    Click,
    Element,
    Note,
    Observation,
    Reply,
    Stop,
    Text,
    ToolCall,
)
from agent.llm.simulated import mistakes
from agent.llm.simulated.mistakes import Situation
from agent.llm.simulated.model import ReadRequest, SimulatedModel
from agent.llm.simulated.placed import PlacedRequest
from agent.llm.simulated.reading import Lost, Request
from agent.llm.simulated.reasons import asked_for, because, quoted
from agent.methods.laser import state_graph
from agent.methods.laser.state_graph import Function, State
from agent.prompting import Prompts

MAPPED = {"outlet": "store"}
"""The sites whose pages may be shown as the pages of another site."""
_CALL = re.compile(r"(\w+)\((\{.*\})\)")
_DONE = re.compile(r"^Action\d+: (\w+)\((\{.*\})\)$", re.MULTILINE)
_BOUND = re.compile(r"(\d+(?:\.\d+)?) dollars")
_GIVEN_UP_AFTER_ALL = 6
"""The number of times that a mistaken call without arguments is made in an episode, on all pages
together, before the model gives it up.
"""
_DETAIL_PAGES = ("features", "description")
"""The names of the detail pages of an item, in the order in which the model opens them if the
item's page lacks a needed fact.
"""


@dataclass(frozen=True)
class _Call:
    name: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.name}({json.dumps(self.arguments, ensure_ascii=False)})"


@dataclass(frozen=True)
class _PageView(ReadRequest):
    """A request of LASER, read with knowledge of the prompt file. Raises `Lost`."""

    @cached_property
    def prompts(self) -> Prompts:
        """The prompts of the site, or those of the store if its graph is used for another shop."""
        own, lender = prompting.load("laser", self.task.site), MAPPED.get(self.task.site)
        if lender is None:
            return own
        lent = prompting.load("laser", lender)
        layouts = (str(each.get("layout", "")).strip() for each in lent.data["states"])
        return lent if any(each and each in self.request.text for each in layouts) else own

    @cached_property
    def page(self) -> Observation:
        return self.request.observation(self.prompts.rendering)

    @cached_property
    def advice(self) -> Advice:
        return self.task.advise(self.page)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes to take on this page."""
        return tuple(each for each in self.advice.actions if isinstance(each, Note))

    @cached_property
    def state(self) -> State:
        state = state_graph.read(self.prompts).at(self.page)
        if state is None:
            raise Lost("this page is none of the graph's")
        return state

    def behaving(self, behaviour: str) -> Function:
        function = state_graph.read(self.prompts).behaving(behaviour)
        if function is None:
            raise Lost(f"the graph has no function with {behaviour}")
        return function

    def says(self, text: str) -> bool:
        """Return whether the request contains the text that the prompt file gives under
        this name.
        """
        written = str(self.prompts.data["texts"].get(text, "")).strip()
        return bool(written) and written in self.request.text


def _view(simulated: SimulatedModel, request: Request) -> _PageView:
    """Return the request with knowledge of its task; the last search and the last opened item are
    read from its history.
    """
    done = {"searched": "", "opened": ""}
    for name, arguments in _DONE.findall(request.text_without_pages):
        given = json.loads(arguments)
        if name == "Search":
            done["searched"] = given["keywords"]
        elif name == "select_item":
            done["opened"] = next(iter(given.values()))
    return _PageView(simulated, PlacedRequest.of(request, done))


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    return Reply(("I do not know what to do.",))


def thought(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a rationale whose last words are the resulting function call."""
    view = _view(simulated, request)
    if view.says("decide_best"):
        call, why = _best(view), _why_best(view)
    elif view.says("decide_options"):
        call, why = _values(view), _why_values(view)
    else:
        call, why = _next(view)
        why += _remembered(view)
    return Reply((f"{why} Hence the next step is {call}",))


def _situation(view: _PageView) -> Situation:
    """Return the page and the right action on it, after the notes of this page."""
    return view.simulated.situation(view.request, view.prompts.rendering, view.notes, view.task)


def _remembered(view: _PageView) -> str:
    """Return a sentence for each new note about this page."""
    new = [each.text for each in view.notes if not view.request.holds((each.text,))]
    return "".join(f" To be remembered: {text}." for text in new)


def _advised(view: _PageView) -> dict[str, Element]:
    """Return the options that are right on this page, by the label of their group."""
    return dict(found for each in view.advice.actions if (found := _option(each, view.page)))


def _next(view: _PageView) -> tuple[_Call, str]:
    """Return the function call to make on this page, which may be a scripted mistake, and the
    reason for it.
    """
    situation = _situation(view)
    advice, task = situation.advice, view.task.instruction
    right = _as_call(view, situation.right, advice.actions[1:], advice.call)
    unsure = _unsure(view, right, advice)

    def mistaken(action: Action) -> _Call:
        return _mistaken(view, action, advice, unsure or right)

    decision = view.simulated.believe(
        view.request, view.task, situation, lambda action: _was_tried(view, mistaken(action))
    )
    if decision.mistake:
        return mistaken(decision.action), because(situation, decision.action, task)
    if unsure:
        return unsure, _why_unsure(view, advice)
    return right, because(situation, situation.right, task)


def _mistaken(view: _PageView, action: Action, advice: Advice, right: _Call) -> _Call:
    """Return the function call for a mistaken action. For an action that no call performs, return
    another call of this page, or `stop`.
    """
    wrong = _as_call(view, action, advice.actions[1:])
    others = [_Call(each.name, {}) for each in reversed(view.state.functions)]
    return next(each for each in (wrong, *others, _Call("stop", {})) if each != right)


def _was_tried(view: _PageView, call: _Call) -> bool:
    """Return whether the history shows a mistaken call so often that the model gives it up. A call
    without arguments may have been made on another page, so it needs more occurrences.
    """
    tried = re.findall(r"^Action\d+: (.*)$", view.request.text_without_pages, re.MULTILINE)
    if view.state.named(call.name) is None:  # the call was refused each time
        tried = re.findall(r"Hence the next step is (.*)$", view.request.text, re.MULTILINE)
        return tried.count(str(call)) >= mistakes.GIVEN_UP_AFTER
    enough = mistakes.GIVEN_UP_AFTER if call.arguments else _GIVEN_UP_AFTER_ALL
    return tried.count(str(call)) >= enough


def _why_unsure(view: _PageView, advice: Advice) -> str:
    missing = [each for each in advice.needs if not _shows(view, [each])]
    named = ", ".join(map(quoted, asked_for(missing, view.task.instruction)))
    return f"The task asks for {named or 'more'}, which {quoted(view.page.title)} does not show."


def _why_values(view: _PageView) -> str:
    """Return a sentence with the page's product options and the values that the task names for
    each.
    """
    found = []
    for kind, group in state_graph.choices(view.page).items():
        asked = asked_for([[each.name] for each in group], view.task.instruction)
        found.append(f"{quoted(kind)} ({', '.join(map(quoted, asked)) or 'not in the task'})")
    return f"The page offers {', '.join(found) or 'no options'}."


def _why_best(view: _PageView) -> str:
    named = asked_for([[each] for each in sorted(_wish(view))], view.page.text)
    return f"Of the wish the page shows {', '.join(map(quoted, named)) or 'nothing'}."


def _wish(view: _PageView) -> set[str]:
    return set(re.findall(r"\w{3,}", view.task.instruction.casefold()))


def _as_call(view: _PageView, action: Action, together: Iterable[Action], named: str = "") -> _Call:
    """Return the call of this page's functions that performs the action; if no function does, a
    call named after the action's target.

    Args:
        view: The request.
        action: The action.
        together: The actions after it.
        named: The name of the function to prefer; otherwise the first is taken.
    """
    steps = [*together]
    for function in sorted(view.state.functions, key=lambda each: each.name != named):
        arguments = _arguments(view, function, action, steps)
        if arguments is not None:
            return _Call(function.name, arguments)
    name = "stop" if isinstance(action, Stop) else str(getattr(action, "target", "wait"))
    return _Call(re.sub(r"\W+", "_", name), {})


def _arguments(
    view: _PageView, function: Function, action: Action, together: Iterable[Action]
) -> dict[str, Any] | None:
    steps = [action, *together]
    if function.options_at_commit and _option(action, view.page):
        steps = [each for each in steps if not _option(each, view.page)]
        if not steps:
            return {}
    found = function.read(steps, view.page)
    if found is None:
        return None
    bound = _BOUND.search(view.task.instruction)
    if bound and "max_price" in function.schema["properties"]:
        found["max_price"] = bound[1]
    return found


def _option(action: Action, page: Observation) -> tuple[str, Element] | None:
    """Return the label of the option group and the option that an action chooses on a product page;
    None for other actions.
    """
    for kind, group in state_graph.choices(page).items():
        for element in group:
            if isinstance(action, Click) and action.target == element.id:
                return kind, element
    return None


def _unsure(view: _PageView, right: _Call, advice: Advice) -> _Call | None:
    """Return a call that opens a detail page if the item's page does not show everything that the
    task asks for; otherwise None.
    """
    function = view.state.named(right.name)
    if function is None or not function.options_at_commit:
        return None
    if _shows(view, advice.needs):
        return None
    unread = {
        each.detail_page: each
        for each in view.state.functions
        if each.detail_page and f"{each.detail_page}:" not in view.page.text.split("\n")
    }
    first = next((unread[name] for name in _DETAIL_PAGES if name in unread), None)
    return _Call(first.name, {}) if first else None


def _shows(view: _PageView, needs: Iterable[tuple[str, ...]]) -> bool:
    lines = view.page.text.casefold().split("\n")
    instruction = view.task.instruction.casefold()
    shown = "\n".join(line for line in lines if instruction not in line)
    return all(any(word.casefold() in shown for word in each) for each in needs)


def _best(view: _PageView) -> _Call:
    """Return the call that chooses the examined item whose texts share most words with the task;
    may be a scripted mistake.
    """
    lines: dict[str, str] = {}
    for node in view.page.content:
        if isinstance(node, Element):
            lines[node.name] = ""
        elif isinstance(node, Text) and lines:
            lines[list(lines)[-1]] += f" {node.text}"
    if not lines:
        raise Lost("no item is listed")
    wish = _wish(view)
    best = max(lines, key=lambda key: len(wish & set(re.findall(r"\w{3,}", lines[key].casefold()))))
    others = [each for each in lines if each != best]
    if others and _errs(view, "backup", best):
        best = Random(f"{best}/{len(lines)}").choice(others)
    function = view.behaving("remember")
    assert function.remember is not None
    return _Call(function.name, {function.remember.key: best})


def _errs(view: _PageView, step: str, right: str) -> bool:
    """Return whether the scripted model makes a mistake in a choice; after a refused reply it never
    does.
    """
    lacking = 1 - view.simulated.skill
    about, what = (step, right), mistakes.DECISION
    return not _is_refused(view.request) and view.simulated.errs(
        view.request, view.task, about, what, lacking
    )


def _values(view: _PageView) -> _Call:
    """Return a call with a value for each option of the page, mistakes included."""
    advised = _advised(view)
    names = state_graph.argument_names(view.page)
    chosen = {
        names[kind]: _value(view, view.advice.step, advised.get(kind) or _named(view, group), group)
        for kind, group in state_graph.choices(view.page).items()
    }
    own = view.state.behaving("options_at_commit") or view.behaving("options_at_commit")
    return _Call(own.name, chosen)


def _named(view: _PageView, group: Iterable[Element]) -> Element | None:
    """Return the option that the task names, or None. The longest is preferred, because `navy blue`
    contains `blue`.
    """
    found = [element for element in group if view.request.holds((element.name,))]
    return max(found, key=lambda element: len(element.name), default=None)


def _value(view: _PageView, step: str, right: Element | None, group: Sequence[Element]) -> str:
    if right is None or "checked" in right.states:
        return ""
    if not view.request.holds((right.name,)):
        raise Lost(f"the request lacks {right.name!r}")
    words = mistakes.named(Click(right.id), view.page)
    others = [element.name for element in group if element.id != right.id]
    wrong = bool(others) and _errs(view, f"{step}, value", words)
    return Random(f"{view.task.scenario}/{words}").choice(others) if wrong else right.name


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the call at the end of the rationale; with the right call if a reply was refused.

    The right action may follow from the history, which this request does not contain. Then the
    rationale decides, or a call that leaves the page.
    """
    view = _view(simulated, request)
    concluded = _concluded(view)
    try:
        situation = _situation(view)
    except Lost:
        return _reply(view, _able(view, concluded))
    advice = situation.advice
    right = _as_call(view, situation.right, advice.actions[1:], advice.call)
    if _is_refused(request) or view.says("examined_before"):
        return _reply(view, right)
    return _reply(view, concluded or _decided(view, right))


def feedback(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer whether the proposed call is right on this page; the last words are the call to make.

    A scripted mistake is to agree with the proposed call.
    """
    view = _view(simulated, request)
    proposed, situation = _concluded(view), _situation(view)
    advice = situation.advice
    right = _as_call(view, situation.right, advice.actions[1:], advice.call)
    right = _unsure(view, right, advice) or right
    if proposed is not None and (proposed == right or _errs(view, "feedback", str(right))):
        return Reply((f"This is right. Hence the next step is {proposed}",))
    why = because(situation, situation.right, view.task.instruction)
    return Reply((f"This is a mistake. {why} Hence the next step is {right}",))


def _able(view: _PageView, concluded: _Call | None) -> _Call:
    """Return the call of the rationale; if the page does not allow it, return a call that leaves
    the page, or that gives up if a reply was refused.
    """
    if concluded and _can_be_done(view, concluded):
        return concluded
    able = [each for each in view.state.functions if not each.schema.get("required")]
    if concluded is None:
        able = [each for each in able if not state_graph.ends(each.actions)]
    if not able:
        raise Lost("neither the rationale nor the page tells what to do")
    return _Call(able[-1].name, {})


def _can_be_done(view: _PageView, call: _Call) -> bool:
    """Return whether the page shows all elements that the call uses. A call of an unknown function
    counts as possible until it is refused.
    """
    function = view.state.named(call.name)
    if function is None:
        return not _is_refused(view.request)
    here = function.fill(call.arguments)[: 1 if function.detail_page else None]
    targets = [getattr(each, "target", "") for each in here]
    return all(each == "" or state_graph.is_shown(each, view.page) for each in targets)


def _decided(view: _PageView, right: _Call) -> _Call:
    """Return the call to make if the rationale ends with no possible call, mistakes included."""
    situation, decision = view.simulated.decide(
        view.request, view.prompts.rendering, already=view.notes
    )
    if decision.mistake:
        return _mistaken(view, decision.action, situation.advice, right)
    return right


def options(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the option values at the end of the rationale if the page offers them; otherwise
    with the values chosen from the task, which may contain mistakes.
    """
    view = _view(simulated, request)
    values, call = _values(view), _concluded(view)
    follows = call is not None and not _is_refused(request) and _is_offered(view, call)
    return _reply(view, call if call and follows else values)


def _is_offered(view: _PageView, call: _Call) -> bool:
    groups, names = state_graph.choices(view.page), state_graph.argument_names(view.page)
    offered = {names[kind]: ["", *(each.name for each in groups[kind])] for kind in groups}
    return offered.keys() == call.arguments.keys() and all(
        value in offered[kind] for kind, value in call.arguments.items()
    )


def option_types(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the labels of the page's options."""
    return Reply((", ".join(state_graph.choices(_view(simulated, request).page)) or "None",))


def backup(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the examined item that the rationale names if the page shows it; otherwise with
    the best match.
    """
    view = _view(simulated, request)
    best, call = _best(view), _concluded(view)
    shown = {element.name for element in view.page.elements}
    named = call is not None and set(call.arguments.values()) <= shown
    return _reply(view, call if call and named else best)


def _concluded(view: _PageView) -> _Call | None:
    """Return the call at the end of the rationale, or None if it cannot be made on this page."""
    texts = [str(each["content"]) for each in view.request.messages if each["role"] == "user"]
    reasoned = [text for text in texts if "\nRationale: " in text]
    written = (reasoned[-1] if reasoned else texts[-1]).rpartition("\nRationale: ")[2]
    found = _CALL.findall(written)
    if not found:
        return None
    call = _Call(found[-1][0], json.loads(found[-1][1]))
    function = state_graph.read(view.prompts).functions.get(call.name)
    return call if function is None or _is_possible(view, function, call) else None


def _is_possible(view: _PageView, function: Function, call: _Call) -> bool:
    targets = [getattr(each, "target", None) for each in function.fill(call.arguments)[:1]]
    with suppress(ValueError):
        state_graph.check_targets(function, call.arguments, view.page)
        return all(state_graph.is_shown(each, view.page) for each in targets if each is not None)
    return False


def _is_refused(request: Request) -> bool:
    """Return whether the newest message explains an error of a reply instead of showing a page."""
    return not request.shown or "Current observation:\n" not in str(request.messages[-1]["content"])


def _reply(view: _PageView, call: _Call) -> Reply:
    """Return the call as a reply: as a function call, or as JSON text if the prompt describes the
    functions in words.
    """
    if view.request.body.get("tools"):
        return Reply(("",), (ToolCall(call.name, json.dumps(call.arguments, ensure_ascii=False)),))
    written = {"action": call.name, "arguments": call.arguments}
    return Reply((json.dumps(written, ensure_ascii=False),))
