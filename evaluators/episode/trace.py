"""The trace of an episode: everything that happened, in order."""

from __future__ import annotations

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


class Trace:
    """Collects events and writes them at the end. Only keys in `_s` hold measured times."""

    def __init__(self) -> None:
        self.lines: list[TraceEvent] = []
        self.events: Counter[str] = Counter()

    def write(self, kind: str, /, **fields: Any) -> None:
        self.lines.append(parse_event({**fields, "kind": kind}))

    def record(self, word: str, what: str = "", /, **details: Any) -> None:
        """An event that a method reports; `Task.record` leads here."""
        self.events[word] += 1
        self.write("event", **{**details, "word": word, "what": str(what)})

    @property
    def reported(self) -> list[MethodEvent]:
        """The events that the method reported."""
        return [each for each in self.lines if isinstance(each, MethodEvent)]

    @property
    def stack_depth(self) -> int:
        """How many policies lay on each other at most; 0 for a method without a stack."""
        depths = (each.count("depth") for each in self.reported if each.word == "push")
        return max(depths, default=0)

    @property
    def plan_length(self) -> list[int]:
        """How many steps each plan had, the revised ones included."""
        return [each.count("length") for each in self.reported if each.word in ("plan", "revise")]

    @property
    def actions(self) -> list[int]:
        """Actions of each attempt, notes included; going back to an earlier screen is none."""
        counts, before = [0], ""
        for each in self.lines:
            word = each.word if isinstance(each, MethodEvent) else ""
            if word == "attempt":
                counts.append(0)
            elif word == "note" or (isinstance(each, ActionEvent) and before != "backtrack"):
                counts[-1] += 1
            before = word
        return counts

    def save(self, path: Path) -> None:
        """Write the events; they are on disk once the episode is committed."""
        write(path, trace_lines(self.lines), synced=False)
