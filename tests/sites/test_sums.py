"""Figures that every Python adds up alike; from 3.12 on `sum` corrects its rounding."""

from __future__ import annotations

from sites.sums import in_order


def test_values_are_added_one_after_the_other():
    assert in_order([0.1] * 10) == 0.9999999999999999
    assert in_order([]) == 0.0 and in_order(iter([1, 0.5])) == 1.5
