"""Simulated mistakes: beliefs, not dice. Ranks of methods depend on this model.

Whether the model is wrong about a decision, and what it believes instead, is drawn once from
(scenario, trial, step, right action): the same draw for every skill and every method, so that
curves are paired. A belief repeats until the request holds evidence against it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from agent.interface import Action, Advice, Click, Element, Observation, Select, Stop, Type

ANEW = 0.25
"""How often a further sample of a request is a decision of its own; else it repeats the first."""

CONSTANTS = {
    "wrong decision": "1 - skill, once per decision",
    "further sample decided anew": f"{ANEW:g}",
    "overlooks a real mistake": "1 - skill",
    "false alarm": "(1 - skill) / 10",
    "false 'done'": "(1 - skill) / 10",
    "malformed reply": "(1 - skill) / 5",
}
"""What the skill of a scripted model means; printed in every report."""

MODELS = ("sticky", "memoryless")


@dataclass(frozen=True)
class Decision:
    """The action that the model takes, and the kind of mistake that it is ("" for none)."""

    action: Action
    mistake: str = ""


@dataclass(frozen=True)
class Situation:
    """Everything that a mistake may be made of."""

    advice: Advice
    observation: Observation
    last: Action | None = None

    @property
    def right(self) -> Action:
        answer = self.advice.answer
        return self.advice.actions[0] if answer is None else Stop(answer)


def named(action: Action, observation: Observation) -> str:
    """The action in words that no numbering of elements changes."""
    if isinstance(action, Click | Type | Select) and isinstance(action.target, int):
        element = element_of(action, observation)
        label = f"{element.role} {element.name}" if element else "?"
        return str(replace(action, target=label))
    return str(action)


def element_of(action: Action, observation: Observation) -> Element | None:
    """The element that an action names by its id."""
    target = getattr(action, "target", None)
    return next((each for each in observation.elements if each.id == target), None)


def believe(rng: Random, skill: float, situation: Situation) -> Decision:
    """The decision of a model of this skill, by the draws of `rng`."""
    wrong = rng.random() >= skill
    kinds = sorted(_KINDS)
    rng.shuffle(kinds)
    if not wrong:
        return Decision(situation.right)
    for kind in kinds:
        action = _KINDS[kind](situation, rng)
        if action is not None and action != situation.right:
            return Decision(action, kind)
    return Decision(situation.right)


def _look_alike(situation: Situation, rng: Random) -> Action | None:
    right = situation.right
    element = element_of(right, situation.observation)
    if not isinstance(right, Click) or element is None:
        return None
    others = [
        each
        for each in situation.observation.elements
        if each.role == element.role and each.id != element.id and _alike(each.name, element.name)
    ]
    return Click(rng.choice(others).id) if others else None


def _alike(name: str, other: str) -> bool:
    """Labels of one form: both codes, or both words."""
    return any(map(str.isdigit, name)) == any(map(str.isdigit, other))


def _wrong_value(situation: Situation, rng: Random) -> Action | None:
    right = situation.right
    if isinstance(right, Type) and len(right.text) > 1:
        return replace(right, text=_swapped(right.text, rng))
    if isinstance(right, Select):
        element = element_of(right, situation.observation)
        others = [each for each in element.options if each != right.option] if element else []
        return replace(right, option=rng.choice(others)) if others else None
    return None


def _swapped(text: str, rng: Random) -> str:
    places = [i for i in range(len(text) - 1) if text[i] != text[i + 1]] or [0]
    at = rng.choice(places)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


_ABSENT = ("Add to Cart", "Submit", "Continue", "Filter")
_KINDS: dict[str, Callable[[Situation, Random], Action | None]] = {
    "look-alike": _look_alike,
    "wrong value": _wrong_value,
    "repeats the last action": lambda situation, rng: situation.last,
    "skips a step": lambda situation, rng: next(iter(situation.advice.actions[1:]), None),
    "a field that is not there": lambda situation, rng: Click(rng.choice(_ABSENT)),
    "premature stop": lambda situation, rng: Stop(""),
}


def refuted(decision: Decision, observation: Observation, already: Sequence[Action]) -> bool:
    """Whether the request holds evidence against a belief: an error, or it was tried here."""
    return bool(observation.error) or decision.action in already
