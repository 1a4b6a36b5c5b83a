"""Reliability: does an agent do the same again, over trials, wordings and skins?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import all_succeed, bounded_mean, mean
from evaluators.records.models import EpisodeRecord
from scenarios import registry


@dataclass(frozen=True)
class Rate:
    """A mean over scenarios, from 0 to 1, with its 95 % interval."""

    value: float
    low: float
    high: float


def _rate(values: Sequence[float]) -> Rate | None:
    return Rate(mean(values) or 0.0, *bounded_mean(values)) if values else None


def pass_hat_rate(groups: Iterable[tuple[int, int]], k: int) -> Rate | None:
    """Return pass^k, the probability that k trials of a scenario all succeed, with its interval.

    Args:
        groups: (successes, trials) of each scenario.
        k: The number of trials.

    Returns:
        The rate, or None if a scenario has fewer than k trials.
    """
    return _rate(all_succeed(groups, k))


def agreement(groups: Iterable[tuple[int, int]]) -> Rate | None:
    """Return the probability that two trials of a scenario have the same outcome.

    Args:
        groups: (successes, trials) of each scenario; one with a single trial does not count.

    Returns:
        The rate, or None if no scenario has two trials.
    """
    return _rate(
        [
            (math.comb(won, 2) + math.comb(trials - won, 2)) / math.comb(trials, 2)
            for won, trials in groups
            if trials > 1
        ]
    )


def path_agreement(paths: Iterable[Sequence[Sequence[str]]]) -> Rate | None:
    """Return how alike the actions of two trials of a scenario are.

    It is the mean over pairs of trials of 1 - edit distance / length of the longer path.

    Args:
        paths: For each scenario the trials, each a list of actions.

    Returns:
        The rate, or None if no scenario has two trials.
    """
    alike = (
        mean([_alike(one, other) for one, other in combinations(trials, 2)]) for trials in paths
    )
    return _rate([each for each in alike if each is not None])


def _alike(one: Sequence[str], other: Sequence[str]) -> float:
    longer = max(len(one), len(other))
    return 1 - _distance(one, other) / longer if longer else 1.0


def _distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the fewest insertions, deletions and replacements that make one list the other."""
    row = list(range(len(other) + 1))
    for number, mine in enumerate(one, start=1):
        above, row = row, [number]
        for at, theirs in enumerate(other):
            row.append(min(above[at] + (mine != theirs), above[at + 1] + 1, row[at] + 1))
    return row[-1]


@dataclass(frozen=True)
class Spread:
    """An agent's success on variants of a family (other words, other skins) with the same seeds.

    Attributes:
        agent: The agent.
        family: The family that the variants are of.
        seeds: The number of seeds that all variants share.
        success: The success rate by variant.
    """

    agent: str
    family: str
    seeds: int
    success: dict[str, float]

    @property
    def spread(self) -> float:
        """The best rate minus the worst."""
        return max(self.success.values()) - min(self.success.values())


def spreads(records: Iterable[EpisodeRecord]) -> list[Spread]:
    """Return the spread of each agent over the variants of each family, widest first.

    Only seeds that all variants of the family share count. Families without a second variant, or
    without a shared seed, have no spread.
    """
    scored = [each for each in records if each.is_comparable]
    groups = grouped(scored, lambda record: (record.agent, root(record.family)))
    found = [_spread(agent, family, group) for (agent, family), group in groups.items()]
    return sorted(filter(None, found), key=lambda each: (-each.spread, each.agent, each.family))


def root(family: str) -> str:
    """Return the family that a family is a variant of, or the family itself."""
    known = registry.family_modules()
    name = family if family in known else family.partition(".")[0]  # a skin that is drawn by seed
    return str(known[name].VARIANT_OF or name) if name in known else family


def _spread(agent: str, family: str, records: Sequence[EpisodeRecord]) -> Spread | None:
    variants = grouped(records, lambda record: record.family)
    shared = set.intersection(*({each.seed for each in group} for group in variants.values()))
    if len(variants) < 2 or not shared:
        return None
    return Spread(
        agent, family, len(shared), {name: _success(variants[name], shared) for name in variants}
    )


def _success(records: Iterable[EpisodeRecord], seeds: set[int]) -> float:
    return mean([float(bool(each.success)) for each in records if each.seed in seeds]) or 0.0
