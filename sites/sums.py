"""Sums of floats that are the same on every Python: from 3.12 on `sum` corrects its rounding."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def in_order(values: Iterable[float]) -> float:
    """Add one value after the other, each sum rounded; 0.0 for none."""
    return reduce(add, values, 0.0)
