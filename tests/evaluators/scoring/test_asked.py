"""The answer that a scenario asks for, beside the agent's answer."""

from __future__ import annotations

import pytest

from evaluators.scoring.asked import Asked
from evaluators.scoring.score import MOST, f1, progress


@pytest.mark.parametrize(
    ("kind", "text", "answer", "likeness"),
    [
        ("money", "12.50", "$12.50", 1.0),
        ("money", "12.50", "12.51", 0.0),
        ("list", "Ann, Bob", "bob; ann", 1.0),
        ("list", "Ann, Bob", "Bob, Carl", 0.5),
        ("list", "Ann, Bob", "", 0.0),
        ("text", "NOT_ACHIEVABLE", "impossible", 1.0),
        ("list", "NOT_FOUND", "Ann, Bob", 0.0),
    ],
)
def test_an_answer_is_right_or_shares_items_with_the_right_list(kind, text, answer, likeness):
    asked = Asked(kind, text, answer)
    assert asked.likeness == likeness
    assert asked.check("answer").held == asked.is_right == (likeness == 1)


def test_days_of_a_check_are_written_out():
    check = Asked("date", "2025-04-10", "it was on 2025-04-11").check("answer")
    assert (check.found, check.wanted) == ("it was on 11 April 2025", "10 April 2025")
    assert Asked("text", "2025-04-10", "").check("answer").wanted == "2025-04-10"


def test_equal_elements_count_each():
    assert f1("aab", "abb") == pytest.approx(2 / 3)
    assert f1("", "") == 0


def test_only_a_success_has_progress_1():
    assert (progress(0.123456, success=False), progress(1, success=False)) == (0.1235, MOST)
    assert progress(0, success=True) == 1
