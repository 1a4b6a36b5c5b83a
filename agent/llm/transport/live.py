"""The transport to a server with OpenAI's API."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from agent.llm.faults import UnreadableReply
from agent.llm.transport.checked import checked
from agent.llm.transport.offline import Wrapper
from agent.llm.transport.proxies import proxy

LARGEST_REPLY = 16 * 2**20  # bytes of a reply that are read before it is refused
SQUEEZED = 256  # the limit is divided by this for a compressed reply, which may grow a thousandfold
PROVEN = "proven"
"""The extension of a response that says whether its server has already answered a request."""


class Live(Wrapper):
    """The transport over the network, including the proxies that the environment names.

    All episodes of a process share one instance. Creating it reads the certificates (tens of
    milliseconds). Close it with `aclose`.

    Args:
        base_url: Address of the server.
        largest_reply: Bytes of a reply at most.

    Raises:
        MissingSetting: A variable of the environment names a proxy that cannot be used.
    """

    def __init__(self, base_url: str, largest_reply: int = LARGEST_REPLY) -> None:
        super().__init__(httpx2.AsyncHTTPTransport(proxy=proxy(httpx2.URL(base_url))))
        self._largest = largest_reply
        self._proven = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["Accept-Encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        squeezed = "Content-Encoding" in response.headers
        response.stream = _Capped(stream, self._largest // (SQUEEZED if squeezed else 1))
        self._proven = self._proven or response.status_code == 200
        response.extensions[PROVEN] = self._proven
        return await checked(response, request.url.path)


class _Capped(httpx2.AsyncByteStream):
    """A byte stream that raises `UnreadableReply` if it is longer than `largest` bytes."""

    def __init__(self, stream: httpx2.AsyncByteStream, largest: int) -> None:
        self._stream = stream
        self._largest = largest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._stream:
            read += len(chunk)
            if read > self._largest:
                raise UnreadableReply(f"the model's reply is longer than {self._largest} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
