"""Whether an agent knows when it has failed, worked out by hand."""

from __future__ import annotations

import pytest

from evaluators.analysis.calibration import Bin, calibration
from evaluators.analysis.summary import summary
from tests.evaluators.records.example_records import scored

STATED = ((True, 90), (True, 60), (False, 60), (False, 10))


def records(stated=STATED):
    return [scored(success, confidence=number) for success, number in stated]


def test_the_figures_of_four_episodes():
    found = calibration(records())
    assert found.episodes == 4
    assert found.brier == pytest.approx((0.01 + 0.16 + 0.36 + 0.01) / 4)
    assert found.auroc == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert found.honest == 0.5, "one of two failures was stated as one"
    assert found.bins == (
        Bin(1, pytest.approx(0.1), 0.0),
        Bin(2, pytest.approx(0.6), 0.5),
        Bin(1, pytest.approx(0.9), 1.0),
    )


def test_a_hundred_is_in_the_highest_range_and_ends_are_included():
    found = calibration(records([(True, 100), (False, 0)]))
    assert (found.brier, found.auroc, found.honest) == (0.0, 1.0, 1.0)
    assert [each.confidence for each in found.bins] == [0.0, 1.0]


def test_without_failures_nobody_is_told_apart():
    found = calibration(records([(True, 80)]))
    assert (found.auroc, found.honest) == (None, None)


def test_episodes_without_a_number_or_a_score_do_not_count():
    assert calibration([scored(True), scored(None, confidence=80)]) is None
    assert calibration([*records(), scored(False)]).episodes == 4


def test_a_row_has_them():
    [row] = summary("run", records()).rows
    assert (row.brier, row.auroc, row.honest_failures) == (0.135, 0.875, 0.5)
    [row] = summary("run", [scored(True)]).rows
    assert (row.brier, row.auroc, row.honest_failures) == (None, None, None)
