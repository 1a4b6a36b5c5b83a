"""One run with a completion model and a chat model of a server on loopback."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.llm.recording.cassette import Cassette
from evaluators.records.models import SummaryRow
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry
from tests.loopback import Answer, Body, Server, reply, serve

STOP = " REASON: none fits\nACTION: stop [nothing fits]"


def answer(body: Body) -> Answer:
    """Stop; to a request for a text, with as many samples as it asks for."""
    if "messages" in body:
        return reply(STOP)
    number = body.get("n", 1)
    choices = [{"index": at, "text": STOP, "finish_reason": "stop"} for at in range(number)]
    usage = {"prompt_tokens": 1000, "completion_tokens": 10 * number}
    return Server.gives({"choices": choices, "usage": usage})


BEST, ONE, CHAT = (
    "step@completions/davinci-002",
    "step:published-code@completions/davinci-002",
    "step:paper@gpt-4o-mini",
)


def rows_of(source: str, folder: Path, **settings: Path) -> dict[str, SummaryRow]:
    """The rows of a run of the three agents, by agent."""
    config = RunConfig(source, out=folder, executor=ExecutorConfig(lane="text"), **settings)
    tasks = registry.from_suite("store-20", range(1))
    return {row.agent: row for row in run([BEST, ONE, CHAT], tasks, config).rows}


def test_a_run_compares_both_counts_their_cost_and_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(answer) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        rows = rows_of("live", tmp_path / "run", record=tmp_path / "kept")
    assert [rows[each].model for each in (BEST, CHAT)] == [
        "completions/davinci-002",
        "gpt-4o-mini",
    ]
    assert [rows[each].tokens for each in (BEST, ONE)] == [1030, 1010]
    assert rows[BEST].cost_usd == pytest.approx(1030 * 2 / 1e6)
    sampled = {(each.path, each.body.get("n"), each.body.get("best_of")) for each in model.requests}
    assert sampled == {
        ("/v1/completions", 3, 3),
        ("/v1/completions", None, None),
        ("/v1/chat/completions", 3, None),
        ("/v1/chat/completions", None, None),
    }, "the chat server gives one sample a request, so the others are asked for"
    speakers = {Cassette.read(each).header.speaker for each in (tmp_path / "kept").rglob("*.jsonl")}
    assert speakers == {"completions/davinci-002", "gpt-4o-mini"}
    assert rows_of(f"replay:{tmp_path / 'kept'}", tmp_path / "again") == rows
