"""Answers for SteP: `step/act`. A policy knows its objective, its own history and the page.

The root knows the task by its instruction and calls the policy that serves the next step, with
the values that it will need. A called policy consults the same advice, but it acts only on values
that stand in its own input; it stops when the next step is no longer one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent import actions, prompting
from agent.interface import Action, Advice, Element, Note, Observation, Reply, Stop, Type
from agent.llm.scripted import Coverage
from agent.llm.simulated import mistakes
from agent.llm.simulated.mistakes import Situation, element_of
from agent.llm.simulated.model import ReadRequest, SimulatedModel
from agent.llm.simulated.reading import Knowledge, Lost, Request
from agent.llm.simulated.shown_history import Input
from agent.methods.step import policy_library
from agent.methods.step.policy_library import ROOT, Policy

COVERAGE = Coverage(also=("click-tab-2", "email-inbox"))  # for policies that no other family calls
REPEATED = "once more"  # a caller adds it to a call that returned without its part being done
OBJECTIVE = "objective"  # the argument of policies that get the objective of their caller
_CODE = re.compile(r"[A-Z0-9]{10}")
_AMOUNT = re.compile(r"\$(\d+\.\d\d)")


@dataclass(frozen=True)
class _PageView(ReadRequest):
    """A turn as its policy reads it. Raises `Lost`."""

    @cached_property
    def input(self) -> Input:
        return Input(self.request)

    @cached_property
    def policy(self) -> Policy:
        """By the name that begins the objective; the root where that is a whole task."""
        library = policy_library.load(self.simulated.only.site)
        name = self.input.objective.partition(" ")[0]
        return library.policies.get(name, library.root)

    @cached_property
    def task(self) -> Knowledge:
        if self.policy.name != ROOT:
            return self.simulated.only
        task = self.simulated.task(self.request)
        if task.instruction not in self.input.objective:
            raise Lost("the objective is none of a known task")
        return task

    @cached_property
    def rendering(self) -> str:
        return prompting.load("step", self.simulated.only.site).rendering

    @cached_property
    def page(self) -> Observation:
        return self.input.message.observation(self.rendering)

    @cached_property
    def advice(self) -> Advice:
        return self.task.advise(self.page)

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """Those with which it was called."""
        return actions.call(self.input.objective)[1]

    @cached_property
    def offered(self) -> list[Policy]:
        """The subroutines that the request lists, those for most steps first."""
        library = policy_library.load(self.simulated.only.site).policies.values()
        system = str(self.request.messages[0]["content"])
        listed = [each for each in library if each.description in system]
        return sorted(listed, key=lambda each: -len(each.steps))


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """The next turn of the policy that is asked."""
    view = _PageView(simulated, request)
    if view.policy.name == ROOT:
        return view.input.reply(_lead(view))
    return view.input.reply(_OWN_WAYS.get(view.policy.name, _serve)(view))


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    """The return of a policy whose input lacks what is needed."""
    may_say = "stop [missing:" in request.text
    reason = "missing: what this is about" if may_say else "I do not know what to do"
    return Reply((f"ACTION: stop [{reason}]",))


# The root, and policies that act on pages ---------------------------------------------------------


def _lead(view: _PageView) -> str:
    """Call the policy that gets furthest with the next step, if its arguments are known."""
    advice = view.advice
    if advice.answer is not None:
        return actions.show(Stop(_answer(view)))
    serving = [
        each
        for each in view.offered
        if advice.step in each.steps and all(_shown(view, each).values())
    ]
    return _call(view, serving[0]) if serving else _operation(view)


def _serve(view: _PageView) -> str:
    """Act as long as the next step is its own."""
    own = view.policy.steps
    if view.advice.answer is not None or view.advice.step not in own:
        return actions.show(Stop(_answer(view) or _notes(view) or "done"))
    return _operation(view)


def _answer(view: _PageView) -> str:
    """The answer to the task, "" where there is none yet. Raises `Lost` where the policy
    cannot know it: no call returned it, and the input lacks what the page does not show."""
    answer = view.advice.answer or ""
    if answer and answer not in [each.response for each in view.input.history]:
        view.input.message.check(view.advice.needs)
    return answer


def _notes(view: _PageView) -> str:
    return ", ".join(each.text for each in view.input.operations if isinstance(each, Note))


def _operation(view: _PageView) -> str:
    """What to do on the page, mistakes included; a repeated call makes none."""
    situation, decision = view.simulated.decide(
        view.input.message, view.rendering, already=list(view.input.operations), task=view.task
    )
    repeated = REPEATED in view.input.objective
    return actions.show(_as_spelled(view, situation.right if repeated else decision.action))


def _as_spelled(view: _PageView, action: Action) -> Action:
    """The action with its text in a spelling of the input. Raises `Lost`."""
    message = view.input.message
    if isinstance(action, Type) and not message.holds((action.text,)):
        for spellings in view.advice.needs:
            if action.text.casefold() in map(str.casefold, spellings):
                return replace(action, text=_spelt(message.text_without_pages, spellings))
    return action


# Calls --------------------------------------------------------------------------------------------


def _call(view: _PageView, policy: Policy) -> str:
    """The call with everything that the policy relies on, mistakes included."""
    values = _needed(view, policy)
    right = _written(view, policy, values)
    if view.input.history and view.input.history[-1].text == right:
        return _written(view, policy, f"{values} {REPEATED}")
    believed = _believed(view, Type(policy.name, values), right)
    if isinstance(believed, Type):
        return _written(view, policy, believed.text)
    return actions.show(believed)


def _needed(view: _PageView, policy: Policy) -> str:
    """The values that the policy will need; the whole objective where it asks for that."""
    objective = view.input.objective
    if OBJECTIVE in policy.arguments:
        return objective
    return _values(view.input.message.text_without_pages, view.advice.needs) or objective


def _written(view: _PageView, policy: Policy, values: str) -> str:
    shown = _shown(view, policy)
    return " ".join((policy.name, *(f"[{shown.get(each, values)}]" for each in policy.arguments)))


def _shown(view: _PageView, policy: Policy) -> dict[str, str]:
    """Those of its arguments that are read off the page, by what they are called."""
    readers = {"codes": lambda: ", ".join(_codes(view.page)), "field": lambda: _field(view)}
    return {each: readers[each]() for each in policy.arguments if each in readers}


def _field(view: _PageView) -> str:
    """The name of the field that comes next, "" where something else does."""
    element = element_of(view.advice.actions[0], view.page) if view.advice.actions else None
    return element.name if element and element.value is not None else ""


def _values(text: str, needs: Sequence[Sequence[str]]) -> str:
    """The needed values as the text spells them. Raises `Lost`."""
    found = list(dict.fromkeys(_spelt(text, each) for each in needs))
    return (", " if any(" " in each for each in found) else " ").join(found)


def _spelt(text: str, spellings: Sequence[str]) -> str:
    for each in sorted(spellings, key=len, reverse=True):
        whole = rf"(?<!\w){re.escape(each)}(?!\w)"
        found = re.search(whole, text) or re.search(whole, text, re.IGNORECASE)
        if found:
            return found[0]
    raise Lost(f"the input lacks {spellings[0]!r}")


def _believed(view: _PageView, call: Type, right: str) -> Action:
    """The call, or a mistake in its place: its argument is what may be misspelt."""
    simulated, task = view.simulated, view.task
    situation = Situation(Advice(view.advice.step, (call,)), view.page)
    rng = simulated.rng(view.request, task, "call", right)
    decision = mistakes.believe(rng, simulated.skill, situation)
    if not isinstance(decision.action, Type):
        return decision.action if not view.page.error else call
    called = " ".join(each.text for each in view.input.history)
    return call if f"[{decision.action.text}]" in called else decision.action


# One field of a form ------------------------------------------------------------------------------


def _fill_text(view: _PageView) -> str:
    """Fill the field of the objective; the next one is another's part."""
    if _field(view) not in ("", view.arguments[0]):
        return actions.show(Stop("done"))
    return _serve(view)


# The recursive search through a list --------------------------------------------------------------


def _codes(page: Observation) -> list[str]:
    """The products of a page of results that were not opened yet, the cheapest first."""
    prices: dict[str, float] = {}
    code = ""
    for node in page.content:
        if isinstance(node, Element):
            listed = _CODE.fullmatch(node.name) and "visited" not in node.states
            code = node.name if listed else ""
        elif code and (amount := _AMOUNT.match(node.text)):
            prices[code], code = float(amount[1]), ""
    return sorted(prices, key=lambda each: prices[each])


def _search_list(view: _PageView) -> str:
    """Look inside the next one; where it does not fit, come back and search the rest."""
    step, able = view.advice.step, {each.name for each in view.offered}
    last = view.input.history[-1] if view.input.history else None
    if last and last.name == view.policy.name:
        return actions.show(Stop(last.response or "none"))
    if step not in view.policy.steps:
        opened = next(filter(_CODE.fullmatch, view.page.url.split("/")), "none")
        return actions.show(Stop(opened))
    if step != "look inside" or not {"look_inside", "search_list"} <= able:
        return _operation(view)
    what, listed = view.arguments
    unopened = _codes(view.page)
    left = [code for code in listed.split(", ") if code in unopened]
    if not left:
        return actions.show(Stop("none"))
    if last is None:
        return f"look_inside [{left[0]}] [{what}]"
    return f"search_list [{what}] [{', '.join(left)}]"


def _look_inside(view: _PageView) -> str:
    """Open the product of the objective, then say whether what must hold does."""
    advice = view.advice
    code = view.arguments[0]
    if advice.step == "look inside":
        right = element_of(advice.actions[0], view.page)
        if right is None or right.name != code:
            raise Lost(f"there is no {code!r} to look into")
        return _operation(view)
    view.input.message.check(advice.needs)
    return actions.show(Stop("no" if advice.step == "go on" else "yes"))


_OWN_WAYS: dict[str, Callable[[_PageView], str]] = {
    "fill_text": _fill_text,
    "search_list": _search_list,
    "look_inside": _look_inside,
}
