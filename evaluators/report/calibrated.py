"""Diagrams of confidence: how often an agent succeeds that says that it is so sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.agent_spec import unskilled
from evaluators.analysis.calibration import Calibration, calibration
from evaluators.analysis.grouping import grouped
from evaluators.records.models import EpisodeRecord
from evaluators.report.charts import Chart, chart, legend, place

PERFECT = "as sure as right"


@dataclass(frozen=True)
class AgentCalibration:
    """The calibration of an agent on a site."""

    agent: str
    site: str
    found: Calibration


@dataclass(frozen=True)
class CalibrationCharts:
    """The calibration of all agents, with a chart of success by confidence for each site and
    skill.
    """

    agents: tuple[AgentCalibration, ...]
    charts: tuple[Chart, ...]
    legend: Mapping[str, int]


def calibration_charts(records: Sequence[EpisodeRecord]) -> CalibrationCharts | None:
    """Return the diagrams, or None if no agent said how sure it is."""
    groups = grouped(records, lambda record: (record.agent, record.site))
    rows = [
        AgentCalibration(agent, site, found)
        for (agent, site), some in sorted(groups.items())
        if (found := calibration(some))
    ]
    if not rows:
        return None
    styles = legend([PERFECT, *(row.agent for row in rows)])
    alike = grouped(rows, lambda row: place(row.agent, row.site))
    charts = tuple(_chart(where, here, styles) for where, here in sorted(alike.items()))
    return CalibrationCharts(tuple(rows), charts, styles)


def _chart(where: str, rows: Sequence[AgentCalibration], styles: Mapping[str, int]) -> Chart:
    series = {
        unskilled(row.agent): [(100 * each.confidence, each.success) for each in row.found.bins]
        for row in rows
    }
    ideal = [(float(each), each / 100) for each in range(0, 101, 25)]
    return chart(
        f"success by confidence on {where}", "confidence", {**series, PERFECT: ideal}, styles
    )
