"""The likeliest of several samples, by the log-probabilities of their tokens.

OpenAI's server of completion models calls this `best_of`. Other servers refuse or ignore the
parameter, so the samples are requested with their log-probabilities and compared here. SteP asked
text-davinci-003 for the best of three samples (appendix B.1).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import httpx2

from agent.llm.transport import json_calls
from agent.llm.transport.offline import Wrapper, answer, json_object
from agent.llm.transport.parameter_fallback import LOGPROBS, with_body

BEST_OF = "best_of"


class Likeliest(Wrapper):
    """A transport that passes requests on, and answers a request with `best_of` by the likeliest of
    that number of samples.

    If the server sends no log-probabilities, the samples stay in the server's order.
    """

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = json_object(request.content) or {}
        if BEST_OF not in body:
            return await self._inner.handle_async_request(request)
        wanted = body.get("n", 1)
        sent = {**body, "n": max(wanted, body[BEST_OF]), LOGPROBS: 1}
        response = await self._inner.handle_async_request(with_body(request, sent))
        reply = json_object(await response.aread())
        if response.status_code != 200 or reply is None:
            return response
        best = ranked(json_calls.choices(reply))[:wanted]
        kept = [{**_bare(each), "index": at} for at, each in enumerate(best)]
        made = answer(200, {**reply, "choices": kept})
        made.extensions.update(response.extensions)
        return made


def ranked(choices: Iterable[Any]) -> list[Any]:
    """Return choices by their log-probability per token, the likeliest first; unchanged if one has
    none.
    """
    found = list(choices)
    means = [_mean(each.get(LOGPROBS)) for each in found]
    if None in means:
        return found
    order = sorted(range(len(found)), key=lambda at: -(means[at] or 0.0))
    return [found[at] for at in order]


def _mean(logprobs: Any) -> float | None:
    """Return the mean of the log-probabilities of a choice; that of no tokens is minus infinity,
    and None stands for a choice without log-probabilities.
    """
    values = _values(logprobs) if isinstance(logprobs, dict) else None
    if values is None or not all(isinstance(each, int | float) for each in values):
        return None
    return sum(values) / len(values) if values else -math.inf


def _values(logprobs: Mapping[str, Any]) -> list[Any] | None:
    """Return the log-probabilities in the form of `/completions`, or in that of chat completions,
    which llama.cpp has for both.
    """
    plain, content = logprobs.get("token_logprobs"), logprobs.get("content")
    if isinstance(plain, list):
        return plain
    if isinstance(content, list) and all(isinstance(each, dict) for each in content):
        return [each.get("logprob") for each in content]
    return None


def _bare(choice: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in choice.items() if name != LOGPROBS}
