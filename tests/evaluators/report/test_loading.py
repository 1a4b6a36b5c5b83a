"""What cannot be read of an episode is one line, and everything else is there."""

from __future__ import annotations

import json

import pytest

from evaluators.records import files, run_folder
from evaluators.report import loading
from tests.evaluators.report.handmade import TRACE, look, record


def _only(run):
    (episode,) = loading.read(run.path).episodes
    return episode


def test_a_whole_episode_has_no_faults(run):
    run.add(record("react"))
    episode = _only(run)
    assert episode.faults == ()
    assert [line.kind for line in episode.trace] == [line["kind"] for line in TRACE]
    assert len(episode.cassette.calls) == 2 and episode.world["purchases"]


def test_an_agent_without_a_model_needs_no_recording(run):
    run.add(record("nothing"))
    assert _only(run).faults == ()


def test_a_line_ends_in_a_line_feed_only(run):
    home = run.add(record("nothing"), [look(0, "one\u2028two\u2029three\x85four")])
    assert b"\xe2\x80\xa8" in (home / "trace.jsonl").read_bytes()
    episode = _only(run)
    assert episode.faults == () and episode.trace[0].text == "one\u2028two\u2029three\x85four"


def _flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))


def _break_line(home):
    lines = (home / "trace.jsonl").read_bytes().split(b"\n")
    lines[2] = b'{"kind": '
    (home / "trace.jsonl").write_bytes(b"\n".join(lines))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_break_line, "trace.jsonl, line 3: "),
        (
            lambda home: (home / "trace.jsonl").write_text("[1]\n"),
            "trace.jsonl, line 1: not a JSON object",
        ),
        (lambda home: (home / "trace.jsonl").unlink(), "trace.jsonl"),
        (lambda home: _flip(home / "llm.jsonl", 300), "llm.jsonl:2: "),
        (lambda home: (home / "llm.jsonl").unlink(), "llm.jsonl is missing"),
        (lambda home: (home / "final_world.json").write_text("{"), "final_world.json: "),
        (lambda home: (home / "final_world.json").unlink(), "final_world.json"),
        (lambda home: (home / "final_world.json").write_text('{"a": 1}'), "'a' is no table"),
    ],
)
def test_one_line_names_the_file_and_the_rest_is_episode(run, damage, message):
    damage(run.add(record("react")))
    episode = _only(run)
    (fault,) = episode.faults
    assert message in fault and "\n" not in fault and str(run.path) not in fault
    assert "episodes/react/buy_item-0/0" in fault
    assert episode.record is not None


WHOLE = record("react").to_json()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "episode.json: "),
        ("[]", "not a JSON object"),
        (json.dumps({"agent": "react"}), "schema_version is None"),
        (json.dumps(WHOLE | {"seed": "x"}), "seed: Input should be a valid integer, not 'x'"),
        (json.dumps(WHOLE | {"usage": None}), "usage: "),
    ],
)
def test_a_record_that_cannot_be_read_is_in_no_summary(run, content, message):
    home = run.add(record("react"))
    run.add(record("react", 1))
    (home / "episode.json").write_text(content)
    read = loading.read(run.path)
    assert [each.seed for each in read.records] == [1]
    unread = read.episodes[-1]
    assert unread.record is None and len(unread.faults) == 1 and message in unread.faults[0]


def test_a_bug_of_ours_is_no_unreadable_file(run, monkeypatch):
    """Only what is wrong with a file is a line of the report."""
    run.add(record("react"))
    monkeypatch.setattr(loading, "_cassette", lambda path, record: record["llm_calls"])
    with pytest.raises(TypeError):
        loading.read(run.path)


def test_episodes_stand_in_the_order_of_the_records(run):
    for agent, seed in (("react", 10), ("react", 9), ("expert", 3)):
        run.add(record(agent, seed))
    ours = [(each.agent, each.seed) for each in loading.read(run.path).records]
    assert ours == [(each.agent, each.seed) for each in run_folder.episodes(run.path)]


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(files.CorruptRecord, match="is this the folder of a run"):
        loading.read(tmp_path)
