"""Table 1 and figures 3 and 6 of Anticipatory Reflection, worked out by hand."""

from __future__ import annotations

import pytest

from evaluators.analysis.plan_stats import planning
from evaluators.records import files, run_folder
from evaluators.run.api import score, summarize
from tests.evaluators.analysis.test_summary import row
from tests.evaluators.records.example_records import manifest, scored


def attempts(*left: bool, actions: int = 2) -> list[dict[str, object]]:
    """What a task's attempts left; each takes one action more than the one before."""
    return [
        {"success": each, "progress": float(each), "actions": actions + number}
        for number, each in enumerate(left)
    ]


def planned(success: bool | None, lengths: list[int], *left: bool, **more: object):
    revisions = {"revise": len(lengths) - 1} if len(lengths) > 1 else {}
    shown = {"plan_length": lengths, "attempts": attempts(*left), "events": revisions}
    return scored(success, **{**shown, **more})


THREE = (
    planned(True, [4], True),
    planned(False, [4, 5, 5], False, True, False),
    planned(True, [6, 4], False, True, attempts=attempts(False, True, actions=5)),
)


def test_the_curve_is_that_of_what_each_attempt_left_and_may_fall():
    found = planning(THREE)
    assert found is not None
    assert found.success_after == (0.333333, 1.0, 0.666667)


def test_actions_revisions_and_lengths_of_plans():
    found = planning([*THREE, scored(False), planned(None, [9], False)])
    assert found is not None and found.episodes == 3, "no plan, no verdict: not among them"
    assert found.actions_first == pytest.approx((2 + 2 + 5) / 3)
    assert found.actions_last == pytest.approx((2 + 4 + 6) / 3)
    assert found.revisions == pytest.approx((0 + 2 + 1) / 3)
    assert found.plan_lengths == {"4": 3, "5": 2, "6": 1}


def test_tasks_that_ask_are_left_out_of_the_curve_and_counted():
    """Only their last attempt gives an answer; what the first would have answered is not known."""
    unknown = attempts(False, True)
    unknown[0]["success"] = None
    asking = planned(True, [3, 2], attempts=unknown, asks=True)
    at_once = planned(True, [3], True, asks=True)
    found = planning([*THREE, asking, at_once])
    assert found is not None and (found.episodes, found.asking) == (5, 2)
    assert found.success_after == (0.333333, 1.0, 0.666667)
    assert found.actions_first == pytest.approx((2 + 2 + 5 + 2 + 2) / 5)
    only = planning([asking, at_once])
    assert only is not None and (only.success_after, only.asking) == ((), 2)


def test_tasks_that_ask_are_counted_if_each_attempt_gave_an_answer():
    answered = attempts(False, True)
    answered[0]["answer"] = "41"
    asking = planned(True, [3, 2], attempts=answered, asks=True)
    found = planning([*THREE, asking])
    assert found is not None and (found.episodes, found.asking) == (4, 0)
    assert found.success_after == (0.25, 1.0, 0.75)


def test_without_plans_there_is_nothing():
    assert planning([scored(True), scored(False, plan_length=[])]) is None
    assert row(scored(True)).planning is None


def test_a_row_has_rounded_rates_and_lengths_by_name():
    made = row(*THREE).planning
    assert made is not None and made.success_after == (0.333333, 1.0, 0.666667)
    assert made.plan_lengths == {"4": 3, "5": 2, "6": 1}


@pytest.mark.wide
def test_attempts_are_scored_again_from_what_they_left(harness, tmp_path):
    """Scored a second time they are the same; with another world of the first, that one is."""
    agent, run = "plan-act:attempts=3,max_actions=40@scripted-0.3", tmp_path / "run"
    ran = next(
        made
        for seed in range(20)
        for made in [harness.run(agent, f"store/buy_item/{seed}", run / str(seed), strict=True)]
        if len(made.record["attempts"]) > 1
    )
    home, folder = ran.home, ran.home.parents[3]
    run_folder.save_manifest(folder, manifest())
    before = summarize(folder)
    assert score(folder) == before
    assert files.load(home / "episode.json")["attempts"] == ran.record["attempts"]
    won = harness.run("expert", ran.record["scenario"], tmp_path / "won", strict=True)
    (home / "attempt-1.json").write_bytes((won.home / "final_world.json").read_bytes())
    run_folder.commit(home, run_folder.load_episode(home))
    score(folder)
    rescored = files.load(home / "episode.json")["attempts"]
    assert rescored[0] == {**ran.record["attempts"][0], "success": True, "progress": 1.0}
    assert rescored[1:] == ran.record["attempts"][1:]
