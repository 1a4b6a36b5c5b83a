"""How fast requests may go out: so many, and so many tokens, a minute, over all processes."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from typing import Any

import httpx2

from agent.llm import tokens
from agent.llm.transport.offline import json_object

BURST_SECONDS = 6.0
"""What these many seconds allow may go out at once."""


class RateLimit:
    """Two buckets that the workers of a run share; 0 is no limit.

    A bucket is the moment until which all that it gives is promised (the generic cell rate
    algorithm); one that has been idle for `BURST_SECONDS` is full.
    """

    def __init__(self, requests_per_minute: float = 0, tokens_per_minute: float = 0) -> None:
        self._rates = (requests_per_minute / 60, tokens_per_minute / 60)
        # Memory that spawned processes inherit; the clock is the machine's.
        self._promised: Any = multiprocessing.get_context("spawn").Array("d", 2)

    def part(self, parts: int) -> tuple[float, float]:
        """The rates of one of so many that share no memory: each keeps its part of them."""
        requests, size = (60 * rate / parts for rate in self._rates)
        return requests, size

    def reserve(self, size: int, now: float) -> float:
        """Take one request of so many tokens; the seconds that it has to wait."""
        waits = [0.0]
        with self._promised.get_lock():
            for place, (rate, amount) in enumerate(zip(self._rates, (1, size), strict=True)):
                if rate:
                    begin = max(self._promised[place], now - BURST_SECONDS)
                    self._promised[place] = begin + amount / rate
                    waits.append(begin - now)
        return max(waits)


class RateLimited(httpx2.AsyncBaseTransport):
    """Holds each request back until it may go out."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, pace: RateLimit) -> None:
        self._inner = inner
        self._pace = pace

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        wait = self._pace.reserve(_size(request), time.monotonic())
        if wait > 0:
            await asyncio.sleep(wait)
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


def _size(request: httpx2.Request) -> int:
    """The estimated tokens of the prompt, and those that the reply may have."""
    body = json_object(request.content) or {}
    if "messages" not in body:
        return sum(map(tokens.of_text, body.get("input", ())))
    return tokens.of_request(body) + int(body.get("max_completion_tokens") or 0)
