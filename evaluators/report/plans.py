"""Draw plans and attempts (Anticipatory Reflection, table 1, figures 3, 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.agent_spec import unskilled
from evaluators.analysis.grouping import grouped
from evaluators.analysis.plan_stats import Planning, planning
from evaluators.records.models import EpisodeRecord
from evaluators.report.charts import Chart, chart, styles

HIGH, WIDE, GAP = 50, 16, 6
"""Pixels: the height of a bar, its width, and what is between two."""


@dataclass(frozen=True)
class Bar:
    """Plans of one length; `x` and `height` in pixels."""

    steps: int
    count: int
    x: int
    height: float


@dataclass(frozen=True)
class Planner:
    """An agent that makes plans, on one site."""

    agent: str
    site: str
    found: Planning
    bars: tuple[Bar, ...]

    @property
    def width(self) -> int:
        return len(self.bars) * (WIDE + GAP)


@dataclass(frozen=True)
class Plans:
    """All of them, with success by attempts for each site and skill where there were several."""

    planners: tuple[Planner, ...]
    charts: tuple[Chart, ...]
    legend: Mapping[str, int]


def plans(records: Sequence[EpisodeRecord]) -> Plans | None:
    """None where no agent makes plans."""
    groups = grouped(records, lambda record: (record.agent, record.site))
    found = [
        Planner(agent, site, made, bars(made.plan_lengths))
        for (agent, site), group in sorted(groups.items())
        if (made := planning(group)) is not None
    ]
    if not found:
        return None
    legend = styles(sorted({unskilled(each.agent) for each in found}))
    alike: dict[tuple[str, str], list[Planner]] = {}
    for each in found:
        skill = each.agent.removeprefix(unskilled(each.agent)).removeprefix("@")
        alike.setdefault((each.site, skill), []).append(each)
    drawn = [_chart(*key, group, legend) for key, group in sorted(alike.items())]
    return Plans(tuple(found), tuple(each for each in drawn if each), legend)


def bars(lengths: Mapping[int, int]) -> tuple[Bar, ...]:
    """A bar for every length from the shortest plan to the longest; the highest is HIGH."""
    most, first = max(lengths.values()), min(lengths)
    return tuple(
        Bar(
            steps,
            lengths.get(steps, 0),
            (steps - first) * (WIDE + GAP),
            round(HIGH * lengths.get(steps, 0) / most, 1),
        )
        for steps in range(first, max(lengths) + 1)
    )


def _chart(
    site: str, skill: str, planners: Sequence[Planner], legend: Mapping[str, int]
) -> Chart | None:
    """Success after k attempts; who had fewer than others stays where the last one left it."""
    most = max(len(each.found.success_after) for each in planners)
    if most < 2:
        return None
    series = {unskilled(each.agent): _after(each.found.success_after, most) for each in planners}
    return chart(", ".join(filter(None, (f"success on {site}", skill))), "attempts", series, legend)


def _after(success: Sequence[float], most: int) -> list[tuple[float, float]]:
    return [(k, success[min(k, len(success)) - 1]) for k in range(1, most + 1)]
