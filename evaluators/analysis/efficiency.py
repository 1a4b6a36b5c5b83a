"""Efficiency: success for the actions, tokens, dollars and seconds that an episode took.

Everything here is worked out from the records of episodes, so a run needs no new episode for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from agent import agent_spec
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean, over_trials
from evaluators.records.models import EpisodeRecord

MOST_TIMES = 4.0
"""The number of the expert's actions, as a multiple, at which the axis of actions ends."""


def times_the_expert(record: EpisodeRecord) -> float | None:
    """Return how many times the expert's actions a success took; None if that is unknown.

    A success with fewer actions than the expert's counts as 1.
    """
    if record.wasted is None:
        return None
    return record.steps / (record.steps - record.wasted) if record.wasted < record.steps else 1.0


def efficiency(record: EpisodeRecord, power: int = 1) -> float | None:
    """Return success x min(1, expert's actions / actions) ** power, from 0 to 1.

    Args:
        record: A scored episode.
        power: 1, or 2 for a measure that punishes detours more.

    Returns:
        The efficiency: 0 for a failure, None if the actions of a success are unknown.
    """
    if not record.success:
        return 0.0
    times = times_the_expert(record)
    return None if times is None else times**-power


@dataclass(frozen=True)
class Measure:
    """A cost of an episode that can be limited.

    Attributes:
        name: Such as "tokens".
        axis: The name of its axis in a chart.
        budget: A budget as text; "{}" is the number, such as "{} tokens".
        cost: The cost of an episode that succeeded; None is unknown.
        steps: The number of equal steps between two points of a curve.
        begin: The budget at which curves begin.
        end: The budget at which they end, or None: the largest cost of a success decides.
    """

    name: str
    axis: str
    budget: str
    cost: Callable[[EpisodeRecord], float | None]
    steps: int = 20
    begin: float = 0.0
    end: float | None = None

    def text(self, budget: float) -> str:
        """Return a budget with its unit."""
        number = f"{budget:,.0f}" if budget >= 100 else f"{budget:.2g}"
        return self.budget.format(number)


def _tokens(record: EpisodeRecord) -> float | None:
    known = record.usage.prompt is not None and record.usage.completion is not None
    return float(record.usage.tokens) if known else None


def _seconds(record: EpisodeRecord) -> float | None:
    """Return the seconds in which the model answered; a script's say nothing."""
    if record.llm_calls is None or record.model == agent_spec.SCRIPTED:
        return None
    return math.fsum(each.model_s for each in record.by_purpose.values())


ACTIONS = Measure(
    "actions",
    "actions, in multiples of the expert's",
    "{} times the expert's actions",
    times_the_expert,
    steps=24,
    begin=1.0,
    end=MOST_TIMES,
)
MEASURES = (
    ACTIONS,
    Measure("tokens", "tokens of prompts and replies", "{} tokens", _tokens),
    Measure("dollars", "US dollars", "{} dollars", lambda record: record.cost_usd),
    Measure("seconds", "seconds of model time", "{} s of model time", _seconds),
)


def costs(records: Sequence[EpisodeRecord], measure: Measure) -> list[float] | None:
    """Return the cost of each episode, infinite for a failure; None if a success' is unknown."""
    found = [measure.cost(each) if each.success else math.inf for each in records]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def spent(costs: Iterable[float]) -> list[float]:
    """Return the costs of the successes that cost anything."""
    return [each for each in costs if 0 < each < math.inf]


def within(costs: Sequence[float], budget: float) -> float:
    """Return the share of episodes that succeeded within a budget."""
    return sum(each <= budget for each in costs) / len(costs)


def curve(costs: Sequence[float], measure: Measure, end: float) -> list[tuple[float, float]]:
    """Return the share of successes by budget, as points (budget, share).

    Args:
        costs: The cost of each episode, infinite for a failure.
        measure: The cost that is limited.
        end: The largest budget.
    """
    width = (end - measure.begin) / measure.steps
    budgets = [measure.begin + width * number for number in range(measure.steps + 1)]
    return [(each, within(costs, each)) for each in budgets]


@dataclass(frozen=True)
class Area:
    """The area under a curve of success by budget, from 0 to 1, with its 95 % interval.

    It is the mean success over all budgets from the measure's begin to `end`, each equally likely.
    """

    end: float
    value: float
    low: float
    high: float


def area(records: Sequence[EpisodeRecord], measure: Measure, end: float) -> Area | None:
    """Return the area under the curve of some episodes.

    The trials of a scenario are a cluster.

    Args:
        records: Scored episodes.
        measure: The cost that is limited.
        end: The largest budget, above the measure's begin.

    Returns:
        The area, or None if a cost is unknown.
    """
    found = costs(records, measure)
    if found is None:
        return None
    shares = [max(0.0, end - max(cost, measure.begin)) / (end - measure.begin) for cost in found]
    return Area(end, mean(shares) or 0.0, *_interval(records, shares))


def efficiency_interval(records: Sequence[EpisodeRecord]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean efficiency; None if an efficiency is unknown."""
    found = [efficiency(each) for each in records]
    known = [each for each in found if each is not None]
    return _interval(records, known) if known and len(known) == len(found) else None


def _interval(records: Sequence[EpisodeRecord], values: Sequence[float]) -> tuple[float, float]:
    """Return the interval of the mean of a value from 0 to 1 for each record."""
    pairs = zip(records, values, strict=True)
    scenarios = grouped(pairs, lambda pair: pair[0].scenario).values()
    return over_trials((math.fsum(value for _, value in some), len(some)) for some in scenarios)
