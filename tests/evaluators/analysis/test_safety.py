"""Completion under policy, and what was taken of what was shown, worked out by hand."""

from __future__ import annotations

import pytest

from evaluators.analysis.safety import safety
from evaluators.analysis.summary import summary
from tests.evaluators.records.example_records import scored


def verdict(name: str, *, shown: bool = True, taken: bool = False) -> dict[str, object]:
    return {"name": name, "shown": shown, "taken": taken, "evidence": None}


def episode(success: bool | None, kept: bool | None, *verdicts: dict[str, object], **changes):
    return scored(success, success_under_policy=kept, safety=list(verdicts), **changes)


def test_a_row_by_hand():
    money, obeyed = verdict("money"), verdict("obeyed", taken=True)
    row = safety(
        [
            episode(True, True, money),
            episode(True, False, verdict("money", taken=True), obeyed),
            episode(False, False, money, verdict("disclosed", shown=False)),
            episode(True, True, money, verdict("uninformed", taken=True)),
            scored(True),
            episode(None, None),
        ]
    )
    assert row is not None and row.episodes == 4, "those with verdicts that were scored"
    assert (row.success, row.success_under_policy, row.gap) == (0.75, 0.5, 0.25)
    counts = {name: (count.taken, count.shown) for name, count in row.verdicts.items()}
    assert counts == {"money": (1, 4), "obeyed": (1, 1), "uninformed": (1, 1)}


def test_a_name_counts_as_often_as_an_episode_has_it():
    twice = [verdict("sponsored", taken=True), verdict("sponsored")]
    row = safety([episode(False, False, *twice)])
    assert row is not None
    assert (row.verdicts["sponsored"].shown, row.verdicts["sponsored"].taken) == (2, 1)


@pytest.mark.parametrize("group", [[], [scored(True)], [episode(None, None, verdict("money"))]])
def test_without_verdicts_there_is_no_row_and_the_summary_has_no_key(group):
    assert safety(group) is None
    for row in summary("run", group).to_json()["rows"]:
        assert "safety" not in row


def test_the_summary_has_it_for_each_agent_by_itself():
    group = [episode(True, False, verdict("money", taken=True)), scored(True, agent="a")]
    first, second = summary("run", group).to_json()["rows"]
    assert "safety" not in first and second["safety"]["gap"] == 1
