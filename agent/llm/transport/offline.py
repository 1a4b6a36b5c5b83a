"""Transports without a network: the scripted model, and the recorder around any other transport."""

from __future__ import annotations

import inspect
import json
import math
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx2

import rehearsal_json
from agent.llm.completion import counted
from agent.llm.recording.canonical import encoded
from agent.llm.recording.cassette import CassetteWriter
from agent.llm.transport.server_errors import Meaning, error_text, meaning

PURPOSE = "X-Rehearse-Purpose"
"""The header that names the purpose of a request; it does not affect keys of recordings."""

_VAST = re.compile(rb"\d[eE]\+?\d{3}|\d{300}")
"""A pattern of numbers in JSON that may exceed the largest float."""

Completer = Callable[[str, dict[str, Any]], dict[str, Any] | Awaitable[dict[str, Any]]]
"""A function from the purpose and the body of a request to the body of a chat completion (see
`agent.llm.completion.completion`).
"""


class Wrapper(httpx2.AsyncBaseTransport):
    """A transport around another transport, which it closes."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def aclose(self) -> None:
        await self._inner.aclose()


class Scripted(httpx2.AsyncBaseTransport):
    """A transport that answers requests by a function, which gets only the purpose and the body of
    the request.
    """

    def __init__(self, complete: Completer) -> None:
        self._complete = complete

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        reply = self._complete(purpose_of(request), body)
        if inspect.isawaitable(reply):
            reply = await reply
        return answer(200, counted(reply, body))


class Recording(httpx2.AsyncBaseTransport):
    """A transport that passes requests on and records each with its reply.

    It records the replies on which an episode can depend: completions, embeddings, and the error
    that a request is too long. Replies that are retried or end the run are not recorded.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, writer: CassetteWriter) -> None:
        self._inner = inner
        self._writer = writer

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        reply = _worth_recording(response.status_code, await response.aread())
        if reply:
            body = json.loads(request.content)
            self._writer.write(purpose_of(request), body, reply, response.status_code)
        return response


def _worth_recording(status: int, data: bytes) -> dict[str, Any] | None:
    """Return the reply as an object if it is to be recorded: a success, or the error that a request
    is too long; None for other errors.
    """
    found = json_object(data)
    if status == 200:
        return found
    if meaning(status, data) != Meaning.TOO_LONG:
        return None
    return found or {"error": {"message": error_text(data)}}


def purpose_of(request: httpx2.Request) -> str:
    """Return the purpose of the request; "" if it names none."""
    return request.headers.get(PURPOSE, "")


def answer(status: int, body: Mapping[str, Any]) -> httpx2.Response:
    """Return a response with a JSON body."""
    headers = {"content-type": "application/json"}
    return httpx2.Response(status, content=encoded(body), headers=headers)


def json_object(data: bytes) -> dict[str, Any] | None:
    """Return the JSON object in `data`, or None.

    Numbers beyond the range of floats are read as null.
    """
    vast = _finite if _VAST.search(data) else None
    try:
        value = rehearsal_json.loads(data, parse_constant=_nothing, parse_float=vast)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _nothing(_name: str) -> None:
    """Return None, the value that replaces NaN and the infinities in JSON."""


def _finite(number: str) -> float | None:
    value = float(number)
    return value if math.isfinite(value) else None
