"""Draw how episodes went: progress by step, detours, points of no return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from agent.agent_spec import unskilled
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean
from evaluators.records.models import EpisodeRecord, ProgressCurve
from evaluators.report.charts import Chart, chart, legend, place
from sites.sums import in_order


@dataclass(frozen=True)
class AgentProgress:
    """The progress of an agent's episodes on a site.

    `wasted` is the mean number of steps of a success beyond the expert's. `lost` episodes
    reached a point of no return, after `lost_after` steps in the median.
    """

    agent: str
    site: str
    episodes: int
    won: int
    wasted: float | None
    lost: int
    lost_after: float | None


@dataclass(frozen=True)
class ProgressCharts:
    """The progress of all agents, with a chart of progress by step for each site and skill."""

    agents: tuple[AgentProgress, ...]
    charts: tuple[Chart, ...]
    legend: Mapping[str, int]


Curved = tuple[EpisodeRecord, ProgressCurve]
"""A scored episode with its progress curve."""


def progress_charts(records: Sequence[EpisodeRecord]) -> ProgressCharts | None:
    """Return the charts of progress by step, or None if no episode has a progress curve."""
    found = [
        (each, each.progress_curve)
        for each in records
        if each.is_comparable and each.progress_curve
    ]
    if not found:
        return None
    groups = grouped(found, lambda one: (one[0].agent, one[0].site))
    alike = grouped(found, lambda one: place(one[0].agent, one[0].site))
    styles = legend(agent for agent, _ in groups)
    return ProgressCharts(
        tuple(_agent(agent, site, group) for (agent, site), group in sorted(groups.items())),
        tuple(_chart(where, group, styles) for where, group in sorted(alike.items())),
        styles,
    )


def _agent(agent: str, site: str, group: Sequence[Curved]) -> AgentProgress:
    steps = [curve.no_return for _, curve in group if curve.no_return is not None]
    wasted = [float(record.wasted) for record, _ in group if record.wasted is not None]
    won = sum(bool(record.success) for record, _ in group)
    after = float(median(steps)) if steps else None
    return AgentProgress(agent, site, len(group), won, mean(wasted), len(steps), after)


def _chart(where: str, here: Sequence[Curved], styles: Mapping[str, int]) -> Chart:
    """Return a chart of all agents' mean progress over the steps of the longest episode."""
    steps = max(record.steps for record, _ in here)
    series = {
        agent: list(enumerate(mean_curve(group, steps)))
        for agent, group in grouped(here, lambda one: unskilled(one[0].agent)).items()
    }
    return chart(f"mean progress on {where}", "steps", series, styles)


def mean_curve(group: Sequence[Curved], steps: int) -> list[float]:
    """Return the mean progress after 0, 1, ... `steps` steps over these episodes; [] without
    episodes.

    An episode that has ended keeps its final progress.
    """
    if not group:
        return []
    return [in_order(_at(*one, step) for one in group) / len(group) for step in range(steps + 1)]


def _at(record: EpisodeRecord, curve: ProgressCurve, step: int) -> float:
    if step >= record.steps:
        return record.progress or 0.0
    passed = [share for at, share in curve.progress if at <= step]
    return passed[-1] if passed else 0.0
