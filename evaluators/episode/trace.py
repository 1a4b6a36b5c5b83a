"""The trace of an episode: everything that happened, in order."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from evaluators.records.files import write
from evaluators.records.trace_events import (
    ActionEvent,
    MethodEvent,
    TraceEvent,
    parse_event,
    trace_lines,
)

CONFIDENCE, MOST = "confidence", 100
CLOCK = "clock"
"""The event that says at which minute of the visit the action before it was done."""


class Trace:
    """Collects the events of an episode and writes them at its end.

    Only keys that end in `_s` hold measured times.
    """

    def __init__(self) -> None:
        self.lines: list[TraceEvent] = []
        self.events: Counter[str] = Counter()

    def write(self, kind: str, /, **fields: Any) -> None:
        """Add an event of this kind with these fields."""
        self.lines.append(parse_event({**fields, "kind": kind}))

    def record(self, word: str, what: str = "", /, **details: Any) -> None:
        """Add an event that a method reports; `Task.record` calls this."""
        self.events[word] += 1
        self.write("event", **{**details, "word": word, "what": str(what)})

    @property
    def reported(self) -> list[MethodEvent]:
        """The events that the method reported."""
        return [each for each in self.lines if isinstance(each, MethodEvent)]

    @property
    def stack_depth(self) -> int:
        """The largest number of policies on the method's stack; 0 for a method without a stack."""
        depths = (each.count("depth") for each in self.reported if each.word == "push")
        return max(depths, default=0)

    @property
    def plan_length(self) -> list[int]:
        """The number of steps of each plan, including revised plans."""
        return [each.count("length") for each in self.reported if each.word in ("plan", "revise")]

    @property
    def actions(self) -> list[int]:
        """The number of actions in each attempt; notes count, but actions that go back to an
        earlier screen do not.
        """
        counts, before = [0], ""
        for each in self.lines:
            word = each.word if isinstance(each, MethodEvent) else ""
            if word == "attempt":
                counts.append(0)
            elif word == "note" or (isinstance(each, ActionEvent) and before != "backtrack"):
                counts[-1] += 1
            before = word
        return counts

    @property
    def confidence(self) -> int | None:
        """How sure the agent is that the task is done, from 0 to 100: the last event `confidence`.

        None without such an event, or if it holds no such number.
        """
        stated = [each.what for each in self.reported if each.word == CONFIDENCE]
        number = int(stated[-1]) if stated and re.fullmatch("[0-9]{1,3}", stated[-1]) else MOST + 1
        return number if number <= MOST else None

    @property
    def did(self) -> list[str]:
        """The actions on the page in words, oldest first."""
        actions = (each for each in self.lines if isinstance(each, ActionEvent))
        return [
            f"{each.action} -- on {each.target}" if each.target else each.action for each in actions
        ]

    def answers(self, attempts: int) -> list[str | None]:
        """Return the answer that the method recorded in each of this number of attempts; None for
        an attempt without an answer.
        """
        found: list[str | None] = [None]
        for each in self.reported:
            if each.word == "attempt":
                found.append(None)
            elif each.word == "answer":
                found[-1] = each.what
        return [*found, *[None] * attempts][:attempts]

    def save(self, path: Path) -> None:
        """Write the events to a file; they are on disk once the episode is committed."""
        write(path, trace_lines(self.lines), synced=False)
