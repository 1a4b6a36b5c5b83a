"""Checks a reply of a server before any other code reads it."""

from __future__ import annotations

from typing import Any

import httpx2

from agent.llm import completion, embedding
from agent.llm.transport.offline import json_object
from agent.llm.transport.server_errors import Meaning, meaning
from agent.llm.transport.text_completions import CHAT, as_chat

EMBEDDINGS = "/embeddings"
MEANT = {Meaning.TOO_LONG, Meaning.QUOTA, Meaning.KEY, Meaning.MODEL, Meaning.BUSY}
"""Meanings that make an error body sent with status 200 count as an error response."""


async def checked(response: httpx2.Response, path: str) -> httpx2.Response:
    """Read the response to a request at `path` to its end, check it, and return it.

    A reply of status 200 that contains an error gets the error's status, if the error says what it
    means. A reply that is no JSON object is left to the client, which shows its beginning.

    Raises:
        UnreadableReply: The reply is an object that does not follow the protocol.
    """
    try:
        data = await response.aread()
        body = json_object(data) if response.status_code == 200 else None
        if body is not None and (status := _status_within(body, data)):
            response.status_code = status
        elif body is not None and path.endswith(EMBEDDINGS):
            embedding.vectors(body)
        elif body is not None:
            completion.read(body if path.endswith(CHAT) else as_chat(body))
    except BaseException:
        await response.aclose()
        raise
    return response


def _status_within(body: dict[str, Any], data: bytes) -> int | None:
    """Return the HTTP status that an error inside a reply of status 200 stands for; None without an
    error, or if its meaning is unclear.
    """
    error = body.get("error")
    if not error:
        return None
    code = error.get("code", error.get("status")) if isinstance(error, dict) else None
    text = str(code) if isinstance(code, int | str) else ""
    status = int(text) if text in {str(each) for each in range(400, 600)} else 400
    return status if meaning(status, data) in MEANT else None
