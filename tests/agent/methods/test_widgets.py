"""SteP and Flat on the widgets: whom the root calls for what, and their examples (table 4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from agent.llm.recording.cassette import Cassette
from agent.methods.step import policy_library
from tests.contracts.harness import RecordedEpisode

CALLED = {
    "book-flight": ["fill_text", "fill_text", "choose_date"],
    "choose-date-medium": ["choose_date"],
    "click-checkboxes-transfer": ["click_checkbox"],
    "click-collapsible-2": ["search_tab"],
    "click-tab-2-hard": ["search_tab"],
    "email-inbox-forward-nl": ["process_email"],
    "login-user-popup": [],
    "search-engine": ["search_link"],
    "use-autocomplete": ["fill_text"],
}
"""What the root calls in each task, in this order."""
EXAMPLES = {
    "root": 3,
    "fill_text": 5,
    "choose_date": 4,
    "search_link": 3,
    "search_tab": 1,
    "click_checkbox": 2,
    "process_email": 3,
}


def recorded(play: RecordedEpisode, word: str) -> list[str]:
    lines = map(json.loads, (play.home / "trace.jsonl").read_text().splitlines())
    return [each["what"] for each in lines if each.get("word") == word]


def contents(play: RecordedEpisode) -> Iterator[str]:
    """The messages of its first request."""
    for message in Cassette.read(play.home / "llm.jsonl").calls[0].request["messages"]:
        yield message["content"]


@pytest.mark.wide
@pytest.mark.parametrize("task", CALLED)
def test_the_root_calls_whoever_the_task_is_for(harness, tmp_path, task):
    play = harness.run("step", f"widgets/{task}/5", tmp_path, strict=True)
    assert play.record["success"] is True
    assert recorded(play, "push") == ["root", *CALLED[task]]
    assert recorded(play, "loop") == []


@pytest.mark.parametrize("agent", ["step", "flat"])
@pytest.mark.parametrize(("variant", "day"), [("", "14"), (":published-code", "12/14/2016")])
def test_the_released_code_shows_the_days_of_calendars_as_dates(
    harness, tmp_path, agent, variant, day
):
    """Its pages and its examples have the same form; an action names a day by its id."""
    play = harness.run(f"{agent}{variant}", "widgets/choose-date-easy/5", tmp_path, strict=True)
    assert play.record["success"] is True
    asked = [each.request["messages"] for each in Cassette.read(play.home / "llm.jsonl").calls]
    texts = [each["content"] for messages in asked for each in messages]
    shown = [each for each in texts if "December 2016" in each]
    assert shown and all(re.search(rf"^\[\d+\] link '{day}'$", each, re.M) for each in shown)
    examples = [each for each in texts if "October 2019" in each and "\n[11] link" in each]
    assert {"[11] link '10/7/2019'" in each for each in examples} == {bool(variant)}


def test_every_policy_is_called_in_some_task():
    assert {name for names in CALLED.values() for name in names} == {
        *policy_library.load("widgets").policies
    }


def test_boxes_and_mail_are_handed_on_with_the_objective_as_it_is(harness, tmp_path):
    for task, policy in (
        ("click-checkboxes-soft", "click_checkbox"),
        ("email-inbox", "process_email"),
    ):
        play = harness.run("step", f"widgets/{task}/5", tmp_path, strict=True)
        instruction = play.record["instruction"]
        lines = (play.home / "trace.jsonl").read_text().splitlines()
        assert [json.loads(each)["objective"] for each in lines if '"push"' in each] == [
            instruction,
            f"{policy} [{instruction}]",
        ]


def test_the_library_has_the_examples_of_table_4():
    assert {
        each.name: len(each.examples) for each in policy_library.load("widgets").all
    } == EXAMPLES


@pytest.mark.parametrize(("agent", "shown"), [("flat", 7), ("flat:zero-shot", 0)])
def test_flat_has_seven_examples_of_two_tasks(harness, tmp_path, agent, shown):
    play = harness.run(agent, "widgets/choose-date/5", tmp_path, strict=True)
    assert play.record["success"] is True
    examples = [each for each in contents(play) if each.startswith("### Input")]
    tasks = {each.partition("OBJECTIVE:\n")[2].partition("\n")[0] for each in examples}
    assert len(examples) == shown
    assert len(tasks) == (2 if shown else 0)
