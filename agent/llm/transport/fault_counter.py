"""Count faults between request and reply, including those that a retry mends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx2

from agent.llm.transport.offline import Wrapper, json_object

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
    """Passes requests on and counts those that fail. A spent quota is not retried."""

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
        if spent(response):
            response.headers["x-should-retry"] = "false"  # as openai's client understands it
        elif response.status_code == 429:
            self._met[RATE] += 1
        elif response.status_code in {408, 409} or response.status_code >= 500:
            self._met[SERVER] += 1
        return response


def spent(response: httpx2.Response) -> bool:
    """Whether the quota is spent: waiting does not help."""
    error = (json_object(response.content) or {}).get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return response.status_code == 429 and code == "insufficient_quota"
