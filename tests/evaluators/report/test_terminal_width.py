"""Tables and the bar of progress at the widths of common terminals: every figure is whole."""

from __future__ import annotations

import os
import re

import pytest

from evaluators.report.console_table import FIGURES
from tests.pseudo_terminal import written
from tests.sources import ROOT

WIDTHS = (80, 100, 120)
LONG = "synapse:embedder=hashed,exemplars=some/where/else"
HALF = "---half---"
PROGRAM = f"""
from pathlib import Path
from evaluators.analysis.summary import summary
from evaluators.report import console_table
from evaluators.run.progress import progress
from tests.evaluators.records.example_records import scored
names = ("react", "anticipatory-reflection:paper", {LONG!r})
places = [f"store/buy_item/{{n}}" for n in range(1, 5)]
group = [scored(True, agent=each, scenario=on, cost_usd=12.5) for each in names for on in places]
group += [scored(False, ended="truncated", agent=each) for each in names]
console_table.table(summary("x", group), Path("runs/x"))
print({HALF!r}, flush=True)
with progress([("a", "b", n) for n in range(1200)], Path("none"), quiet=False) as on_record:
    for name in ("anticipatory-reflection", "sampled-alternatives", "react", "step", "nothing"):
        on_record(scored(True, agent=name, method=name))
"""
SEQUENCES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def on_terminal(program: str, columns: int) -> list[str]:
    """The lines that a program writes to a terminal of that width."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    shown = written(["-c", program], ROOT, kept | {"TERM": "xterm"}, columns)
    return re.split("[\r\n]+", SEQUENCES.sub("", shown))


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_table_keeps_names_and_whole_figures_and_the_bar_keeps_its_count(columns):
    lines = on_terminal(PROGRAM, columns)
    half = lines.index(HALF)
    check_table(lines[: next(at for at, line in enumerate(lines) if "answered" in line)], columns)
    bar = lines[half + 1 :]
    assert max(map(len, bar)) <= columns
    assert any("5/1200" in line for line in bar)
    assert "null agents 1 of 1 (1.00)" in " ".join(" ".join(bar).split())


def check_table(lines: list[str], columns: int) -> None:
    shown = "\n".join(lines)
    assert max(map(len, lines)) <= columns and "…" not in shown
    for text in (*FIGURES, "react", "0.80", "0.38-0.96", "$50.25", "1 truncated"):
        assert re.search(rf"(?<!\S){re.escape(text)}(?!\S)", shown), text
    names = "".join(line[1:].split(" ")[0] for line in lines)
    assert LONG in names and "anticipatory-reflection:paper" in names
