"""How alike the trials of a scenario end, and the ways that they take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.analysis.grouping import grouped
from evaluators.analysis.reliability import Rate, agreement, pass_hat_rate, path_agreement
from evaluators.records.models import EpisodeRecord
from evaluators.records.trace_events import ActionEvent, TraceEvent
from evaluators.report.loading import LoadedEpisode

_ID = re.compile(r"\[\d+\]")
"""The number of an element, which differs between two pages with the same element."""
Trial = tuple[EpisodeRecord, Sequence[TraceEvent]]


@dataclass(frozen=True)
class Repeated:
    """The trials of an agent on a site.

    Attributes:
        agent: The agent.
        site: The site.
        scenarios: The number of scenarios with two trials or more.
        all_succeed: pass^k by k, from 2 on.
        same_outcome: The probability that two trials end alike.
        same_path: How alike the actions of two trials are; None if the traces have none.
    """

    agent: str
    site: str
    scenarios: int
    all_succeed: dict[int, Rate]
    same_outcome: Rate
    same_path: Rate | None


def repeated(episodes: Sequence[LoadedEpisode]) -> list[Repeated]:
    """Return how reliable each agent is on each site, if it repeated scenarios there."""
    found = [
        (each.record, each.trace) for each in episodes if each.record and each.record.is_comparable
    ]
    groups = grouped(found, lambda one: (one[0].agent, one[0].site))
    rows = [_row(agent, site, group) for (agent, site), group in sorted(groups.items())]
    return [each for each in rows if each]


def _row(agent: str, site: str, group: Sequence[Trial]) -> Repeated | None:
    scenarios = [
        trials for trials in grouped(group, lambda one: one[0].scenario).values() if len(trials) > 1
    ]
    counts = [(sum(bool(record.success) for record, _ in some), len(some)) for some in scenarios]
    same = agreement(counts)
    if same is None:
        return None
    most = min(trials for _, trials in counts)
    rates = {k: pass_hat_rate(counts, k) for k in range(2, most + 1)}
    paths = path_agreement([[_path(trace) for _, trace in some] for some in scenarios])
    kept = {k: rate for k, rate in rates.items() if rate}
    return Repeated(agent, site, len(scenarios), kept, same, paths)


def _path(trace: Sequence[TraceEvent]) -> list[str]:
    """Return the actions of an episode as texts that name their element by its label."""
    actions = (each for each in trace if isinstance(each, ActionEvent))
    return [f"{_ID.sub('', each.action, count=1)} {each.target}" for each in actions]
