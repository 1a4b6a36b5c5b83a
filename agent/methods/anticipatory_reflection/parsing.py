"""Read the replies of Anticipatory Reflection and its baselines (appendix of the paper).

Every reader raises ValueError, in words for the model, for what it cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from agent import action_text, actions
from agent.interface import Action, Observation, Reply

MOST_STEPS = 30  # of a plan; one with more cannot be carried out within the paper's 30 actions
ANSWER = "###Answer"
DESCRIPTION = "The action is to"

_STEP = re.compile(r"^\W{0,3}(?:step\s+)?\d+[.):][\s*]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_VERDICT = re.compile(r"\b(YES|NO)\b")
_FIRST_WORD = re.compile(r"\W*(yes|no)\s*(?:[,.;:!*\u2013\u2014-]|$)", re.IGNORECASE)
_LAST_WORD = re.compile(r"(?:[,.;:!?\n*]\s*|^)(yes|no)\W*$", re.IGNORECASE)
_ANSWER = re.compile(r"#+\s*Answer\b[\s:*]*|^\W*Answer\W*:[\s*]*", re.IGNORECASE | re.MULTILINE)
_SENTENCE = re.compile(rf"{DESCRIPTION}\b[^\n]*", re.IGNORECASE)
_ID = re.compile(r"\[?(\d{1,9})\]?")
_RANK = re.compile(r"^\W{0,3}(\d{1,3})\W*[:.)]\W*(\d{1,3})\b", re.MULTILINE)
HIGHEST = 10  # of the values that the model gives, from 1


@dataclass(frozen=True)
class Assessment:
    """What an action was about and whether it served its subtask; the completion checks too where
    the same request asks for them."""

    description: str
    aligned: bool
    step_done: bool = False
    task_done: bool = False


@dataclass(frozen=True)
class Appraisal:
    """What an action was about, how promising the state after it is (1 to 10), and the checks."""

    description: str
    value: int
    step_done: bool
    task_done: bool


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
    written = action_text.call(_text(reply), offered)
    if written.partition(" ")[0] not in offered:
        known = ", ".join(offered)
        raise ValueError(f"{written[:100]!r} is no action: it begins with none of {known}")
    return actions.parse(written)


def samples(reply: Reply, offered: Collection[str]) -> list[Action]:
    """The different actions of all samples, in order; samples that cannot be read are left out.

    Raises ValueError where none can be read.
    """
    found: list[Action] = []
    why = ""
    for text in reply.texts:
        try:
            found.append(action(Reply((text,)), offered))
        except ValueError as error:
            why = why or str(error)
    if not found:
        raise ValueError(why)
    return list(dict.fromkeys(found))


def ranks(reply: Reply, count: int) -> list[int]:
    """A value for each of so many candidates, from lines such as `1: 7`."""
    given = {int(number): int(value) for number, value in _RANK.findall(_text(reply))}
    missing = [number for number in range(1, count + 1) if number not in given]
    if missing:
        raise ValueError(f"there is no value for {missing[0]}; write a line such as 1: 7 for each")
    return [_in_range(given[number]) for number in range(1, count + 1)]


def _in_range(value: int) -> int:
    if not 1 <= value <= HIGHEST:
        raise ValueError(f"{value} is no value; write a number from 1 to {HIGHEST}")
    return value


def verdict(text: str) -> bool:
    """YES or NO: what the last line is, or the only one of the two that occurs in capitals, or as
    the first or the last word."""
    last = text.strip().rpartition("\n")[2].strip(" .!*").upper()
    if last in ("YES", "NO"):
        return last == "YES"
    ends = (_FIRST_WORD.match(text), _LAST_WORD.search(text))
    found = {*_VERDICT.findall(text), *(each[1].upper() for each in ends if each)}
    if len(found) != 1:
        raise ValueError(f"{text.strip()[-100:]!r} is neither YES nor NO; answer with one of them")
    return found == {"YES"}


def check(reply: Reply) -> bool:
    """The verdict of a completion check."""
    return verdict(_text(reply))


def alignment(reply: Reply) -> Assessment:
    """A description, then YES or NO, in a line of its own or at the end of the sentence."""
    text = _text(reply)
    described = _described(text)
    sentence, behind = described[0], text[described.end() :]
    ending = _LAST_WORD.search(sentence)
    if ending and not behind.strip():
        return Assessment(sentence[: ending.start() + 1].strip(" :,;"), verdict(ending[1]))
    return Assessment(sentence, verdict(behind))


def assessment(reply: Reply) -> Assessment:
    """A description, then a line each for the alignment, the step and the task."""
    text = _text(reply)
    labels = ("Aligned", "Step done", "Task done")
    return Assessment(_described(text)[0], *(_labelled(text, label) for label in labels))


def appraisal(reply: Reply) -> Appraisal:
    """A description, then a line each for the value, the step and the task."""
    text = _text(reply)
    value = re.search(r"^\W*Value\W+(\d{1,3})\b", text, re.IGNORECASE | re.MULTILINE)
    if value is None:
        raise ValueError(f"there is no line Value: with a number from 1 to {HIGHEST}; write it")
    checks = (_labelled(text, label) for label in ("Step done", "Task done"))
    return Appraisal(_described(text)[0], _in_range(int(value[1])), *checks)


def reflection(reply: Reply) -> str:
    """A lesson in one line."""
    lesson = " ".join(_text(reply).split())
    if not lesson:
        raise ValueError("the reply is empty; write in a sentence what to do otherwise")
    return lesson


def answer(reply: Reply) -> str:
    """What stands behind the marker; it may be empty."""
    text = _text(reply)
    marker = _ANSWER.search(text)
    if marker is None:
        raise ValueError(f"there is no {ANSWER}; write it, and the answer behind it")
    return text[marker.end() :].strip()


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
    lines = re.search(rf"^\W*{label}\W+(\w+)", text, re.IGNORECASE | re.MULTILINE)
    found = lines or re.search(rf"\b{label}\s*:\W*(\w+)", text, re.IGNORECASE)
    if found is None:
        raise ValueError(f"there is no line {label}: YES or {label}: NO; write all three lines")
    return verdict(found[1])
