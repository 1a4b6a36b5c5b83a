"""`--llm live` from end to end, against a server on loopback that speaks the protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agent.llm.cassette import Cassette
from evaluators import casting
from evaluators.running import Setting, run


class _Model(BaseHTTPRequestHandler):
    """Searches once, then gives up; the first request of all is told to come again."""

    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({**body, "authorization": self.headers["Authorization"]})
        if len(self.asked) == 1:
            self._send(429, {"error": {"message": "slow down"}}, {"Retry-After": "0.01"})
            return
        turns = sum(message["role"] == "assistant" for message in body["messages"])
        text = "stop[nothing fits]" if turns else "search[lamp]"
        choice = {"index": 0, "finish_reason": "stop"}
        self._send(
            200,
            {
                "choices": [{**choice, "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 5},
            },
            {},
        )

    def _send(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """The requests that the loopback model got; the environment leads to it."""
    requests: list[dict[str, Any]] = []
    handler = type("Model", (_Model,), {"asked": requests})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OPENAI_API_KEY", "loopback-key")
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("OPENAI_MODEL", "gpt-4o-mini")
        yield requests
        server.shutdown()


def test_a_live_run_asks_the_endpoint_counts_the_cost_and_records(
    asked: list[dict[str, Any]], tmp_path: Path
) -> None:
    setting = Setting("live", out=tmp_path / "run", record=tmp_path / "kept")

    summary = run(["react"], casting.from_suite("store-20", range(1)), setting)

    [row] = summary["rows"]
    assert (row["model"], row["success"], row["llm_calls"], row["steps"]) == (
        "gpt-4o-mini",
        0,
        2,
        1,
    )
    assert row["tokens"] == 210
    assert row["cost_usd"] == pytest.approx(2 * (100 * 0.15 + 5 * 0.6) / 1e6)
    assert len(asked) == 3  # one was told to come again
    assert asked[0]["authorization"] == "Bearer loopback-key"
    [kept] = (tmp_path / "kept").rglob("*.jsonl")
    assert Cassette.read(kept).header.speaker == "gpt-4o-mini"
    assert "loopback-key" not in kept.read_text() + (tmp_path / "run" / "run.json").read_text()
    again = Setting(f"replay:{tmp_path / 'kept'}", out=tmp_path / "again")
    [replayed] = run(["react"], casting.from_suite("store-20", range(1)), again)["rows"]
    assert replayed == row
