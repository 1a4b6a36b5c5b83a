"""How often alternatives differ and how often an action is the first on its page, by hand."""

from __future__ import annotations

import pytest

from evaluators.analysis.alternatives import alternatives, of_events
from evaluators.analysis.plan_stats import planning
from evaluators.episode.trace import Trace
from tests.evaluators.records.example_records import scored


def events():
    trace = Trace()
    trace.record("remedies", different=3, asked=3)
    trace.record("push", "click [9]", depth=1, rank=2, place=3, among=4)
    trace.record("push", "click [8]", depth=2, rank=1, place=1, among=2)
    trace.record("push", "click [7]", depth=3, rank=0, place=1, among=4)
    trace.record("sample", different=1, asked=5)
    trace.record("push", "note [x]", depth=1, rank=0)
    trace.record("push", "click [2]", depth=1, rank=0, place=2, among=2)
    return trace.reported


def test_an_episode_counts_its_proposals_and_the_places_of_its_actions():
    assert of_events(events()) == {
        "proposals": 2,
        "varied": 1,
        "asked": 8,
        "different": 4,
        "answers": {"actions": 2, "first": 1, "by_chance": 0.75},
        "remedies": {"actions": 2, "first": 1, "by_chance": 0.75},
    }


def test_a_method_without_alternatives_has_no_counts():
    trace = Trace()
    trace.record("plan", "1. go", length=1)
    assert of_events(trace.reported) is None


def test_the_row_has_the_rates_of_all_episodes_together():
    first = scored(True, plan_length=[2], alternatives=of_events(events()))
    second = scored(False, plan_length=[2], alternatives=of_events(events()[4:]))
    found = alternatives([first, second, scored(True)])
    assert found is not None and found.proposals == 3
    assert (found.varied, found.asked, found.different) == pytest.approx(
        (1 / 3, 13 / 3, 5 / 3), abs=1e-6
    )
    assert (found.answers_first, found.answers_by_chance) == pytest.approx(
        (1 / 3, 1.25 / 3), abs=1e-6
    )
    assert (found.remedies_first, found.remedies_by_chance) == (0.5, 0.375)
    row = planning([first, second])
    assert row is not None and row.alternatives == found
    assert alternatives([scored(True)]) is None
