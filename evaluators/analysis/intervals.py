"""Rates and their uncertainty, as the tables print them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

from sites.sums import in_order

Z95 = NormalDist().inv_cdf(0.975)


def wilson(successes: int, n: int, z: float = Z95) -> tuple[float, float]:
    """Return the score interval of a rate (Wilson, 1927), within 0 and 1.

    Args:
        successes: The number of successes.
        n: The number of observations; 0 gives (0.0, 1.0).
        z: The normal quantile on each side, 1.96 for 95 %.

    Raises:
        ValueError: `successes` is not between 0 and `n`.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}: give a count between 0 and the total")
    if n == 0:
        return 0.0, 1.0
    return _score_interval(successes, n, z)


def _score_interval(successes: float, n: float, z: float) -> tuple[float, float]:
    centre = successes + z * z / 2
    spread = z * math.sqrt(successes * (n - successes) / n + z * z / 4)
    low, high = (centre - spread) / (n + z * z), (centre + spread) / (n + z * z)
    # Both ends are exact in theory; rounding would leave 1e-17 there.
    return (max(0.0, low) if successes else 0.0, min(1.0, high) if successes < n else 1.0)


def clustered(groups: Iterable[tuple[float, int]], z: float = Z95) -> tuple[float, float] | None:
    """Return the score interval of a success rate over clusters, such as families of tasks.

    Episodes of a family resemble each other, so they count for fewer (Kish's design effect, at
    least 1). Returns None for a single cluster, which cannot show how much clusters differ.

    Args:
        groups: (successes, episodes) of each cluster.
        z: The normal quantile on each side, 1.96 for 95 %.
    """
    known = [(won, n) for won, n in groups if n]
    if len(known) == 1:
        return None
    won, total = _added(known)
    rate = won / total if total else 0.0
    if rate in (0.0, 1.0):
        return _score_interval(won, total, z) if total else (0.0, 1.0)
    between = math.fsum((each - rate * n) ** 2 for each, n in known) * len(known)
    effect = max(1.0, between / (len(known) - 1) / (total * rate * (1 - rate)))
    return _score_interval(won / effect, total / effect, z)


def over_families(
    families: Iterable[Sequence[tuple[float, int]]], z: float = Z95
) -> tuple[float, float] | None:
    """Return the score interval of a success rate over families of scenarios.

    It is the interval of `clustered`, with families as clusters, widened to the ends of the
    interval over their scenarios (`over_trials`). Returns None for a single family.

    Args:
        families: (successes, trials) of each scenario, for each family.
        z: The normal quantile on each side, 1.96 for 95 %.
    """
    known = list(families)
    across = clustered((_added(each) for each in known), z)
    if across is None:
        return None
    within = over_trials((scenario for each in known for scenario in each), z)
    return min(across[0], within[0]), max(across[1], within[1])


def over_trials(groups: Iterable[tuple[float, int]], z: float = Z95) -> tuple[float, float]:
    """Return the score interval of a success rate over scenarios, each with one trial or several.

    It is computed as in `clustered`, but with Student's t for the number of scenarios. The
    similarity of trials is estimated as if one more scenario had been won in half of its trials;
    otherwise nothing would show it if nearly every scenario is won.

    The interval is never wider than Wilson's with each scenario counted once. It is that interval
    if no trial differs from another in its outcome, or if there is one scenario: then nothing
    shows how alike the trials of a scenario are.

    The successes of a scenario may be a sum of figures from 0 to 1, such as efficiencies. Figures
    that are all 0 or 1 have the largest spread, so the interval is wide enough for others.

    Args:
        groups: (successes, trials) of each scenario.
        z: The normal quantile on each side, 1.96 for 95 %.
    """
    known = [(won, n) for won, n in groups if n]
    won, total = _added(known)
    if not total:
        return wilson(0, 0, z)
    once = _score_interval(won * len(known) / total, len(known), z)
    if won in (0, total) or len(known) < 2:
        return once
    more = total / len(known)
    rate = (won + more / 2) / (total + more)
    between = math.fsum((each - rate * n) ** 2 for each, n in known) + (more / 2) ** 2
    effect = between * (1 + 1 / len(known)) / ((total + more) * rate * (1 - rate))
    effect = min(max(1.0, effect), max(n for _, n in known))
    low, high = _score_interval(won / effect, total / effect, _students(len(known) - 1, z))
    return max(low, once[0]), min(high, once[1])


def _added(groups: Iterable[tuple[float, int]]) -> tuple[float, int]:
    """Return the successes and the episodes of all groups together."""
    known = list(groups)
    return math.fsum(won for won, _ in known), sum(n for _, n in known)


def bounded_mean(values: Sequence[float], z: float = Z95) -> tuple[float, float]:
    """Return a confidence interval for the mean of figures from 0 to 1, computed as for a success
    rate.

    Figures that are all 0 or 1 have the largest spread, so the interval is wide enough for others.
    """
    return _score_interval(math.fsum(values), len(values), z)


def paired_mean(differences: Sequence[float], level: float) -> tuple[float, float] | None:
    """Return Student's confidence interval for the mean of paired differences.

    Returns None if the pairs are so few that even differences of one sign could not be
    distinguished from 0: the sign test gives two of the 2**n patterns.

    Args:
        differences: The differences, one per pair.
        level: The probability that the interval misses the mean, such as 0.05.
    """
    n = len(differences)
    if n < 2 or 2.0 ** (1 - n) >= level:
        return None
    centre = math.fsum(differences) / n
    spread = math.sqrt(math.fsum((each - centre) ** 2 for each in differences) / (n - 1) / n)
    half = _students(n - 1, NormalDist().inv_cdf(1 - level / 2)) * spread
    return centre - half, centre + half


def _students(freedom: int, z: float) -> float:
    """Return the quantile of Student's t that corresponds to the normal quantile `z`.

    Source: Abramowitz and Stegun, 26.7.5, two terms. `freedom` are the degrees of freedom.
    """
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def pass_hat(groups: Iterable[tuple[int, int]], k: int) -> float | None:
    """Return pass^k: the probability that k trials of a scenario all succeed, averaged over
    scenarios.

    Args:
        groups: (successes, trials) of each scenario.
        k: The number of trials.

    Returns:
        The mean, or None if a scenario has fewer than k trials.
    """
    return mean(all_succeed(groups, k))


def all_succeed(groups: Iterable[tuple[int, int]], k: int) -> list[float]:
    """Return, for each scenario, the probability that k of its trials all succeed.

    Arguments are as in `pass_hat`. Empty if a scenario has fewer than k trials.
    """
    counts = list(groups)
    if any(trials < k for _, trials in counts):
        return []
    return [math.comb(won, k) / math.comb(trials, k) for won, trials in counts]


def pass_at(groups: Iterable[tuple[int, int]], k: int) -> float | None:
    """Return pass@k: the probability that at least one of k trials of a scenario succeeds.

    Arguments and None are as in `pass_hat`.
    """
    lost = pass_hat([(trials - won, trials) for won, trials in groups], k)
    return None if lost is None else 1 - lost


def mean(values: Iterable[float]) -> float | None:
    """Return the mean, which is the same for any order of the values; None without values."""
    numbers = list(values)
    return math.fsum(numbers) / len(numbers) if numbers else None


def total(values: Iterable[float | None]) -> float | None:
    """Return the sum, or None if a value is unknown."""
    found = list(values)
    known = [each for each in found if each is not None]
    return in_order(known) if len(known) == len(found) else None


def rounded(value: float | None) -> float | None:
    """Return a value rounded to six decimals, as a summary records it; None stays None."""
    return None if value is None else round(value, 6)
