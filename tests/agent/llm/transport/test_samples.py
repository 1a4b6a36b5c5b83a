"""A server that ignores or refuses `n`, and the samples that are asked for all the same."""

from __future__ import annotations

import pytest

from agent.llm.client import Client, Endpoint, Limits
from agent.llm.faults import ModelUnavailable
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.llm.transport.live import Live
from agent.llm.transport.offline import Recording
from agent.llm.transport.parameter_fallback import ParameterFallback
from agent.llm.transport.samples import SampleTopUp

HELLO = [{"role": "user", "content": "hello"}]


@pytest.fixture
def transport(runner, server):
    made = SampleTopUp(ParameterFallback(Live(server.url)))
    yield made
    runner.run(made.aclose())


@pytest.fixture
def topped(server, transport):
    return Client(transport, Endpoint("m", server.url, "key"), Limits(max_retries=0))


def counting(server):
    """One sample a request, each another one."""
    server.answering = lambda body: server.says(f"sample {len(server.requests)}")


def test_a_server_that_ignores_n_is_asked_for_each_further_sample(runner, server, topped):
    counting(server)
    exchange = runner.run(topped.ask("lats/act", HELLO, n=4, temperature=1.0))
    assert sorted(exchange.reply.texts) == [f"sample {number}" for number in range(1, 5)]
    assert [each.body.get("n") for each in server.requests] == [4, None, None, None]
    assert all(each.body["temperature"] == 1.0 for each in server.requests)
    assert [each["index"] for each in exchange.response["choices"]] == [0, 1, 2, 3]


def test_tokens_of_all_requests_are_paid(runner, server, topped):
    body = {"choices": [{"message": {"content": "a"}}]}
    usage = {"prompt_tokens": 100, "completion_tokens": 5}
    server.will(server.gives({**body, "usage": usage}))
    found = runner.run(topped.ask("lats/act", HELLO, n=3)).usage
    assert (found.prompt, found.completion) == (300, 15)
    server.will(server.gives({**body, "usage": usage}), server.gives(body))
    found = runner.run(topped.ask("lats/act", HELLO, n=3)).usage
    assert (found.prompt, found.completion) == (None, None), "one of them did not say"


def test_a_server_that_refuses_n_gives_as_many(runner, server, topped):
    refused = {"error": {"message": "n is not supported"}}
    server.answering = lambda body: (
        server.gives(refused, 400) if "n" in body else server.says(f"{len(server.requests)}")
    )
    assert sorted(runner.run(topped.ask("lats/act", HELLO, n=3)).reply.texts) == ["2", "3", "4"]


def test_a_server_that_knows_n_is_asked_once(runner, server, topped):
    server.will(server.says("a", "b", "c"))
    assert runner.run(topped.ask("lats/act", HELLO, n=3)).reply.texts == ("a", "b", "c")
    assert len(server.requests) == 1


def test_samples_that_cannot_be_had_are_no_silence(runner, server, topped):
    server.will(server.says("a"), server.fails(503, "busy"))
    with pytest.raises(ModelUnavailable, match="busy"):
        runner.run(topped.ask("lats/act", HELLO, n=3))


def test_the_recording_has_one_request_with_all_its_samples(runner, server, transport, tmp_path):
    counting(server)
    writer = CassetteWriter(tmp_path / "llm.jsonl", "m", {})
    client = Client(Recording(transport, writer), Endpoint("m", server.url, "key"))
    runner.run(client.ask("lats/act", HELLO, n=3))
    writer.close()
    [call] = Cassette.read(tmp_path / "llm.jsonl").calls
    assert call.request["n"] == 3 and len(call.reply["choices"]) == 3
