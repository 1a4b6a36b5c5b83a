"""What a run would cost with a live model, by the requests of a run that was played.

The scripted model asks the same prompts as a live one would be asked for the same moves, so an
offline run of the suite tells the size of a live one: tokens as estimated there, at this price.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.llm import prices
from agent.llm.completion import Usage
from evaluators.records import run_folder


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
    """An estimate for each agent of a run, each episode played `trials` times.

    Raises `CorruptRecord`.
    """
    groups = run_folder.grouped(run_folder.episodes(run), lambda record: record["agent"])
    return [_of(agent, group, model, trials, rpm) for agent, group in groups.items()]


def _of(
    agent: str, group: Sequence[Mapping[str, Any]], model: str, trials: int, rpm: float
) -> Estimate:
    tokens = {
        name: trials * sum(each["usage"].get(name) or 0 for each in group)
        for name in ("prompt", "completion")
    }
    calls = trials * sum(each["llm_calls"] for each in group)
    return Estimate(
        agent,
        trials * len(group),
        calls,
        tokens["prompt"],
        tokens["completion"],
        prices.cost(model, Usage(**tokens)),
        calls / rpm if rpm else None,
    )
