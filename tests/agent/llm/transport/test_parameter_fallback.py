"""A server that takes only a part of the protocol, and the client that learns which."""

from __future__ import annotations

import asyncio
import json

import pytest

from agent.interface import ToolCall
from agent.llm.client import Client, Endpoint, Limits
from agent.llm.faults import ModelUnavailable, RequestRefused
from agent.llm.messages import with_picture
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.llm.transport.live import Live
from agent.llm.transport.offline import Recording
from agent.llm.transport.parameter_fallback import ParameterFallback
from tests.each import for_each

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


# Messages ----------------------------------------------------------------------------------------

STEP = [
    {"role": "system", "content": "You are an agent."},
    {"role": "system", "content": "### Input\nOBJECTIVE: a"},
    {"role": "user", "content": "OBJECTIVE: b"},
]


def roles(server) -> list[list[str]]:
    return [[each["role"] for each in one.body["messages"]] for one in server.requests]


ONE = [["system", "system", "user"], ["system", "user"]]
PICKY = [
    (400, "System message must be at the beginning.", ONE),
    (500, "Only one system message is allowed", ONE),
    (400, "only user and assistant roles are supported!", ONE),
]


@pytest.mark.parametrize(("status", "message", "sent"), PICKY)
def test_a_server_of_one_system_message_gets_one(runner, server, adapted, status, message, sent):
    server.will(refusal(server, message, status), server.says("hi"))
    for _ in range(2):
        exchange = runner.run(adapted.ask("step/act", STEP))
        assert exchange.reply.text == "hi" and exchange.request["messages"] == STEP
    assert roles(server) == [*sent, sent[-1]]
    merged = server.requests[-1].body["messages"][0]["content"]
    assert merged == "You are an agent.\n\n### Input\nOBJECTIVE: a"


def test_a_server_without_system_messages_gets_them_from_the_user(runner, server, adapted):
    alternate = refusal(server, "Conversation roles must alternate user/assistant")
    server.will(refusal(server, "System role not supported"), alternate, server.says("hi"))
    talk = [*STEP, {"role": "user", "content": "again"}]
    assert runner.run(adapted.ask("a/b", talk)).reply.text == "hi"
    assert roles(server)[1:] == [["system", "user", "user"], ["system", "user"]]
    server.will(refusal(server, "System role not supported"), server.says("hi"))
    assert runner.run(adapted.ask("a/b", STEP)).reply.text == "hi"
    assert roles(server)[-1] == ["user"]
    assert server.requests[-1].body["messages"][0]["content"].endswith("\n\nOBJECTIVE: b")


def test_a_picture_stays_where_messages_become_one(runner, server, adapted):
    server.will(refusal(server, "System role not supported"), server.says("hi"))
    talk = [STEP[0], with_picture(STEP[2], b"PNG")]
    assert runner.run(adapted.ask("a/b", talk)).reply.text == "hi"
    [merged] = server.requests[-1].body["messages"]
    picture = with_picture(STEP[2], b"PNG")["content"][1]
    texts = [{"type": "text", "text": each["content"]} for each in (STEP[0], STEP[2])]
    assert merged == {"role": "user", "content": [*texts, picture]}


def test_results_of_calls_are_no_neighbours(runner, server, adapted):
    call = {"id": "1", "type": "function", "function": {"name": "buy", "arguments": "{}"}}
    talk = [
        *STEP[1:],
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "Not yet."},
        {"role": "tool", "tool_call_id": "2", "content": "Nor this."},
        *STEP[2:],
        *STEP[2:],
    ]
    server.will(refusal(server, "roles must alternate"), server.says("hi"))
    runner.run(adapted.ask("laser/act", talk, tools=TOOLS))
    assert roles(server)[-1] == ["system", "user", "assistant", "tool", "tool", "user"]


def test_what_is_refused_for_good_is_refused(runner, server, adapted):
    server.will(refusal(server, "the system message is too rude"))
    with pytest.raises(RequestRefused, match="too rude"):
        runner.run(adapted.ask("a/b", STEP))
    assert len(server.requests) == 3, "as it is, with one system message, and with none"


def test_requests_that_are_under_way_learn_from_the_first_refusal(runner, server, adapted):
    """Fifty episodes send their first requests at once; the server refuses them all."""
    server.answering = lambda body: (
        refusal(server, "unknown field: temperature")
        if "temperature" in body
        else server.says("hi")
    )

    async def all_at_once():
        asked = (adapted.ask("a/b", HELLO, temperature=0) for _ in range(8))
        return await asyncio.gather(*asked)

    assert {exchange.reply.text for exchange in runner.run(all_at_once())} == {"hi"}


# Reasoning ---------------------------------------------------------------------------------------

CAP = "max_completion_tokens"


def ask_as(runner, transport, server, model: str, effort: str = "", **options):
    endpoint = Endpoint(model, server.url, "key", effort)
    client = Client(transport, endpoint, Limits(max_retries=0))
    return runner.run(client.ask("a/b", HELLO, **options))


@for_each(
    ("model", "capped"),
    [
        *((name, False) for name in ("o3", "o4-mini", "gpt-5-mini", "openai/gpt-5.2", "gpt-oss:20b",
          "deepseek-reasoner", "deepseek-ai/DeepSeek-R1", "Qwen/QwQ-32B", "qwen3:8b", "grok-4",
          "magistral-small", "gemini-2.5-pro", "kimi-k2-thinking")),
        *((name, True) for name in ("gpt-4o-mini", "gpt-4.1", "llama3.1", "gpt-5-chat-latest",
          "deepseek-chat", "SmolLM2-135M", "qwen3-coder-30b-instruct", "mistral-small", "foo3")),
    ],
)  # fmt: skip
def test_a_model_that_is_known_to_reason_gets_no_limit(runner, server, transport, model, capped):
    server.will(server.says("hi"))
    exchange = ask_as(runner, transport, server, model, max_tokens=512)
    assert exchange.request[CAP] == 512, "the record is of what was asked"
    assert (CAP in server.requests[-1].body) is capped


@pytest.mark.parametrize(
    "sign",
    [
        {"usage": {"completion_tokens_details": {"reasoning_tokens": 512}}},
        {"message": {"content": "", "reasoning_content": "Let me see"}},
        {"message": {"content": "<think>Let me see"}},
    ],
    ids=lambda sign: "".join(sign),
)
def test_a_model_whose_thoughts_took_the_whole_limit_gets_none(runner, server, transport, sign):
    message = {"role": "assistant", "content": "", **sign.get("message", {})}
    choice = {"index": 0, "finish_reason": "length", "message": message}
    cut = server.gives({"choices": [choice], "usage": sign.get("usage")})
    server.will(cut, server.says("hi"))
    for _ in range(2):
        exchange = ask_as(runner, transport, server, "m", max_tokens=512)
        assert exchange.reply.text == "hi"
    assert [CAP in each.body for each in server.requests] == [True, False, False]


def test_a_limit_that_is_ignored_is_sent_by_its_older_name(runner, server, transport):
    server.will(server.says("a", usage={"prompt_tokens": 1, "completion_tokens": 600}))
    for _ in range(2):
        ask_as(runner, transport, server, "m", max_tokens=512)
    names = [{CAP, "max_tokens"} & each.body.keys() for each in server.requests]
    assert names == [{CAP}, {"max_tokens"}]


def test_a_reply_that_is_too_long_for_its_limit_stays_cut_off(runner, server, transport):
    message = {"role": "assistant", "content": "I would"}
    server.will(server.gives({"choices": [{"finish_reason": "length", "message": message}]}))
    reply = ask_as(runner, transport, server, "m", max_tokens=512).reply
    assert (reply.text, reply.finish_reason, len(server.requests)) == ("I would", "length", 1)


def test_the_effort_is_sent_and_lifts_the_limit(runner, server, transport):
    server.will(server.says("hi"))
    ask_as(runner, transport, server, "m", "low", max_tokens=512)
    ask_as(runner, transport, server, "m", "none", max_tokens=512)
    bodies = [each.body for each in server.requests]
    assert [each["reasoning_effort"] for each in bodies] == ["low", "none"]
    assert [CAP in each for each in bodies] == [False, True]


def test_an_effort_that_the_server_does_not_know_is_refused_aloud(runner, server, transport):
    message = "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model."
    server.will(refusal(server, message, param="reasoning_effort"))
    with pytest.raises(RequestRefused, match="does not support 'minimal'"):
        ask_as(runner, transport, server, "m", "minimal")
    assert len(server.requests) == 1


def test_thoughts_before_a_text_are_left_out(runner, server, transport):
    server.will(server.says("<think>\nclick [3]?\n</think>\n\nAction: click [4]"))
    assert ask_as(runner, transport, server, "m").reply.text == "Action: click [4]"


# Replies by a schema -----------------------------------------------------------------------------

SCHEMA = {"type": "object", "properties": {"done": {"type": "boolean"}}, "required": ["done"]}
REFUSED_FORMATS = {
    "openai": ("Invalid parameter: 'response_format' of type 'json_schema' is not supported", 400),
    "deepseek": ("This response_format type is unavailable now", 400),
}


def test_a_reply_is_asked_for_by_its_schema(runner, server, adapted):
    server.will(server.says('{"done": true}'))
    assert runner.run(adapted.ask("a/is-done", HELLO, schema=SCHEMA)).reply.text == '{"done": true}'
    wanted = {"name": "a_is_done", "strict": True, "schema": SCHEMA}
    sent = server.requests[0].body["response_format"]
    assert sent == {"type": "json_schema", "json_schema": wanted}


@pytest.mark.parametrize("refused", REFUSED_FORMATS)
def test_a_server_without_schemas_is_asked_for_a_function(runner, server, adapted, refused):
    called = server.says("", calls=(ToolCall("a_is_done", '{"done": true}'),))
    server.will(refusal(server, *REFUSED_FORMATS[refused]), called)
    for _ in range(2):
        exchange = runner.run(adapted.ask("a/is-done", HELLO, schema=SCHEMA))
        assert (exchange.reply.text, exchange.reply.calls) == ('{"done": true}', ())
        assert exchange.reply.finish_reason == "stop"
    sent = server.requests[-1].body
    assert sent["tools"][0]["function"] == {"name": "a_is_done", "parameters": SCHEMA}
    assert sent["tool_choice"]["function"] == {"name": "a_is_done"}
    assert len(server.requests) == 3


DETAIL = [{"loc": ["body", "response_format", "type"], "msg": "Input should be 'text'"}]
LLAMA = "1 validation error:\n {'loc': ('body', 'response_format', 'type'), 'msg': 'Input should be"


@pytest.mark.parametrize(
    ("status", "body"),
    [(422, {"detail": DETAIL}), (500, {"error": {"message": LLAMA, "param": None}})],
    ids=["FastAPI", "llama-cpp-python"],
)
def test_a_schema_that_fails_to_be_checked_is_refused_as_well(
    runner, server, adapted, status, body
):
    called = server.says("", calls=(ToolCall("a_b", '{"done": true}'),))
    server.will(server.gives(body, status), called)
    assert runner.run(adapted.ask("a/b", HELLO, schema=SCHEMA)).reply.text == '{"done": true}'


def test_a_server_that_breaks_on_schemas_without_a_reason_is_asked_for_a_function(
    runner, server, adapted
):
    called = server.says("", calls=(ToolCall("a_b", '{"done": true}'),))
    broken = server.fails(500, "Internal Server Error")
    server.will(broken, broken, called)
    with pytest.raises(ModelUnavailable):
        runner.run(adapted.ask("a/b", HELLO, schema=SCHEMA))
    for _ in range(2):
        found = runner.run(adapted.ask("a/b", HELLO, schema=SCHEMA))
        assert found.reply.text == '{"done": true}'
    assert ["response_format" in each.body for each in server.requests] == [
        True,
        True,
        False,
        False,
    ]


def test_a_server_that_has_read_a_schema_may_break_and_is_asked_as_before(runner, server, adapted):
    good, broken = server.says('{"done": true}'), server.fails(500, "Internal Server Error")
    server.will(good, broken, broken, broken, good)
    runner.run(adapted.ask("a/b", HELLO, schema=SCHEMA))
    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            runner.run(adapted.ask("a/b", HELLO, schema=SCHEMA))
    runner.run(adapted.ask("a/b", HELLO, schema=SCHEMA))
    assert all("response_format" in each.body for each in server.requests)


def test_a_server_with_neither_is_asked_for_json(runner, server, adapted):
    server.will(
        refusal(server, "response_format is not supported"),
        refusal(server, "tools are not supported"),
        server.says('Here: {"name": "a_b", "arguments": {"done": true}}'),
    )
    assert runner.run(adapted.ask("a/b", HELLO, schema=SCHEMA)).reply.text == '{"done": true}'
    assert sorted(server.requests[-1].body) == ["messages", "model"]
