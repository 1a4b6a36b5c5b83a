"""Both rules of scoring, by figures that were worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from evaluators.mind2web import scoring
from evaluators.mind2web.scoring import LOST, StepScore


@dataclass(frozen=True)
class Action:
    op: str
    element: str
    value: str = ""
    text: str = ""


SELECT = Action("SELECT", "20", "5 00 PM")


def both(predicted, target=SELECT, positives=("20",), reachable=("20",)):
    return tuple(
        scoring.of_step(rule, predicted, target, positives, reachable) for rule in scoring.RULES
    )


def test_the_annotators_own_action_is_right_under_both_rules():
    assert both(SELECT) == (StepScore(1, 1, 1), StepScore(1, 1, 1))
    click = Action("CLICK", "20")
    assert both(click, click) == (StepScore(1, 1, 1), StepScore(1, 1, 1))


def test_the_rules_differ_if_only_the_second_right_element_is_within_reach():
    """MindAct takes any right element within reach, Synapse the first of the data only."""
    second, first = Action("CLICK", "6"), Action("CLICK", "5")
    given = {"target": Action("CLICK", "5"), "positives": ("5", "6"), "reachable": ("6",)}
    assert both(second, **given) == (StepScore(1, 1, 1), StepScore(0, 1, 0))
    assert both(first, **given) == (StepScore(0, 1, 0), StepScore(1, 1, 1))


def test_a_step_out_of_reach_or_without_a_prediction_is_lost():
    assert both(SELECT, reachable=()) == (LOST, LOST)
    assert both(None) == (LOST, LOST)


def test_operation_f1_is_over_the_words_of_operation_and_value():
    """Four words are wanted (SELECT, 5, 00, PM), three given, two agree: 2 * 2 / (4 + 3)."""
    found = both(Action("SELECT", "20", "6 PM"))
    assert [each.f1 for each in found] == [pytest.approx(4 / 7)] * 2
    assert [(each.element, each.success) for each in found] == [(1, 0)] * 2


def test_the_order_of_the_words_counts_for_synapse_only():
    assert both(Action("SELECT", "20", "PM 5 00")) == (StepScore(1, 1, 1), StepScore(1, 1, 0))


def test_punctuation_counts_for_mindact_only():
    found = both(Action("SELECT", "20", "5 00 PM ."))
    assert found == (StepScore(1, pytest.approx(8 / 9), 0), StepScore(1, 1, 0))


def test_the_value_of_a_click_counts_as_words_for_mindact_only():
    found = both(Action("CLICK", "20", "now"), Action("CLICK", "20"))
    assert found == (StepScore(1, pytest.approx(2 / 3), 0), StepScore(1, 1, 0))


def test_a_prediction_without_an_operation_has_the_words_of_its_value():
    """One word of four agrees: 2 * 1 / (1 + 4)."""
    assert [each.f1 for each in both(Action("", "20", "PM"))] == [pytest.approx(2 / 5)] * 2
    assert [each.f1 for each in both(Action("", "20"))] == [0, 0]


def test_synapse_compares_the_text_of_the_reply():
    for text, success in {
        "SELECT [20] [5 00 PM]": 1,
        "SELECT  [20] [5 00 PM]": 0,
        "Action: SELECT [20] [5 00 PM]": 0,
    }.items():
        found = both(Action("SELECT", "20", "5 00 PM", text))[1]
        assert found == StepScore(1, 1, success), text


def test_a_reply_in_another_notation_is_compared_by_its_parts():
    reply = "Answer: C.\nAction: SELECT\nValue: 5 00 PM"
    assert both(Action("SELECT", "20", "5 00 PM", reply)) == (StepScore(1, 1, 1),) * 2


def test_word_f1_of_nothing():
    assert scoring.word_f1([], []) == 1
    assert scoring.word_f1([], ["CLICK"]) == 0
