"""How replies of Anticipatory Reflection and Plan+Act are read (appendix of the paper).

Every reader raises ValueError, in words for the model, for what it cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from agent import actions
from agent.interface import Action, Observation, Reply

MOST_STEPS = 30
"""Of a plan; one with more cannot be carried out within the paper's 30 actions."""
ANSWER = "###Answer"
DESCRIPTION = "The action is to"

_STEP = re.compile(r"^\W{0,3}\d+[.):]\s*(\S.*)$", re.MULTILINE)
_ACTION = re.compile(r"^\W*(?i:action):[\s*]*(.+?)(?=\n|\Z)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_VERDICT = re.compile(r"\b(YES|NO)\b")
_SENTENCE = re.compile(rf"{DESCRIPTION}\b[^\n]*", re.IGNORECASE)
_ID = re.compile(r"\[?(\d{1,9})\]?")


@dataclass(frozen=True)
class Judgement:
    """What an action was about and whether it served its subtask; the checks where asked along."""

    description: str
    aligned: bool
    step_done: bool = False
    task_done: bool = False


def plan(reply: Reply) -> list[str]:
    """The steps of a numbered list, without their numbers."""
    steps = [step.strip() for step in _STEP.findall(_text(reply))]
    if not steps:
        raise ValueError("there is no numbered list of steps; write List, then 1., 2., and so on")
    if len(steps) > MOST_STEPS:
        raise ValueError(f"the plan has {len(steps)} steps; write at most {MOST_STEPS}")
    return steps


def action(reply: Reply, offered: Collection[str]) -> Action:
    """The action behind `Action:`, or that the reply is as a whole; its verb must be offered."""
    text = _text(reply)
    found = _ACTION.search(text)
    written = found[1] if found else text
    verb = _WORD.findall(written)[:1]
    if not {word.lower() for word in verb} & set(offered):
        known = ", ".join(offered)
        raise ValueError(f"{written[:100]!r} is no action: it begins with none of {known}")
    return actions.parse(written)


def verdict(text: str) -> bool:
    """YES or NO: the only one of the two that occurs, or what the last line is."""
    last = text.strip().rpartition("\n")[2].strip(" .!*").upper()
    if last in ("YES", "NO"):
        return last == "YES"
    said = set(_VERDICT.findall(text))
    if len(said) != 1:
        raise ValueError(f"{text.strip()[-100:]!r} is neither YES nor NO; answer with one of them")
    return said == {"YES"}


def check(reply: Reply) -> bool:
    """The verdict of a completion check."""
    return verdict(_text(reply))


def alignment(reply: Reply) -> Judgement:
    """A description, then YES or NO."""
    described = _described(_text(reply))
    return Judgement(described[0], verdict(_text(reply)[described.end() :]))


def judgement(reply: Reply) -> Judgement:
    """A description, then a line each for the alignment, the step and the task."""
    text = _text(reply)
    labels = ("Aligned", "Step done", "Task done")
    return Judgement(_described(text)[0], *(_labelled(text, label) for label in labels))


def answer(reply: Reply) -> str:
    """What stands behind the marker; it may be empty."""
    _, marker, said = _text(reply).partition(ANSWER)
    if not marker:
        raise ValueError(f"there is no {ANSWER}; write it, and the answer behind it")
    return said.lstrip(":").strip()


def element(reply: Reply, screen: Observation) -> int | None:
    """The id of an element of the screen; None for the word none."""
    text = _text(reply).strip(" .")
    if text.casefold() == "none":
        return None
    found = _ID.fullmatch(text)
    if found is None or int(found[1]) not in {each.id for each in screen.elements}:
        raise ValueError(f"{text[:100]!r} is no element of the screen; write its id, or none")
    return int(found[1])


def _text(reply: Reply) -> str:
    if len(reply.text) > actions.LONGEST:
        raise ValueError(f"it is longer than {actions.LONGEST} characters; write a shorter one")
    return reply.text


def _described(text: str) -> re.Match[str]:
    found = _SENTENCE.search(text)
    if found is None:
        raise ValueError(f"there is no sentence that begins with {DESCRIPTION!r}; write one first")
    return found


def _labelled(text: str, label: str) -> bool:
    found = re.search(rf"^\W*{label}\W+(\w+)", text, re.IGNORECASE | re.MULTILINE)
    if found is None:
        raise ValueError(f"there is no line {label}: YES or {label}: NO; write all three lines")
    return verdict(found[1])
