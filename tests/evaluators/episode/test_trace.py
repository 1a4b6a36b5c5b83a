"""The trace of an episode."""

from __future__ import annotations

import pytest

from evaluators.episode.trace import Trace
from evaluators.records.files import CorruptRecord
from evaluators.records.trace_events import read_trace
from tests.contracts.harness import trace_of

SEEN = {"step": 0, "url": "http://a/", "title": "A", "error": None, "capped": False}


def acted(made: Trace, action: str) -> None:
    made.write("action", step=1, action=action, target="")


def test_lines_come_back_in_order(tmp_path):
    made = Trace()
    made.write("observation", **SEEN, text="a\nb\u2028c\x85d")
    made.record("think", "hm", about="x")
    made.record("think")
    made.save(tmp_path / "trace.jsonl")
    assert trace_of(tmp_path / "trace.jsonl") == [
        {"kind": "observation", **SEEN, "text": "a\nb\u2028c\x85d"},
        {"kind": "event", "word": "think", "what": "hm", "about": "x"},
        {"kind": "event", "word": "think", "what": ""},
    ]
    assert made.events == {"think": 2}


def test_each_attempt_has_the_last_answer_that_was_recorded_in_it():
    made = Trace()
    for word, text in (("answer", "1"), ("answer", "2"), ("attempt", "2"), ("attempt", "3")):
        made.record(word, text)
    made.record("answer", "3")
    assert made.answers(3) == ["2", None, "3"]
    assert made.answers(1) == ["2"] and made.answers(4) == ["2", None, "3", None]


def test_what_json_does_not_know_is_written_as_text(tmp_path):
    made = Trace()
    made.record("note", "x", where=tmp_path, which={1})
    made.save(tmp_path / "t")
    assert trace_of(tmp_path / "t")[0]["where"] == str(tmp_path)


def test_half_a_surrogate_pair_does_not_lose_the_trace(tmp_path):
    made = Trace()
    made.write("observation", **SEEN, text="\ud83d")
    made.save(tmp_path / "t")
    assert trace_of(tmp_path / "t")[0]["text"] == "?"


def test_a_line_that_cannot_be_read_is_named_and_the_others_are_read(tmp_path):
    made = Trace()
    made.record("think", "hm")
    made.save(tmp_path / "t")
    whole = (tmp_path / "t").read_bytes()
    (tmp_path / "t").write_bytes(whole + b'{"kind": \n{"kind": "event", "word": 1}\n' + whole)
    events, faults = read_trace(tmp_path / "t")
    assert events == made.lines * 2
    assert faults[0].startswith(f"{tmp_path / 't'}, line 2: no JSON: Expecting value")
    assert faults[1].startswith(f"{tmp_path / 't'}, line 3: event.word: Input should be a valid")
    with pytest.raises(CorruptRecord, match="there is no"):
        read_trace(tmp_path / "none")


def test_a_line_of_another_shape_is_not_written():
    with pytest.raises(ValueError, match=r"action\.target"):
        Trace().write("action", step=1, action="click [1]")


def test_a_record_may_use_any_name_for_a_detail(tmp_path):
    """A method's detail that is called as a field of ours must not crash the episode."""
    made = Trace()
    made.record("note", "x", kind="mine")
    made.save(tmp_path / "t")
    assert trace_of(tmp_path / "t")[0]["kind"] == "event"


def test_actions_are_counted_by_attempt_and_the_way_back_is_none():
    made = Trace()
    assert made.actions == [0]
    for action in ("click [1]", "click [2]"):
        acted(made, action)
    made.record("backtrack", "click [3]", by="url")
    acted(made, "goto [http://store.localhost/]")
    made.record("remedy", "click [3]")
    acted(made, "click [3]")
    made.record("attempt", "2")
    made.record("note", "seen")
    made.record("backtrack", "click [4]", by="snapshot")
    made.record("restore")
    acted(made, "click [4]")
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
