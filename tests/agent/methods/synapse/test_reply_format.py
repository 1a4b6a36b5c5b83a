"""Replies of one action: what is read, how it is written, and what is refused."""

from __future__ import annotations

import pytest

from agent import actions
from agent.interface import Click, Reply, Select, Stop, Type
from agent.methods.synapse.reply_format import SingleActions, describe, read_action, show_action

OFFERED = ("click", "type", "select", "stop")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("`CLICK [8]`", Click(8)),
        ("CLICK [8]", Click(8)),
        ("Action: `click [8]`", Click(8)),
        (
            "That is the field.\n`TYPE [1] [oak lamp] [press_enter_after=1]`",
            Type(1, "oak lamp", True),
        ),
        ("`SELECT [5] [Mr]`\n`CLICK [6]`", Select(5, "Mr")),
        ("`STOP []`", Stop("")),
        ("`STOP [4.5 stars]`", Stop("4.5 stars")),
    ],
)
def test_the_first_action_counts(text, action):
    assert read_action(Reply((text,)), OFFERED) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no action; write one line that begins with one of CLICK, TYPE"),
        ("I would click it", "there is no action"),
        ("`GOTO [http://example.org]`", "there is no action"),
        ("`CLICK`", "click"),
        ("`TYPE [1]`", "type"),
    ],
)
def test_what_is_no_action_is_told_in_words(text, message):
    with pytest.raises(ValueError, match=message):
        read_action(Reply((text,)), OFFERED)


@pytest.mark.parametrize("action", [Click(3), Type(1, "a [b]", True), Select(2, "x"), Stop("y")])
def test_what_is_written_is_read_back(action):
    written = show_action(action)
    assert written.split(" ")[0].isupper() and actions.parse(written) == action


def test_stop_ends_with_its_answer():
    form = SingleActions(3, OFFERED)
    assert [form.answer(message) for message in ("STOP []", "STOP [x]", "CLICK [1]")] == [
        "",
        "x",
        None,
    ]


def test_the_actions_are_described_in_capitals():
    assert [line.split(" ")[0] for line in describe(OFFERED).split("\n")] == [
        "CLICK",
        "TYPE",
        "SELECT",
        "STOP",
    ]
