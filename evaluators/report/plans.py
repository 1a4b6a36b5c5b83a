"""Draw the plans and attempts of agents (Anticipatory Reflection, table 1, figures 3 and 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.agent_spec import unskilled
from evaluators.analysis.grouping import grouped
from evaluators.analysis.plan_stats import planning
from evaluators.records.models import EpisodeRecord, PlanningRow
from evaluators.report.charts import Chart, chart, legend, place

HIGH, WIDE, GAP = 50, 16, 6
"""The height of a bar, its width and the gap between two, in pixels."""


@dataclass(frozen=True)
class Bar:
    """The number of plans of one length as a bar; `x` and `height` in pixels."""

    steps: int
    count: int
    x: int
    height: float


@dataclass(frozen=True)
class Planner:
    """The plans of an agent on a site, with a histogram of their lengths."""

    agent: str
    site: str
    found: PlanningRow
    bars: tuple[Bar, ...]

    @property
    def width(self) -> int:
        """The width of the histogram of plan lengths, in pixels."""
        return len(self.bars) * (WIDE + GAP)


@dataclass(frozen=True)
class Plans:
    """All planning agents, with a chart of success by attempts for each site and skill."""

    planners: tuple[Planner, ...]
    charts: tuple[Chart, ...]
    legend: Mapping[str, int]

    @property
    def proposing(self) -> tuple[Planner, ...]:
        """The agents that propose alternative actions."""
        return tuple(each for each in self.planners if each.found.alternatives)

    @property
    def asking(self) -> int:
        """The number of episodes that the chart of success after k attempts leaves out.

        Their tasks ask for an answer, and not every attempt gave one.
        """
        return sum(each.found.asking for each in self.planners)


def plans(records: Sequence[EpisodeRecord]) -> Plans | None:
    """Return the statistics of all agents' plans with charts, or None if no agent makes plans."""
    groups = grouped(records, lambda record: (record.agent, record.site))
    found = [
        Planner(agent, site, made, bars(made.plan_lengths))
        for (agent, site), group in sorted(groups.items())
        if (made := planning(group)) is not None
    ]
    if not found:
        return None
    styles = legend(each.agent for each in found)
    alike = grouped(found, lambda one: place(one.agent, one.site))
    drawn = [_chart(where, group, styles) for where, group in sorted(alike.items())]
    return Plans(tuple(found), tuple(each for each in drawn if each), styles)


def bars(lengths: Mapping[str, int]) -> tuple[Bar, ...]:
    """Return the histogram of plan lengths: a bar for every length from the shortest to the longest
    plan.

    The highest bar is HIGH pixels high.
    """
    counts = {int(steps): count for steps, count in lengths.items()}
    most, first = max(counts.values()), min(counts)
    every = [(steps, counts.get(steps, 0)) for steps in range(first, max(counts) + 1)]
    return tuple(
        Bar(steps, count, (steps - first) * (WIDE + GAP), round(HIGH * count / most, 1))
        for steps, count in every
    )


def _chart(where: str, planners: Sequence[Planner], styles: Mapping[str, int]) -> Chart | None:
    """Return a chart of success after k attempts, or None if no agent had several attempts.

    An agent with fewer attempts than others keeps its last value.
    """
    drawn = [each for each in planners if each.found.success_after]
    most = max((len(each.found.success_after) for each in drawn), default=0)
    if most < 2:
        return None
    series = {unskilled(each.agent): _after(each.found.success_after, most) for each in drawn}
    return chart(f"success on {where}", "attempts", series, styles)


def _after(success: Sequence[float], most: int) -> list[tuple[float, float]]:
    return [(k, success[min(k, len(success)) - 1]) for k in range(1, most + 1)]
