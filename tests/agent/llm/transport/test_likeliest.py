"""The likeliest of several samples, from servers that know `best_of` and from others."""

from __future__ import annotations

import math

import pytest

from agent.llm.client import Client, Endpoint, Limits
from agent.llm.model_source import adapted
from agent.llm.transport.likeliest import ranked
from agent.llm.transport.live import Live
from tests.each import for_each

HELLO = [{"role": "user", "content": "hello"}]
USAGE = {"prompt_tokens": 10, "completion_tokens": 2}
SAMPLES = (("short", [-0.9]), ("likeliest", [-0.1, -0.2, -0.3]), ("long", [-0.5] * 8))


def choice(text, values, at=0):
    return {"index": at, "text": text, "logprobs": {"token_logprobs": values}}


def all_samples(server, body):
    assert body["logprobs"] == 1
    choices = [choice(*each, at) for at, each in enumerate(SAMPLES[: body["n"]])]
    return server.gives({"choices": choices, "usage": USAGE})


@pytest.fixture
def asked(runner, server):
    """A function that asks a completion model."""
    transport = adapted(Live(server.url))
    client = Client(transport, Endpoint("completions/m", server.url, "key"), Limits(max_retries=0))
    yield lambda **options: runner.run(client.ask("step/act", HELLO, **options))
    runner.run(transport.aclose())


def test_the_reply_is_the_likeliest_of_three(server, asked):
    server.answering = lambda body: all_samples(server, body)
    exchange = asked(best_of=3)
    assert exchange.reply.texts == ("likeliest",)
    assert exchange.response["choices"] == [
        {"index": 0, "message": {"role": "assistant", "content": "likeliest"}}
    ]
    (request,) = server.requests
    assert (request.body["n"], request.body["best_of"]) == (3, 3)


def test_three_samples_come_with_the_likeliest_first(server, asked):
    server.answering = lambda body: all_samples(server, body)
    assert asked(n=3, best_of=3).reply.texts == ("likeliest", "long", "short")


def test_a_single_sample_is_asked_for_as_it_is(server, asked):
    server.will(server.gives({"choices": [choice("a", [])], "usage": USAGE}))
    assert asked().reply.text == "a"
    assert not {"n", "best_of", "logprobs"} & server.requests[0].body.keys()


def test_a_server_that_refuses_best_of_gives_three_samples(server, asked):
    server.answering = lambda body: (
        server.fails(400, "best_of is not supported")
        if "best_of" in body
        else all_samples(server, body)
    )
    assert asked(best_of=3).reply.text == "likeliest"
    assert asked(best_of=3).reply.text == "likeliest"
    assert ["best_of" in each.body for each in server.requests] == [True, False, False]


def test_a_server_that_ignores_n_is_asked_three_times(server, asked):
    def one(body):
        text, values = SAMPLES[len(server.requests) % 3]
        return server.gives({"choices": [choice(text, values)], "usage": USAGE})

    server.answering = one
    exchange = asked(best_of=3)
    assert exchange.reply.text == "likeliest"
    assert (exchange.usage.prompt, exchange.usage.completion) == (30, 6)
    assert len(server.requests) == 3


def test_a_server_without_probabilities_gives_its_first_sample(server, asked):
    """That of llama-cpp-python fails for them with the status of a broken server."""
    message = "logprobs is not supported for models created with logits_all=False"
    server.answering = lambda body: (
        server.fails(500, message)
        if "logprobs" in body
        else server.gives({"choices": [{"text": "a"}] * body["n"], "usage": USAGE})
    )
    assert asked(best_of=3).reply.text == "a"
    assert len(server.requests) == 2


def test_the_first_counts_if_no_probability_is_known(server, asked):
    choices = [{"index": at, "text": text} for at, text in enumerate("abc")]
    server.will(server.gives({"choices": choices, "usage": USAGE}))
    assert asked(best_of=3).reply.text == "a"


@for_each(
    ("logprobs", "first"),
    [
        ({"token_logprobs": [-0.1]}, "other"),
        ({"content": [{"token": "a", "logprob": -0.1}]}, "other"),
        ({"token_logprobs": []}, "one"),
        ({"token_logprobs": [-0.1, None]}, "one"),
        ({"content": ["a"]}, "one"),
        ({"content": [{"token": "a"}]}, "one"),
        ({"token_logprobs": [-math.inf]}, "one"),
        ({}, "one"),
        (None, "one"),
        ("-0.1", "one"),
    ],
)
def test_log_probabilities_are_read_in_both_forms(logprobs, first):
    choices = [choice("one", [-0.5]), {"text": "other", "logprobs": logprobs}]
    assert ranked(choices)[0]["text"] == first
