"""The DevTools protocol over a pipe: commands with their replies, and sessions with their events.

Messages are JSON objects in UTF-8, each followed by a zero byte. A session is one target (a page, a
frame in another process, a worker); the root session is the browser itself. Existing Python clients
of the protocol use a debugging port, which anybody on the machine could open.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from typing import Any, cast

LONGEST = 100 * 2**20
"""The largest number of bytes of a message; a browser that sends a longer message is abandoned."""

Reply = dict[str, Any]
"""The result of a command, or the parameters of an event."""
Handler = Callable[[Reply], None]


class ProtocolError(Exception):
    """The browser refused a command; the text is its reason."""


class Disconnected(ProtocolError):
    """The browser has ended, or sends data that cannot be read."""


def forget(future: asyncio.Future[Reply]) -> None:
    """Ignore the result and any error of this future."""
    future.add_done_callback(lambda done: done.cancelled() or done.exception())


class Session:
    """A session of the DevTools protocol with one target of the browser (a page, a frame, a
    worker).

    When the target disappears, `closed` becomes true and the event "closed" is sent.
    """

    def __init__(self, connection: Connection, name: str) -> None:
        self.name = name
        self.closed = False
        self._connection = connection
        self._handlers: dict[str, list[Handler]] = {}

    def send(self, command: str, **parameters: Any) -> asyncio.Future[Reply]:
        """Send a command immediately.

        The browser keeps the order of a session's commands, so several may be sent without waiting.

        Returns:
            A future with the reply; it raises `ProtocolError` if the browser refuses.
        """
        return self._connection.send(self, command, parameters)

    def on(self, event: str, handler: Handler) -> None:
        """Call `handler` with the parameters of each event of this name, in the order of
        arrival.
        """
        self._handlers.setdefault(event, []).append(handler)

    def expect(self, event: str) -> asyncio.Future[Reply]:
        """Return a future with the parameters of the next event of this name; cancel it to stop
        waiting.
        """
        handlers = self._handlers.setdefault(event, [])
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        handlers.append(take := _first(future))
        future.add_done_callback(lambda _: handlers.remove(take))
        return future

    def dispatch(self, event: str, parameters: Reply) -> None:
        """Call the handlers of an event with its parameters."""
        for handler in tuple(self._handlers.get(event, ())):
            handler(parameters)


def _first(future: asyncio.Future[Reply]) -> Handler:
    def take(parameters: Reply) -> None:
        if not future.done():
            future.set_result(parameters)

    return take


class Connection(asyncio.Protocol):
    """The connection to a browser over a pipe, created by `connect`."""

    def __init__(self) -> None:
        self.root = Session(self, "")
        self.lost = ""
        """The reason why the connection has ended; "" while it exists."""
        self._sessions = {"": self.root}
        self._waiting: dict[int, tuple[Session, asyncio.Future[Reply]]] = {}
        self._number = 0
        self._pieces: list[bytes] = []
        self._size = 0
        self._transports: list[asyncio.BaseTransport] = []

    @classmethod
    async def connect(cls, read_from: int, write_to: int) -> Connection:
        """Return a connection over two file descriptors, which the connection closes at its end."""
        loop, connection = asyncio.get_running_loop(), cls()
        writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(write_to, "wb"))
        reader, _ = await loop.connect_read_pipe(lambda: connection, os.fdopen(read_from, "rb"))
        connection._transports = [writer, reader]
        return connection

    def session(self, name: str) -> Session:
        """Return the session that the browser has announced under this name."""
        return self._sessions.setdefault(name, Session(self, name))

    def send(
        self, session: Session, command: str, parameters: Mapping[str, Any]
    ) -> asyncio.Future[Reply]:
        """Send a command of a session and return a future for its reply."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        if self.lost or session.closed:
            future.set_exception(self._refusal())
            return future
        self._number += 1
        self._waiting[self._number] = session, future
        message = {"id": self._number, "method": command, "params": parameters}
        if session is not self.root:
            message["sessionId"] = session.name
        writer = cast("asyncio.WriteTransport", self._transports[0])
        writer.write(json.dumps(message).encode() + b"\0")
        return future

    def close(self, reason: str = "the browser was closed") -> None:
        """End the connection.

        All commands that wait for a reply fail, and so do all later commands.
        """
        if self.lost:
            return
        self.lost = reason
        for transport in self._transports:
            transport.close()
        waiting, self._waiting = self._waiting, {}
        for _, future in waiting.values():
            self._fail(future)

    def data_received(self, data: bytes) -> None:
        *whole, rest = data.split(b"\0")
        for last in whole:
            message = b"".join([*self._pieces, last])
            self._pieces, self._size = [], 0
            self._receive(message)
        self._pieces.append(rest)
        self._size += len(rest)
        if self._size > LONGEST:
            self.close(f"the browser sent a message of more than {LONGEST:,} bytes")

    def connection_lost(self, error: Exception | None) -> None:
        self.close("the browser has ended")

    def _receive(self, text: bytes) -> None:
        try:
            message = json.loads(text)
        except ValueError as error:
            self.close(f"the browser sent what is no message: {error}")
        else:
            self._take(message)

    def _take(self, message: Reply) -> None:
        if "id" in message:
            self._answer(message)
            return
        session = self._sessions.get(message.get("sessionId", ""))
        if session is None:
            return
        if message["method"] == "Target.detachedFromTarget":
            self._detach(message["params"]["sessionId"])
        session.dispatch(message["method"], message.get("params", {}))

    def _answer(self, message: Reply) -> None:
        _, future = self._waiting.pop(message["id"], (None, None))
        if future is None or future.done():
            return
        if "error" in message:
            future.set_exception(ProtocolError(message["error"].get("message", "no reason given")))
        else:
            future.set_result(message["result"])

    def _detach(self, name: str) -> None:
        """Remove a session whose target is gone; commands that wait for its replies fail."""
        session = self._sessions.pop(name, None)
        if session is None:
            return
        session.closed = True
        session.dispatch("closed", {})
        for number, (of, future) in list(self._waiting.items()):
            if of is session:
                del self._waiting[number]
                self._fail(future)

    def _fail(self, future: asyncio.Future[Reply]) -> None:
        if not future.done():
            future.set_exception(self._refusal())

    def _refusal(self) -> ProtocolError:
        return Disconnected(self.lost) if self.lost else ProtocolError("the target was closed")
