"""How sure an agent is: the question, the reading of its answer, and episodes that have it."""

from __future__ import annotations

import pytest

from agent import agent_spec
from agent.interface import Reply
from evaluators.episode.budget import Limits
from evaluators.episode.confidence import QUESTION, read
from tests.evaluators.records.example_records import VALUES, episode

SCENARIO = "store/buy_item/3"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("85", 85),
        (" 0\n", 0),
        ("100", 100),
        ("70 %", 70),
        ("I am 40% sure.", 40),
        ("Confidence: 95.0", 95),
        ("60, so 60", 60),
    ],
)
def test_a_number_is_read(text, number):
    assert read(Reply((text,))) == number


@pytest.mark.parametrize("text", ["", "sure", "101", "-5", "0.85", "40 or 60", "1000"])
def test_what_is_no_number_from_0_to_100_is_refused(text):
    with pytest.raises(ValueError, match="one number from 0 to 100"):
        read(Reply((text,)))


def test_the_question_is_asked_once_at_the_end_and_shows_what_was_done(quick_harness, tmp_path):
    ended = quick_harness.run("react:confidence=true", SCENARIO, tmp_path, strict=True)
    assert ended.record["confidence"] == 90 and ended.record["success"]
    assert ended.record["by_purpose"]["confidence/ask"]["calls"] == 1
    calls = [each for each in ended.trace if each["kind"] == "call"]
    assert calls[-1]["purpose"] == "confidence/ask"
    assert [each["word"] for each in ended.trace if each["kind"] == "event"][-1] == "confidence"


def test_without_the_option_nothing_is_asked(quick_harness, tmp_path):
    ended = quick_harness.run("react", SCENARIO, tmp_path, strict=True)
    assert ended.record["confidence"] is None
    assert "confidence/ask" not in ended.record["by_purpose"]


def test_a_spent_budget_leaves_the_number_unknown_and_the_verdict_as_it_is(quick_harness, tmp_path):
    first = quick_harness.run("react", SCENARIO, tmp_path / "a", strict=True).record
    limits = Limits(calls=first["llm_calls"])
    ended = quick_harness.run("react:confidence=true", SCENARIO, tmp_path / "b", limits=limits)
    assert ended.record["confidence"] is None
    assert (ended.record["ended"], ended.record["success"]) == ("answered", True)


def test_an_agent_of_ones_own_says_it_by_an_event(harness, tmp_path):
    own = tmp_path / "mine.py"
    own.write_text(
        "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Options:\n"
        "    pass\n\n\nasync def solve(task, page, llm, options):\n"
        '    task.record("confidence", "15")\n    return ""\n',
        encoding="utf-8",
    )
    record = harness.run(str(own), SCENARIO, tmp_path / "run").record
    assert (record["confidence"], record["success"]) == (15, False)


@pytest.mark.parametrize("stated", ["101", "-1", "high", "15.5", "9" * 50, "٣"])
def test_an_event_that_is_no_such_number_counts_as_none(stated):
    from evaluators.episode.trace import Trace

    trace = Trace()
    trace.record("confidence", "50")
    trace.record("confidence", stated)
    assert trace.confidence is None


def test_the_option_is_of_every_method():
    assert agent_spec.read("nothing:confidence=true").tells_confidence
    assert not agent_spec.read("react").tells_confidence


def test_a_record_of_an_earlier_version_has_no_confidence():
    assert "confidence" not in VALUES and episode().confidence is None
    with pytest.raises(Exception, match="confidence"):
        episode(confidence=101)


def test_the_question_names_all_that_it_shows():
    assert [part for part in ("{task}", "{actions}", "{answer}", "{page}") if part in QUESTION] == [
        "{task}",
        "{actions}",
        "{answer}",
        "{page}",
    ]
