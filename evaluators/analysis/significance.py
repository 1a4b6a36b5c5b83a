"""Tests whether agent B differs from agent A on the same episodes: exact tests on pairs, and their
power.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product
from operator import getitem
from random import Random
from statistics import NormalDist

LEVEL, POWER = 0.05, 0.8
EXACT = 16
"""The most differing pairs for which all sign patterns are counted; beyond, `DRAWS` patterns are
drawn.
"""
DRAWS = 20_000
PRECISION = 1e-3
"""The precision to which the smallest detectable difference of success rates is computed."""
TOP_BIT = bytes(each >> 7 for each in range(256))
MOST_PAIRS = 1000
"""The most pairs for which a test's power is computed exactly.

Beyond, the normal approximation is used, which is the same by then.
"""


def mcnemar(only_a: int, only_b: int) -> float:
    """Return the exact two-sided p of McNemar's test (1947); 1.0 without differing pairs.

    Under the null hypothesis each differing pair is a fair coin flip.

    Args:
        only_a: The pairs that only A won.
        only_b: The pairs that only B won.
    """
    n, fewer = only_a + only_b, min(only_a, only_b)
    tail = sum(islice(_ways(n), fewer + 1))
    p: float = 2 * tail / 2**n  # integers, which cannot overflow
    return min(1.0, p)


def _ways(n: int) -> Iterator[int]:
    """Yield the binomial coefficients of `n`: in how many ways 0, 1, 2, ... of `n` can be
    chosen.
    """
    ways = 1
    for chosen in range(n + 1):
        yield ways
        ways = ways * (n - chosen) // (chosen + 1)


def sign_flips(differences: Sequence[float]) -> float:
    """Return the two-sided p of the paired permutation test (Fisher, 1935): is the mean difference
    0?

    Under the null hypothesis each difference could have either sign. The test is exact for up to
    `EXACT` differences other than 0; otherwise it uses `DRAWS` random draws, the same at every
    call.
    """
    sizes = [abs(each) for each in differences if each]
    seen = abs(math.fsum(differences)) - 1e-9
    if not sizes:
        return 1.0
    signed = [(-size, size) for size in sizes]
    if len(sizes) <= EXACT:
        sums = [abs(math.fsum(each)) for each in product(*signed)]
        return sum(each >= seen for each in sums) / len(sums)
    rng = Random(f"sign flips/{len(sizes)}")
    drawn = sum(
        abs(math.fsum(map(getitem, signed, _coins(rng, len(sizes))))) >= seen for _ in range(DRAWS)
    )
    return (1 + drawn) / (1 + DRAWS)


def _coins(rng: Random, n: int) -> bytes:
    """Return `n` random bits: the results of `n` calls of `rng.getrandbits(1)`, in a fraction of
    the time.
    """
    return rng.randbytes(4 * n)[3::4].translate(TOP_BIT)


def paired(differences: Sequence[float]) -> float:
    """Return the two-sided p of the test whether two agents differ in success.

    It is exact McNemar if each scenario has one trial, otherwise a permutation test.

    Args:
        differences: For each scenario, B's successes minus A's, summed over its trials.
    """
    if all(abs(each) <= 1 for each in differences):
        return mcnemar(sum(each < 0 for each in differences), sum(each > 0 for each in differences))
    return sign_flips(differences)


def detectable(pairs: int, differing: int) -> float | None:
    """Return the smallest difference of two success rates (0 to 1) that a test would have shown.

    The exact test would find it in eight of ten repetitions, with as many differing pairs as
    observed, or as the difference needs.

    Args:
        pairs: The number of pairs.
        differing: The number of pairs that differ.

    Returns:
        The difference, or None if the test rejects nothing even if all pairs differ to one side.
    """
    if mcnemar(0, pairs) >= LEVEL:
        return None
    low, high = 0.0, 1.0
    while high - low > PRECISION:
        middle = (low + high) / 2
        enough = power(pairs, max(differing / pairs, middle), middle) >= POWER
        low, high = (low, middle) if enough else (middle, high)
    return high


def power(pairs: int, share: float, difference: float) -> float:
    """Return the probability that the exact test finds a difference between two agents.

    Args:
        pairs: The number of pairs.
        share: The probability that a pair differs.
        difference: The true difference of B's and A's success rates.
    """
    if pairs > MOST_PAIRS:
        return _normal_power(pairs, share, difference)
    won = (share + difference) / (2 * share)
    spread = 5 * math.sqrt(pairs * share * (1 - share)) + 1
    first, last = max(0, int(pairs * share - spread)), min(pairs, int(pairs * share + spread) + 1)
    return math.fsum(
        _binomial(pairs, share, differing) * _rejected(differing, won)
        for differing in range(first, last + 1)
    )


def _normal_power(pairs: int, share: float, difference: float) -> float:
    """Return the test's power (the probability that it rejects) by the normal approximation
    (Connor, 1987).
    """
    normal = NormalDist()
    missing = normal.inv_cdf(1 - LEVEL / 2) * math.sqrt(share) - difference * math.sqrt(pairs)
    return normal.cdf(-missing / math.sqrt(share - difference * difference))


def _rejected(differing: int, won: float) -> float:
    """Return the probability that the exact test rejects.

    Args:
        differing: The number of pairs that differ.
        won: The probability that B wins a differing pair.
    """
    most = _critical(differing)
    counts = [*range(most + 1), *range(differing - most, differing + 1)]
    return math.fsum(_binomial(differing, won, count) for count in counts)


@cache
def _critical(differing: int) -> int:
    """Return the largest number of the rarer wins at which the exact test rejects, -1 if it never
    does.
    """
    tail, total, most = 0, 2**differing, -1
    for count, ways in enumerate(islice(_ways(differing), differing // 2 + 1)):
        tail += ways
        if 2 * tail / total >= LEVEL:
            break
        most = count
    return most


def _binomial(n: int, rate: float, count: int) -> float:
    """Return the binomial probability of `count` successes in `n`."""
    if rate in (0.0, 1.0):
        return float(count == n * rate)
    ways = math.lgamma(n + 1) - math.lgamma(count + 1) - math.lgamma(n - count + 1)
    return math.exp(ways + count * math.log(rate) + (n - count) * math.log1p(-rate))
