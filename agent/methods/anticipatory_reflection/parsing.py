"""Parsers for the replies of Anticipatory Reflection and its baselines (appendix of the paper).

Every parser raises ValueError, in words for the model, if it cannot read a reply.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from agent import action_text, actions
from agent.interface import Action, Observation, Reply
from agent.offered import OFFERS

MOST_STEPS = 30  # of a plan; the paper's limit of 30 actions allows no more
ANSWER = "###Answer"
DESCRIPTION = "The action is to"
NOT_ACHIEVABLE = "NOT_ACHIEVABLE"
SKIP = "SKIP"  # the step needs no action
NONE = "NONE"  # there is no other action
SERVED = "Served"

_STEP = re.compile(r"^\W{0,3}(?:step\s+)?\d+[.):][\s*]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_THOUGHT = re.compile(r"^\W*thought:(.*?)(?=^\W*action:|\Z)", re.I | re.M | re.S)
_NONE = re.compile(rf"\W*{NONE}\b\W*", re.IGNORECASE)
_SKIP = re.compile(rf"\W*(?:{SKIP}|{NONE})\b\W*", re.IGNORECASE)
_ACTION = re.compile(r"^\W*(?i:action):[\s*]*(.+?)(?=\n|\Z)", re.MULTILINE)
_VERDICT = re.compile(r"\b(YES|NO)\b")
_FIRST_WORD = re.compile(r"\W*(yes|no)\s*(?:[,.;:!*\u2013\u2014-]|$)", re.IGNORECASE)
_LAST_WORD = re.compile(r"(?:[,.;:!?\n*]\s*|^)(yes|no)\W*$", re.IGNORECASE)
_ANSWER = re.compile(r"#+\s*Answer\b[\s:*]*|^\W*Answer\W*:[\s*]*", re.IGNORECASE | re.MULTILINE)
_SENTENCE = re.compile(rf"{DESCRIPTION}\b[^\n]*", re.IGNORECASE)
_ID = re.compile(r"\[?(\d{1,9})\]?")
_RANK = re.compile(r"^\W{0,3}(\d{1,3})\W*[:.)]\W*(\d{1,3})\b", re.MULTILINE)
HIGHEST = 10  # value that the model can give; the lowest is 1


@dataclass(frozen=True)
class Assessment:
    """The description of an action, and whether it served its subtask (`aligned`).

    The completion checks are included if the same request asks for them. A task that is
    `impossible` counts as done.
    """

    description: str
    aligned: bool
    step_done: bool = False
    task_done: bool = False
    impossible: bool = False

    @property
    def ends(self) -> bool:
        """Whether the trial ends: the task cannot be done, or it is done and no other verdict of
        this assessment contradicts that.
        """
        return self.impossible or (self.task_done and self.aligned and self.step_done)


@dataclass(frozen=True)
class Appraisal:
    """The description of an action, the value of the new state (1 to 10), and the completion
    checks.
    """

    description: str
    value: int
    step_done: bool = False
    task_done: bool = False
    impossible: bool = False


def numbered(steps: Iterable[str]) -> str:
    """Return steps as a numbered list, a line for each."""
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


def plan(reply: Reply) -> list[str]:
    """Return the steps of a numbered list, without their numbers."""
    steps = [step.strip() for step in _STEP.findall(_text(reply))]
    if not steps:
        raise ValueError("there is no numbered list of steps; write List, then 1., 2., and so on")
    if len(steps) > MOST_STEPS:
        raise ValueError(f"the plan has {len(steps)} steps; write at most {MOST_STEPS}")
    return steps


def action(reply: Reply, offered: Collection[str]) -> Action:
    """Return the action after `Action:`, or the whole reply as an action.

    Its verb must be one of `offered` or a verb that pages can offer.
    """
    written = action_text.call(_text(reply), offered)
    if written.partition(" ")[0] not in (*offered, *OFFERS):
        known = ", ".join(offered)
        raise ValueError(f"{written[:100]!r} is no action: it begins with none of {known}")
    return actions.parse(written)


def action_or_none(reply: Reply, offered: Collection[str]) -> Action | None:
    """Return the action, or None for `Action: NONE`, which says that no other action exists."""
    return _action_unless(_NONE, reply, offered)


def action_or_skip(reply: Reply, offered: Collection[str]) -> Action | None:
    """Return the action, or None for `Action: SKIP` or `Action: NONE`, which here mean the same."""
    return _action_unless(_SKIP, reply, offered)


def _action_unless(word: re.Pattern[str], reply: Reply, offered: Collection[str]) -> Action | None:
    return None if _is_only(word, reply.text) else action(reply, offered)


def _is_only(word: re.Pattern[str], text: str) -> bool:
    found = _ACTION.search(text)
    return word.fullmatch(found[1] if found else text) is not None


def remedies(reply: Reply, offered: Collection[str], most: int) -> list[Action]:
    """Return the actions after each `Action:`, at most `most`; none for `Action: NONE`.

    Lines that cannot be read are left out.

    Raises:
        ValueError: No line can be read.
    """
    written = _ACTION.findall(_text(reply)) or [reply.text]
    if all(map(_NONE.fullmatch, written)):
        return []
    some = [each for each in written if not _NONE.fullmatch(each)]
    return [*samples(Reply(tuple(f"Action: {each}" for each in some)), offered)][:most]


def samples(reply: Reply, offered: Collection[str]) -> dict[Action, str]:
    """Return the distinct actions of all samples, in order, each with its first thought.

    Samples that cannot be read are left out.

    Raises:
        ValueError: No sample can be read.
    """
    found: dict[Action, str] = {}
    why = ""
    for text in reply.texts:
        try:
            found.setdefault(action(Reply((text,)), offered), thought(text))
        except ValueError as error:
            why = why or str(error)
    if not found:
        raise ValueError(why)
    return found


def samples_or_skip(reply: Reply, offered: Collection[str]) -> dict[Action, str]:
    """Return the distinct actions as `samples` does, ignoring samples that answer SKIP; empty if
    all of them do.
    """
    acting = tuple(text for text in reply.texts if not _is_only(_SKIP, text))
    return samples(replace(reply, texts=acting), offered) if acting else {}


def thought(text: str) -> str:
    """Return the text after `Thought:`, in one line."""
    found = _THOUGHT.search(text)
    return " ".join(found[1].split()) if found else ""


def ranks(reply: Reply, count: int) -> list[int]:
    """Return the values of `count` candidates, read from lines such as `1: 7`."""
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
    """Return whether a text says YES or NO.

    The verdict is the last line, or else the only one of the two words that occurs in capitals, as
    the first word or as the last word.
    """
    last = text.strip().rpartition("\n")[2].strip(" .!*").upper()
    if last in ("YES", "NO"):
        return last == "YES"
    ends = (_FIRST_WORD.match(text), _LAST_WORD.search(text))
    found = {*_VERDICT.findall(text), *(each[1].upper() for each in ends if each)}
    if len(found) != 1:
        raise ValueError(f"{text.strip()[-100:]!r} is neither YES nor NO; answer with one of them")
    return found == {"YES"}


def check(reply: Reply) -> bool:
    """Return whether the reply to a completion check says YES."""
    return verdict(_text(reply))


def completion(reply: Reply) -> str:
    """Return the verdict on a task: YES, NO, or NOT_ACHIEVABLE."""
    return _ended(_text(reply))


def _ended(text: str) -> str:
    last = text.strip().rpartition("\n")[2].strip(" .!*").upper()
    if NOT_ACHIEVABLE in (last, *re.findall(r"\w+", text.strip())[:1]):
        return NOT_ACHIEVABLE
    return "YES" if verdict(text) else "NO"


def description(reply: Reply) -> str:
    """Return the sentence of the reply that describes an action."""
    return _described(_text(reply))[0]


def alignment(reply: Reply) -> Assessment:
    """Parse a reply that describes an action and says whether it served its subtask, by YES or NO
    on a line of its own or at the end of the sentence.
    """
    text = _text(reply)
    described = _described(text)
    sentence, behind = described[0], text[described.end() :]
    ending = _LAST_WORD.search(sentence)
    if ending and not behind.strip():
        return Assessment(sentence[: ending.start() + 1].strip(" :,;"), verdict(ending[1]))
    return Assessment(sentence, verdict(behind))


def assessment(reply: Reply, aligns: bool = True) -> Assessment:
    """Parse a reply that describes an action, followed by a line each for alignment (if `aligns`),
    subtask done and task done.
    """
    text = _text(reply)
    aligned = not aligns or _labelled(text, SERVED)
    step_done, ended = _labelled(text, "Step done"), _ended(_label(text, "Task done"))
    checks = (aligned, step_done, ended != "NO", ended == NOT_ACHIEVABLE)
    return Assessment(_described(text)[0], *checks)


def appraisal(reply: Reply) -> Appraisal:
    """Parse a reply that describes an action, followed by a line each for the state's value,
    subtask done and task done.
    """
    text = _text(reply)
    worth = value(reply)
    step_done, ended = _labelled(text, "Step done"), _ended(_label(text, "Task done"))
    checks = (step_done, ended != "NO", ended == NOT_ACHIEVABLE)
    return Appraisal(_described(text)[0], worth, *checks)


def value(reply: Reply) -> int:
    """Return the number in the line `Value:` of a reply."""
    found = re.search(r"^\W*Value\W+(\d{1,3})\b", _text(reply), re.IGNORECASE | re.MULTILINE)
    if found is None:
        raise ValueError(f"there is no line Value: with a number from 1 to {HIGHEST}; write it")
    return _in_range(int(found[1]))


def reflection(reply: Reply) -> str:
    """Return the lesson that the model draws from a failure, in one line."""
    lesson = " ".join(_text(reply).split())
    if not lesson:
        raise ValueError("the reply is empty; write in a sentence what to do otherwise")
    return lesson


def answer(reply: Reply) -> str:
    """Return the reply's text after the marker `###Answer`; it may be empty."""
    text = _text(reply)
    marker = _ANSWER.search(text)
    if marker is None:
        raise ValueError(f"there is no {ANSWER}; write it, and the answer behind it")
    return text[marker.end() :].strip()


def element(reply: Reply, screen: Observation) -> int | None:
    """Return the id of an element on the page, or None for the word "none"."""
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
    return verdict(_label(text, label))


def _label(text: str, label: str) -> str:
    lines = re.search(rf"^\W*{label}\W+(\w+)", text, re.IGNORECASE | re.MULTILINE)
    found = lines or re.search(rf"\b{label}\s*:\W*(\w+)", text, re.IGNORECASE)
    if found is None:
        raise ValueError(f"there is no line {label}: YES or {label}: NO; write all the lines")
    return found[1]
