"""Curves of success by budget: the share of episodes that succeeded within so much of a cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from agent.agent_spec import unskilled
from evaluators.analysis.efficiency import (
    ACTIONS,
    MEASURES,
    Area,
    Measure,
    area,
    costs,
    curve,
    spent,
)
from evaluators.analysis.grouping import grouped
from evaluators.records.models import EpisodeRecord
from evaluators.report.charts import Chart, chart, legend, place, rounded_up


@dataclass(frozen=True)
class AgentArea:
    """The area under an agent's curve; `limit` is the cost and `end` its largest budget as text."""

    agent: str
    site: str
    limit: str
    end: str
    area: Area


@dataclass(frozen=True)
class BudgetCurves:
    """The curves of all agents, a chart for each site, skill and cost, and the areas under them.

    `actions` has the charts by actions, by site; `costs` has the other charts.
    """

    actions: Mapping[str, Sequence[Chart]]
    costs: tuple[Chart, ...]
    areas: tuple[AgentArea, ...]
    legend: Mapping[str, int]

    @property
    def charts(self) -> list[Chart]:
        """All charts."""
        return [*chain.from_iterable(self.actions.values()), *self.costs]


def budget_curves(records: Sequence[EpisodeRecord]) -> BudgetCurves | None:
    """Return the curves of success by budget, or None if no episode succeeded at a known cost."""
    groups = grouped([each for each in records if each.is_comparable], _place)
    agents = {name: grouped(here, lambda record: record.agent) for name, here in groups.items()}
    styles = legend(each.agent for each in records)
    actions: dict[str, list[Chart]] = {}
    others: list[Chart] = []
    areas: list[AgentArea] = []
    for where, here in sorted(agents.items()):
        for measure in MEASURES:
            known = {
                agent: found
                for agent, some in here.items()
                if (found := costs(some, measure)) is not None
            }
            if paid := spent(chain.from_iterable(known.values())):
                end = measure.end or rounded_up(max(paid))
                site = groups[where][0].site
                charts = actions.setdefault(site, []) if measure is ACTIONS else others
                charts.append(_chart(where, measure, end, known, styles))
                areas += _areas({agent: here[agent] for agent in sorted(known)}, measure, end)
    return BudgetCurves(actions, tuple(others), tuple(areas), styles) if areas else None


def _place(record: EpisodeRecord) -> str:
    return place(record.agent, record.site)


def _chart(
    where: str,
    measure: Measure,
    end: float,
    known: Mapping[str, Sequence[float]],
    styles: Mapping[str, int],
) -> Chart:
    series = {unskilled(agent): curve(found, measure, end) for agent, found in known.items()}
    return chart(
        f"success within a budget on {where}: {measure.name}", measure.axis, series, styles
    )


def _areas(
    agents: Mapping[str, Sequence[EpisodeRecord]], measure: Measure, end: float
) -> Iterator[AgentArea]:
    for agent, records in agents.items():
        if found := area(records, measure, end):
            yield AgentArea(agent, records[0].site, measure.name, measure.text(end), found)
