"""`--llm live` from end to end, against a server on loopback that speaks the protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.llm.recording.cassette import Cassette
from evaluators.records import run_folder
from evaluators.records.models import INFRA
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry
from tests.evaluators.run.test_scheduler import contents
from tests.loopback import Answer, Body, ReceivedRequest, Server, reply, serve, slow_shopper
from tests.measuring import DEEP, HANG, unmeasured

MANY = 12 if DEEP else 3


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ReceivedRequest]]:
    """The requests that the loopback model got; the environment leads to it.

    It searches once, then gives up; the very first request gets a rate limit.
    """
    requests: list[Body] = []

    def answer(body: Body) -> Answer:
        requests.append(body)
        if len(requests) == 1:
            return Server.fails(429, "slow down", Retry_After="0.01")
        turns = sum(message["role"] == "assistant" for message in body["messages"])
        return reply("stop[nothing fits]" if turns else "search[lamp]")

    with serve(answer) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        yield model.requests


@pytest.mark.wide
def test_the_effort_is_asked_for_and_replayed(asked: list[ReceivedRequest], tmp_path: Path) -> None:
    tasks, effort = registry.from_suite("store-20", range(1)), {"reasoning_effort": "low"}
    run(
        ["react"],
        tasks,
        RunConfig("live", out=tmp_path / "run", record=tmp_path / "kept", **effort),
    )
    assert all(each.body["reasoning_effort"] == "low" for each in asked)
    replay = f"replay:{tmp_path / 'kept'}"
    [row] = run(["react"], tasks, RunConfig(replay, out=tmp_path / "again", **effort)).rows
    assert (row.infra, row.llm_calls) == (0, 2)


def test_a_live_run_asks_the_endpoint_counts_the_cost_and_records(
    asked: list[ReceivedRequest], tmp_path: Path
) -> None:
    setting = RunConfig("live", out=tmp_path / "run", record=tmp_path / "kept")

    summary = run(["react"], registry.from_suite("store-20", range(1)), setting)

    [row] = summary.rows
    assert (row.model, row.success, row.llm_calls, row.steps) == (
        "gpt-4o-mini",
        0,
        2,
        1,
    )
    assert row.tokens == 210
    assert row.cost_usd == pytest.approx(2 * (100 * 0.15 + 5 * 0.6) / 1e6)
    assert len(asked) == 3  # one got a rate limit
    assert asked[0].headers["authorization"] == "Bearer loopback-key"
    [kept] = (tmp_path / "kept").rglob("*.jsonl")
    assert Cassette.read(kept).header.speaker == "gpt-4o-mini"
    assert "loopback-key" not in kept.read_text() + (tmp_path / "run" / "run.json").read_text()
    replay = RunConfig(f"replay:{tmp_path / 'kept'}", out=tmp_path / "again")
    [replayed] = run(["react"], registry.from_suite("store-20", range(1)), replay).rows
    assert replayed == row


@pytest.mark.wide
@unmeasured()
def test_many_live_episodes_in_flight_leave_the_same_worlds_as_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All at once, each call a fifth of a second: the waiting is shared."""
    with serve(slow_shopper(0.1, 0.3)) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        suite = registry.from_suite("store-20", range(MANY))
        together = RunConfig(
            "live", out=tmp_path / "a" / "run", executor=ExecutorConfig(concurrency=MANY)
        )
        summary = run(["react"], suite, together)
    with serve(slow_shopper(0, 0)) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        single = RunConfig(
            "live", out=tmp_path / "b" / "run", executor=ExecutorConfig(concurrency=1)
        )
        assert run(["react"], suite, single) == summary
    assert contents(tmp_path / "a" / "run") == contents(tmp_path / "b" / "run")
    assert summary.rows[0].episodes == MANY and summary.rows[0].infra == 0


@pytest.mark.wide
def test_a_request_may_take_so_long_and_no_longer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ended = threading.Event()

    def slow(body: Body) -> Answer:
        ended.wait(HANG)
        return reply("stop[]")

    with serve(slow) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        setting = RunConfig("live", out=tmp_path / "run", request_seconds=0.3)
        run(["react"], registry.from_suite("store-20", range(1)), setting)
        ended.set()
    [record] = run_folder.episodes(tmp_path / "run")
    assert record.ended == INFRA and "within 0.3 s" in record.error
