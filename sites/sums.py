"""Sums of floats that are the same on every Python version: from 3.12 on `sum` corrects
rounding.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def in_order(values: Iterable[float]) -> float:
    """Return the sum of the values, rounded after each addition; 0.0 if there are no values."""
    return reduce(add, values, 0.0)
