"""What `rehearse list` costs as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import partial

from benchmarks.measuring import Effort, Row, alternate

KINDS = ("methods", "sites", "families", "suites", "cassettes")
NAIVE = "from scenarios import registry; registry.family_modules()"
BAR_CPU = 500.0


async def lists(quick: bool) -> list[Row]:
    """Each list, beside a program that imports every family."""
    effort = Effort(1 if quick else 5, 1, warm=0 if quick else 1, settling=0)
    rows = []
    for kind in KINDS:
        ours = partial(_run, ["-m", "rehearse", "list", kind])
        mine, naive = await alternate(effort, ours, partial(_run, ["-c", NAIVE]))
        cpu = mine.cpu_each, naive.cpu_each
        note = "within 500 CPU ms" if mine.cpu_each <= BAR_CPU else "over 500 CPU ms"
        rows.append(Row(f"list {kind}", "ms", mine.median, naive.median, None, *cpu, note))
    return rows


def _run(words: Sequence[str]) -> None:
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
