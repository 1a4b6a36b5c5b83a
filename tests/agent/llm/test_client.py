"""The client without a network."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from agent.interface import ContextOverflow, ToolCall
from agent.llm import tokenizer, tokens
from agent.llm.client import Client, Endpoint, Limits, from_environment
from agent.llm.completion import completion
from agent.llm.faults import MissingSetting, ModelUnavailable
from agent.llm.messages import with_picture
from agent.llm.recording.cassette import CassetteFault
from agent.llm.transport.offline import Scripted

HELLO = [{"role": "user", "content": "hello"}]
SCRIPTED = Endpoint("scripted")


def test_a_brain_gets_the_request_and_its_purpose(runner):
    asked = []

    def complete(purpose, body):
        asked.append((purpose, body))
        return completion(["one", "two"], [ToolCall("buy", "{}")])

    exchange = runner.run(Client(Scripted(complete), SCRIPTED).ask("laser/act", HELLO, n=2))
    assert asked == [("laser/act", {"model": "scripted", "messages": HELLO, "n": 2})]
    assert exchange.reply.texts == ("one", "two")
    assert exchange.reply.calls == (ToolCall("buy", "{}", "call_0"),)


def test_a_request_may_name_another_model(runner):
    def complete(purpose, body):
        return completion([body["model"]])

    client = Client(Scripted(complete), SCRIPTED)
    assert runner.run(client.ask("p", HELLO, model="big")).reply.text == "big"
    assert runner.run(client.ask("p", HELLO)).reply.text == "scripted"


def test_a_brain_may_wait(runner):
    async def complete(purpose, body):
        await asyncio.sleep(0)
        return completion(["later"])

    assert runner.run(Client(Scripted(complete), SCRIPTED).ask("p", HELLO)).reply.text == "later"


def test_the_scripted_models_usage_is_the_estimate(runner):
    client = Client(Scripted(lambda purpose, body: completion(["abcde"])), SCRIPTED)
    exchange = runner.run(client.ask("p", [{"role": "user", "content": "x" * 100}]))
    assert (exchange.usage.prompt, exchange.usage.completion) == (3 + 4 + 25, 2)
    assert exchange.response["usage"]["total_tokens"] == 34


class Broken(Exception):
    pass


@pytest.mark.parametrize(
    "fault", [CassetteFault("x"), Broken("x"), KeyError("x"), OSError("x"), TimeoutError("x")]
)
def test_what_a_transport_raises_surfaces_as_itself_and_once(runner, fault):
    asked = []

    def complete(purpose, body):
        asked.append(purpose)
        raise fault

    with pytest.raises(type(fault)) as caught:
        runner.run(Client(Scripted(complete), SCRIPTED, Limits(max_retries=3)).ask("p", HELLO))
    assert caught.value is fault
    assert asked == ["p"]


def test_a_scripted_model_has_a_deadline_too(runner):
    async def complete(purpose, body):
        await asyncio.Event().wait()

    with pytest.raises(ModelUnavailable, match=r"within 0\.05 s"):
        runner.run(Client(Scripted(complete), SCRIPTED, Limits(deadline_s=0.05)).ask("p", HELLO))


COUNTS = {
    "mistral_common": (160, "counted by the vocabulary Tekken"),
    "no_such_package": (40, r"estimated at 4 bytes each \(pip install .*tokens"),
}
"""By package the tokens of 160 bytes of digits, and the words that say how they are counted."""


@pytest.mark.parametrize("package", COUNTS)
@pytest.mark.parametrize("lack", [0, 1])
def test_a_request_over_the_context_is_not_sent(runner, monkeypatch, package, lack):
    """The tokens are counted by a vocabulary if there is one, and the message says how."""
    monkeypatch.setattr(tokenizer, "PACKAGE", package)
    text, how = COUNTS[package]
    size = text + 3 + 4 + 10
    asked = []

    def complete(purpose, body):
        asked.append(body)
        return completion(["hi"])

    client = Client(Scripted(complete), SCRIPTED, Limits(context=size - lack))
    request = client.ask("p", [{"role": "user", "content": "1234 " * 32}], max_tokens=10)
    if not lack:
        runner.run(request)
    else:
        with pytest.raises(ContextOverflow, match=f"takes {size} of {size - 1} tokens, {how}"):
            runner.run(request)
    assert len(asked) == 1 - lack


@pytest.mark.parametrize(("context", "fits"), [(3 + 4 + 1 + 765, True), (772, False)])
def test_a_picture_takes_room_in_the_context(runner, context, fits):
    asked = []

    def complete(purpose, body):
        asked.append(body)
        return completion(["hi"])

    seen = with_picture({"role": "user", "content": "page"}, b"PNG" * 100_000)
    request = Client(Scripted(complete), SCRIPTED, Limits(context=context)).ask("p", [seen])
    if fits:
        assert runner.run(request).usage.prompt == context
        assert asked[0]["messages"] == [seen]
    else:
        with pytest.raises(ContextOverflow, match="773 of 772 tokens"):
            runner.run(request)


def test_the_estimate_counts_everything_that_is_sent():
    plain = {"messages": [{"role": "user", "content": "12345678"}]}
    assert tokens.of_request(plain) == 3 + 4 + 2
    tools = [{"type": "function", "function": {"name": "x" * 400}}]
    assert tokens.of_request({**plain, "tools": tools}) > tokens.of_request(plain) + 100
    picture = [{"type": "text", "text": "1234"}, {"type": "image_url", "image_url": {"url": ""}}]
    assert (
        tokens.of_request({"messages": [{"role": "user", "content": picture}]}) == 3 + 4 + 1 + 765
    )
    calls = {"role": "assistant", "content": None, "tool_calls": [{"id": "x" * 400}]}
    assert tokens.of_request({"messages": [calls]}) > 100
    assert tokens.of_text("漢" * 4) == 3


# The environment -------------------------------------------------------------------------------

KEY = {"OPENAI_API_KEY": "k"}


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({}, "OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": " ", "OPENAI_MODEL": "m"}, "OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": "k\u00e9y", "OPENAI_MODEL": "m"}, "OPENAI_API_KEY holds"),
        ({"OPENAI_API_KEY": "k\ny", "OPENAI_MODEL": "m"}, "OPENAI_API_KEY holds"),
        (KEY, "OPENAI_MODEL is not set; set it or give --model"),
        (
            {**KEY, "OPENAI_MODEL": "m", "OPENAI_BASE_URL": "host:80"},
            "OPENAI_BASE_URL is 'host:80'",
        ),
        ({**KEY, "OPENAI_MODEL": "m", "OPENAI_BASE_URL": "http://["}, "OPENAI_BASE_URL is"),
        ({**KEY, "OPENAI_MODEL": "m", "OPENAI_BASE_URL": "https://"}, "OPENAI_BASE_URL is"),
    ],
)
def test_a_missing_setting_is_one_line_that_says_what_to_do(environment, line):
    with pytest.raises(MissingSetting) as error:
        from_environment(environment)
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)
    assert "OPENAI_BASE_URL" in line or "--llm scripted" in str(error.value)


def test_the_environment_names_the_endpoint():
    named = {**KEY, "OPENAI_MODEL": "m", "OPENAI_BASE_URL": "http://localhost:1/v1"}
    assert from_environment(named) == Endpoint("m", "http://localhost:1/v1", "k")
    assert from_environment({**KEY, "OPENAI_MODEL": "m"}, "given").model == "given"
    assert from_environment(KEY, "given").base_url == "https://api.openai.com/v1"
    assert "'k'" not in repr(from_environment(KEY, "given"))


def test_a_scripted_client_needs_no_environment():
    code = (
        "import asyncio\n"
        "from agent.llm.client import Client, Endpoint\n"
        "from agent.llm.completion import completion\n"
        "from agent.llm.transport.offline import Scripted\n"
        "client = Client(Scripted(lambda p, b: completion(['hi'])), Endpoint('scripted'))\n"
        "print(asyncio.run(client.ask('p', [])).reply.text)\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env={}, capture_output=True, text=True
    )
    assert (run.stdout, run.stderr) == ("hi\n", "")
