"""The scripted model's answers for MindAct: the requests `mindact/choose`.

A request offers some of a page's elements. The script answers with the letter of the next action's
element if it is offered, and else with A. Its mistakes are choices among what is offered: an
element that does not exist is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard

from agent import prompting
from agent.interface import (
    Action,
    Advice,
    Click,
    Observation,
    Reply,
    Select,
    Stop,
    Target,
    Type,
)
from agent.llm.simulated.mistakes import LABELS, Situation, element_of
from agent.llm.simulated.model import ReadRequest, SimulatedModel
from agent.llm.simulated.reading import Lost, Request
from agent.llm.simulated.remembered import Advise, without_notes
from agent.methods.mindact import action_of
from agent.mind2web.methods import Prediction
from agent.mind2web.multiple_choice import LETTERS

_CHOICE = re.compile(r"^[B-Z]\. (?:\[(\d+)\] .*|.*)$", re.MULTILINE)
_CHOICES = "A. None of the above\n"
_PREVIOUS = re.compile(r"^Previous actions:\n(.*?)\n?Which of these", re.MULTILINE | re.DOTALL)
_DONE = re.compile(r"\[(.*?)\] (.*) -> (CLICK|TYPE|SELECT)(?:: (.*))?")
NONE = "Answer: A."


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer without a letter, which counts as A."""
    return Reply(("I do not know what to do.",))


def choose(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the letter of the next action's element, its operation and its value."""
    view = _View(simulated, request)
    action = view.decided()
    if (place := view.place(action)) is None:
        return Reply((NONE,))
    operation, value = _operation(action)
    lines = [f"Answer: {LETTERS[place + 1]}."]
    lines += [f"Action: {operation}"] if operation else []
    lines += [f"Value: {value}"] if value else []
    return Reply(("\n".join(lines),))


@dataclass(frozen=True)
class _View(ReadRequest):
    """A request read with knowledge of its task. Raises `Lost`."""

    @cached_property
    def newest(self) -> str:
        return str(self.request.messages[-1]["content"])

    @cached_property
    def offered(self) -> list[Target | None]:
        """The numbers of the offered elements; None is the end of the task."""
        listed = self.newest.rpartition(_CHOICES)[2]
        return [int(number) if number else None for number in _CHOICE.findall(listed)]

    @cached_property
    def rendering(self) -> str:
        return prompting.load("mindact", self.task.site).rendering

    def place(self, action: Action) -> int | None:
        """Return the place of an action's element among the choices; None if it is not there.

        Raises `Lost` if the action is none of MindAct's.
        """
        if isinstance(action, Stop):
            target: Target | None = None
        elif isinstance(action, Click | Select) or _is_typed(action):
            target = action.target
        else:
            raise Lost("the next action is none of the three operations")
        return self.offered.index(target) if target in self.offered else None

    def decided(self) -> Action:
        """Return the right action, or a mistake among the choices."""
        knowledge = replace(self.task, advise=_in_three_operations(self.task.advise))
        situation = self.simulated.situation(self.request, self.rendering, (), knowledge)
        page = situation.observation
        decision = self.simulated.believe(
            self.request,
            knowledge,
            self._only_offered(situation),
            self.simulated.evidence(self.request, situation, [*self._tried(page)]),
            without=[Click(label) for label in LABELS],
        )
        return decision.action

    def _only_offered(self, situation: Situation) -> Situation:
        """Return the situation on a page with nothing but the choices and the right element."""
        right = element_of(situation.right, situation.observation)
        page = situation.observation
        kept = [each for each in page.elements if each == right or each.id in self.offered]
        return replace(situation, observation=replace(page, content=tuple(kept)))

    def _tried(self, page: Observation) -> Iterator[Action]:
        """Yield the previous actions, on the elements of this page with their roles and names."""
        found = _PREVIOUS.search(self.newest)
        for role, name, operation, value in _DONE.findall(found[1] if found else ""):
            elements = (each for each in page.elements if (each.role, each.name) == (role, name))
            done = (action_of(Prediction(operation, str(each.id), value)) for each in elements)
            yield from filter(None, done)


def _operation(action: Action) -> tuple[str, str]:
    """Return an action's operation and value; the end of the task has no operation."""
    if isinstance(action, Stop):
        return "", action.answer
    if isinstance(action, Type):
        return "TYPE", action.text
    return ("SELECT", action.option) if isinstance(action, Select) else ("CLICK", "")


def _is_typed(action: Action) -> TypeGuard[Type]:
    """Return whether an action types a text of one line, as a value is, without a key."""
    return isinstance(action, Type) and not action.enter and "\n" not in action.text


def _in_three_operations(advise: Advise) -> Advise:
    """Return a function that gives the advice without notes, and without keys if buttons do."""
    asked = without_notes(advise)

    def advised(page: Observation) -> Advice:
        advice = asked(page)
        return replace(advice, actions=tuple(_sent(each, page) for each in advice.actions))

    return advised


def _sent(action: Action, page: Observation) -> Action:
    """Return an action without a key: what a key would send, the button after the field sends."""
    if not isinstance(action, Type) or not action.enter:
        return action
    field = element_of(action, page)
    if field is None or field.value != action.text:
        return replace(action, enter=False)
    after = page.elements[page.elements.index(field) + 1 :]
    return next((Click(each.id) for each in after if each.role == "button"), action)
