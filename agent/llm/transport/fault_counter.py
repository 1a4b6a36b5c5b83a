"""Count server faults between request and reply, including those after which a retry succeeds."""

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
    """Faults of a model's server, counted by kind.

    `met` counts all faults, and `mended` those that were followed by a reply.
    """

    met: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count the faults that occur inside this context manager as mended if it ends without an
        error.
        """
        before = self.met.copy()
        yield
        self.mended += self.met - before


class FaultCounter(Wrapper):
    """A transport that passes requests on and counts faults that a retry may avoid."""

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
    """Return the kind of a server fault (rate limit, server error); "" for a fault that a retry
    would meet again.
    """
    means = meaning(response.status_code, response.content)
    if means == Meaning.BUSY:
        return RATE
    return SERVER if means in {Meaning.LOADING, Meaning.PASSING} else ""
