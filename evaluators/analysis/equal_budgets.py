"""Compare two agents at equal budgets: who succeeds more often within as many tokens?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from evaluators.analysis.efficiency import MEASURES, Measure, costs, spent, within
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean, paired_mean
from evaluators.analysis.profile import Pair
from evaluators.analysis.profile import within as ends_of
from evaluators.analysis.significance import LEVEL, paired

TIMES = 2.0
"""The multiple of the expert's actions at which agents are compared."""


@dataclass(frozen=True)
class AtBudget:
    """The success of agents A and B within one budget.

    Attributes:
        measure: The cost that is limited, such as "tokens".
        budget: The budget.
        text: The budget with its unit.
        success_a: The share of episodes in which A succeeded within the budget.
        success_b: The same of B.
        difference: `success_b` minus `success_a`.
        low: The lower end of the difference's 95 % interval; None if the scenarios are too few.
        high: The upper end.
        p: The probability of a difference of at least this size if the agents do not differ.
    """

    measure: str
    budget: float
    text: str
    success_a: float
    success_b: float
    difference: float
    low: float | None
    high: float | None
    p: float


def equal_budgets(
    pairs: Sequence[Pair], budgets: Mapping[str, float] | None = None
) -> tuple[AtBudget, ...]:
    """Return the comparison within a budget of each measure that is known for both agents.

    The budget is twice the expert's actions, and the median cost of all successes of both agents
    for the other measures. This choice does not depend on which agent is better.

    Args:
        pairs: The compared pairs of episodes, of agent A and agent B.
        budgets: Other budgets, by the name of their measure.
    """
    return tuple(_at_budgets(pairs, budgets or {}))


def _at_budgets(pairs: Sequence[Pair], budgets: Mapping[str, float]) -> Iterator[AtBudget]:
    for measure in MEASURES:
        first, second = (costs([pair[side] for pair in pairs], measure) for side in (0, 1))
        if first is not None and second is not None and (paid := spent([*first, *second])):
            budget = budgets.get(measure.name) or _budget(measure, paid)
            yield _at(pairs, measure, budget, first, second)


def _budget(measure: Measure, paid: Sequence[float]) -> float:
    """Return the budget of a measure, of two digits."""
    return TIMES if measure.end is not None else float(f"{median(paid):.1e}")


def _at(
    pairs: Sequence[Pair],
    measure: Measure,
    budget: float,
    first: Sequence[float],
    second: Sequence[float],
) -> AtBudget:
    a, b = within(first, budget), within(second, budget)
    kept = [
        (pair[0].scenario, float(after <= budget) - float(before <= budget))
        for pair, before, after in zip(pairs, first, second, strict=True)
    ]
    scenarios = [
        [change for _, change in trials] for trials in grouped(kept, lambda each: each[0]).values()
    ]
    low, high = ends_of(paired_mean([mean(each) or 0.0 for each in scenarios], LEVEL))
    p = paired([math.fsum(each) for each in scenarios])
    text = measure.text(budget)
    return AtBudget(measure.name, budget, text, a, b, b - a, low, high, p)
