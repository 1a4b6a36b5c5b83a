"""Estimate the cost of a run with a live model from an offline run of the same suite.

The scripted model gets the same prompts that a live model would get for the same moves. So the
tokens of the offline run, at the live model's price, give the cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.llm import prices
from agent.llm.completion import Usage
from evaluators.analysis import dollars
from evaluators.analysis.grouping import grouped
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord


@dataclass(frozen=True)
class Estimate:
    """The estimate for all episodes of an agent.

    `cost_usd` is None if the model's price is unknown. `minutes` is the shortest possible time at
    the given requests per minute, or None without such a limit.
    """

    agent: str
    episodes: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    minutes: float | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def shown(self) -> dict[str, str]:
        """Return the cells of a table, by column."""
        cost = "unknown price" if self.cost_usd is None else dollars.shown(self.cost_usd)
        return {
            "agent": self.agent,
            **{
                name.replace("_", " "): f"{getattr(self, name):,}"
                for name in ("episodes", "calls", "prompt_tokens", "completion_tokens")
            },
            "cost": cost,
            **({"minutes": f"{self.minutes:,.1f}"} if self.minutes is not None else {}),
        }


def estimate(run: Path, model: str, trials: int = 1, rpm: float = 0) -> list[Estimate]:
    """Return the estimated cost of each agent of a run with a live model.

    Args:
        run: The folder of a run of the scripted model.
        model: The live model.
        trials: How often each episode would run.
        rpm: Requests per minute to the live model, 0 for no limit.

    Raises:
        CorruptRecord: A record cannot be read or was changed.
    """
    groups = grouped((record for _, record in run_folder.checked(run)), lambda record: record.agent)
    return [_of(agent, group, model, trials, rpm) for agent, group in groups.items()]


def _of(
    agent: str, group: Sequence[EpisodeRecord], model: str, trials: int, rpm: float
) -> Estimate:
    prompt = trials * sum(each.usage.prompt or 0 for each in group)
    completion = trials * sum(each.usage.completion or 0 for each in group)
    calls = trials * sum(each.llm_calls or 0 for each in group)
    return Estimate(
        agent,
        trials * len(group),
        calls,
        prompt,
        completion,
        prices.cost(model, Usage(prompt, completion)),
        calls / rpm if rpm else None,
    )
