"""What goes through the pipe comes out as it was, and what means nothing is refused."""

from __future__ import annotations

from random import Random
from types import MappingProxyType
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.interface import (
    Action,
    AnswerSchema,
    Back,
    Click,
    Dialog,
    Element,
    Observation,
    Reply,
    Tab,
    Task,
    Text,
    ToolCall,
    Type,
    Wait,
)
from agent.isolation import protocol
from agent.isolation.protocol import Nonsense
from agent.llm.messages import with_picture
from tests.each import for_each

BUTTON = Element(
    3, "button", "Büy", "7", ("disabled",), "a", "x", "submit", ("a",), (("color", "red"),), True, 2
)


def sent(value: object) -> object:
    return protocol.read(protocol.write(value))


def test_an_observation_is_what_it_was():
    shown = (
        BUTTON,
        Text("§ \ud800", "cell", 4, (("color", "#fff"),), True),
        Element(4, "link", "x"),
    )
    whole = Observation(
        *("http://a", "A", shown, Dialog("prompt", "why?", "so"), "failed", ("A", "B"), 1, True, 5),
        more=("above", "below"),
        inputs=("draw", "wait"),
        action_seconds=0.1,
        clock_characters=400,
        notes=("a fact",),
        source="<p>",
        screenshot=b"\x89PNG",
    )
    for each in (whole, Observation("u", "t")):
        found = protocol.observation_from_json(sent(protocol.observation_to_json(each)))
        assert found == each
        assert (found.source, found.screenshot) == (each.source, each.screenshot)


def test_a_message_of_parts_is_what_it_was():
    seen = with_picture({"role": "user", "content": "the page"}, b"\x89PNG")
    frozen = MappingProxyType({**seen, "content": [*map(MappingProxyType, seen["content"])]})
    assert sent(["ask", {"messages": [seen]}]) == ["ask", {"messages": [seen]}]
    assert sent([frozen]) == [seen]


KINDS = [kind for kind in get_args(Action) if kind is not Wait]
actions = st.one_of(
    *map(st.from_type, KINDS), st.builds(Wait, st.integers() | st.floats(allow_nan=False))
)


@given(actions)
def test_every_action_is_what_it_was(action):
    assert protocol.action_from_json(sent(protocol.action_to_json(action))) == action


def test_task_and_reply_are_what_they_were():
    task = Task("store", "buy", "http://s", "buy_item", AnswerSchema("money", "x"), Random("a"))
    found = protocol.task_from_json(sent(protocol.task_to_json(task)), task.record)
    assert found == task
    assert found.rng.random() == Random("a").random()
    reply = Reply(("a", "b"), (ToolCall("click", "{}", "7"),), "length")
    assert protocol.reply_from_json(sent(protocol.reply_to_json(reply))) == reply


WRONG = [
    7,
    [],
    ["Click"],
    ["Click", 1.5],
    ["Click", True],
    ["Click", None],
    ["Click", 1, 2],
    ["Click", {"a": 1}],
    ["Type", "x", 7, False],
    ["Type", "x", "y", 1],
    ["Tab", True, False],
    ["Wait", "1"],
    ["Wait", True],
    ["Observation", "u", "t"],
    ["__class__"],
    {"Click": 1},
]


@for_each("value", WRONG)
def test_what_is_no_action_is_refused(value):
    with pytest.raises(Nonsense):
        protocol.action_from_json(value)


def test_what_is_an_action_is_not():
    for action in (Back(), Click("//a"), Tab(1, close=True), Type(3, "x")):
        assert protocol.action_from_json(protocol.action_to_json(action)) == action


@for_each("line", [b"", b"{", b"nan", b"[" * 100_000, b"\xff", b"1" * 5_000])
def test_a_line_that_is_no_json_is_refused(line):
    with pytest.raises(Nonsense):
        protocol.read(line)


def test_what_json_cannot_hold_does_not_leave():
    with pytest.raises(TypeError, match="object cannot leave the agent's process"):
        protocol.write([object()])
