"""Whether B differs from A on the same episodes: exact tests on pairs, and what they could see."""

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
"""With so many differing pairs at most every sign pattern is counted; else so many are drawn:"""
DRAWS = 20_000
PRECISION = 1e-3
"""Of the smallest difference."""
TOP_BIT = bytes(each >> 7 for each in range(256))
MOST_PAIRS = 1000
"""Beyond these the power is that of the normal test, which is then the same."""


def mcnemar(only_a: int, only_b: int) -> float:
    """The exact two-sided p of McNemar's test (1947): pairs that only A or only B has won.

    Under the hypothesis each such pair is a fair coin. 1.0 where there is none.
    """
    n, fewer = only_a + only_b, min(only_a, only_b)
    tail = sum(islice(_ways(n), fewer + 1))
    p: float = 2 * tail / 2**n  # of whole numbers, which are never too large
    return min(1.0, p)


def _ways(n: int) -> Iterator[int]:
    """In how many ways 0, 1, 2 and so on of `n` can be chosen."""
    ways = 1
    for chosen in range(n + 1):
        yield ways
        ways = ways * (n - chosen) // (chosen + 1)


def sign_flips(differences: Sequence[float]) -> float:
    """The two-sided p of the paired permutation test (Fisher, 1935) of a mean of differences.

    Under the hypothesis each difference could as well have the other sign. Exact for up to
    `EXACT` differences other than 0, else by `DRAWS` draws, the same at every call.
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
    """What `n` calls of `rng.getrandbits(1)` return, in a fraction of the time."""
    return rng.randbytes(4 * n)[3::4].translate(TOP_BIT)


def paired(differences: Sequence[float]) -> float:
    """The two-sided p of differences in successes, one for each scenario: over its trials."""
    if all(abs(each) <= 1 for each in differences):
        return mcnemar(sum(each < 0 for each in differences), sum(each > 0 for each in differences))
    return sign_flips(differences)


def detectable(pairs: int, differing: int) -> float | None:
    """The smallest difference of two success rates, 0 to 1, that so many pairs would have shown.

    In eight of ten repetitions by the exact test, with as many differing pairs as there were, or as
    few as the difference itself needs. None where none could be shown: where the test does not
    reject even if every pair differs, and to the same side.
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
    """How probably the exact test rejects, where pairs differ with probability `share` and are
    won by B rather than A by `difference`."""
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
    """As `power`, by the normal approximation (Connor, 1987)."""
    normal = NormalDist()
    missing = normal.inv_cdf(1 - LEVEL / 2) * math.sqrt(share) - difference * math.sqrt(pairs)
    return normal.cdf(-missing / math.sqrt(share - difference * difference))


def _rejected(differing: int, won: float) -> float:
    """How probably the test rejects with so many differing pairs."""
    most = _critical(differing)
    counts = [*range(most + 1), *range(differing - most, differing + 1)]
    return math.fsum(_binomial(differing, won, count) for count in counts)


@cache
def _critical(differing: int) -> int:
    """The largest count of the fewer wins with which the test rejects; -1 where it never does."""
    tail, total, most = 0, 2**differing, -1
    for count, ways in enumerate(islice(_ways(differing), differing // 2 + 1)):
        tail += ways
        if 2 * tail / total >= LEVEL:
            break
        most = count
    return most


def _binomial(n: int, rate: float, count: int) -> float:
    """The probability of so many of n."""
    if rate in (0.0, 1.0):
        return float(count == n * rate)
    ways = math.lgamma(n + 1) - math.lgamma(count + 1) - math.lgamma(n - count + 1)
    return math.exp(ways + count * math.log(rate) + (n - count) * math.log1p(-rate))
