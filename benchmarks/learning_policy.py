"""A linear policy over the words of a page and of its task, for `benchmarks.learning`.

The policy lists what it could do on a page: click an element, type a text of the task into a field,
stop, or stop with a text as its answer. Each of these actions is described by features, which are
the same for all families, and the action is drawn from the softmax of a weighted sum.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from agent.interface import Action, Click, Element, Observation, Stop, Text, Type

Floats = NDArray[np.float32]
Hashed = tuple[NDArray[np.int64], Floats]

WORDS = 4096
"""The number of buckets into which the words of an action are hashed."""
NEAR = 4
"""The number of texts before and after a text that count as its surroundings."""
LONGEST_ANSWER = 40
FIELDS = ("textbox", "searchbox")
NUMBER = re.compile(r"\d+")
MONEY = re.compile(r"\$?\d[\d,]*\.\d\d")
SPANS = re.compile(r"“(.+?)”|\"(.+?)\"|((?:[A-Z][\w'&-]*)(?: [A-Z0-9][\w'&-]*)*)")
NAMES = (
    *("click link", "click button", "click other", "type", "stop", "answer", "other answer"),
    *("overlap", "wholly in the task", "done before", "visited", "place"),
    "name has a number",
    *("text is typed", "text was quoted", "page holds a typed text"),
    *("match before", "match after", "first before", "first after", "number", "money"),
    *("after a button", "after a match", "title overlaps", "answer is in the task", "no match"),
)
"""The names of the features that are not words."""
PLACE = {name: number for number, name in enumerate(NAMES)}
SIZE = len(NAMES) + WORDS
START = {
    "overlap": 4.0, "title overlaps": 2.0, "done before": -1.0,
    "answer": -3.0, "other answer": -4.0,
}  # fmt: skip
"""The weights before training: prefer what the task names, do not repeat, do not answer at once."""


@dataclass(frozen=True)
class Choice:
    """An action that is possible on a page, its name for the memory, and its features.

    Attributes:
        action: The action.
        name: A name that says what the action does, on any page.
        named: The features of `NAMES` that are not 0, by name.
        hashed: The places and values of the features of words.
    """

    action: Action
    name: str
    named: dict[str, float]
    hashed: Hashed


@dataclass
class Memory:
    """What the policy did in this episode."""

    goal: str
    done: set[str] = field(default_factory=set)
    typed: set[str] = field(default_factory=set)
    last: str = ""
    pressed: bool = False

    def remember(self, choice: Choice) -> None:
        """Note an action that was done."""
        self.done.add(choice.name)
        self.last = choice.name.partition(" ")[2]
        self.pressed = choice.name.startswith("button ")
        if isinstance(choice.action, Type):
            self.typed.add(choice.action.text)


@lru_cache(100_000)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without a plural's s."""
    return tuple(each.removesuffix("s") for each in re.findall(r"[a-z0-9]+", text.lower()))


@lru_cache(10_000)
def spans(goal: str) -> tuple[tuple[str, bool], ...]:
    """Return the texts of a task that stand in quotation marks or begin with capital letters, and
    whether they were quoted.
    """
    found: dict[str, bool] = {}
    for match in SPANS.finditer(goal):
        double, plain, capital = match.groups()
        _, _, rest = (capital or "").partition(" ")
        begins = goal[: match.start()].rstrip()[-1:] in ("", ".", ":", "?")
        if not begins or double or plain:
            found.setdefault(double or plain or capital, bool(double or plain))
        elif rest:
            found.setdefault(rest, False)
            found.setdefault(capital, False)
    return tuple(islice(found.items(), 6))


@lru_cache(200_000)
def overlap(text: str, goal: str) -> float:
    """Return the share of a text's words that the task has too."""
    wanted, found = set(words(goal)), words(text)
    return sum(each in wanted for each in found) / len(found) if found else 0.0


@lru_cache(100_000)
def bucket(kind: str, word: str) -> int:
    """Return the place of a word's feature."""
    return len(NAMES) + zlib.crc32(f"{kind} {word}".encode()) % WORDS


@lru_cache(100_000)
def worded(kind: str, text: str, goal: str) -> Hashed:
    """Return the features of a text's words and word pairs, alone and with each of the task's."""
    found, wanted = words(text)[:8], sorted({*words(goal)})
    found += tuple(map(" ".join, pairwise(found)))
    made = np.zeros(SIZE, np.float32)
    share = (len(found) * len(wanted) or 1) ** -0.5
    for each in found:
        made[bucket(kind, each)] += len(found) ** -0.5
        for other in wanted:
            made[bucket(kind, f"{each} {other}")] += share
    places = np.flatnonzero(made)
    return places, made[places]


def start() -> Floats:
    """Return the weights before training: guesses, which are the same for all families."""
    made = np.zeros(SIZE, np.float32)
    for name, weight in START.items():
        made[PLACE[name]] = weight
    return made


def choices(seen: Observation, memory: Memory) -> list[Choice]:
    """Return what can be done on a page, each thing once; the first is to stop."""
    holds = float(any(node.value in memory.typed for node in seen.elements if node.value))
    found = [_stop(seen, memory), *_answers(seen, memory)]
    for place, node in enumerate(seen.elements):
        found += _on(node, place / len(seen.elements), holds, memory)
    return [*{each.name: each for each in reversed(found)}.values()][::-1]


def _on(node: Element, place: float, holds: float, memory: Memory) -> Iterator[Choice]:
    """Yield what can be done with an element."""
    if "disabled" in node.states:
        return
    if node.role in FIELDS:
        for text, quoted in spans(memory.goal):
            name = f"type {node.name} {text}"
            dense = {
                "type": 1.0, "overlap": 1.0, "text was quoted": float(quoted), "place": place,
                "text is typed": float(node.value == text),
                "done before": float(name in memory.done),
            }  # fmt: skip
            yield Choice(
                Type(node.id, text, enter=node.role == "searchbox"),
                name,
                dense,
                worded("type", node.name, memory.goal),
            )
        return
    name = f"{node.role} {node.name}"
    kind = node.role if node.role in ("link", "button") else "other"
    shared = overlap(node.name, memory.goal)
    dense = {
        f"click {kind}": 1.0, "overlap": shared, "wholly in the task": float(shared == 1.0),
        "done before": float(name in memory.done), "visited": float("visited" in node.states),
        "name has a number": float(bool(NUMBER.search(node.name))), "place": place,
        "page holds a typed text": holds * (kind == "button"),
    }  # fmt: skip
    yield Choice(Click(node.id), name, dense, worded(kind, node.name, memory.goal))


def _stop(seen: Observation, memory: Memory) -> Choice:
    dense = {
        "stop": 1.0, "after a button": float(memory.pressed),
        "after a match": overlap(memory.last, memory.goal),
        "title overlaps": overlap(seen.title, memory.goal),
    }  # fmt: skip
    return Choice(Stop(), "stop", dense, worded("stop", memory.last, memory.goal))


def _answers(seen: Observation, memory: Memory) -> Iterator[Choice]:
    """Yield the answers: short texts with a number in them, and texts of the task."""
    shown = [_shown(node) for node in seen.content]
    matches = [
        0.0 if isinstance(node, Element) or node.role == "heading" else overlap(text, memory.goal)
        for node, text in zip(seen.content, shown, strict=True)
    ]
    first: set[tuple[str, bool]] = set()
    matched = False
    for at, (node, text) in enumerate(zip(seen.content, shown, strict=True)):
        if isinstance(node, Element) or not NUMBER.search(text) or len(text) > LONGEST_ANSWER:
            continue
        shape = re.sub(r"\d+", "0", text)
        before = max(matches[max(0, at - NEAR) : at], default=0.0)
        after = max(matches[at + 1 : at + 1 + NEAR], default=0.0)
        kind = "answer" if max(before, after) == 1.0 else "other answer"
        dense = {
            kind: 1.0, "overlap": float(kind == "answer"),
            "match before": before, "match after": after,
            "number": float(bool(NUMBER.fullmatch(text))),
            "money": float(bool(MONEY.fullmatch(text))),
        }  # fmt: skip
        for side, share in (("before", before), ("after", after)):
            if share == 1.0 and (shape, side == "after") not in first:
                first.add((shape, side == "after"))
                dense[f"first {side}"] = matched = True
        yield Choice(
            Stop(text.strip("$")), f"answer {text}", dense, worded(kind, shape, memory.goal)
        )
    for text, _ in spans(memory.goal):
        dense = {"other answer": 1.0, "answer is in the task": 1.0, "no match": float(not matched)}
        yield Choice(Stop(text), f"answer {text}", dense, worded("other answer", text, memory.goal))


def _shown(node: Element | Text) -> str:
    return node.name if isinstance(node, Element) else node.text


def matrix(found: Sequence[Choice]) -> Floats:
    """Return the features of the choices, a row for each."""
    made = np.zeros((len(found), SIZE), np.float32)
    for row, each in zip(made, found, strict=True):
        for name, value in each.named.items():
            row[PLACE[name]] = value
        places, values = each.hashed
        row[places] = values
    return made


def chances(features: Floats, weights: Floats) -> Floats:
    """Return the chance of each choice: the softmax of its weighted features."""
    scores = features @ weights
    raised = np.exp(scores - scores.max())
    return np.asarray(raised / raised.sum(), np.float32)
