"""Skill curves: what becomes of each method as the scripted model's skill falls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent import agent_spec
from evaluators.analysis.intervals import mean
from evaluators.report.charts import Chart, chart, rounded_up, styles

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Point:
    """The scored episodes of an agent at one skill; figures are means of an episode."""

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
    """A row of charts, one for each kind of mistakes, on the same axes."""

    name: str
    charts: tuple[Chart, ...]


@dataclass(frozen=True)
class Curves:
    """One site."""

    site: str
    mistakes: tuple[str, ...]
    metrics: tuple[Metric, ...]
    legend: Mapping[str, int]
    points: tuple[Point, ...]


METRICS: dict[str, Callable[[Point], float]] = {
    "success": lambda point: point.success,
    "progress": lambda point: point.progress,
    "model calls an episode": lambda point: point.calls,
    "tokens an episode": lambda point: point.tokens,
}
_SHARES = ("success", "progress")


def curves(records: Sequence[Record]) -> list[Curves]:
    """A site each, of the agents that were played with several skills."""
    points = [each for each in _points(records) if _is_curve(each, records)]
    legend = styles(sorted({each.agent for each in points}))
    sites = sorted({each.site for each in points})
    return [_curves([each for each in points if each.site == site], legend) for site in sites]


def _points(records: Sequence[Record]) -> list[Point]:
    groups: dict[tuple[str, str, str, float], list[Record]] = {}
    for record in records:
        if record["success"] is not None and record["model"] == agent_spec.SCRIPTED:
            groups.setdefault(_key(record), []).append(record)
    asked = {key: group for key, group in groups.items() if any(r["llm_calls"] for r in group)}
    return [_point(*key, group) for key, group in sorted(asked.items())]


def _key(record: Record) -> tuple[str, str, str, float]:
    mistakes = str(record.get("mistakes") or "sticky")
    return agent_spec.unskilled(record["agent"]), record["site"], mistakes, float(record["skill"])


def _point(agent: str, site: str, mistakes: str, skill: float, group: Sequence[Record]) -> Point:
    return Point(
        agent,
        site,
        mistakes,
        skill,
        len(group),
        _mean(float(each["success"]) for each in group),
        _mean(float(each["progress"]) for each in group),
        _mean(float(each["llm_calls"]) for each in group),
        _mean(float(sum(count or 0 for count in each["usage"].values())) for each in group),
    )


def _mean(values: Any) -> float:
    return mean(values) or 0.0


def _is_curve(point: Point, records: Sequence[Record]) -> bool:
    """Whether its agent was played with another skill too."""
    skills = {
        float(each["skill"])
        for each in records
        if agent_spec.unskilled(each["agent"]) == point.agent and each["site"] == point.site
    }
    return len(skills) > 1


def _curves(points: Sequence[Point], legend: Mapping[str, int]) -> Curves:
    mistakes = tuple(sorted({each.mistakes for each in points}, reverse=True))
    metrics = tuple(
        Metric(name, tuple(_chart(name, kind, points, legend) for kind in mistakes))
        for name in METRICS
    )
    here = {each.agent for each in points}
    shown = {name: style for name, style in legend.items() if name in here}
    return Curves(points[0].site, mistakes, metrics, shown, tuple(points))


def _chart(name: str, mistakes: str, points: Sequence[Point], legend: Mapping[str, int]) -> Chart:
    value = METRICS[name]
    series: dict[str, list[tuple[float, float]]] = {}
    for each in points:
        if each.mistakes == mistakes:
            series.setdefault(each.agent, []).append((each.skill, value(each)))
    top = 1.0 if name in _SHARES else rounded_up(max(map(value, points)))
    return chart(f"{name}, {mistakes}", "skill", series, legend, top)
