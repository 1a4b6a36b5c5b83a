"""Whether B differs from A on the same episodes: exact tests on pairs, and what they could see."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from random import Random
from statistics import NormalDist

LEVEL, POWER = 0.05, 0.8
EXACT = 16
"""With so many differing pairs at most every sign pattern is counted; else so many are drawn:"""
DRAWS = 20_000


def mcnemar(only_a: int, only_b: int) -> float:
    """The exact two-sided p of McNemar's test (1947): pairs that only A or only B has won.

    Under the hypothesis each such pair is a fair coin. 1.0 where there is none.
    """
    n, fewer = only_a + only_b, min(only_a, only_b)
    tail: int = sum(math.comb(n, count) for count in range(fewer + 1))
    return min(1.0, math.ldexp(2 * tail, -n))


def sign_flips(differences: Sequence[float]) -> float:
    """The two-sided p of the paired permutation test (Fisher, 1935) of a mean of differences.

    Under the hypothesis each difference could as well have the other sign. Exact for up to
    `EXACT` differences other than 0, else by `DRAWS` draws, the same at every call.
    """
    sizes = [abs(each) for each in differences if each]
    seen = abs(math.fsum(differences)) - 1e-9
    if not sizes:
        return 1.0
    if len(sizes) <= EXACT:
        patterns = product((-1, 1), repeat=len(sizes))
        sums = [abs(math.fsum(map(math.prod, zip(each, sizes, strict=True)))) for each in patterns]
        return sum(each >= seen for each in sums) / len(sums)
    rng = Random(f"sign flips/{len(sizes)}")
    drawn = sum(
        abs(math.fsum(size if rng.getrandbits(1) else -size for size in sizes)) >= seen
        for _ in range(DRAWS)
    )
    return (1 + drawn) / (1 + DRAWS)


def detectable(pairs: int, differing: int) -> float:
    """The smallest difference of two success rates, 0 to 1, that so many pairs would have shown.

    In eight of ten repetitions at the level of 5 % (Connor, 1987), with as many differing pairs
    as there were, or as few as the difference itself needs. 1.0 where nothing could be seen.
    """
    if not pairs:
        return 1.0
    normal = NormalDist()
    level, power = normal.inv_cdf(1 - LEVEL / 2), normal.inv_cdf(POWER)
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        share = max(differing / pairs, middle)
        needed = level * math.sqrt(share) + power * math.sqrt(share - middle * middle)
        low, high = (low, middle) if middle * math.sqrt(pairs) >= needed else (middle, high)
    return high
