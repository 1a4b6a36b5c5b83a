"""How two agents differ by family: the difference of their success rates, with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean, paired_mean
from evaluators.analysis.profile import Pair, within
from evaluators.analysis.significance import LEVEL


@dataclass(frozen=True)
class FamilyDifference:
    """The success rates of agents A and B on the scenarios of a family.

    Attributes:
        family: The family.
        scenarios: The number of compared scenarios.
        success_a: The success rate of A.
        success_b: The success rate of B.
        difference: `success_b` minus `success_a`.
        low: The lower end of the difference's interval; None if the scenarios are too few.
        high: The upper end.
    """

    family: str
    scenarios: int
    success_a: float
    success_b: float
    difference: float
    low: float | None
    high: float | None


def family_differences(pairs: Sequence[Pair]) -> tuple[FamilyDifference, ...]:
    """Return the differences by family, largest loss of B first.

    A scenario counts once, with the mean of its trials. The intervals hold together at 95 %: the
    level of each is divided by the number of families.

    Args:
        pairs: The compared pairs of episodes, of agent A and agent B.
    """
    by_family = grouped(pairs, lambda pair: pair[0].family)
    found = [_difference(name, some, len(by_family)) for name, some in by_family.items()]
    return tuple(sorted(found, key=lambda each: (each.difference, each.family)))


def _difference(family: str, pairs: Sequence[Pair], families: int) -> FamilyDifference:
    trials = grouped(pairs, lambda pair: pair[0].scenario).values()
    first, second = ([_rate(some, side) for some in trials] for side in (0, 1))
    differences = [b - a for a, b in zip(first, second, strict=True)]
    low, high = within(paired_mean(differences, LEVEL / families))
    rates = (mean(first) or 0.0, mean(second) or 0.0)
    return FamilyDifference(family, len(first), *rates, rates[1] - rates[0], low, high)


def _rate(pairs: Sequence[Pair], side: int) -> float:
    return mean([float(bool(pair[side].success)) for pair in pairs]) or 0.0
