"""Two runs on the same scenarios: what is compared of B, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.plugins import UnknownName
from evaluators import report
from evaluators.analysis.compare import Incomparable, compare
from evaluators.records import files, run_folder
from rehearse import main
from tests.evaluators.records.example_records import manifest, sum_up
from tests.evaluators.report.handmade import record

HASHES = {"scenario": "s", "data": "d", "site": "t", "evaluator": "e"}


def run(folder: Path, wins: dict[int, bool | None], agent: str = "react", **changes) -> Path:
    """A run whose episodes of these seeds ended so."""
    run_folder.save_manifest(folder, manifest(folder.name))
    for seed, success in wins.items():
        progress = None if success is None else float(success)
        verdict = {"success": success, "progress": progress, "hashes": HASHES}
        made = record(agent, seed, **{**verdict, **changes})
        run_folder.commit(run_folder.home(folder, made), made)
    return folder


def wins(total: int, won: int) -> dict[int, bool | None]:
    return {seed: seed < won for seed in range(total)}


@pytest.mark.wide
def test_a_planted_difference_of_ten_points_is_found(tmp_path):
    a, b = run(tmp_path / "a", wins(100, 60)), run(tmp_path / "b", wins(100, 70))
    [found] = compare(a, b)
    assert (found.success_a, found.success_b) == (0.6, 0.7)
    assert found.difference == pytest.approx(0.1)
    assert found.p == pytest.approx(2 / 2**10) and found.verdict == "better"
    assert found.detectable < 0.1
    assert [flip.scenario for flip in found.flips] == [f"store/buy_item/{n}" for n in range(60, 70)]
    assert found.flips[0].b == f"{b}/report.html#react/buy_item-60/0"
    assert found.flips[0].beside == "", "no report has both"
    assert compare(b, a)[0].verdict == "worse"


def test_an_agent_that_is_compared_with_itself_is_remarked_upon(tmp_path):
    both = run(run(tmp_path / "a", wins(3, 1)), wins(3, 2), agent="flat")
    for named in ([], ["--agent", "flat"]):
        shown = CliRunner().invoke(main, ["compare", str(both), f"{both}/../a", *named])
        assert shown.stderr.startswith(f"{both} is both runs") and shown.stderr.count("\n") == 1
    two = ["compare", str(both), str(both), "--agent", "flat", "--with", "react"]
    assert CliRunner().invoke(main, two).stderr == ""


def test_revisions_of_plans_are_compared_and_tested(tmp_path):
    a = run(tmp_path / "a", wins(8, 4), plan_length=[3, 4, 4])
    b = run(tmp_path / "b", wins(8, 4), plan_length=[3])
    [found] = compare(a, b)
    assert found.revisions is not None
    assert (found.revisions.pairs, found.revisions.a, found.revisions.b) == (8, 2.0, 0.0)
    assert found.revisions.p == pytest.approx(2 / 2**8) and found.verdict == "none"
    shown = CliRunner().invoke(main, ["compare", str(a), str(b)]).output
    assert "revisions 2.000 -> 0.000   p = 0.0078   (of plans, 8 pairs)" in shown
    [planless] = compare(a, run(tmp_path / "c", wins(8, 4)))
    assert planless.revisions is None and "revisions" not in planless.to_json()


def test_a_single_pair_is_no_plural(tmp_path):
    a, b = run(tmp_path / "a", wins(1, 0)), run(tmp_path / "b", wins(1, 1))
    shown = CliRunner().invoke(main, ["compare", str(a), str(b)]).output
    assert "no difference was seen; 1 pair is too few to show any" in shown


def test_equal_runs_differ_in_nothing(tmp_path):
    a, b = run(tmp_path / "a", wins(40, 20)), run(tmp_path / "b", wins(40, 20))
    [found] = compare(a, b)
    assert found.verdict == "none" and found.p == found.progress_p == 1.0 and not found.flips
    assert 0 < found.detectable < 0.3


@pytest.mark.wide
def test_progress_is_told_apart_where_success_is_not(tmp_path):
    a, b = run(tmp_path / "a", wins(20, 5)), run(tmp_path / "b", wins(20, 5))
    for seed in range(5, 20):
        home = run_folder.folder(b, "react", "buy_item", seed, 0) / "episode.json"
        files.save(home, {**files.load(home), "progress": 0.5})
        sum_up(home.parent)
    [found] = compare(a, b)
    assert found.p == 1.0 and found.progress_p < 0.001 and found.verdict == "better"
    shown = CliRunner().invoke(main, ["compare", str(a), str(b)]).output
    assert found.decided_by == "progress" and "B is better by progress; 20 pairs" in shown
    assert "p < 0.0001" in shown and "p = 0.0000" not in shown
    assert "could have shown a difference in success of" in shown


def test_success_under_policy_is_told_apart_where_success_is_not(tmp_path):
    verdict = {"name": "money", "shown": True, "taken": True, "evidence": None}
    kept = {"safety": [verdict | {"taken": False}], "success_under_policy": True}
    broken = {"safety": [verdict], "success_under_policy": False}
    a = run(tmp_path / "a", wins(20, 20), **kept)
    b = run(tmp_path / "b", wins(12, 12), **broken)
    run(b, dict.fromkeys(range(12, 20), True), **kept)
    [found] = compare(a, b)
    assert found.success_a == found.success_b == 1.0 and found.verdict == "worse"
    policy = found.under_policy
    assert policy is not None and (policy.pairs, policy.a, policy.b) == (20, 1.0, 0.4)
    assert policy.p == pytest.approx(2 / 2**12)
    shown = CliRunner().invoke(main, ["compare", str(a), str(b)])
    assert "policy    1.000 -> 0.400" in shown.output and "B is worse" in shown.output


def test_without_safety_verdicts_a_comparison_is_as_before(tmp_path):
    a = run(tmp_path / "a", wins(3, 2))
    [found] = compare(a, a)
    assert found.under_policy is None and "under_policy" not in found.to_json()
    assert "policy" not in CliRunner().invoke(main, ["compare", str(a), str(a)]).output


def test_only_what_both_have_played_and_scored_counts(tmp_path):
    a = run(tmp_path / "a", {0: True, 1: True, 2: None, 3: True})
    b = run(tmp_path / "b", {0: True, 1: False, 2: True, 9: True})
    [found] = compare(a, b)
    assert (found.pairs, found.unpaired, found.unscored) == (2, 2, 1)


def test_two_agents_of_one_run(tmp_path):
    both = run(tmp_path / "a", wins(10, 9))
    run(tmp_path / "a", wins(10, 2), agent="nothing")
    [found] = compare(both, both, "react", "nothing")
    assert found.verdict == "worse" and len(found.flips) == 7
    both_keys = "react/buy_item-2/0&nothing/buy_item-2/0"
    assert found.flips[0].beside == f"{both}/report.html#{both_keys}"
    assert len(compare(both, both)) == 2, "every agent that both have"


def test_an_outside_agent_is_named_by_the_name_that_serve_got(tmp_path):
    floor = run(tmp_path / "floor", wins(10, 2), agent="nothing")
    mine = run(tmp_path / "mine", wins(10, 9), agent="outside:client=my-agent")
    [found] = compare(floor, mine, "nothing", "my-agent")
    assert found.b == "outside:client=my-agent (mine)" and found.verdict == "better"
    with pytest.raises(UnknownName, match="no agent of this run 'my-agnt'"):
        compare(floor, mine, "nothing", "my-agnt")


def test_unlike_scenarios_are_refused_unless_forced(tmp_path):
    a, b = run(tmp_path / "a", wins(3, 1)), run(tmp_path / "b", wins(3, 2))
    home = run_folder.folder(b, "react", "buy_item", 2, 0) / "episode.json"
    files.save(home, {**files.load(home), "hashes": {**HASHES, "site": "other"}})
    sum_up(home.parent)
    with pytest.raises(Incomparable, match="store/buy_item/2: site was t and is other"):
        compare(a, b)
    assert compare(a, b, force=True)[0].pairs == 3


def test_runs_without_a_common_agent_need_names(tmp_path):
    a = run(tmp_path / "a", wins(3, 1))
    b = run(tmp_path / "b", wins(3, 1), agent="laser")
    assert compare(a, b)[0].b == "laser (b)", "one agent each: these two"
    run(tmp_path / "b", wins(3, 1), agent="step")
    with pytest.raises(Incomparable, match="--agent and --with"):
        compare(a, b)


def test_a_record_of_another_version_is_refused_by_name(tmp_path):
    a, b = run(tmp_path / "a", wins(3, 1)), run(tmp_path / "b", wins(3, 1))
    path = run_folder.folder(b, "react", "buy_item", 2, 0) / "episode.json"
    files.save(path, {**files.load(path), "schema_version": 99})
    refused = CliRunner().invoke(main, ["compare", str(a), str(b)])
    assert refused.exit_code != 0 and "schema_version is 99" in refused.output


def test_the_command_prints_and_fails_on_a_regression(tmp_path):
    a, b = run(tmp_path / "a", wins(12, 9)), run(tmp_path / "b", wins(12, 3))
    compared = CliRunner().invoke(main, ["compare", str(a), str(b), "--fail-on-regression"])
    assert compared.exit_code == 1
    assert (
        "success   0.750 -> 0.250" in compared.output
        and "B is worse by success;" in compared.output
    )
    assert f"only A  store/buy_item/5 0  {a}/report.html#react/buy_item-5/0  {b}" in compared.output
    assert f"`rehearse report {a}` writes it" in compared.output
    for written in (a, b):
        report.write(written)
    repeated = CliRunner().invoke(main, ["compare", str(a), str(b)])
    assert "no report yet" not in repeated.output
    shown = CliRunner().invoke(main, ["compare", str(a), str(b), "--json"])
    assert shown.exit_code == 0 and json.loads(shown.output)[0]["verdict"] == "worse"
    nobody = CliRunner().invoke(main, ["compare", str(a), str(b), "--agent", "raect"])
    assert nobody.exit_code == 2


def test_the_skills_that_tell_two_agents_apart_are_named(tmp_path):
    asked = {"find": 1.0, "compute": None, "commit": 1.0, "restrain": 1.0}
    a = run(tmp_path / "a", wins(20, 10), skills={**asked, "inspect": 0.5})
    b = run(tmp_path / "b", wins(20, 10), skills={**asked, "inspect": 0.75})
    output = CliRunner().invoke(main, ["compare", str(a), str(b)]).output
    assert "B inspects more (+0.25, 0.25 to 0.25)\n" in output
    assert (
        "no skill tells them apart at this size"
        in CliRunner().invoke(main, ["compare", str(a), str(a)]).output
    )
    [made] = json.loads(CliRunner().invoke(main, ["compare", str(a), str(b), "--json"]).output)
    assert made["told_apart"].startswith("B inspects more")
    assert [each["name"] for each in made["skills"]] == ["find", "inspect", "commit", "restrain"]


def test_runs_without_skills_have_no_word_on_them(tmp_path):
    a, b = run(tmp_path / "a", wins(20, 10)), run(tmp_path / "b", wins(20, 10))
    output = CliRunner().invoke(main, ["compare", str(a), str(b)]).output
    assert "skill" not in output and compare(a, b)[0].skills == ()
