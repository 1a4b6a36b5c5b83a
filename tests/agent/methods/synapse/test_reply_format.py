"""Replies of one action: what is read, how it is written, and what is refused."""

from __future__ import annotations

import pytest

from agent import actions
from agent.interface import Click, Reply, Select, Stop, Type
from agent.methods.synapse.reply_format import (
    Programs,
    SingleActions,
    describe,
    read_action,
    read_program,
    show_action,
)

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
        ("The next action is `CLICK [8]`.", Click(8)),
        ("I do `CLICK [8]`, and then `CLICK [8]` is done.", Click(8)),
    ],
)
def test_the_first_action_counts(text, action):
    assert read_action(Reply((text,)), OFFERED) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no action; write one line that begins with one of CLICK, TYPE"),
        ("I would click it", "there is no action"),
        ("Either `CLICK [8]` or `CLICK [9]`.", "there is no action"),
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


PROGRAM = "agent.press('enter')\nagent.type('a # b')"


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{PROGRAM}\n```",
        f"```python\n{PROGRAM}\n```",
        f"Action: ```python\n{PROGRAM}\n```",
        f"The program for this is ```\n{PROGRAM}\n``` and then it is done.",
        f"```{PROGRAM}\n```",
        f"```python {PROGRAM}```",
        f"```\n{PROGRAM}```",
        f"```\n{PROGRAM}",
        f"```\n```\n```\n{PROGRAM}\n```",
        "1. So:\n    ```py\n    agent.press('enter')\n    agent.type('a # b')\n    ```",
        f"```\n{PROGRAM}\n```\nor\n```\nagent.press('a')\n```",
        PROGRAM,
        f"\n{PROGRAM}\n",
    ],
)
def test_a_program_is_read_wherever_its_backticks_are(text):
    assert read_program(Reply((text,))) == PROGRAM


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("```agent.press('enter')```", "agent.press('enter')"),
        ("I write ```agent.press('enter')``` here.", "agent.press('enter')"),
        ("```python agent.press('enter')```", "agent.press('enter')"),
        ("```pass```", "pass"),
        ("obs = re.findall('\\d', state)", "obs = re.findall('\\d', state)"),
        ("```\nprint('```')\n```", "print('```')"),
        ("from bs4 import x\nobs = 1", "from bs4 import x\nobs = 1"),
    ],
)
def test_a_program_of_one_line_is_read(text, program):
    assert read_program(Reply((text,))) == program


@pytest.mark.parametrize("text", ["```\n```", "```", "``` ```", "```python\n# nothing to do\n```"])
def test_an_empty_program_is_not_one(text):
    with pytest.raises(ValueError, match="the program is empty; write what is to be done"):
        read_program(Reply((text,)))


@pytest.mark.parametrize(
    "text",
    ["", "I am done.", "done", "agent.press('enter'", "the agent", "agent\n" * 9_999, "(" * 9_999],
    ids=range(7),
)
def test_prose_is_no_program(text):
    with pytest.raises(ValueError, match="there is no program"):
        read_program(Reply((text,)))


def test_pass_ends_the_task():
    form = Programs(1, 1, record=print)
    answers = [form.answer(text) for text in ("pass", "# done\npass  # really", "x = 1\npass")]
    assert answers == ["", "", None]
