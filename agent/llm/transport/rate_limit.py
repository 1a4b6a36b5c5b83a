"""Limits requests and tokens per minute over all processes of a run."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from typing import Any

import httpx2

from agent.llm import tokens
from agent.llm.transport.offline import Wrapper, json_object
from agent.llm.transport.reasoning import CAP

BURST_SECONDS = 6.0  # the quota of this many seconds may be sent at once


class RateLimit:
    """Two buckets, for requests and for tokens, shared by the workers of a run; 0 means no limit.

    A bucket stores the time until which its quota is reserved (the generic cell rate algorithm).
    After `BURST_SECONDS` without requests it is full.
    """

    def __init__(self, requests_per_minute: float = 0, tokens_per_minute: float = 0) -> None:
        self._rates = (requests_per_minute / 60, tokens_per_minute / 60)
        # Spawned processes inherit this memory, and the clock is the same for all processes.
        self._promised: Any = multiprocessing.get_context("spawn").Array("d", 2)

    def part(self, parts: int) -> tuple[float, float]:
        """Return the limits of requests and tokens per minute for each of `parts` machines, which
        share no memory.
        """
        requests, size = (60 * rate / parts for rate in self._rates)
        return requests, size

    def reserve(self, size: int, now: float) -> float:
        """Reserve one request of `size` tokens, and return the seconds that it must wait."""
        waits = [0.0]
        with self._promised.get_lock():
            for place, (rate, amount) in enumerate(zip(self._rates, (1, size), strict=True)):
                if rate:
                    begin = max(self._promised[place], now - BURST_SECONDS)
                    self._promised[place] = begin + amount / rate
                    waits.append(begin - now)
        return max(waits)


class RateLimited(Wrapper):
    """A transport that delays each request until the rate limit allows it."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, pace: RateLimit) -> None:
        super().__init__(inner)
        self._pace = pace

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        wait = self._pace.reserve(_size(request), time.monotonic())
        if wait > 0:
            await asyncio.sleep(wait)
        return await self._inner.handle_async_request(request)


def _size(request: httpx2.Request) -> int:
    """Return the size of a request in tokens for the rate limit: its estimated prompt plus the
    largest reply that it allows.
    """
    body = json_object(request.content) or {}
    if "messages" not in body:
        return sum(map(tokens.of_text, body.get("input", ())))
    return tokens.of_request(body) + int(body.get(CAP) or 0)
