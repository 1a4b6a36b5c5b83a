"""The trace of an episode."""

from __future__ import annotations

import pytest

from evaluators.episode import trace
from evaluators.episode.trace import Trace


def test_lines_come_back_in_order(tmp_path):
    made = Trace()
    made.write("observation", text="a\nb\u2028c\x85d", error=None)
    made.record("think", "hm", about="x")
    made.record("think")
    made.save(tmp_path / "trace.jsonl")
    assert trace.read(tmp_path / "trace.jsonl") == [
        {"kind": "observation", "text": "a\nb\u2028c\x85d", "error": None},
        {"kind": "event", "word": "think", "what": "hm", "about": "x"},
        {"kind": "event", "word": "think", "what": ""},
    ]
    assert made.events == {"think": 2}


def test_what_json_does_not_know_is_written_as_text(tmp_path):
    made = Trace()
    made.record("note", "x", where=tmp_path, which={1})
    made.save(tmp_path / "t")
    assert trace.read(tmp_path / "t")[0]["where"] == str(tmp_path)


def test_half_a_surrogate_pair_does_not_lose_the_trace(tmp_path):
    made = Trace()
    made.write("observation", text="\ud83d")
    made.save(tmp_path / "t")
    assert trace.read(tmp_path / "t")[0]["kind"] == "observation"


def test_a_corrupt_line_is_named_with_file_and_line(tmp_path):
    (tmp_path / "t").write_text('{"kind": "a"}\n{"kind": \n')
    with pytest.raises(ValueError, match="line 2"):
        trace.read(tmp_path / "t")


def test_a_record_may_use_any_name_for_a_detail(tmp_path):
    """A method's detail that is called as a field of ours must not crash the episode."""
    made = Trace()
    made.record("note", "x", kind="mine")
    made.save(tmp_path / "t")
    assert trace.read(tmp_path / "t")[0]["kind"] == "event"


def test_actions_are_counted_by_attempt_and_the_way_back_is_none():
    made = Trace()
    assert made.actions == [0]
    for action in ("click [1]", "click [2]"):
        made.write("action", action=action)
    made.record("backtrack", "click [3]", by="url")
    made.write("action", action="goto [http://store.localhost/]")
    made.record("remedy", "click [3]")
    made.write("action", action="click [3]")
    made.record("attempt", "2")
    made.record("note", "seen")
    made.record("backtrack", "click [4]", by="snapshot")
    made.record("restore")
    made.write("action", action="click [4]")
    assert made.actions == [3, 2]


def test_the_deepest_push_is_the_depth_of_the_stack():
    made = Trace()
    assert made.stack_depth == 0
    for depth in (1, 2, 3):
        made.record("push", "find", depth=depth)
    made.record("pop", "find", depth=9)
    made.record("push", "find", depth=2)
    assert made.stack_depth == 3


def test_the_length_of_each_plan_is_counted():
    made = Trace()
    assert made.plan_length == []
    made.record("plan", "1. go", length=1)
    made.record("subtask", "go", length=7)
    made.record("revise", "1. go 2. on", length=2)
    assert made.plan_length == [1, 2]
