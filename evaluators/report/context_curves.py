"""Success by the model's context, for agents that were run with several contexts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agent.agent_spec import CONTEXT, unskilled
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean
from evaluators.records.models import EpisodeRecord
from evaluators.report.charts import Chart, chart, legend, place

_OPTION = re.compile(rf"(?::{CONTEXT}=\d+(?=[:@]|$)|(?<=:){CONTEXT}=\d+,|,{CONTEXT}=\d+)")


@dataclass(frozen=True)
class ContextCurves:
    """Charts by context for each site: success, and episodes that ended because a request did not
    fit.
    """

    charts: tuple[Chart, ...]
    legend: Mapping[str, int]


METRICS: Mapping[str, Callable[[EpisodeRecord], bool]] = {
    "success": lambda record: bool(record.success),
    "a request did not fit": lambda record: record.cause == CONTEXT,
}


def context_curves(records: Sequence[EpisodeRecord]) -> ContextCurves | None:
    """Return the curves, or None if no agent was run with several contexts on a site."""
    known = [each for each in records if each.is_comparable and each.options.get(CONTEXT)]
    groups = grouped(known, lambda record: (_agent(record), record.site))
    curved = {key: some for key, some in groups.items() if len({*map(_context, some)}) > 1}
    if not curved:
        return None
    styles = legend(agent for agent, _ in curved)
    where = grouped(sorted(curved), lambda key: place(*key))
    return ContextCurves(
        tuple(
            _chart(title, metric, {key[0]: curved[key] for key in keys}, styles)
            for title, keys in sorted(where.items())
            for metric in METRICS
        ),
        styles,
    )


def _agent(record: EpisodeRecord) -> str:
    """Return the agent's name without its context."""
    return _OPTION.sub("", record.agent)


def _context(record: EpisodeRecord) -> float:
    """Return the context in units of 1,024 tokens."""
    value = record.options[CONTEXT]
    return value / 1024 if isinstance(value, int) else 0.0


def _chart(
    where: str,
    metric: str,
    agents: Mapping[str, Sequence[EpisodeRecord]],
    styles: Mapping[str, int],
) -> Chart:
    series = {
        unskilled(agent): [
            (context, mean([float(METRICS[metric](each)) for each in some]) or 0.0)
            for context, some in sorted(grouped(records, _context).items())
        ]
        for agent, records in agents.items()
    }
    return chart(
        f"{metric} by context on {where}", "the model's context, in 1,024 tokens", series, styles
    )
