"""The trace of an episode: one JSON line for everything that happened, in order."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from evaluators.records import run_folder


class Trace:
    """Collects lines and writes them at the end. Measured times stand only in keys in `_s`."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.events: Counter[str] = Counter()

    def write(self, kind: str, /, **fields: Any) -> None:
        self.lines.append({**fields, "kind": kind})

    def record(self, word: str, what: str = "", /, **details: Any) -> None:
        """An event that a method reports; `Task.record` leads here."""
        self.events[word] += 1
        self.write("event", **{**details, "word": word, "what": what})

    @property
    def stack_depth(self) -> int:
        """How many policies lay on each other at most; 0 for a method without a stack."""
        pushes = (line for line in self.lines if line.get("word") == "push")
        return max((int(each.get("depth", 0)) for each in pushes), default=0)

    @property
    def plan_length(self) -> list[int]:
        """How many steps each plan had, the revised ones included."""
        plans = (line for line in self.lines if line.get("word") in ("plan", "revise"))
        return [int(each.get("length", 0)) for each in plans]

    @property
    def actions(self) -> list[int]:
        """Actions of each attempt, notes included; going back to an earlier screen is none."""
        counts, before = [0], ""
        for each in self.lines:
            word = str(each.get("word", ""))
            if word == "attempt":
                counts.append(0)
            elif word == "note" or (each["kind"] == "action" and before != "backtrack"):
                counts[-1] += 1
            before = word
        return counts

    def save(self, path: Path) -> None:
        run_folder.write(path, "".join(map(line, self.lines)).encode("utf-8", "replace"))


def line(value: Any) -> str:
    """One JSON line; what JSON does not know is written as text."""
    return json.dumps(value, ensure_ascii=False, default=str) + "\n"


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a trace. Raises ValueError naming file and line of one that is corrupt."""
    lines = []
    for number, text in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], start=1):
        try:
            lines.append(json.loads(text))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}; run the episode again") from None
    return lines
