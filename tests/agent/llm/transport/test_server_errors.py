"""What the errors of model servers mean: each row of docs/server-errors.md, alone and recorded."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx2
import pytest

from agent.interface import ContextOverflow
from agent.llm.client import Client, Endpoint, Limits
from agent.llm.faults import AccessRefused, ModelUnavailable, RequestRefused, UnreadableReply
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.llm.recording.replay import Replay
from agent.llm.transport.offline import Recording
from agent.llm.transport.server_errors import ECHOES, Meaning, error_text, meaning
from tests.each import for_each
from tests.loopback import Answer

DOCS = Path(__file__).parents[4] / "docs" / "server-errors.md"
ROW = re.compile(r"\| (.+?) \| (\d{3}) \| ([a-z ]+) \| (?:`` (.*?) ``)? ?\| (.+) \|")
ROWS = [
    (server, int(status), Meaning(means), (body or "").encode())
    for server, status, means, body, source in ROW.findall(DOCS.read_text(encoding="utf-8"))
]
HELLO = [{"role": "user", "content": "hello"}]
RAISES = {
    Meaning.TOO_LONG: ContextOverflow,
    Meaning.BUSY: ModelUnavailable,
    Meaning.LOADING: ModelUnavailable,
    Meaning.PASSING: ModelUnavailable,
    Meaning.REFUSED: RequestRefused,
}


def test_the_table_has_every_meaning():
    assert {means for _, _, means, _ in ROWS} == {*Meaning} and len(ROWS) > 70


@for_each(("server", "status", "means", "body"), ROWS)
def test_a_row_is_read(server, status, means, body):
    assert meaning(status, body) == means


@for_each(("server", "status", "means", "body"), ROWS)
def test_a_row_ends_a_request_as_the_page_says(runner, server, status, means, body):
    client = Client(_Gives(status, body), Endpoint("m"), Limits(max_retries=0))
    with pytest.raises(RAISES.get(means, AccessRefused)) as error:
        runner.run(client.ask("p", HELLO))
    assert "\n" not in str(error.value) and len(str(error.value)) < 500
    if means == Meaning.REFUSED:
        assert not isinstance(error.value, AccessRefused)


class _Gives(httpx2.AsyncBaseTransport):
    """Answers every request so."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status, self.body = status, body

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(self.status, content=self.body)


@for_each(
    ("server", "status", "means", "body"), [each for each in ROWS if each[2] == Meaning.TOO_LONG]
)
def test_an_overflow_that_was_recorded_is_one_when_it_is_replayed(
    runner, tmp_path, server, status, means, body
):
    path = tmp_path / "e.jsonl"
    writer = CassetteWriter(path, "m", {})
    recorded = Client(Recording(_Gives(status, body), writer), Endpoint("m"))
    with pytest.raises(ContextOverflow):
        runner.run(recorded.ask("p", HELLO))
    writer.close()
    replay = Replay(Cassette.read(path), "again")
    with pytest.raises(ContextOverflow):
        runner.run(Client(replay, Endpoint("m")).ask("p", HELLO))
    replay.finish()


@for_each("status", [400, 403, 422, 429, 500])
def test_the_words_of_a_page_that_a_server_repeats_mean_nothing(status):
    words = "insufficient balance; prompt is too long; invalid api key; model not found"
    for field in ECHOES:
        body = json.dumps({"error": {"message": "bad value", "errors": [{field: [words]}]}})
        assert meaning(status, body.encode()) == meaning(status, b'{"error": "bad value"}')
    quoted = json.dumps({"message": f"[{{'loc': ('body',), 'msg': 'bad', 'input': '{words}'}}]"})
    assert meaning(status, quoted.encode()) == meaning(status, b"{}")


@for_each(
    "message",
    [
        "max_tokens is too large: 99999. This model supports at most 16384 completion tokens",
        "Invalid 'tools': array too long. Expected an array with maximum length 128",
        "The tool name is too long: must be at most 64 characters",
        "Image size exceeds the limit of 5 MB", "temperature must be less than 2",
        "For this model, parameter 'temperature' is not supported", "we do not talk about lamps",
    ],
)  # fmt: skip
def test_another_refusal_is_no_overflow_and_stops_no_run(message):
    assert meaning(400, json.dumps({"error": {"message": message}}).encode()) == Meaning.REFUSED


@for_each("body", [b"", b"null", b"[" * 9000, b"\xff\xfe", b"[[[]]]", b"7", b'"text"', b"{"])
def test_any_body_has_a_meaning(body):
    assert meaning(418, body) == Meaning.REFUSED and "\n" not in error_text(body)


def test_a_body_of_megabytes_is_read_in_part():
    assert len(error_text(json.dumps(["prompt is " * 9000] * 500).encode())) <= 8000


WITHIN = {
    '{"error": {"code": 429, "message": "Rate limit exceeded, retry in 20s"}}': ModelUnavailable,
    '{"error": {"code": 402, "message": "Insufficient credits"}}': AccessRefused,
    '{"error": {"message": "You exceeded it", "type": "insufficient_quota"}}': AccessRefused,
    '{"error": {"code": "503", "message": "model is loading"}, "choices": []}': UnreadableReply,
    '{"error": {"message": "prompt is too long: 9000 tokens > 8000 maximum"}}': ContextOverflow,
    '{"error": {"code": 400, "message": "Provider returned error"}}': UnreadableReply,
    '{"error": "something broke"}': UnreadableReply,
}
"""Errors within a reply of status 200, and what each raises."""


@for_each(("body", "raised"), WITHIN.items())
def test_an_error_within_a_reply_means_what_it_says(runner, server, live, body, raised):
    server.answering = lambda request: Answer(body.encode(), 200)
    client = Client(live, Endpoint("m", server.url, "k"), Limits(max_retries=0, deadline_s=60))
    with pytest.raises(raised):
        runner.run(client.ask("p", HELLO))
