"""A server that takes only a part of the protocol, and the client that learns which."""

from __future__ import annotations

import json

import pytest

from agent.interface import ToolCall
from agent.llm.client import Client, Endpoint, Limits
from agent.llm.faults import RequestRefused
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.llm.transport.live import Live
from agent.llm.transport.offline import Recording
from agent.llm.transport.parameter_fallback import ParameterFallback

HELLO = [{"role": "user", "content": "hello"}]
BUY = {"name": "buy", "parameters": {"type": "object"}}
LOOK = {"name": "look", "parameters": {"type": "object"}}
TOOLS = [{"type": "function", "function": each} for each in (BUY, LOOK)]


def refusal(server, message: str, status: int = 400, **fields):
    return server.gives({"error": {"message": message, **fields}}, status)


@pytest.fixture
def transport(runner, server):
    made = ParameterFallback(Live(server.url))
    yield made
    runner.run(made.aclose())


@pytest.fixture
def adapted(server, transport):
    return Client(transport, Endpoint("m", server.url, "key"), Limits(max_retries=0))


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Unsupported value: 'temperature' does not support 0 with this model."),
        (400, "unknown field: temperature"),
        (422, "Extra inputs are not permitted: temperature"),
    ],
)
def test_a_refused_parameter_is_left_out_from_then_on(runner, server, adapted, status, message):
    server.will(refusal(server, message, status), server.says("hi"))
    for _ in range(2):
        exchange = runner.run(adapted.ask("react/act", HELLO, temperature=0, stop=["x"]))
        assert exchange.reply.text == "hi"
        assert exchange.request["temperature"] == 0, "the record is of what was asked"
    sent = [sorted(request.body) for request in server.requests]
    assert sent == [
        ["messages", "model", "stop", "temperature"],
        ["messages", "model", "stop"],
        ["messages", "model", "stop"],
    ]


def test_a_parameter_gets_the_name_that_the_answer_gives(runner, server, adapted):
    message = "Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead."
    server.will(refusal(server, message, param="max_completion_tokens"), server.says("hi"))
    runner.run(adapted.ask("react/act", HELLO, max_tokens=9))
    assert [request.body.get("max_tokens") for request in server.requests] == [None, 9]
    assert "max_completion_tokens" not in server.requests[1].body


def test_two_refused_parameters_are_learnt_one_after_the_other(runner, server, adapted):
    server.will(
        refusal(server, "unsupported", param="n"),
        refusal(server, "unsupported", param="stop"),
        server.says("hi"),
    )
    assert runner.run(adapted.ask("a/b", HELLO, n=3, stop=["x"])).reply.text == "hi"
    assert sorted(server.requests[-1].body) == ["messages", "model"]


@pytest.mark.parametrize(
    "message", ["temperature must be at most 2", "this model does not support the world", "no"]
)
def test_what_names_no_unsupported_parameter_stays_a_refusal(runner, server, adapted, message):
    server.will(refusal(server, message))
    with pytest.raises(RequestRefused, match="refuses with 400"):
        runner.run(adapted.ask("a/b", HELLO, temperature=3))
    assert len(server.requests) == 1


def test_a_model_without_functions_answers_in_json(runner, server, transport, tmp_path):
    message = 'Sure:\n{"name": "look", "arguments": {"at": 3}} is what I do'
    server.will(refusal(server, "m does not support tools"), server.says(message))
    writer = CassetteWriter(tmp_path / "llm.jsonl", "m", {})
    client = Client(Recording(transport, writer), Endpoint("m", server.url, "key"))
    before = [
        {"role": "system", "content": "You shop."},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "buy", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "Not yet."},
    ]  # fmt: skip
    exchange = runner.run(client.ask("laser/act", before, tools=TOOLS, tool="look"))
    assert exchange.reply.calls == (ToolCall("look", '{"at": 3}', "call_0"),)
    sent = server.requests[1].body
    assert not {"tools", "tool_choice"} & set(sent)
    roles = [message["role"] for message in sent["messages"]]
    assert roles == ["system", "assistant", "user", "user"]
    assert json.dumps(LOOK) in sent["messages"][-1]["content"]
    assert json.dumps(BUY) not in sent["messages"][-1]["content"], "only the one that must be"
    writer.close()
    [call] = Cassette.read(tmp_path / "llm.jsonl").calls
    assert call.reply["choices"][0]["message"]["tool_calls"], "replayed without adapting"


def test_a_text_without_json_stays_a_text(runner, server, adapted):
    server.will(refusal(server, "tools are not supported"), server.says("I would rather not."))
    reply = runner.run(adapted.ask("laser/act", HELLO, tools=TOOLS)).reply
    assert (reply.text, reply.calls) == ("I would rather not.", ())
