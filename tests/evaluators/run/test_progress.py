"""What a run shows while it plays."""

from __future__ import annotations

import re

import pytest

from evaluators.records import run_folder
from evaluators.records.run_plan import Key
from evaluators.run.progress import Tally, duration, progress
from tests.evaluators.records.example_records import manifest, scored

LIVE = {"model": "gpt-x"}


def keys(count: int, agent: str = "react") -> list[Key]:
    """That many episodes of one scenario."""
    return [(agent, "store/buy_item/0", trial) for trial in range(count)]


def words(*group, total: int = 4) -> str:
    tally = Tally(total)
    for each in group:
        tally.count(each)
    tally.begin(total)
    return tally.words()


def test_plain_lines_without_a_terminal(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("TERM", "dumb")
    with progress(keys(251), tmp_path, quiet=False) as on_record:
        for number in range(27):
            on_record(scored(number % 2 == 0 if number else None))
    captured = capsys.readouterr()
    assert captured.out == "", "stdout belongs to the result"
    [line] = captured.err.splitlines()
    assert re.fullmatch(r"25/251 episodes, react 12 of 24 \(0\.50\), 1 infra, \d+ s left", line)


def test_a_short_run_prints_a_line_for_each_tenth(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("TERM", "dumb")
    with progress(keys(20), tmp_path, quiet=False) as on_record:
        for _ in range(20):
            on_record(scored(True))
    lines = capsys.readouterr().err.splitlines()
    assert [each.split()[0] for each in lines] == [f"{done}/20" for done in range(2, 21, 2)]


def test_who_stops_a_run_reads_how_far_it_came(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(KeyboardInterrupt):
        _stopped_after_one(tmp_path)
    assert capsys.readouterr().err == "1 of 60 episodes are done, 59 are left\n"


def _stopped_after_one(folder):
    with progress(keys(60), folder, quiet=False) as on_record:
        on_record(scored(True))
        raise KeyboardInterrupt


def test_a_bar_on_a_terminal(capsys, monkeypatch, tmp_path):
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", "120")):
        monkeypatch.setenv(name, value)
    with progress(keys(2), tmp_path, quiet=False) as on_record:
        on_record(scored(True, **LIVE))
        on_record(scored(None, **LIVE))
    captured = capsys.readouterr()
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", captured.err)
    assert captured.out == ""
    assert re.search(r"2/2 react 1 of 1 \(1\.00\), 1 infra, \$0\.50", shown), shown


def test_quiet_is_quiet(capsys, tmp_path):
    with progress(keys(1), tmp_path, quiet=True) as on_record:
        on_record(scored(True))
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_a_resumed_run_counts_what_it_holds_and_not_what_is_played_again(capsys, tmp_path):
    run_folder.save_manifest(tmp_path, manifest())
    held = [scored(True), scored(False), scored(None, cause="site", tries=1)]
    for trial, each in enumerate(held):
        made = each.model_copy(update={"trial": trial})
        run_folder.commit(run_folder.home(tmp_path, made), made)
    with progress(keys(3), tmp_path, quiet=False) as on_record:
        on_record(scored(True))
    assert capsys.readouterr().err == "3/3 episodes, react 2 of 3 (0.67)\n"


def test_a_run_that_grows_is_counted_whole_and_its_end_is_that_of_the_command(capsys, tmp_path):
    """Of two agents with six episodes each, one was interrupted after two; one more is run now."""
    settings = {"agents": ["react", "step"], "scenarios": ["store/buy_item/0"], "trials": 6}
    run_folder.save_manifest(tmp_path, manifest("x", settings))
    for trial in range(2):
        made = scored(True, trial=trial)
        run_folder.commit(run_folder.home(tmp_path, made), made)
    with progress(keys(4, "lats"), tmp_path, quiet=False) as on_record:
        for trial in range(4):
            on_record(scored(False, agent="lats", trial=trial))
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["3/16", "4/16", "5/16", "6/16"]
    assert lines[0].endswith(" left") and not lines[-1].endswith(" left")


@pytest.mark.parametrize(
    ("group", "cost"),
    [
        ([scored(True)], ""),
        ([scored(True, **LIVE), scored(False, **LIVE)], "$0.50"),
        ([scored(True, **LIVE, cost_usd=None)], "cost unknown"),
        ([scored(True, **LIVE, cost_usd=None), scored(True, **LIVE)], "at least $0.25"),
        ([scored(True, **LIVE, cost_usd=0.0)], "$0.00"),
    ],
)
def test_cost_is_shown_where_a_model_is_paid_and_unknown_where_it_is_not_known(group, cost):
    assert words(*group).partition("), ")[2] == cost


def test_agents_are_counted_apart_and_null_agents_together():
    null = [scored(False, agent=each, method=each) for each in ("nothing", "refuse", "cheat:na")]
    group = [*null, scored(True, agent="a"), scored(False, agent="b"), scored(True, agent="b")]
    assert words(*group) == "a 1 of 1 (1.00), b 1 of 2 (0.50), null agents 0 of 3 (0.00)"


def test_a_line_names_few_agents():
    group = [scored(True, agent=each) for each in "abcdef"]
    null = scored(True, agent="nothing", method="nothing")
    assert words(null, *group) == (
        "a 1 of 1 (1.00), b 1 of 1 (1.00), c 1 of 1 (1.00), d 1 of 1 (1.00),"
        " null agents 1 of 1 (1.00), 2 more agents"
    )


def test_nothing_is_promised_before_the_first_episode():
    assert words() == "0 succeeded"
    assert words(scored(None)) == "0 succeeded, 1 infra"


def test_the_time_left_is_from_the_episodes_of_this_process():
    tally = Tally(10, done=4, before=2, coming=8)
    tally.begun -= 60
    assert tally.words().endswith(", 3 min left")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (99, "99 s"), (100, "2 min"), (5999, "100 min"), (6000, "1.7 h")],
)
def test_durations_are_rounded(seconds, text):
    assert duration(seconds) == text
