"""Skill curves: success, progress and cost of each method, by the skill of the scripted model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent import agent_spec
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean
from evaluators.records.models import EpisodeRecord
from evaluators.report.charts import Chart, chart, legend, rounded_up


@dataclass(frozen=True)
class Point:
    """A point of a skill curve: the scored episodes of an agent at one skill, as means per
    episode.
    """

    agent: str
    site: str
    mistakes: str
    skill: float
    episodes: int
    success: float
    progress: float
    calls: float
    tokens: float


@dataclass(frozen=True)
class Metric:
    """A row of charts of one figure, with a chart for each kind of mistakes, on the same axes."""

    name: str
    charts: tuple[Chart, ...]


@dataclass(frozen=True)
class Curves:
    """The skill curves of a site: success, progress and cost by the skill of the scripted model."""

    site: str
    mistakes: tuple[str, ...]
    metrics: tuple[Metric, ...]
    legend: Mapping[str, int]
    points: tuple[Point, ...]

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The charts of all metrics."""
        return tuple(chart for metric in self.metrics for chart in metric.charts)


METRICS: dict[str, Callable[[Point], float]] = {
    "success": lambda point: point.success,
    "progress": lambda point: point.progress,
    "model calls an episode": lambda point: point.calls,
    "tokens an episode": lambda point: point.tokens,
}
_SHARES = ("success", "progress")


def curves(records: Sequence[EpisodeRecord]) -> list[Curves]:
    """Return the skill curves of each site, for agents that were run with several skills."""
    points = [each for each in _points(records) if _is_curve(each, records)]
    styles = legend(each.agent for each in points)
    sites = grouped(points, lambda point: point.site)
    return [_curves(here, styles) for _, here in sorted(sites.items())]


def _points(records: Sequence[EpisodeRecord]) -> list[Point]:
    scored = [each for each in records if each.is_comparable and each.model == agent_spec.SCRIPTED]
    groups = grouped(scored, _key)
    asked = {key: group for key, group in groups.items() if any(r.llm_calls for r in group)}
    return [
        Point(
            *key,
            len(group),
            _mean(float(bool(each.success)) for each in group),
            _mean(each.progress or 0.0 for each in group),
            _mean(float(each.llm_calls or 0) for each in group),
            _mean(float(each.usage.tokens) for each in group),
        )
        for key, group in sorted(asked.items())
    ]


def _key(record: EpisodeRecord) -> tuple[str, str, str, float]:
    agent = agent_spec.unskilled(record.agent)
    return agent, record.site, record.mistakes or "sticky", record.skill or 0.0


def _mean(values: Iterable[float]) -> float:
    return mean(values) or 0.0


def _is_curve(point: Point, records: Sequence[EpisodeRecord]) -> bool:
    """Return whether the point's agent was also run with another skill on the site."""
    skills = {
        each.skill
        for each in records
        if agent_spec.unskilled(each.agent) == point.agent and each.site == point.site
    }
    return len(skills) > 1


def _curves(points: Sequence[Point], styles: Mapping[str, int]) -> Curves:
    mistakes = tuple(sorted({each.mistakes for each in points}, reverse=True))
    metrics = tuple(
        Metric(name, tuple(_chart(name, kind, points, styles) for kind in mistakes))
        for name in METRICS
    )
    here = {each.agent for each in points}
    shown = {name: style for name, style in styles.items() if name in here}
    return Curves(points[0].site, mistakes, metrics, shown, tuple(points))


def _chart(name: str, mistakes: str, points: Sequence[Point], styles: Mapping[str, int]) -> Chart:
    value = METRICS[name]
    series: dict[str, list[tuple[float, float]]] = {}
    for each in points:
        if each.mistakes == mistakes:
            series.setdefault(each.agent, []).append((each.skill, value(each)))
    top = 1.0 if name in _SHARES else rounded_up(max(map(value, points)))
    return chart(f"{name}, {mistakes}", "skill", series, styles, top)
