"""The score of a predicted step of Mind2Web, by MindAct's rule and by Synapse's.

The figures of a step are element accuracy, operation F1 (over words) and step success. A step none
of whose right elements is among the ranker's best is lost in all three; no model is asked about it.
The protocol is teacher forced: the annotator's action is the only right one, and a mistake changes
nothing on later pages. So no figure is comparable with success on living pages.

Source: Deng et al. 2023, Mind2Web, MindAct's `metric.py`; Synapse's released `env_utils.py` and
`agents/mind2web.py`.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

RULES = ("mindact", "synapse")


class Action(Protocol):
    """An action: the operation, the element's id, the value, and how the reply writes it."""

    @property
    def op(self) -> str: ...

    @property
    def element(self) -> str: ...

    @property
    def value(self) -> str: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True)
class StepScore:
    """The figures of a step, from 0 to 1.

    Attributes:
        element: Whether the element is right.
        f1: Operation F1: the agreement of the words of operation and value.
        success: Whether the whole step is right.
    """

    element: float
    f1: float
    success: float


LOST = StepScore(0.0, 0.0, 0.0)


def of_step(
    rule: str,
    predicted: Action | None,
    target: Action,
    positives: Sequence[str],
    reachable: Collection[str],
) -> StepScore:
    """Return the score of a step.

    Args:
        rule: `mindact` or `synapse`.
        predicted: The prediction; None if there is none.
        target: The annotator's action.
        positives: Ids of all right elements, in the order of the data.
        reachable: Ids of the right elements among the ranker's best.
    """
    if predicted is None or not reachable:
        return LOST
    by_rule = _by_mindact if rule == "mindact" else _by_synapse
    return by_rule(predicted, target, positives, reachable)


def _by_mindact(
    predicted: Action, target: Action, positives: Sequence[str], reachable: Collection[str]
) -> StepScore:
    """Any right element that the ranker found counts; step success needs it and an F1 of 1."""
    element = float(predicted.element in reachable)
    wanted = f"{target.op} {'' if target.op == 'CLICK' else target.value}"
    f1 = word_f1({*f"{predicted.op} {predicted.value}".split()}, {*wanted.split()})
    return StepScore(element, f1, float(element == 1 and f1 == 1))


def _by_synapse(
    predicted: Action, target: Action, positives: Sequence[str], reachable: Collection[str]
) -> StepScore:
    """Only the first right element counts; step success needs the same text as the annotator's."""
    element = float(predicted.element == positives[0])
    f1 = word_f1(_words(predicted), _words(target))
    wanted = _written(target.op, positives[0], "" if target.op == "CLICK" else target.value)
    return StepScore(element, f1, float(_as_replied(predicted) == wanted))


def _words(action: Action) -> set[str]:
    """Return the words of operation and value but for punctuation; a click has no value."""
    value = "" if action.op == "CLICK" else action.value
    return {each for each in f"{action.op} {value}".split() if each not in string.punctuation}


def _as_replied(predicted: Action) -> str:
    """Return the action in the reply's own words; if the reply has another notation, in Synapse's.

    A reply in Synapse's notation names the element by its id in square brackets.
    """
    if f"[{predicted.element}]" in predicted.text:
        return predicted.text
    return _written(predicted.op, predicted.element, predicted.value)


def _written(op: str, element: str, value: str) -> str:
    """Return an action in Synapse's notation: `CLICK [id]`, `TYPE [id] [value]`."""
    bare = f"{op} [{element}]"
    return f"{bare} [{value}]" if op != "CLICK" or value else bare


def word_f1(predicted: Collection[str], target: Collection[str]) -> float:
    """Return the F1 of two sets of words: 1 if both are empty, 0 if no word agrees."""
    if not predicted and not target:
        return 1.0
    common = len({*predicted} & {*target})
    return 2 * common / (len(predicted) + len(target))
