"""The figures that the papers print, as data: a file for each paper.

A file is named as the paper's method. Its columns are the table of the paper (or the figure whose
values the text states), the method, the site, the task ("" for a mean over tasks), the metric, the
value, and `n`: the episodes of one task, or the tasks or episodes of a mean; empty if the paper
does not state it. Rates are shares from 0 to 1. Task names are those of MiniWoB++, which our
families share.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from agent.plugins import unknown
from evaluators.analysis.grouping import grouped

FOLDER = Path(__file__).parent
PAPERS = tuple(sorted(path.stem for path in FOLDER.glob("*.csv")))
"""The names of the papers whose figures are here."""
SUCCESS = "success"


@dataclass(frozen=True)
class PublishedFigure:
    """A value that a paper prints, with the place where it is printed."""

    paper: str
    table: str
    method: str
    site: str
    task: str
    metric: str
    value: float
    n: int | None


@cache
def figures(paper: str) -> tuple[PublishedFigure, ...]:
    """Return the figures of a paper.

    Raises:
        UnknownName: No such paper is here.
    """
    if paper not in PAPERS:
        raise unknown("paper", paper, PAPERS)
    with (FOLDER / f"{paper}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(_figure(paper, row) for row in csv.DictReader(file))


def _figure(paper: str, row: Mapping[str, str]) -> PublishedFigure:
    return PublishedFigure(
        paper,
        row["table"],
        row["method"],
        row["site"],
        row["task"],
        row["metric"],
        float(row["value"]),
        int(row["n"]) if row["n"] else None,
    )


def success_by_task(paper: str, site: str, tasks: Collection[str]) -> dict[str, dict[str, float]]:
    """Return the success rates of each published method on some tasks of a site, by task.

    Methods without a figure for any of the tasks are left out.
    """
    found = [
        each
        for each in figures(paper)
        if each.metric == SUCCESS and each.site == site and each.task in tasks
    ]
    by_method = grouped(found, lambda each: each.method)
    return {name: {each.task: each.value for each in some} for name, some in by_method.items()}
