"""Ours and the naive way, called in turns, so that the noise of a machine hits both."""

from __future__ import annotations

import inspect
import json
import math
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")

Way = Callable[[], Any]
"""What is timed; a coroutine that it returns is awaited."""


@dataclass(frozen=True)
class Effort:
    """`rounds` times, `calls` of ours and `naive_calls` (0: as many) of each other way.

    Not counted are `warm` calls of each way at first, and `settling` calls before each block,
    which bear what the other way has left for the browser to do (ending processes, say).
    """

    rounds: int
    calls: int
    warm: int = 2
    naive_calls: int = 0
    settling: int = 1


@dataclass
class Timing:
    """Wall milliseconds of each call, and CPU milliseconds of all calls over the process tree."""

    wall: list[float] = field(default_factory=list)
    cpu: float = 0.0

    @property
    def median(self) -> float:
        return statistics.median(self.wall)

    @property
    def cpu_each(self) -> float:
        return self.cpu / len(self.wall)

    def percentile(self, percent: float) -> float:
        """The nearest-rank percentile."""
        place = math.ceil(percent / 100 * len(self.wall)) - 1
        return sorted(self.wall)[max(0, place)]


class Clock:
    """Measures calls in processor milliseconds of this process."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    def time(self, call: Callable[[], T]) -> T:
        """Return the result of the call, and note the time that it took."""
        started = time.process_time()
        result = call()
        self.taken.append(1000 * (time.process_time() - started))
        return result

    @property
    def median(self) -> float:
        return statistics.median(self.taken)


async def alternate(effort: Effort, *ways: Way) -> list[Timing]:
    """Time the ways, ours first, in turns; one timing each."""
    timings = [Timing() for _ in ways]
    calls = [effort.calls, *[effort.naive_calls or effort.calls for _ in ways[1:]]]
    for way in ways:
        for _ in range(effort.warm):
            await _finished(way())
    for _ in range(effort.rounds):
        for way, count, timing in zip(ways, calls, timings, strict=True):
            for _ in range(effort.settling):
                await _finished(way())
            await _block(way, count, timing)
    return timings


async def _block(way: Way, calls: int, timing: Timing) -> None:
    before = tree_cpu_ms()
    for _ in range(calls):
        start = time.perf_counter()
        await _finished(way())
        timing.wall.append((time.perf_counter() - start) * 1000)
    timing.cpu += tree_cpu_ms() - before


async def _finished(result: Any) -> None:
    if inspect.isawaitable(result):
        await result


def tree_cpu_ms() -> float:
    """CPU time that this process and everything below it has used so far (Linux: /proc)."""
    used: dict[int, float] = {}
    children: defaultdict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile; its parent has its time
            continue
        pid = int(folder.name)
        children[int(fields[1])].append(pid)
        used[pid] = sum(map(int, fields[11:15])) * TICK_MS
    total, queue = 0.0, [os.getpid()]
    while queue:
        pid = queue.pop()
        total += used.get(pid, 0.0)
        queue += children[pid]
    return total


# What is printed -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One figure; lower is better, and where that is not so there is no `bar` and no ratio."""

    what: str
    unit: str
    ours: float
    naive: float | None = None
    bar: float | None = None
    cpu_ms: float | None = None
    naive_cpu_ms: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times ours fits into the naive way."""
        return self.naive / self.ours if self.naive is not None and self.ours > 0 else None

    @property
    def met(self) -> bool | None:
        return None if self.bar is None else self.ours <= self.bar

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


def compared(what: str, timings: Sequence[Timing], bar: float | None, note: str = "") -> Row:
    """The row of ours and the naive way by their medians."""
    ours, naive = timings
    medians = ours.median, naive.median
    return Row(what, "ms", *medians, bar, ours.cpu_each, naive.cpu_each, note)


HEADINGS = ("what", "ours", "naive", "ratio", "bar", "met?", "CPU ms ours/naive", "note")


def table(rows: Sequence[Row]) -> str:
    """The rows under headings, aligned."""
    cells = [HEADINGS, *map(_cells, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEADINGS))]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.what,
        f"{_figure(row.ours)} {row.unit}",
        _figure(row.naive),
        "-" if row.ratio is None else f"{row.ratio:.1f}x",
        _figure(row.bar),
        {True: "yes", False: "NO", None: "-"}[row.met],
        f"{_figure(row.cpu_ms)} / {_figure(row.naive_cpu_ms)}",
        row.note,
    )


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return (
        f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
    )


def load() -> list[float]:
    """The load average over 1, 5 and 15 minutes."""
    return [round(each, 2) for each in os.getloadavg()]


def document(
    quick: bool, rows: Sequence[Row], loads: Sequence[list[float]], failed: Mapping[str, str]
) -> str:
    """The JSON document of a run."""
    described = {
        "schema_version": 1,
        "quick": quick,
        "cores": os.cpu_count(),
        "load_before": loads[0],
        "load_after": loads[1],
        "rows": [row.to_json() for row in rows],
        "failed": dict(failed),
    }
    return json.dumps(described, indent=1)
