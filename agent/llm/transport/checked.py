"""The boundary at which a reply of a server is checked, before anything else reads it."""

from __future__ import annotations

import httpx2

from agent.llm import completion, embedding
from agent.llm.transport.offline import json_object

EMBEDDINGS = "/embeddings"


async def checked(response: httpx2.Response, path: str) -> httpx2.Response:
    """The response to a request at `path`, read to its end.

    Raises `UnreadableReply` for a reply (status 200) that is an object in another shape than the
    protocol's; what is no object is refused by the client, which shows its beginning.
    """
    try:
        body = json_object(await response.aread()) if response.status_code == 200 else None
        if body is not None and path.endswith(EMBEDDINGS):
            embedding.vectors(body)
        elif body is not None:
            completion.read(body)
    except BaseException:
        await response.aclose()
        raise
    return response
