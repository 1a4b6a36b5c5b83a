"""Asking again, and reading function calls."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.interface import ContextOverflow, FormatError, Reply, ToolCall
from agent.llm.asking import arguments, ask_for, only_call
from tests.each import for_each
from tests.measuring import DEEP

HELLO = [{"role": "user", "content": "hello"}]


class Parrot:
    """Says what it was told to say, and remembers what it was asked."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    async def ask(self, purpose, messages, **options):
        self.asked.append((purpose, list(messages), options))
        return self.replies.pop(0)


def number(reply):
    return int(reply.text)


def test_a_good_reply_is_asked_for_once(runner):
    llm = Parrot(Reply(("7",)))
    assert runner.run(ask_for(llm, "p", HELLO, number, n=2, stop=["x"])) == 7
    assert llm.asked == [("p", HELLO, {"n": 2, "stop": ["x"]})]


def test_a_bad_reply_is_shown_with_what_is_wrong(runner):
    llm, errors = Parrot(Reply(("seven",)), Reply(("",)), Reply(("7",))), []
    answer = ask_for(llm, "p", HELLO, number, on_reask=lambda **why: errors.append(why), n=2)
    assert runner.run(answer) == 7
    roles = [[message["role"] for message in messages] for _, messages, _ in llm.asked]
    assert roles == [["user"], ["user", "assistant", "user"], ["user", "assistant", "user", "user"]]
    assert llm.asked[1][1][1]["content"] == "seven"
    assert "'seven'" in llm.asked[1][1][2]["content"]
    assert [options for _, _, options in llm.asked] == [{"n": 2}] * 3
    assert [why["purpose"] for why in errors] == ["p", "p"] and "'seven'" in errors[0]["error"]
    assert HELLO == [{"role": "user", "content": "hello"}]


@pytest.mark.parametrize("reasks", [0, 1, 2])
def test_the_last_error_ends_it(runner, reasks):
    llm = Parrot(*(Reply((f"bad {turn}",)) for turn in range(9)))
    errors = []
    with pytest.raises(FormatError, match=f"p: .*'bad {reasks}'"):
        runner.run(
            ask_for(llm, "p", HELLO, number, reasks=reasks, on_reask=lambda **_: errors.append(1))
        )
    assert (len(llm.asked), len(errors)) == (reasks + 1, reasks)


def test_function_calls_are_answered_each_by_its_id(runner):
    bad = Reply(("hm",), (ToolCall("a", "{"), ToolCall("b", "{}")))
    llm = Parrot(bad, Reply(("",), (ToolCall("a", "{"),)), Reply(("7",)))
    assert runner.run(ask_for(llm, "p", HELLO, number)) == 7
    messages = llm.asked[2][1]
    assert [message["role"] for message in messages] == [
        "user", "assistant", "tool", "tool", "assistant", "tool",
    ]  # fmt: skip
    first, second = messages[1], messages[4]
    assert first["content"] == "hm" and second["content"] is None
    assert [call["function"]["arguments"] for call in first["tool_calls"]] == ["{", "{}"]
    ids = [call["id"] for call in first["tool_calls"] + second["tool_calls"]]
    assert ids == [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert len(set(ids)) == 3


def test_what_is_no_bad_reply_passes_through(runner):
    def overflow(reply):
        raise ContextOverflow

    def bug(reply):
        return {}["missing"]

    with pytest.raises(ContextOverflow):
        runner.run(ask_for(Parrot(Reply(("x",))), "p", HELLO, overflow))
    with pytest.raises(KeyError):
        runner.run(ask_for(Parrot(Reply(("x",))), "p", HELLO, bug))


# Arguments -------------------------------------------------------------------------------------

BUY = {
    "type": "function",
    "function": {
        "name": "buy",
        "parameters": {
            "type": "object",
            "properties": {
                "item": {"type": "string"},
                "count": {"type": "integer"},
                "price": {"type": "number"},
                "size": {"type": "string", "enum": ["S", "M"]},
                "gift": {"type": ["boolean", "null"]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "code": {"type": "string", "pattern": "^[0-9]+$"},
                "notes": {"type": "array", "minItems": 1},
                "to": {"type": "object", "properties": {"zip": {"type": "string"}},
                       "required": ["zip"]},
            },
            "required": ["item"],
            "additionalProperties": False,
        },
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "given_",
    [
        {"item": "shoe"},
        {
            "item": "",
            "count": 2,
            "price": 1,
            "size": "M",
            "gift": None,
            "tags": [],
            "to": {"zip": ""},
        },
        {"item": "shoe", "count": 2.0, "price": 1.5, "gift": True, "tags": ["a"]},
    ],
)
def test_good_arguments_are_given_as_they_are(given_):
    call = ToolCall("buy", json.dumps(given_))
    assert arguments(call, BUY) == arguments(call, BUY["function"]["parameters"]) == given_


@for_each(
    ("text", "why"),
    [
        ("", "buy needs item; give every required argument"),
        ("{", "the arguments of buy are no JSON"),
        ("[" * 100_000, "the arguments of buy are no JSON"),
        ('{"item": NaN}', "NaN is no JSON value"),
        ("[]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ('{"item": 5}', "buy.item must be a string, not 5"),
        ('{"item": null}', "buy.item must be a string, not null"),
        ('{"item": "a", "count": 1.5}', "buy.count must be a whole number, not 1.5"),
        ('{"item": "a", "count": true}', "buy.count must be a whole number, not true"),
        ('{"item": "a", "price": "1"}', 'buy.price must be a number, not "1"'),
        ('{"item": "a", "size": "L"}', 'buy.size must be one of "S", "M", not "L"'),
        ('{"item": "a", "gift": 0}', "buy.gift must be true or false or null, not 0"),
        ('{"item": "a", "tags": "b"}', 'buy.tags must be a list, not "b"'),
        ('{"item": "a", "tags": ["b", 1]}', "buy.tags[1] must be a string, not 1"),
        ('{"item": "a", "to": {}}', "buy.to needs zip"),
        ('{"item": "a", "colour": "red"}', "buy does not take colour; it takes item, count"),
        ('{"item": "a", "code": "x"}', 'buy.code must look like ^[0-9]+$, not "x"'),
        ('{"item": "a", "notes": []}', "buy.notes: [] should be non-empty"),
        ('{"to": {}, "count": "2", "colour": 1}', "buy needs item; give every required argument"),
    ],
)
def test_bad_arguments_say_what_to_do(text, why):
    with pytest.raises(ValueError) as error:
        arguments(ToolCall("buy", text), BUY)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_a_function_without_parameters_takes_anything():
    assert arguments(ToolCall("back", '{"x": 1}'), {"function": {"name": "back"}}) == {"x": 1}


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        ((), "there are 0 function calls; call exactly one of buy, back"),
        ((ToolCall("buy", "{}"),) * 2, "there are 2 function calls"),
        ((ToolCall("steal", "{}"),), "there is no function 'steal'; call one of buy, back"),
        ((ToolCall("buy", "{}"),), "buy needs item"),
    ],
)
def test_one_known_call_is_wanted(calls, why):
    tools = [BUY, {"type": "function", "function": {"name": "back"}}]
    with pytest.raises(ValueError, match=why):
        only_call(Reply(("",), calls), tools)
    good = Reply(("",), (ToolCall("buy", '{"item": "a"}'),))
    assert only_call(good, tools) == ("buy", {"item": "a"})


@settings(derandomize=True, max_examples=200 if DEEP else 60, deadline=None)
@given(
    st.text() | st.from_regex(r'\{"(item|count|to)": [\[\]{}"0-9a-z,: ]{0,12}\}?', fullmatch=True)
)
def test_any_arguments_are_read_or_refused(text):
    with contextlib.suppress(ValueError):
        assert isinstance(arguments(ToolCall("buy", text), BUY)["item"], str)
