"""A server on loopback that speaks OpenAI's API as well, or as badly, as a test wants."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from agent.interface import ToolCall
from agent.llm.client import Client, Endpoint, Limits
from agent.llm.completion import completion
from agent.llm.live import Live


@dataclass(frozen=True)
class Answer:
    """`drip` seconds pass between the bytes; `cut` bytes are announced and never sent."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    drip: float = 0.0
    cut: int = 0
    drop: bool = False
    hang: bool = False


@dataclass(frozen=True)
class Heard:
    path: str
    headers: Mapping[str, str]
    body: Any


class Server:
    """Gives the answers of `will` in order, the last one for ever; `heard` is what came in.

    With `embeds` it answers every request for embeddings by that function of each text.
    """

    def __init__(self, url: str, closing: threading.Event) -> None:
        self.url = url
        self.closing = closing
        self.heard: list[Heard] = []
        self.echo = False
        self.embeds: Callable[[str], list[float]] | None = None
        self._answers: list[Answer] = []

    def will(self, *answers: Answer) -> None:
        self._answers = list(answers)

    def next(self, heard: Heard) -> Answer:
        self.heard.append(heard)
        if self.embeds and heard.path.endswith("/embeddings"):
            return self.embedded(*map(self.embeds, heard.body["input"]))
        if self.echo:
            return self.says(f"echo {heard.body['messages'][-1]['content']}")
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    @staticmethod
    def says(*texts: str, calls: tuple[ToolCall, ...] = (), **fields: Any) -> Answer:
        return Server.gives({**completion(texts, calls), **fields})

    @staticmethod
    def embedded(*vectors: list[float]) -> Answer:
        data = [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        usage = {"prompt_tokens": 7 * len(vectors), "total_tokens": 7 * len(vectors)}
        return Server.gives({"object": "list", "data": data[::-1], "usage": usage})

    @staticmethod
    def gives(value: object, status: int = 200, **headers: str) -> Answer:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return Answer(json.dumps(value).encode(), status, named)

    @staticmethod
    def fails(status: int, message: str = "no", code: str | None = None, **headers: str) -> Answer:
        return Server.gives({"error": {"message": message, "code": code}}, status, **headers)

    raw = Answer


def _handler(server: Callable[[], Server]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            heard = Heard(
                self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(data)
            )
            answer = server().next(heard)
            if answer.hang:
                server().closing.wait()
            if answer.hang or answer.drop:
                self.close_connection = True
                return
            self.answer(answer)

        def answer(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("content-type", answer.content_type)
            self.send_header("content-length", str(len(answer.body) + answer.cut))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for piece in _pieces(answer):
                self.wfile.write(piece)
                if answer.drip and server().closing.wait(answer.drip):
                    break
            self.close_connection = self.close_connection or bool(answer.cut)

        def log_message(self, *_: object) -> None:
            pass

        def handle(self) -> None:
            with contextlib.suppress(ConnectionError):  # some tests hang up
                super().handle()

    return Handler


def _pieces(answer: Answer) -> list[bytes]:
    return [bytes([one]) for one in answer.body] if answer.drip else [answer.body]


@pytest.fixture
def server() -> Iterator[Server]:
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(lambda: served))
    served = Server(f"http://127.0.0.1:{http.server_port}/v1", threading.Event())
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    served.closing.set()
    http.shutdown()
    http.server_close()
    thread.join()


@pytest.fixture
def live(server: Server, runner: asyncio.Runner) -> Iterator[Live]:
    """The network's transport to the server."""
    transport = Live(server.url, largest_reply=100_000)
    yield transport
    runner.run(transport.aclose())


@pytest.fixture
def client(server: Server, live: Live) -> Client:
    """A client of the server that waits briefly."""
    limits = Limits(max_retries=2, timeout_s=2.0, deadline_s=5.0)
    return Client(live, Endpoint("gpt-x", server.url, "sk-key-for-tests-0123456789"), limits)
