"""What a run shows in a terminal: progress while it plays, a table at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from evaluators import records
from evaluators.engine import Heard

EVERY = 25
"""Without a terminal: one plain line for so many episodes."""
MOST_FAULTS = 3
PLAIN_WIDTH = 120
"""Columns of a table that goes into a file."""


@contextmanager
def progress(total: int, *, quiet: bool) -> Iterator[Heard]:
    """A bar on a terminal, plain lines elsewhere, nothing when quiet; all on stderr."""
    console = Console(stderr=True)
    if quiet:
        yield lambda record: None
    elif not console.is_terminal:
        yield _Lines(total).heard
    else:
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
        with Progress(*columns, TimeRemainingColumn(), console=console) as bar:
            task = bar.add_task("", total=total)
            counts = _Lines(total)

            def heard(record: dict[str, Any]) -> None:
                counts.count(record)
                bar.update(task, advance=1, description=counts.words())

            yield heard


class _Lines:
    def __init__(self, total: int) -> None:
        self.total, self.done, self.won, self.infra = total, 0, 0, 0

    def count(self, record: dict[str, Any]) -> None:
        self.done += 1
        self.won += record["success"] is True
        self.infra += record["success"] is None

    def words(self) -> str:
        faults = f", {self.infra} infra" if self.infra else ""
        return f"{self.won} succeeded{faults}"

    def heard(self, record: dict[str, Any]) -> None:
        self.count(record)
        if self.done % EVERY == 0 or self.done == self.total:
            print(f"{self.done}/{self.total} episodes, {self.words()}", file=sys.stderr)  # noqa: T201


def table(summary: dict[str, Any], folder: Path) -> None:
    """The rows of a summary, and where the rest is."""
    console = Console(file=sys.stdout, markup=False)
    if not console.is_terminal:
        console = Console(file=sys.stdout, width=PLAIN_WIDTH, markup=False)
    shown = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in ("agent", "on"):
        shown.add_column(name, no_wrap=True)
    for name in ("success", "95 %", "progress", "reward", "steps", "calls", "tokens", "cost"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("otherwise ended")
    for row in summary["rows"]:
        shown.add_row(*_cells(row))
    console.print(shown)
    console.print(f"run: {folder}", soft_wrap=True)


def _cells(row: dict[str, Any]) -> list[str]:
    low, high = row["success_ci"]
    ended = [f"{count} {name}" for name, count in row["ended"].items() if name != "answered"]
    return [
        row["agent"],
        row.get("family", row["site"]),
        _number(row["success"]) + ("!" if row["marked"] else ""),
        f"{low:.2f}-{high:.2f}",
        _number(row["progress"]),
        _number(row["reward"]),
        _number(row["steps"], 1),
        _number(row["llm_calls"], 1),
        _number(row["tokens"], 0),
        "unknown" if row["cost_usd"] is None else f"${row['cost_usd']:.2f}",
        ", ".join(ended),
    ]


def faults(folder: Path) -> None:
    """Say on stderr what failed by our fault, a few whole and the rest counted."""
    found = [each for each in records.episodes(folder) if each["ended"] == records.INFRA]
    for each in found[:MOST_FAULTS]:
        print(f"{each['episode']}: {each['cause']}: {each['error']}", file=sys.stderr)  # noqa: T201
    if len(found) > MOST_FAULTS:
        print(f"and {len(found) - MOST_FAULTS} more faults of ours", file=sys.stderr)  # noqa: T201


def _number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
