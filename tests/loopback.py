"""A model's server on loopback: speaks the chat protocol as well, or as badly, as a test wants."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

from agent.interface import ToolCall
from agent.llm.completion import completion

Body = Mapping[str, Any]
WANTED = ("lamp", "chair", "socks", "shampoo", "tea", "knife")


@dataclass(frozen=True)
class Answer:
    """What the server sends after so many `seconds`.

    `drip` seconds pass between the bytes; `cut` bytes are announced and never sent; `endless`
    sends the body in a stream that does not end. `drop` hangs up, `reset` does so rudely, and
    `hang` says nothing. `dies` hangs up rudely, and from then on nobody listens at the port.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    seconds: float = 0.0
    drip: float = 0.0
    cut: int = 0
    endless: bool = False
    drop: bool = False
    reset: bool = False
    hang: bool = False
    dies: bool = False


@dataclass(frozen=True)
class ReceivedRequest:
    """A request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Any


class Server:
    """Gives the answers of `will` in order, the last one for ever; `requests` are those received.

    With `answering` a function of the request's body answers instead. With `embeds` it answers
    every request for embeddings by that function of each text.
    """

    def __init__(self, url: str, closing: threading.Event) -> None:
        self.url = url
        self.closing = closing
        self.requests: list[ReceivedRequest] = []
        self.latency = 0.0
        """The `seconds` of all its answers."""
        self.echo = False
        self.embeds: Callable[[str], list[float]] | None = None
        self.answering: Callable[[Body], Answer] | None = None
        self.die: Callable[[], None] = lambda: None
        """Closes the port."""
        self._answers: list[Answer] = []
        self._turn = threading.Lock()

    @property
    def environment(self) -> dict[str, str]:
        """The settings that lead here."""
        return {
            "OPENAI_API_KEY": "loopback-key",
            "OPENAI_BASE_URL": self.url,
            "OPENAI_MODEL": "gpt-4o-mini",
        }

    def will(self, *answers: Answer) -> None:
        self._answers = list(answers)

    def next(self, request: ReceivedRequest) -> Answer:
        with self._turn:
            self.requests.append(request)
            answer = self._answer(request)
            self.latency += answer.seconds
            return answer

    def _answer(self, request: ReceivedRequest) -> Answer:
        if self.embeds and request.path.endswith("/embeddings"):
            return self.embedded(*map(self.embeds, request.body["input"]))
        if self.echo:
            return self.says(f"echo {request.body['messages'][-1]['content']}")
        if self.answering:
            return self.answering(request.body)
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


def reply(text: str, seconds: float = 0.0, **fields: Any) -> Answer:
    """A chat completion of 100 and 5 tokens; `fields` stand beside its text in the choice."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message, **fields}
    usage = {"prompt_tokens": 100, "completion_tokens": 5}
    body = {"choices": [choice], "usage": usage}
    return Answer(json.dumps(body).encode(), seconds=seconds)


def shopper(body: Body) -> str:
    """Searches, opens what comes first, buys it and stops: the same for the same request."""
    messages = body["messages"]
    draw = hashlib.sha256(json.dumps(messages[:2]).encode()).digest()[0]
    codes = re.findall(r"\bB0[A-Z0-9]{8}\b", str(messages[-1]["content"]))
    turn = sum(message["role"] == "assistant" for message in messages)
    moves = (
        f"search[{WANTED[draw % len(WANTED)]}]",
        f"click[{codes[0]}]" if codes else "stop[]",
        "click[Buy Now]",
    )
    return moves[turn] if turn < len(moves) else "stop[]"


def slowly(complete: Callable[[Body], str], least: float, most: float) -> Callable[[Body], Answer]:
    """Replies with what `complete` returns, with a latency that the request draws, in seconds."""

    def answer(body: Body) -> Answer:
        rng = Random(json.dumps(body["messages"]))
        return reply(complete(body), rng.uniform(least, most))

    return answer


slow_shopper = partial(slowly, shopper)


# Serving -----------------------------------------------------------------------------------------


class _Http(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


@contextmanager
def serve(answering: Callable[[Body], Answer] | None = None) -> Iterator[Server]:
    """Serve until the block ends."""
    with _Http(("127.0.0.1", 0), _handler(lambda: served)) as http:
        served = Server(f"http://127.0.0.1:{http.server_port}/v1", threading.Event())
        served.answering, served.die = answering, http.server_close
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield served
        finally:
            served.closing.set()
            http.shutdown()
            thread.join()


def _handler(server: Callable[[], Server]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            request = ReceivedRequest(
                self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(data)
            )
            answer = server().next(request)
            if answer.seconds:
                server().closing.wait(answer.seconds)
            if answer.hang:
                server().closing.wait()
            if answer.dies:
                server().die()
            if answer.hang or answer.drop or answer.reset or answer.dies:
                self.hang_up(answer.reset or answer.dies)
            else:
                self.answer(answer)

        def hang_up(self, rudely: bool) -> None:
            self.close_connection = True
            if rudely:
                at_once = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
                self.connection.close()

        def answer(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("content-type", answer.content_type)
            if answer.endless:
                self.send_header("transfer-encoding", "chunked")
            else:
                self.send_header("content-length", str(len(answer.body) + answer.cut))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if answer.endless:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(answer.body), answer.body))
                server().closing.wait()
            else:
                self.send(answer)
            self.close_connection |= bool(answer.cut or answer.endless)

        def send(self, answer: Answer) -> None:
            for piece in _pieces(answer):
                self.wfile.write(piece)
                if answer.drip and server().closing.wait(answer.drip):
                    break

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

        def handle(self) -> None:
            with contextlib.suppress(OSError):  # some tests hang up, and so do some answers
                super().handle()

        def finish(self) -> None:
            with contextlib.suppress(OSError, ValueError):
                super().finish()

    return Handler


def _pieces(answer: Answer) -> list[bytes]:
    return [bytes([one]) for one in answer.body] if answer.drip else [answer.body]
