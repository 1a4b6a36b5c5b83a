"""What the model's answers took: calls, tokens, time and dollars for each agent and purpose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.records.run_folder import grouped

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Spent:
    """None is unknown, and makes every sum that it is in unknown."""

    name: str
    calls: float | None
    prompt: float | None
    completion: float | None
    seconds: float | None
    dollars: float | None


@dataclass(frozen=True)
class Spending:
    """An agent over all its episodes. `total` costs what the episodes do."""

    total: Spent
    purposes: tuple[Spent, ...]


_COUNTS = ("calls", "prompt_tokens", "completion_tokens", "model_s", "cost_usd")


def spendings(records: Sequence[Record]) -> list[Spending]:
    """One for each agent that asked a model."""
    groups = grouped(records, lambda record: str(record["agent"]))
    found = (_spending(agent, group) for agent, group in sorted(groups.items()))
    return [each for each in found if each.purposes]


def _spending(agent: str, group: Sequence[Record]) -> Spending:
    asked = [
        {**spent, "purpose": str(name)}
        for each in group
        for name, spent in each["by_purpose"].items()
    ]
    by_name = grouped(asked, lambda spent: str(spent["purpose"]))
    purposes = tuple(_spent(name, spents) for name, spents in sorted(by_name.items()))
    total = _spent(agent, asked)
    dollars = _sum(each["cost_usd"] for each in group)
    return Spending(
        Spent(agent, total.calls, total.prompt, total.completion, total.seconds, dollars), purposes
    )


def _spent(name: str, of: Sequence[Mapping[str, Any]]) -> Spent:
    return Spent(name, *(_sum(each.get(count) for each in of) for count in _COUNTS))


def _sum(values: Iterable[float | None]) -> float | None:
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total
