"""Embeddings through the client: asked, recorded, replayed, and refused by the scripted model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from agent import embedders
from agent.embedders.openai import AT_ONCE
from agent.interface import ContextOverflow
from agent.llm import embedding
from agent.llm.completion import Usage
from agent.llm.faults import RequestRefused, UnreadableReply
from agent.llm.model_source import ModelConnection, ModelSource
from agent.llm.recording.cassette import Cassette
from agent.llm.recording.replay import CassetteMiss
from agent.llm.simulated.model import SimulatedModel
from agent.llm.transport.live import Live
from agent.methods.synapse.memory import Key, Memory, load
from evaluators.episode.budget import Budget, Meter
from evaluators.episode.metered import MeteredLLM
from evaluators.episode.trace import Trace

MODEL = "text-embedding-ada-002"
KEYS = [Key("press", "Press OK", "<button>"), Key("type", "Enter 1:15", "<input>")]
QUERY = KEYS[1].text.replace("1:15", "2:20")


def letters(text: str) -> list[float]:
    """How often each letter of the alphabet stands in a text: a poor model, but a model."""
    return [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]


def test_a_request_goes_out_as_openai_expects_it(runner, server, client):
    server.embeds = letters
    exchange = runner.run(client.embed("synapse/embed", ["aab", "c"], model="m"))
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["x-rehearse-purpose"] == "synapse/embed"
    assert request.body == {"model": "m", "input": ["aab", "c"], "encoding_format": "float"}
    first, second = exchange.reply
    assert (first[:3], second[:3]) == ((2, 1, 0), (0, 0, 1))  # the server turned them round
    assert exchange.usage == Usage(14, 0)


@pytest.mark.parametrize(
    "body",
    [
        {"choices": []},
        {"data": None},
        {"data": []},
        {"data": [{"index": 0, "embedding": [1]}]},
        {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]},
        {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": "AACAPw=="}]},
        {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": ["nan"]}]},
        {"data": [{"embedding": [1]}, {"embedding": [1]}]},
        {"data": [7, 8]},
    ],
)
def test_what_is_no_list_of_as_many_vectors_is_unreadable(runner, server, client, body):
    with pytest.raises(UnreadableReply, match="embeddings"):
        embedding.read(body, 2)
    server.will(server.gives(body))
    with pytest.raises(UnreadableReply):
        runner.run(client.embed("p", ["a", "b"], model="m"))
    assert len(server.requests) == 2  # asked once more


def test_it_fails_as_a_chat_does(runner, server, client):
    server.will(server.fails(404, "no such model"))
    with pytest.raises(RequestRefused, match="refuses with 404: no such model; check"):
        runner.run(client.embed("p", ["a"], model="m"))
    server.will(server.fails(400, "This model's maximum context length is 8192 tokens"))
    with pytest.raises(ContextOverflow):
        runner.run(client.embed("p", ["a"], model="m"))


# Through an episode's line ---------------------------------------------------------------------


PLACE = Path("synapse/click/0.0.jsonl")


@pytest.fixture
def door(tmp_path) -> Iterator[Callable[..., MeteredLLM]]:
    """`door(voice, live)`: an episode's door to the model; its line is closed at the end."""
    with ExitStack() as stack:
        numbers = count()

        def made(model_source: ModelSource, live: Live | None = None) -> MeteredLLM:
            line = ModelConnection(
                model_source,
                PLACE,
                tmp_path / f"{next(numbers)}.jsonl",
                SimulatedModel({}),
                "",
                live,
            )
            stack.callback(line.close, ok=False)
            return MeteredLLM(line, Meter(Budget(10, 10)), Trace())

        yield made


@pytest.fixture
def live_door(server, live, door, monkeypatch, tmp_path) -> MeteredLLM:
    server.embeds = letters
    monkeypatch.setenv("OPENAI_API_KEY", "loopback-key")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_MODEL", "gpt-x")
    return door(ModelSource("live", record=tmp_path / "kept"), live)


def test_a_memory_by_a_model_is_asked_recorded_and_replayed(
    runner, server, live_door, door, tmp_path
):
    path = tmp_path / "memory.jsonl"
    built = Memory(KEYS, "openai")
    runner.run(built.prepare(live_door))
    built.save(path)
    asked = len(server.requests)
    found = runner.run(load(path, "openai").retrieve(QUERY, live_door))
    live_door._connection.close(ok=True)
    assert (asked, len(server.requests)) == (1, 2)  # the keys at once, and not again
    assert found.task == "type"

    meter = live_door._meter
    assert meter.calls == 2
    assert meter.tokens == {"prompt": 21, "completion": 0}
    assert meter.dollars == pytest.approx(21 * 0.1e-6)
    kept = Cassette.read(tmp_path / "kept" / PLACE)
    assert [call.request["input"] for call in kept.calls] == [[k.text for k in KEYS], [QUERY]]
    assert live_door._trace.lines[-1]["reply"] == ["1 x 26 numbers"]

    replayed = door(ModelSource("replay", tmp_path / "kept"))
    repeated = Memory(KEYS, f"openai/{MODEL}")
    runner.run(repeated.prepare(replayed))
    assert runner.run(repeated.retrieve(QUERY, replayed)) == found
    replayed._connection.close(ok=True)
    assert len(server.requests) == 2


def test_a_changed_text_is_a_miss_that_shows_it(runner, live_door, door, tmp_path):
    runner.run(
        live_door.embed("synapse/embed", ["the page as it was when it was recorded"], model=MODEL)
    )
    live_door._connection.close(ok=True)
    replayed = door(ModelSource("replay", tmp_path / "kept"))
    with pytest.raises(CassetteMiss, match=r"\+the page as it is now"):
        runner.run(replayed.embed("synapse/embed", ["the page as it is now"], model=MODEL))


def test_many_texts_go_in_several_requests_and_keep_their_order(runner, server, live_door):
    texts = ["a" * (at % 26 + 1) + "b" for at in range(AT_ONCE + 5)]
    vectors = runner.run(embedders.get("openai").embed(texts, live_door))
    assert [len(each.body["input"]) for each in server.requests] == [AT_ONCE, 5]
    assert vectors[:, 0] / vectors[:, 1] == pytest.approx([text.count("a") for text in texts])
    assert (vectors**2).sum(axis=1) == pytest.approx([1] * len(texts))


def test_the_scripted_model_says_what_works_without_one(runner, door):
    line = "the scripted model makes no embeddings; hashed and minilm are offline embedders"
    with pytest.raises(RequestRefused, match=f"^{re.escape(line)}$"):
        runner.run(Memory(KEYS, "openai").retrieve(QUERY, door(ModelSource())))
