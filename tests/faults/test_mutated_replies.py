"""Replies of a server that are anything but what the protocol says: read, or a fault of the model.

No reply of a server ends in an error of ours, and none is a failure of the agent.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.interface import ContextOverflow, Reply, ToolCall
from agent.llm.client import Client, Endpoint, Exchange, Limits
from agent.llm.completion import MOST_TOKENS
from agent.llm.faults import ModelFault, ModelUnavailable, UnreadableReply
from agent.llm.recording.cassette import CassetteWriter
from agent.llm.transport.live import Live
from agent.llm.transport.offline import Recording
from agent.llm.transport.parameter_fallback import ParameterFallback
from agent.llm.transport.samples import SampleTopUp
from tests.each import for_each
from tests.loopback import Answer, Server, reply
from tests.measuring import DEEP

HELLO = [{"role": "user", "content": "hello"}]
SCHEMA = {"type": "object", "properties": {"done": {"type": "boolean"}}, "required": ["done"]}
TOOLS = [{"type": "function", "function": {"name": "Search", "parameters": SCHEMA}}]
ASKED: tuple[dict[str, Any], ...] = (
    {},
    {"n": 2, "max_tokens": 5},
    {"tools": TOOLS},
    {"schema": SCHEMA, "max_tokens": 9},
)
MOVES = ("search[lamp]", "think[not this one]", "stop[nothing fits]")


@pytest.fixture
def ask(runner, model, tmp_path):
    """`ask(answer, embedding=False, **options)`: one request through all that reads its reply."""
    live = Live(model.url)
    writer = CassetteWriter(tmp_path / "e.jsonl", "m", {})
    client = Client(
        Recording(SampleTopUp(ParameterFallback(live)), writer),
        Endpoint("m", model.url, "k"),
        Limits(max_retries=0),
    )

    def once(answer: Answer, embedding: bool = False, **options: Any) -> Exchange[Any]:
        model.will(answer)
        if embedding:
            return runner.run(client.embed("p", ["a", "b"], model="m"))
        return runner.run(client.ask("p", HELLO, **options))

    once.client = client
    yield once
    writer.close()
    runner.run(live.aclose())


def body_of(**fields: Any) -> dict[str, Any]:
    return {**json.loads(reply("stop[]").body), **fields}


def choice_of(**fields: Any) -> dict[str, Any]:
    return body_of(choices=[{"index": 0, "message": {"content": "stop[]"}, **fields}])


def calling(**function: Any) -> dict[str, Any]:
    return choice_of(message={"content": None, "tool_calls": [{"id": "a", "function": function}]})


# Blame ------------------------------------------------------------------------------------------

ERROR = {"message": "upstream is down", "code": 502, "param": ["a"]}
UNREADABLE: dict[str, Any] = {
    "an error": {"error": ERROR},
    "an error that is a text": {"error": "upstream is down"},
    "an error beside choices": body_of(error=ERROR),
    "an error in a choice": choice_of(error=ERROR),
    "a choice that ended in an error": choice_of(finish_reason="error"),
    "choices that are a number": body_of(choices=5),
    "choices that are an object": body_of(choices={"0": {}}),
    "choices that are null": body_of(choices=None),
    "a choice that is a text": body_of(choices=["stop[]"]),
    "a message that is null": choice_of(message=None),
    "a message that is a list": choice_of(message=[]),
    "a content that is a number": choice_of(message={"content": 5}),
    "a content that is an object": choice_of(message={"content": {"text": "stop[]"}}),
    "a part that is a number": choice_of(message={"content": [5]}),
    "a text of a part that is a list": choice_of(message={"content": [{"text": ["a"]}]}),
    "calls that are an object": choice_of(message={"tool_calls": {"function": {"name": "a"}}}),
    "a call that is null": choice_of(message={"tool_calls": [None]}),
    "a call without a function": choice_of(message={"tool_calls": [{"id": "a"}]}),
    "a function without a name": calling(arguments="{}"),
    "a name that is a list": calling(name=["Search"], arguments="{}"),
    "arguments that are a list": calling(name="Search", arguments=["lamp"]),
    "arguments that are a number": calling(name="Search", arguments=7),
    "an older call without a name": choice_of(message={"function_call": {"arguments": "{}"}}),
    "a list": [body_of()],
    "a text": "stop[]",
}
RAW: dict[str, bytes] = {
    "nothing": b"",
    "a page": b"<!doctype html><html><body>502 Bad Gateway</body></html>",
    "a stream": b'data: {"choices": [{"delta": {"content": "stop"}}]}\n\ndata: [DONE]\n\n',
    "half of it": reply("stop[]").body[:-9],
    "two of them": reply("stop[]").body * 2,
    "Latin-1": json.dumps(body_of(), ensure_ascii=False).replace("stop", "sté").encode("latin-1"),
    "no text": bytes(range(128, 256)),
    "too deep": b'{"choices": ' + b"[" * 900 + b"]" * 900 + b"}",
    "much too deep": b'{"choices": ' + b"[" * 90_000,
    "too deep beside choices": reply("a").body[:-1] + b', "x": ' + b"[" * 400 + b"]" * 400 + b"}",
    "a number of many digits": b'{"choices": ' + b"9" * 5_000 + b"}",
}
BAD = {name: Server.gives(value) for name, value in UNREADABLE.items()} | {
    name: Answer(data) for name, data in RAW.items()
}


@for_each("name", BAD)
def test_a_malformed_reply_is_a_fault_that_is_counted(ask, name):
    for options in ASKED:
        before = ask.client.setbacks.met["unreadable reply"]
        with pytest.raises(UnreadableReply) as error:
            ask(BAD[name], **options)
        assert ask.client.setbacks.met["unreadable reply"] == before + 2, "asked once more"
        assert "\n" not in str(error.value) and len(str(error.value)) < 400


@pytest.mark.wide
@pytest.mark.parametrize("name", ["an error", "choices that are a number", "a stream"])
def test_it_is_never_the_agents_failure(run_one, model, name):
    model.will(BAD[name])
    record = run_one()
    assert (record["ended"], record["cause"], record["success"]) == ("infra_error", "model", None)
    assert record["faults"]["met"]["unreadable reply"] == 2
    model.will(reply(MOVES[0]), BAD[name], *map(reply, MOVES[1:]))
    assert run_one()["ended"] == "answered"


BIG = b'{"choices": [{"message": {"content": "stop[]"}}], "usage": {"prompt_tokens": %b}}'


@for_each("number", ["NaN", "-Infinity", "-5", "1" + "0" * 400, "1e999", "12.5", "null", '"7"'])
def test_a_count_that_is_none_is_unknown_and_the_reply_is_read(ask, number):
    exchange = ask(Answer(BIG % number.encode()))
    assert (exchange.reply.text, exchange.usage.prompt) == ("stop[]", None)


def test_an_episode_with_such_counts_has_an_unknown_cost(run_one, model):
    model.will(Answer(BIG % (b"1" + b"0" * 400)), Answer(BIG % b"NaN"))
    record = run_one()
    assert (record["ended"], record["cost_usd"]) == ("answered", None), record["error"]


@for_each(
    "error",
    [
        {"message": "no parameter 'n' is supported", "param": ["n"]},
        {"message": ["unsupported"], "param": {"a": 1}, "code": ["x"]},
        ["unsupported"],
        "unsupported",
        5,
        {"error": {"error": {}}},
    ],
)
def test_an_error_in_any_shape_is_a_refusal(ask, error):
    for options in ASKED:
        with pytest.raises((ModelFault, ContextOverflow)):
            ask(Server.gives({"error": error}, 400), **options)


def test_two_calls_of_one_id_are_two_calls(ask):
    function = {"name": "Search", "arguments": "{}"}
    calls = [{"id": "a", "function": function}] * 2
    body = choice_of(message={"content": None, "tool_calls": calls})
    assert ask(Server.gives(body)).reply.calls == (ToolCall("Search", "{}", "a"),) * 2


def test_the_older_form_of_a_call_is_read(ask):
    function = {"name": "functions.Search<|channel|>json", "arguments": {"keywords": "lamp"}}
    exchange = ask(Server.gives(choice_of(message={"content": None, "function_call": function})))
    (call,) = exchange.reply.calls
    assert call == ToolCall("functions.Search", '{"keywords": "lamp"}', "call_0")


EMBEDDED = {
    "an error": {"error": ERROR},
    "data that are a number": {"data": 5},
    "data that are an object": {"data": {"a": 1}},
    "no index": {"data": [{"embedding": [1]}, {"embedding": [1]}]},
    "one index twice": {"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [2]}]},
    "an index that is a list": {"data": [{"index": [0], "embedding": [1]}]},
    "an index out of order": {"data": [{"index": n, "embedding": [1]} for n in (1, 2)]},
    "a vector that is a text": {"data": [{"index": n, "embedding": "12"} for n in (0, 1)]},
    "a vector of nothing": {"data": [{"index": n, "embedding": []} for n in (0, 1)]},
    "a vector without length": {"data": [{"index": n, "embedding": [0]} for n in (0, 1)]},
    "a number above all": {"data": [{"index": n, "embedding": [10**400]} for n in (0, 1)]},
    "a large number": {"data": [{"index": n, "embedding": [1e39]} for n in (0, 1)]},
    "no number": {"data": [{"index": n, "embedding": [math.nan]} for n in (0, 1)]},
    "a list": [1],
}


@for_each("name", EMBEDDED)
def test_malformed_embeddings_are_a_fault_that_is_counted(ask, name):
    before = ask.client.setbacks.met["unreadable reply"]
    with pytest.raises(UnreadableReply):
        ask(Server.gives(EMBEDDED[name]), embedding=True)
    assert ask.client.setbacks.met["unreadable reply"] == before + 2


# Any ------------------------------------------------------------------------------------------

GOOD = {
    "id": "x",
    "object": "chat.completion",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "stop[]"},
                    {"type": "reasoning", "text": "so"},
                ],
                "refusal": None,
                "function_call": None,
                "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "A", "arguments": "{}"}}
                ],
            },
        },
        {"index": 1, "finish_reason": "length", "message": {"content": "<think>a</think>b"}},
    ],
    "usage": {
        "prompt_tokens": 7,
        "completion_tokens": 9,
        "completion_tokens_details": {"reasoning_tokens": 3},
    },
}
VECTORS = {
    "data": [{"index": at, "embedding": [0.5, at]} for at in (0, 1)],
    "usage": {"prompt_tokens": 4},
}
REFUSED = {"error": {"message": "n is not supported", "type": "x", "param": "n", "code": None}}
BODIES = (GOOD, VECTORS, REFUSED)


def deep(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


ODD = st.sampled_from(
    [
        *(None, True, False, 0, -1, 5, 0.5, -(10**400), 10**400, math.nan, math.inf, "", "\ud83d"),
        *("text", "error", "functions.A", "\x00", [], {}, [None], [[]], {"a": 1}, {"text": 5}),
        *(deep(30), deep(150), {"error": "no"}, {"message": {}}, ["a", 1], "<think>", "</think>"),
        *("{", "{'a': 1}", "9" * 5_000, "<|channel|>final<|message|>", {"arguments": []}),
    ]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a body."""
    yield path
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield from places(value[key], (*path, key))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@st.composite
def bodies(draw: st.DrawFn, good: Any) -> bytes:
    """A body with up to three things exchanged, left out, doubled or added; then perhaps cut."""
    body = copy.deepcopy(good)
    for _ in range(draw(st.integers(0, 3))):
        *way, key = draw(st.sampled_from([each for each in places(body) if each] or [("error",)]))
        parent = at(body, tuple(way))
        change = draw(st.sampled_from(["put", "drop", "double", "add"]))
        if change == "put":
            parent[key] = copy.deepcopy(draw(ODD))
        elif change == "add" and isinstance(parent, dict):
            parent[draw(st.sampled_from(["error", "choices", "refusal", "code", "x"]))] = (
                copy.deepcopy(draw(ODD))
            )
        elif change == "drop" and key in (
            parent if isinstance(parent, dict) else range(len(parent))
        ):
            del parent[key]
        elif isinstance(parent, list):
            parent.append(copy.deepcopy(parent[key]))
    data = json.dumps(body).encode()
    return draw(
        st.sampled_from([data] * 12 + [data[: len(data) // 2], data[:-1], b"data: " + data])
        | st.sampled_from([data.replace(b"7", b"1e999"), data * 2, b"\xef\xbb\xbf" + data, b""])
    )


@for_each("odd", [True, 5, "a", {"a": 1}, [None]])
def test_a_field_of_other_replies_beside_vectors_is_not_read(ask, odd):
    answer = Server.gives({**VECTORS, "choices": odd})
    assert ask(answer, embedding=True).reply == ask(Server.gives(VECTORS), embedding=True).reply


@pytest.mark.wide
@pytest.mark.parametrize("good", range(len(BODIES)), ids=["reply", "embeddings", "refusal"])
def test_any_reply_is_read_or_is_a_fault_of_the_model(ask, good):
    """Never an error of ours; what was read is what the interface says."""
    refused = BODIES[good] is REFUSED
    allowed = (ModelFault, ContextOverflow) if refused else (UnreadableReply, ModelUnavailable)

    @settings(
        max_examples=3_400 if DEEP else 100,
        derandomize=not DEEP,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(bodies(BODIES[good]), st.sampled_from(ASKED), st.sampled_from([400, 422, 500]))
    def check(data: bytes, options: dict[str, Any], status: int) -> None:
        answer = Answer(data, status if refused else 200)
        try:
            exchange = ask(answer, embedding=BODIES[good] is VECTORS, **options)
        except allowed:
            return
        assert all(
            count is None or 0 <= count <= 2 * MOST_TOKENS
            for count in (exchange.usage.prompt, exchange.usage.completion)
        )
        if isinstance(exchange.reply, Reply):
            texts = [*exchange.reply.texts, *(call.arguments for call in exchange.reply.calls)]
            assert all(text.encode().decode() == text for text in texts), "as UTF-8 can hold it"
        else:
            assert all(map(math.isfinite, sum(exchange.reply, ())))

    check()
