"""The first section of the report: success, the curve of efficiency and the cost, by site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.analysis.grouping import grouped
from evaluators.records.models import SummaryRow
from evaluators.report import success_chart
from evaluators.report.budget_curves import BudgetCurves
from evaluators.report.charts import Chart
from evaluators.report.success_chart import SuccessChart


@dataclass(frozen=True)
class Cost:
    """The means of an agent's episodes.

    None is unknown. `dollars` is the price of an episode, `tokens` counts prompts and replies.
    """

    agent: str
    efficiency: float | None
    steps: float | None
    tokens: float | None
    dollars: float | None


@dataclass(frozen=True)
class Lead:
    """A site's figures: success with floor and ceiling, success by actions, the costs of agents
    that ask a model.
    """

    success: SuccessChart
    efficiency: Sequence[Chart]
    costs: Sequence[Cost]


def leads(rows: Sequence[SummaryRow], budgets: BudgetCurves | None) -> list[Lead]:
    """Return the figures of each site with a scored episode.

    Args:
        rows: The summary by site.
        budgets: The curves of success by budget, or None.
    """
    scored = grouped([row for row in rows if row.scored], lambda row: row.site)
    actions = budgets.actions if budgets else {}
    return [
        Lead(success_chart.chart(site, here), actions.get(site, ()), costs(here))
        for site, here in scored.items()
    ]


def costs(rows: Sequence[SummaryRow]) -> list[Cost]:
    """Return the costs of the agents that asked a model."""
    return [
        Cost(row.agent, row.efficiency, row.steps, row.tokens, _each(row.cost_usd, row.episodes))
        for row in rows
        if row.llm_calls
    ]


def _each(dollars: float | None, episodes: int) -> float | None:
    return None if dollars is None else dollars / episodes
