"""Several samples from a server that ignores or refuses the parameter `n`: they are requested one
after another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

import httpx2

from agent.llm.transport import json_calls
from agent.llm.transport.offline import Wrapper, answer, json_object
from agent.llm.transport.parameter_fallback import with_body

Body = dict[str, Any]


class SampleTopUp(Wrapper):
    """A transport that passes requests on and adds missing samples.

    If a request for `n` samples returns fewer, further requests add the rest. The caller gets one
    reply with all samples and with the usage of all requests. If a further request fails, its
    response is returned instead.
    """

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        body = json_object(request.content) or {}
        wanted = body.get("n") or 1
        if wanted < 2 or response.status_code != 200:
            return response
        first = json_object(await response.aread())
        missing = wanted - len(json_calls.choices(first)) if first else 0
        if first is None or missing < 1 or not json_calls.choices(first):
            return response
        single = with_body(request, {name: body[name] for name in body if name != "n"})
        asked = (self._inner.handle_async_request(single) for _ in range(missing))
        return await _joined(response, first, await asyncio.gather(*asked))


async def _joined(
    response: httpx2.Response, first: Body, further: Iterable[httpx2.Response]
) -> httpx2.Response:
    replies = [first]
    for each in further:
        reply = json_object(await each.aread())
        if each.status_code != 200 or reply is None or not json_calls.choices(reply):
            return each
        replies.append({**reply, "choices": json_calls.choices(reply)[:1]})
    choices = [choice for reply in replies for choice in json_calls.choices(reply)]
    numbered = [{**choice, "index": at} for at, choice in enumerate(choices)]
    made = answer(200, {**first, "choices": numbered, "usage": _usage(replies)})
    made.extensions.update(response.extensions)
    return made


def _usage(replies: Iterable[Mapping[str, Any]]) -> Body | None:
    """Return the sums of the replies' token counts; None if a reply has no count."""
    counts = [reply.get("usage") for reply in replies]
    if not all(isinstance(each, dict) for each in counts):
        return None
    names = ("prompt_tokens", "completion_tokens")
    total = {name: [each.get(name) for each in counts if each] for name in names}
    return {
        name: sum(values) if all(type(value) is int for value in values) else None
        for name, values in total.items()
    }
