"""Failures, lengths and valid actions, worked out by hand."""

from __future__ import annotations

import pytest

from evaluators.analysis import failure_modes
from evaluators.analysis.failure_modes import Bucket
from tests.evaluators.records.example_records import scored


def record(success: bool | None, **fields):
    made = {
        "invalid_actions": 0,
        "reward": None if success is None else float(success),
        "reward_parts": {"published": {}} if success is not None else None,
        "failure": "missed detail" if success is False else "",
        "missed": ["color"] if success is False else [],
    }
    return scored(success, **{**made, "ended": "answered", **fields})


def test_valid_actions_by_hand():
    asked_again = record(True, events={"reask": 2})
    failed = record(False, steps=6, invalid_actions=3)
    assert failure_modes.valid_actions([asked_again]) == pytest.approx(4 / 6)
    assert failure_modes.valid_actions([asked_again, failed]) == pytest.approx(7 / 12)
    assert failure_modes.valid_actions([record(True, steps=0)]) is None


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({}, "missed detail"),
        ({"failure": "good enough"}, "good enough"),
        ({"ended": "agent_error", "failure": "gave up"}, "exception"),
        ({"ended": "agent_error", "failure": ""}, "exception"),
        ({"ended": "format_error", "failure": "gave up"}, "format"),
        ({"ended": "truncated", "reward_parts": {}, "failure": "gave up"}, "budget"),
        ({"events": {"forced": 1}, "reward_parts": {}, "failure": "retrieval"}, "budget"),
        ({"events": {"forced": 1}}, "missed detail"),
        ({"ended": "truncated"}, "missed detail"),
        ({"reward_parts": {}, "failure": "retrieval"}, "retrieval"),
        ({"failure": ""}, "other"),
    ],
)
def test_a_failure_has_one_class(fields, wanted):
    assert failure_modes.failure(record(False, **fields)) == wanted


def test_no_class_for_what_did_not_fail():
    assert failure_modes.failure(record(True)) == failure_modes.failure(record(None)) == ""


def test_missed_details_are_counted_for_that_class_only():
    many = [
        record(False, missed=["color", "size"]),
        record(False, missed=["size"]),
        record(False, missed=["price"], failure="good enough"),
        record(True),
    ]
    assert failure_modes.missed(many) == {"size": 2, "color": 1}
    assert failure_modes.failures(many) == {"good enough": 1, "missed detail": 2}


def test_reward_and_success_by_length_set_the_forced_apart():
    many = [
        record(True, events={"transition": 3}),
        record(False, events={"transition": 3}, reward=0.5),
        record(False, steps=9, reward=None, progress=0.25),
        record(False, events={"transition": 15, "forced": 1}, reward=0.75),
        record(None),
    ]
    assert failure_modes.by_length(many) == [
        Bucket(3, False, 2, 0.75, 0.5),
        Bucket(9, False, 1, 0.25, 0.0),
        Bucket(0, True, 1, 0.75, 0.0),
    ]


def test_a_client_that_left_has_not_spent_its_budget():
    nothing = {"reward_parts": {}, "ended": "truncated"}
    left = record(False, **nothing, cause="client", failure="retrieval")
    assert failure_modes.failure(left) == "retrieval"
    assert failure_modes.failure(record(False, **nothing, cause="budget")) == "budget"
