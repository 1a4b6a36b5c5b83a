"""The cost of the model's replies: calls, tokens, time and US dollars for each agent and
purpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import total
from evaluators.records.models import EpisodeRecord, PurposeUse


@dataclass(frozen=True)
class Spent:
    """The cost of an agent's model requests for one purpose, or for all purposes.

    None is unknown and makes every sum unknown.
    """

    name: str
    calls: float | None
    prompt: float | None
    completion: float | None
    seconds: float | None
    dollars: float | None


@dataclass(frozen=True)
class Spending:
    """The cost of an agent's model requests over all its episodes.

    The US dollars of `total` are the sum that the episodes recorded.
    """

    total: Spent
    purposes: tuple[Spent, ...]


def spendings(records: Sequence[EpisodeRecord]) -> list[Spending]:
    """Return the cost of each agent that called a model."""
    groups = grouped(records, lambda record: record.agent)
    found = (_spending(agent, group) for agent, group in sorted(groups.items()))
    return [each for each in found if each.purposes]


def _spending(agent: str, group: Sequence[EpisodeRecord]) -> Spending:
    uses = [use for each in group for use in each.by_purpose.items()]
    by_name = grouped(uses, lambda use: use[0])
    purposes = tuple(_spent(name, found) for name, found in sorted(by_name.items()))
    dollars = total(each.cost_usd for each in group)
    return Spending(replace(_spent(agent, uses), dollars=dollars), purposes)


def _spent(name: str, uses: Sequence[tuple[str, PurposeUse]]) -> Spent:
    return Spent(
        name,
        total(each.calls for _, each in uses),
        total(each.prompt_tokens for _, each in uses),
        total(each.completion_tokens for _, each in uses),
        total(each.model_s for _, each in uses),
        total(each.cost_usd for _, each in uses),
    )
