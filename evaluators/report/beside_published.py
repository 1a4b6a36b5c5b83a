"""Draw a run beside a paper's figures: boxes over tasks, and sorted differences by task (Synapse,
figures 3, 4 and 6), with a table of all tasks (SteP, figure 4).

A task is a family without its variant. Rates are by the papers' own rule, `success_published`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, quantiles

from evaluators.analysis.grouping import grouped
from evaluators.records.models import EpisodeRecord
from evaluators.report import published
from evaluators.report.charts import Tick
from rehearsal_errors import RehearsalError

AXIS, ROW, LETTER = 300, 22, 6.4
"""Pixels: the length of an axis, the height of a row, the width of a letter."""
LEAST = 0.05
"""The smallest difference that is drawn, as in the paper."""
REACH = 1.5
"""A task is an outlier if it is this many interquartile ranges away from the box."""

Rates = Mapping[str, float]


class NothingBeside(RehearsalError, ValueError):
    """A paper has no figure for any task of a run."""


@dataclass(frozen=True)
class Box:
    """A method's success rates over tasks; rates from 0 to 1, `y` in pixels."""

    name: str
    tasks: int
    mean: float
    low: float
    first: float
    middle: float
    third: float
    high: float
    outliers: tuple[tuple[str, float], ...]
    y: int


@dataclass(frozen=True)
class Difference:
    """An agent's rate minus a published rate on one task; `y` in pixels."""

    task: str
    value: float
    y: int


@dataclass(frozen=True)
class Differences:
    """The differences between an agent and a published method, smallest first."""

    agent: str
    method: str
    bars: tuple[Difference, ...]
    shared: int
    left: int

    @property
    def height(self) -> int:
        """The height of the chart, in pixels."""
        return ROW * len(self.bars) + 24


@dataclass(frozen=True)
class Beside:
    """The agents of a run beside the methods of a paper on a site, by task."""

    paper: str
    site: str
    rates: Mapping[str, Rates]
    tasks: tuple[str, ...]
    boxes: tuple[Box, ...]
    differences: tuple[Differences, ...]
    left: int

    @property
    def height(self) -> int:
        """The height of the chart of boxes, in pixels."""
        return ROW * len(self.boxes) + 24

    @property
    def width(self) -> int:
        """The width of the chart of boxes, in pixels."""
        return self.left + AXIS + 110

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The marks of the axis of the boxes."""
        return tuple(Tick(self.at(each / 4), f"{each / 4:g}") for each in range(5))

    def at(self, rate: float) -> float:
        """Return the pixel of a rate."""
        return round(self.left + AXIS * rate, 1)


def beside(records: Sequence[EpisodeRecord], paper: str) -> list[Beside]:
    """Return the run beside a paper's figures, for each site of both.

    Raises:
        UnknownName: The figures of this paper are not here.
        NothingBeside: The paper has no figure for any task of the run.
    """
    by_site = grouped((each for each in records if each.is_scored), lambda each: each.site)
    drawn = [_on(site, group, paper) for site, group in sorted(by_site.items())]
    if found := [each for each in drawn if each]:
        return found
    sites = sorted({each.site for each in published.figures(paper) if each.task})
    has = f"it has tasks of {', '.join(sites)}" if sites else "it has means alone"
    raise NothingBeside(
        f"{paper} has no figure for a task of this run; {has}", "leave out --beside or name another"
    )


def _on(site: str, records: Sequence[EpisodeRecord], paper: str) -> Beside | None:
    by_agent = grouped(records, lambda each: each.agent)
    own = {agent: _rates(group) for agent, group in sorted(by_agent.items())}
    known = {task for rates in own.values() for task in rates}
    theirs = published.success_by_task(paper, site, known)
    tasks = tuple(sorted({task for rates in theirs.values() for task in rates}))
    if not tasks:
        return None
    kept = {name: {t: r for t, r in rates.items() if t in tasks} for name, rates in own.items()}
    rates = kept | {f"{name}, {paper}": each for name, each in theirs.items()}
    left = _left(rates)
    boxes = tuple(_box(name, rates[name], 14 + ROW * at) for at, name in enumerate(rates))
    compared = tuple(
        _differences(agent, method, kept[agent], theirs[method])
        for agent in kept
        for method in theirs
    )
    return Beside(paper, site, rates, tasks, boxes, compared, left)


def _rates(records: Sequence[EpisodeRecord]) -> dict[str, float]:
    """Return the success rate of each task by the rule of the papers."""
    by_task = grouped(records, lambda each: each.family.partition(".")[0])
    return {task: mean(map(_success, group)) for task, group in by_task.items()}


def _success(record: EpisodeRecord) -> float:
    published_rule = record.success_published
    return float(bool(record.success if published_rule is None else published_rule))


def _left(names: Mapping[str, object]) -> int:
    return round(16 + LETTER * max(map(len, names)))


def _box(name: str, rates: Rates, y: int) -> Box:
    values = sorted(rates.values())
    first, middle, third = quantiles(values, n=4, method="inclusive") if values[1:] else values * 3
    reach = REACH * (third - first)
    inside = [each for each in values if first - reach <= each <= third + reach]
    outliers = sorted((task, rate) for task, rate in rates.items() if rate not in inside)
    ends = (inside[0], first, middle, third, inside[-1])
    return Box(name, len(values), mean(values), *ends, tuple(outliers), y)


def _differences(agent: str, method: str, own: Rates, theirs: Rates) -> Differences:
    shared = [task for task in own if task in theirs]
    pairs = sorted((round(own[task] - theirs[task], 6), task) for task in shared)
    large = [(value, task) for value, task in pairs if abs(value) >= LEAST]
    bars = tuple(Difference(task, value, 4 + ROW * at) for at, (value, task) in enumerate(large))
    left = _left({each.task: None for each in bars} or {"": None})
    return Differences(agent, method, bars, len(shared), left)
