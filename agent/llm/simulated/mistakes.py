"""Simulated mistakes of the scripted model: wrong beliefs that persist, not independent draws. The
ranking of methods depends on this model.

A decision is the action for a step on a screen. A single draw from (scenario, trial, step, right
action) decides whether the decision is wrong and which action is believed instead. The history that
a method shows has no influence: the draw is the same for every skill and every method, so that
their results can be compared pair by pair. A wrong action is repeated until the request contains
evidence against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from agent.interface import (
    LONGEST_WAIT,
    SHORTEST_WAIT,
    Action,
    Advice,
    Click,
    Drag,
    Element,
    Hover,
    KeyboardType,
    Observation,
    Select,
    Stop,
    Type,
    Wait,
)
from agent.llm.simulated.misplaced import misplaced

T = TypeVar("T")

DECISION = "wrong decision"
SAMPLE = "wrong further sample"
REMEDY = "wrong remedy"
PLAN = "wrong plan"
OVERLOOKED = "overlooks a wrong action"
FALSE_ALARM = "takes a right action for wrong"
CHECK = "wrong completion check"
MALFORMED = "malformed reply"

CONSTANTS = {
    DECISION: "1 - skill, once for each step on a screen",
    SAMPLE: "1 - skill, a new draw for each",
    REMEDY: "1 - skill, a new draw for each",
    PLAN: "1 - skill, a new draw for each plan, also for revised plans",
    OVERLOOKED: "1 - skill, in alignment and values",
    FALSE_ALARM: "(1 - skill) / 10, in alignment and values",
    CHECK: "(1 - skill) / 10, of a step and of the task",
    MALFORMED: "(1 - skill) / 5",
}
"""The probability of each kind of mistake of the scripted model as a formula of its skill (0 to 1);
every report prints it.
"""

MODELS = ("sticky", "memoryless")
GIVEN_UP_AFTER = 2
"""The number of times that the model repeats a wrong action if no page says that it failed."""


@dataclass(frozen=True)
class Decision:
    """The action that the scripted model takes, and the kind of its mistake ("" if the action is
    right).
    """

    action: Action
    mistake: str = ""


@dataclass(frozen=True)
class Situation:
    """The page and the advice (right next actions) for it, from which mistakes are made."""

    advice: Advice
    observation: Observation

    @property
    def right(self) -> Action:
        """The next action of the advice, or a stop with its answer."""
        answer = self.advice.answer
        return self.advice.actions[0] if answer is None else Stop(answer)

    @property
    def target(self) -> Element | None:
        """The element of the right action, or None."""
        return element_of(self.right, self.observation)


def named(action: Action, observation: Observation) -> str:
    """Return the action as text with names of elements in place of their numbers, which may change
    between requests.
    """
    names = {each.id: f"{each.role} {each.name}" for each in observation.elements}
    ends = {field: getattr(action, field, None) for field in ("target", "onto")}
    labels = {field: names.get(end, "?") for field, end in ends.items() if isinstance(end, int)}
    return str(replace(action, **labels))  # type: ignore[arg-type]


def element_of(action: Action, observation: Observation) -> Element | None:
    """Return the element that an action names by its id, or None."""
    target = getattr(action, "target", None)
    return next((each for each in observation.elements if each.id == target), None)


def is_wrong(seed: str, skill: float) -> bool:
    """Return whether a model of this skill errs in the draw with this seed.

    Args:
        seed: The text that determines the draw.
        skill: The probability of a right decision, 0 to 1.
    """
    return Random(seed).random() >= skill


def believe(
    seed: str, skill: float, situation: Situation, without: Sequence[Action] = ()
) -> Decision:
    """Return the decision of a scripted model of this skill on a page; a mistake is never one of
    the actions in `without`.

    Args:
        seed: The text that determines the draw.
        skill: The probability of a right decision, 0 to 1.
        situation: The page and the right action.
        without: Actions that are excluded as mistakes.
    """
    if is_wrong(seed, skill):
        for decision in wrong_decisions(seed, situation):
            if decision.action not in without:
                return decision
    return Decision(situation.right)


def wrong_decisions(seed: str, situation: Situation) -> Iterator[Decision]:
    """Yield all mistakes that are possible in the situation, in a random order given by the seed.

    The result is never empty: a page lacks most of the labels that a model could look for.
    """
    for kind in _shuffled(_KINDS, f"{seed}/kind", str):
        for action in _KINDS[kind](situation, f"{seed}/{kind}"):
            if _is_another(action, situation):
                yield Decision(action, kind)


def _is_another(action: Action, situation: Situation) -> bool:
    """Return whether an action differs from the right one; a click on another element of the same
    name does not.
    """
    element, target = element_of(action, situation.observation), situation.target
    alike = (
        isinstance(action, Click | Hover)
        and type(action) is type(situation.right)
        and element is not None
        and target is not None
        and element.name.casefold() == target.name.casefold() != ""
    )
    return action != situation.right and not alike


def _shuffled(things: Iterable[T], seed: str, words: Callable[[T], str]) -> list[T]:
    """Return the things in a random order in which each thing's rank depends only on the seed and
    its own words.
    """
    return sorted(things, key=lambda each: Random(f"{seed}/{words(each)}").random())


def _elements(found: Iterable[Element], seed: str) -> list[Element]:
    return _shuffled(found, seed, lambda e: f"{e.role} {e.name}")


def _look_alike(situation: Situation, seed: str) -> Iterator[Action]:
    right, element = situation.right, situation.target
    if not isinstance(right, Click | Hover | Drag) or element is None:
        return iter(())
    taken = {element.id, getattr(right, "onto", None)}
    others = [
        each
        for each in situation.observation.elements
        if each.role == element.role and each.id not in taken and _alike(each.name, element.name)
    ]
    return (replace(right, target=each.id) for each in _elements(others, seed))


def _alike(name: str, other: str) -> bool:
    """Return whether two labels look alike: both contain digits, or neither does."""
    return any(map(str.isdigit, name)) == any(map(str.isdigit, other))


def _another_element(situation: Situation, seed: str) -> Iterator[Action]:
    target = situation.target
    able = (
        each
        for each in situation.observation.elements
        if each.name and each != target and "disabled" not in each.states
    )
    return (Click(each.id) for each in _elements(able, seed))


def _wrong_value(situation: Situation, seed: str) -> Iterator[Action]:
    right = situation.right
    if isinstance(right, Type | KeyboardType):
        yield from (replace(right, text=text) for text in misspelt(right.text, seed))
    elif isinstance(right, Stop):
        yield from (Stop(text) for text in _misread(right.answer, seed))
    elif isinstance(right, Select):
        element = situation.target
        others = [each for each in element.options if each != right.option] if element else []
        yield from (replace(right, option=each) for each in _shuffled(others, seed, str))
    elif isinstance(right, Wait):
        yield from (Wait(each) for each in _misjudged(right.seconds))
    else:
        page = situation.observation
        yield from _shuffled(misplaced(right, page), seed, lambda each: named(each, page))


def _misjudged(seconds: float) -> list[float]:
    """Return twice the time and half of it, in seconds, within the limits of a wait."""
    most = round(min(2 * seconds, LONGEST_WAIT), 1)
    return [most, round(max(seconds / 2, SHORTEST_WAIT), 1)]


def misspelt(text: str, seed: str) -> list[str]:
    """Return all misspellings of a text with two neighbouring letters swapped, in random order."""
    swapped = (text[:at] + text[at + 1] + text[at] + text[at + 2 :] for at in range(len(text) - 1))
    found = dict.fromkeys(each for each in swapped if each.casefold() != text.casefold())
    return _shuffled(found, seed, str)


def _misread(answer: str, seed: str) -> list[str]:
    other = {"yes": "no", "no": "yes"}.get(answer.casefold())
    if other:
        return [other]
    if len(answer) == 1 and answer.isdecimal():
        return [str((int(answer) + 1) % 10)]
    return misspelt(answer, seed)


LABELS = (
    *("Add to Cart", "Apply", "Confirm", "Continue", "Filter", "Go", "More", "OK", "Proceed"),
    *("Save", "Show all", "Submit", "Update", "View details"),
)
"""The labels that a model may look for on a page without them."""


def _absent(situation: Situation, seed: str) -> Iterator[Action]:
    shown = {each.name.casefold() for each in situation.observation.elements}
    absent = [each for each in LABELS if each.casefold() not in shown]
    return (Click(label) for label in _shuffled(absent, seed, str))


_KINDS: dict[str, Callable[[Situation, str], Iterator[Action]]] = {
    "look-alike": _look_alike,
    "another element": _another_element,
    "wrong value": _wrong_value,
    "skips a step": lambda situation, seed: iter(situation.advice.actions[1:2]),
    "a field that is not there": _absent,
    "premature stop": lambda situation, seed: iter((Stop(""),)),
}


def wrong_plans(steps: tuple[str, ...], seed: str) -> list[tuple[str, ...]]:
    """Return plans in which a step is dropped, doubled, or swapped with the next step."""
    places, last = range(len(steps)), len(steps) - 1
    found = [
        *(steps[: at + 1] + steps[at:] for at in places),
        *(steps[:at] + steps[at + 1 :] for at in places if last),
        *(steps[:at] + steps[at : at + 2][::-1] + steps[at + 2 :] for at in places[:last]),
    ]
    return _shuffled([each for each in found if each != steps], seed, str)


def is_refuted(action: Action, failed: bool, tried: Sequence[Action]) -> bool:
    """Return whether the history refutes a mistaken action: it was the last action and failed, or
    it was done `GIVEN_UP_AFTER` times (a single earlier action may have been on another page).

    Args:
        action: The action that follows from the belief.
        failed: Whether the last action failed.
        tried: The actions that the request shows, oldest first.
    """
    last_failed = failed and bool(tried) and tried[-1] == action
    return last_failed or tried.count(action) >= GIVEN_UP_AFTER
