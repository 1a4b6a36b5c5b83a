"""What a run shows in a terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from evaluators.analysis.summary import summary
from evaluators.records.models import EpisodeRecord
from evaluators.report import console_table
from tests.evaluators.records.example_records import scored


def shown(capsys, *group, folder: str = "runs/x") -> str:
    console_table.table(summary("x", group), Path(folder))
    return capsys.readouterr().out


def test_a_table_holds_agent_rate_interval_and_endings(capsys):
    out = shown(capsys, scored(True), scored(False, ended="truncated"))
    for part in ("react", "store", "0.50", "run: runs/x"):
        assert part in out
    assert "truncated" in " ".join(out.split())


def test_the_floor_stands_beside_each_rate_and_is_named(capsys):
    null = [scored(each, agent="refuse", method="refuse") for each in (True, False, False, False)]
    out = shown(capsys, scored(True), *null)
    assert out.count("0.25") >= 2 and "of a null agent on the same scenarios (refuse)" in out
    assert "no null agent was run, so the table has no floor; to add it, run the same" in shown(
        capsys, scored(True)
    )


def test_rows_of_one_family_are_named_and_those_of_several_are_not(capsys):
    several = [scored(True, family=each, scenario=f"store/{each}/0") for each in ("a", "b")]
    lone = scored(True, agent="step", family="a", scenario="store/a/0")
    assert "of one family: step on store; these rates" in shown(capsys, *several, lone)
    assert "of one family" not in shown(capsys, *several)


def test_the_signs_of_a_table_are_explained(capsys):
    marked = shown(capsys, scored(True), scored(None))
    assert "\n!: more than 2% of the row's episodes ended by a fault" in marked
    assert "-: no value, because no null agent was run (floor), or" in marked
    assert "!: " not in shown(capsys, scored(True, reward=1.0))


def test_who_answered_stands_under_the_table(capsys):
    null = scored(False, agent="refuse", method="refuse", llm_calls=0)
    out = shown(capsys, scored(True, model="gpt-x"), null)
    assert "the model gpt-x answered react\nno model was asked by refuse\n" in out
    assert "the scripted model answered react: a script" in shown(capsys, scored(True))


def test_the_parts_of_a_purchases_reward_stand_below(capsys):
    parts = {"published": {"r_type": 1.0, "r_att": 0.75, "r_option": 0.25}}
    out = shown(capsys, scored(False, reward=0.5, reward_parts=parts))
    table, _, rest = out.rpartition(" att ")
    assert "progress" in table and "0.50  0.75  0.25  1.00" in rest
    assert "att, opt, type: the mean shares" in out
    assert "att, opt, type" not in shown(capsys, scored(True))


def test_completion_under_policy_stands_below_where_there_are_verdicts(capsys):
    verdict = {"name": "obeyed", "shown": True, "taken": True, "evidence": None}
    kept = {"safety": [verdict | {"taken": False}], "success_under_policy": True}
    broken = {"safety": [verdict], "success_under_policy": False}
    out = shown(capsys, scored(True, **kept), scored(True, **broken))
    assert "under policy" in out and "obeyed 1/2" in out
    assert "2 1.00 0.50 0.50 obeyed 1/2" in " ".join(out.split())
    assert "under policy" not in shown(capsys, scored(True))


def test_infra_and_unknown_prices_show(capsys):
    out = shown(capsys, scored(True, cost_usd=None), scored(None))
    assert "1.00!" in out and "unknown" in out and "infra_error" in " ".join(out.split())


def test_a_row_without_a_verdict_can_be_shown(capsys):
    assert "-" in shown(capsys, scored(None))


@pytest.mark.parametrize("folder", ["runs/[bold]x", "runs/a[/b]c", "runs/" + "long-name-" * 20])
def test_folders_are_printed_as_they_are_named(capsys, folder):
    assert f"run: {folder}\n" in shown(capsys, scored(True), folder=folder)


def test_an_agent_is_printed_as_it_is_named(capsys):
    assert "./m[b].py" in shown(capsys, scored(True, agent="./m[b].py"))


def test_figures_are_whole_beside_a_long_name(capsys):
    out = shown(capsys, scored(True, agent="synapse:embedder=hashed,exemplars=some/where/else"))
    assert "…" not in out and "0.21-1.00" in out


def test_no_colour_where_none_is_wanted(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("sys.stdout", io.StringIO())
    import sys

    console_table.table(summary("x", [scored(True)]), Path("runs/x"))
    assert "\x1b[3" not in sys.stdout.getvalue()


def failing(*checks: tuple[str, bool, str, str], **more) -> EpisodeRecord:
    names = ("name", "held", "found", "wanted")
    return scored(False, checks=[dict(zip(names, each, strict=True)) for each in checks], **more)


def test_the_first_failed_check_of_each_agent_says_what_was_found_and_wanted(capsys):
    kept, price = ("type", True, "lamps", "lamps"), ("price", False, "$30\n.00", "at most $20.00")
    later = failing(("options", False, "no options", "color: red"))
    null = failing(price, agent="nothing", method="nothing")
    broken = failing(price, agent="mine", method="mine", ended="agent_error")
    console_table.failed_checks([scored(True), failing(kept, price), later, null, broken])
    first, second = capsys.readouterr().err.splitlines()
    assert first == "react: 2 of 3 episodes failed; the first is store/buy_item/0"
    assert second == "  price: found $30 .00; wanted at most $20.00"


def test_errors_of_the_agent_are_counted_among_its_failures(capsys):
    lost = failing(("price", False, "$30.00", "at most $20.00"), scenario="store/buy_item/7")
    crashed = [failing(ended="agent_error", cause="exception")] * 9
    console_table.failed_checks([*crashed, lost, lost, scored(True)])
    assert capsys.readouterr().err.splitlines()[0] == (
        "react: 11 of 12 episodes failed, 9 of them by an error of the agent; the first other is"
        " store/buy_item/7"
    )


def test_a_long_check_is_cut_in_a_terminal(capsys):
    console_table.failed_checks([failing(("answer", False, "x" * 5_000, "y" * 5_000))])
    assert max(map(len, capsys.readouterr().err.splitlines())) < 500
