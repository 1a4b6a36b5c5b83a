"""Count faults between request and reply, including those that a retry mends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx2

from agent.llm.transport.offline import Wrapper
from agent.llm.transport.server_errors import Meaning, meaning

RATE, SERVER, CONNECTION, TIMEOUT = "rate limit", "server error", "connection", "timeout"
UNREADABLE = "unreadable reply"
KINDS = (RATE, SERVER, CONNECTION, TIMEOUT, UNREADABLE)


@dataclass
class ServerFaults:
    """Faults of a model's server by kind: all (`met`), and those followed by a reply (`mended`)."""

    met: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def call(self) -> Iterator[None]:
        """Faults met in the block count as mended if it ends without an error."""
        before = self.met.copy()
        yield
        self.mended += self.met - before


class FaultCounter(Wrapper):
    """Passes requests on and counts those that fail, and may not fail the next time."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, setbacks: ServerFaults) -> None:
        super().__init__(inner)
        self._met = setbacks.met

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            response = await self._inner.handle_async_request(request)
            await response.aread()
        except httpx2.TimeoutException:
            self._met[TIMEOUT] += 1
            raise
        except httpx2.TransportError:
            self._met[CONNECTION] += 1
            raise
        if kind := response.status_code != 200 and _kind(response):
            self._met[kind] += 1
        return response


def _kind(response: httpx2.Response) -> str:
    """The kind of the fault, "" for what a later request would meet again."""
    means = meaning(response.status_code, response.content)
    if means == Meaning.BUSY:
        return RATE
    return SERVER if means in {Meaning.LOADING, Meaning.PASSING} else ""
