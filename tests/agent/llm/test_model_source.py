"""Who answers, by name."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent.llm.model_source import ModelConnection, ModelSource
from agent.llm.recording.cassette import Cassette
from agent.llm.simulated.model import SimulatedModel
from agent.llm.transport import person


@pytest.mark.parametrize(
    ("kind", "own", "named", "speaker"),
    [
        ("scripted", "", "", "scripted"),
        ("scripted", "gpt-x", "big", "scripted"),
        ("person", "gpt-x", "big", "person"),
        ("live", "gpt-x", "", "gpt-x"),
        ("live", "gpt-x", "big", "big"),
    ],
)
def test_a_request_is_answered_by_the_model_that_it_names(monkeypatch, kind, own, named, speaker):
    """The price is that model's; the scripted one answers in every name, for nothing."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    line = ModelConnection(
        ModelSource(kind), Path("place"), Path("path"), SimulatedModel({}), own, None
    )
    assert line.speaker(named) == speaker


async def open_request(folder):
    while True:
        for asked in person.open_requests(folder):
            return asked
        await asyncio.sleep(0)


def test_a_person_may_take_a_day(tmp_path, runner):
    """Neither the client nor the deadline of a call ends the wait."""
    source = ModelSource("person", requests=tmp_path / "requests")
    place = Path("react", "buy_item", "7.0.jsonl")
    connection = ModelConnection(
        source, place, tmp_path / "llm.jsonl", SimulatedModel({}), "gpt-x", None
    )

    async def asked_and_answered(monkeypatch):
        loop, ask = asyncio.get_running_loop(), connection.client().ask
        asking = asyncio.create_task(ask("react/act", [{"role": "user", "content": "?"}]))
        found = await open_request(tmp_path / "requests")
        now = loop.time
        monkeypatch.setattr(loop, "time", lambda: now() + 86_400, raising=False)
        await asyncio.sleep(0.01)  # timers that a day has overtaken go off
        assert not asking.done()
        person.save(tmp_path / "requests" / f"{found['id']}.reply", "stop[]")
        return await asking

    with connection, pytest.MonkeyPatch.context() as patch:
        assert runner.run(asked_and_answered(patch)).reply.text == "stop[]"
    assert connection.model == connection.speaker("gpt-x") == "person"
    assert Cassette.read(tmp_path / "llm.jsonl").header.speaker == "person"
