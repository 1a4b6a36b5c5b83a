"""The client against a real server on loopback."""

from __future__ import annotations

import asyncio
import gzip
import json

import pytest

from agent.interface import ContextOverflow, ToolCall
from agent.llm.client import Client, Endpoint, Limits
from agent.llm.completion import Usage
from agent.llm.faults import ModelUnavailable, RequestRefused, UnreadableReply
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.llm.recording.replay import Replay
from agent.llm.transport.offline import Recording
from tests.each import for_each
from tests.measuring import HANG

HELLO = [{"role": "user", "content": "hello"}]
TOOLS = [{"type": "function", "function": {"name": "buy", "parameters": {"type": "object"}}}]


def test_a_request_goes_out_as_openai_expects_it(runner, server, client):
    server.will(server.says("a", "b"))
    exchange = runner.run(
        client.ask(
            "laser/act", HELLO, tools=TOOLS, tool="buy", n=2, stop=["\n\n"], temperature=0,
            max_tokens=9,
        )
    )  # fmt: skip
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-key-for-tests-0123456789"
    assert request.headers["x-rehearse-purpose"] == "laser/act"
    assert request.body == exchange.request
    assert request.body == {
        "model": "gpt-x",
        "messages": HELLO,
        "tools": TOOLS,
        "tool_choice": {"type": "function", "function": {"name": "buy"}},
        "n": 2,
        "stop": ["\n\n"],
        "temperature": 0,
        "max_completion_tokens": 9,
    }
    assert exchange.reply.texts == ("a", "b")
    assert exchange.response["choices"][1]["message"]["content"] == "b"
    assert 0 < exchange.seconds < HANG


def test_what_is_not_asked_for_is_not_sent(runner, server, client):
    server.will(server.says("hi"))
    runner.run(client.ask("react/act", HELLO))
    assert server.requests[0].body == {"model": "gpt-x", "messages": HELLO}


def test_offered_tools_may_be_called_or_not(runner, server, client):
    calls = (ToolCall("buy", '{"id": 1}', "call_x7"), ToolCall("buy", "{"))
    server.will(server.says("", calls=calls))
    exchange = runner.run(client.ask("laser/act", HELLO, tools=TOOLS))
    assert server.requests[0].body["tool_choice"] == "auto"
    assert exchange.reply.calls == (calls[0], ToolCall("buy", "{", "call_1")), (
        "ids are the server's"
    )
    assert (exchange.reply.text, exchange.reply.finish_reason) == ("", "tool_calls")


@for_each("status", [408, 409, 429, 500, 502, 503, 504])
def test_a_passing_fault_is_asked_again(runner, server, client, status):
    server.requests.clear()
    server.will(server.fails(status, retry_after_ms="1"), server.says("hi"))
    assert runner.run(client.ask("p", HELLO)).reply.text == "hi"
    assert len(server.requests) == 2


def test_retry_after_is_waited_for(runner, server, client):
    server.will(server.fails(429, retry_after="0.3"), server.says("hi"))
    exchange = runner.run(client.ask("p", HELLO))
    assert exchange.seconds >= 0.3


def test_a_limit_for_ever_is_unavailable(runner, server, client):
    server.will(server.fails(429, "slow down", retry_after_ms="1"))
    with pytest.raises(ModelUnavailable, match="429: slow down"):
        runner.run(client.ask("p", HELLO))
    assert len(server.requests) == 3


def test_a_dropped_connection_is_asked_again(runner, server, client):
    server.will(server.raw(drop=True), server.says("hi"))
    assert runner.run(client.ask("p", HELLO)).reply.text == "hi"


def test_a_reply_cut_off_is_asked_again(runner, server, client):
    server.will(server.raw(b'{"choices": [', cut=50), server.says("hi"))
    assert runner.run(client.ask("p", HELLO)).reply.text == "hi"


def test_nobody_there(runner, server, live):
    nowhere = Endpoint("gpt-x", "http://127.0.0.1:1/v1", "k")
    with pytest.raises(ModelUnavailable, match=r"cannot reach http://127.* ConnectError"):
        runner.run(Client(live, nowhere, Limits(max_retries=0)).ask("p", HELLO))


@for_each("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_not_asked_again(runner, server, client, status):
    server.requests.clear()
    server.will(server.fails(status, "bad key sk-key-for-tests-0123456789 given\nhere"))
    with pytest.raises(RequestRefused) as error:
        runner.run(client.ask("p", HELLO))
    assert len(server.requests) == 1
    assert f"{status}: bad key [secret] given here" in str(error.value)
    assert "OPENAI_API_KEY" in str(error.value) or status not in {401, 403}


def test_a_spent_quota_is_a_refusal(runner, server, client):
    server.will(server.fails(429, "quota", "insufficient_quota", retry_after_ms="1"))
    with pytest.raises(RequestRefused, match="quota"):
        runner.run(client.ask("p", HELLO))


@for_each(
    ("message", "code"),
    [("too long", "context_length_exceeded"), ("the Maximum context length is 4096 tokens", None)],
)
def test_the_servers_word_on_length_is_an_overflow(runner, server, client, message, code):
    server.requests.clear()
    server.will(server.fails(400, message, code))
    with pytest.raises(ContextOverflow, match=message):
        runner.run(client.ask("p", HELLO))
    assert len(server.requests) == 1


MALFORMED = [
    b"", b" ", b"null", b"true", b"7", b'"text"', b"[]", b"{}", b"<html>502</html>", b"{",
    b'{"choices": [',
    b"\xff\xfe{}", b"\x00", b'{"choices": null}', b'{"choices": 1}', b'{"choices": {}}',
    b'{"choices": [1]}', b'{"choices": [null]}', b'{"choices": [{}]}',
    b'{"choices": [{"message": 1}]}', b'{"choices": [{"message": []}]}',
    b'{"choices": [{"message": {"content": 5}}]}', b'{"choices": [{"message": {"content": {}}}]}',
    b'{"choices": [{"message": {"tool_calls": 1}}]}',
    b'{"choices": [{"message": {"tool_calls": [1]}}]}',
    b'{"choices": [{"message": {"tool_calls": [{}]}}]}',
    b'{"choices": [{"message": {"tool_calls": [{"function": {"name": 3}}]}}]}',
    b'{"error": {"message": "upstream is down"}}', b"data: {}\n\n", b"[" * 50_000, b"x" * 200_000,
]  # fmt: skip


@for_each("body", MALFORMED)
def test_a_malformed_body_is_requested_a_second_time(runner, server, client, body):
    server.requests.clear()
    server.will(server.raw(body))
    with pytest.raises(UnreadableReply) as error:
        runner.run(client.ask("p", HELLO))
    assert len(server.requests) == 2
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


@for_each("kind", ["text/html", "application/json; charset=latin-1", ""])
def test_the_content_type_does_not_matter(runner, server, client, kind):
    good = json.dumps({"choices": [{"message": {"content": "héé"}}]}).encode()
    server.will(server.raw(b"nonsense", content_type=kind), server.raw(good, content_type=kind))
    exchange = runner.run(client.ask("p", HELLO))
    assert (exchange.reply.text, exchange.reply.finish_reason) == ("héé", "stop")


@for_each(
    ("usage", "read"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 2}, Usage(5, 2)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, Usage(0, 0)),
        ({"prompt_tokens": -5, "completion_tokens": "2"}, Usage(None, None)),
        ({"prompt_tokens": 1.5, "completion_tokens": True}, Usage(None, None)),
        (None, Usage(None, None)),
        ("many", Usage(None, None)),
    ],
)
def test_usage_that_is_no_count_is_unknown(runner, server, client, usage, read):
    server.will(server.says("hi", usage=usage))
    assert runner.run(client.ask("p", HELLO)).usage == read


@for_each(
    ("choices", "text", "reason"),
    [
        ([], "", "empty"),
        ([{"message": {"content": None}, "finish_reason": "content_filter"}], "", "content_filter"),
        ([{"message": {"content": None, "refusal": "no"}, "finish_reason": "stop"}], "", "refusal"),
        ([{"message": {"content": "half a th"}, "finish_reason": "length"}], "half a th", "length"),
        ([{"message": {"content": [{"type": "text", "text": "parts"}]}}], "parts", "stop"),
        ([{"message": {"content": "\ud83d"}}], "?", "stop"),
    ],
)
def test_odd_replies_are_typed(runner, server, client, choices, text, reason):
    server.will(server.gives({"choices": choices}))
    reply = runner.run(client.ask("p", HELLO)).reply
    assert (reply.texts, reply.finish_reason) == ((text,), reason)


@pytest.mark.parametrize("hang", [True, False])
def test_the_deadline_holds_for_the_whole_call(runner, server, live, hang):
    server.will(server.raw(hang=True) if hang else server.raw(b" " * 99_999, drip=0.02))
    client = Client(live, Endpoint("m", server.url, "k"), Limits(timeout_s=HANG, deadline_s=0.3))
    with pytest.raises(ModelUnavailable, match=r"within 0\.3 s"):
        runner.run(client.ask("p", HELLO))


def test_a_page_may_hold_half_a_surrogate_pair(runner, server, client):
    server.will(server.says("hi"))
    runner.run(client.ask("p", [{"role": "user", "content": "odd \ud83d text"}]))
    assert server.requests[0].body["messages"][0]["content"] == "odd ? text"


def test_a_live_run_is_recorded_and_replays_without_the_server(runner, server, live, tmp_path):
    packed = gzip.compress(json.dumps({"choices": [{"message": {"content": "zipped"}}]}).encode())
    server.will(
        server.fails(500, retry_after_ms="1"),
        server.raw(b"junk"),
        server.raw(packed, headers={"content-encoding": "gzip"}),
        server.fails(400, "long", "context_length_exceeded"),
        server.says("ok"),
    )

    async def talk(client: Client) -> list[str]:
        first = await client.ask("p/one", HELLO)
        with pytest.raises(ContextOverflow):
            await client.ask("p/two", HELLO)
        return [first.reply.text, (await client.ask("p/two", HELLO[:1])).reply.text]

    path = tmp_path / "e.jsonl"
    writer = CassetteWriter(path, "gpt-x", {})
    endpoint = Endpoint("gpt-x", server.url, "sk-key-for-tests-0123456789")
    limits = Limits(max_retries=2)
    replies = runner.run(talk(Client(Recording(live, writer), endpoint, limits)))
    writer.close()
    requests = len(server.requests)
    replay = Replay(Cassette.read(path), "again")
    assert runner.run(talk(Client(replay, Endpoint("gpt-x")))) == replies == ["zipped", "ok"]
    replay.finish()
    assert len(server.requests) == requests == 5
    stored = path.read_text()
    assert "sk-key" not in stored and "127.0.0.1" not in stored and "uthorization" not in stored


def test_episodes_that_share_the_network_do_not_mix(runner, server, live, tmp_path):
    server.echo = True

    async def episode(name: str) -> list[str]:
        writer = CassetteWriter(tmp_path / f"{name}.jsonl", "gpt-x", {})
        client = Client(Recording(live, writer), Endpoint("gpt-x", server.url, "k"))
        replies = []
        for turn in range(10):
            asked = [{"role": "user", "content": f"{name} {turn}"}]
            replies.append((await client.ask(f"p/{name}", asked)).reply.text)
        writer.close()
        return replies

    async def both() -> list[list[str]]:
        return await asyncio.gather(*map(episode, "abcd"))

    for name, replies in zip("abcd", runner.run(both()), strict=True):
        assert replies == [f"echo {name} {turn}" for turn in range(10)]
        calls = Cassette.read(tmp_path / f"{name}.jsonl").calls
        assert [call.request["messages"][0]["content"] for call in calls] == [
            f"{name} {turn}" for turn in range(10)
        ]
