"""How episodes went: progress step by step, detours, and what could not be made good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from agent.agent_spec import unskilled
from evaluators.analysis.intervals import mean
from evaluators.records.run_folder import grouped
from evaluators.report.charts import Chart, chart, styles
from evaluators.scoring import progress_curve

Record = Mapping[str, Any]


@dataclass(frozen=True)
class ProgressCurve:
    """An agent on one site.

    `wasted` is the mean number of steps beyond the expert's, of its successes. `lost` episodes
    came to a point of no return, at the median after step `lost_after`.
    """

    agent: str
    site: str
    episodes: int
    won: int
    wasted: float | None
    lost: int
    lost_after: float | None


@dataclass(frozen=True)
class ProgressCurves:
    """All of them, with a chart of progress by step for each site and skill."""

    walks: tuple[ProgressCurve, ...]
    charts: tuple[Chart, ...]
    legend: Mapping[str, int]


def progress_curves(records: Sequence[Record]) -> ProgressCurves | None:
    """None where no scored episode has recorded its course."""
    told = [each for each in records if each["success"] is not None and each.get("course")]
    if not told:
        return None
    groups = grouped(told, lambda record: (record["agent"], record["site"]))
    legend = styles(sorted({unskilled(agent) for agent, _ in groups}))
    places = sorted({(each["site"], _skill(each)) for each in told})
    return ProgressCurves(
        tuple(_curve(agent, site, group) for (agent, site), group in sorted(groups.items())),
        tuple(_chart(site, skill, told, legend) for site, skill in places),
        legend,
    )


def _skill(record: Record) -> str:
    agent = str(record["agent"])
    return agent.removeprefix(unskilled(agent)).removeprefix("@")


def _curve(agent: str, site: str, group: Sequence[Record]) -> ProgressCurve:
    lost = [each["course"].get("no_return") for each in group]
    steps = [step for step in lost if step is not None]
    wasted = [float(each["wasted"]) for each in group if each.get("wasted") is not None]
    won = sum(each["success"] for each in group)
    after = float(median(steps)) if steps else None
    return ProgressCurve(agent, site, len(group), won, mean(wasted), len(steps), after)


def _chart(site: str, skill: str, told: Sequence[Record], legend: Mapping[str, int]) -> Chart:
    """Everybody over the same steps: those of the longest episode."""
    here = [each for each in told if (each["site"], _skill(each)) == (site, skill)]
    steps = max(each["steps"] for each in here)
    series = {
        agent: list(enumerate(progress_curve.curve(group, steps)))
        for agent, group in grouped(here, lambda record: unskilled(record["agent"])).items()
    }
    title = ", ".join(filter(None, (f"mean progress on {site}", skill)))
    return chart(title, "steps", series, legend)
