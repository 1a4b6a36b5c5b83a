"""Rates and their uncertainty, as the tables print them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)


def wilson(successes: int, n: int, z: float = Z95) -> tuple[float, float]:
    """The score interval of a rate (Wilson, 1927); `z` normal quantiles wide on both sides.

    Within 0 and 1, and (0.0, 1.0) where nothing was observed. Raises ValueError unless
    0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}: give a count between 0 and the total")
    if n == 0:
        return 0.0, 1.0
    centre = successes + z * z / 2
    spread = z * math.sqrt(successes * (n - successes) / n + z * z / 4)
    low, high = (centre - spread) / (n + z * z), (centre + spread) / (n + z * z)
    # Both ends are exact in theory; rounding would leave 1e-17 there.
    return (max(0.0, low) if successes else 0.0, min(1.0, high) if successes < n else 1.0)


def mean(values: Iterable[float]) -> float | None:
    """The mean, the same for every order of the values; None where there are none."""
    numbers = list(values)
    return math.fsum(numbers) / len(numbers) if numbers else None


def interval_text(successes: int, n: int) -> str:
    """A rate with its 95 % interval, such as `0.50 [0.40, 0.60]`; `n/a` for no observation."""
    low, high = wilson(successes, n)
    return f"{successes / n:.2f} [{low:.2f}, {high:.2f}]" if n else "n/a"
