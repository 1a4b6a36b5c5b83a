"""Estimate what a run would cost with a live model from an offline run of the same suite.

The scripted model is sent the prompts that a live one would be sent for the same moves, so the
tokens that were estimated offline, at the price of the live model, give the cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.llm import prices
from agent.llm.completion import Usage
from evaluators.analysis.grouping import grouped
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord


@dataclass(frozen=True)
class Estimate:
    """Of one agent over all its episodes; `cost_usd` is None where the price is not known.
    `minutes` is the least that it takes at the given requests a minute, None without."""

    agent: str
    episodes: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    minutes: float | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def estimate(run: Path, model: str, trials: int = 1, rpm: float = 0) -> list[Estimate]:
    """An estimate for each agent of a run, each episode run `trials` times.

    Raises `CorruptRecord`.
    """
    groups = grouped((record for _, record in run_folder.checked(run)), lambda record: record.agent)
    return [_of(agent, group, model, trials, rpm) for agent, group in groups.items()]


def _of(
    agent: str, group: Sequence[EpisodeRecord], model: str, trials: int, rpm: float
) -> Estimate:
    prompt = trials * sum(each.usage.prompt or 0 for each in group)
    completion = trials * sum(each.usage.completion or 0 for each in group)
    calls = trials * sum(each.llm_calls for each in group)
    return Estimate(
        agent,
        trials * len(group),
        calls,
        prompt,
        completion,
        prices.cost(model, Usage(prompt, completion)),
        calls / rpm if rpm else None,
    )
