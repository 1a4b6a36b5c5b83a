"""Serve a site on a loopback port in a thread."""

from __future__ import annotations

import logging
import socket
import threading
from types import TracebackType
from typing import Any, Self

from flask import Flask

from rehearsal_errors import RehearsalError

HOST = "127.0.0.1"
THREADS = 4
BACKLOG = 128
CONNECTIONS = 1000
"""Maximum number of open connections; a browser keeps six per site for each of its contexts."""


class PortInUse(RehearsalError):
    """The port cannot be bound. The message names the port and the remedy."""


class Server:
    """Serve an application on 127.0.0.1.

    The socket listens from construction on, so `port` and `url` are known early, and requests wait
    until `start`. `close` ends the threads and frees the port.

    Args:
        app: The application.
        port: The port, or 0 for any free one.
        threads: The number of threads that answer requests.

    Raises:
        PortInUse: The port cannot be bound.
    """

    def __init__(self, app: Flask, port: int = 0, threads: int = THREADS) -> None:
        self.app = app
        self._threads = threads
        self._socket = _listen(port)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://{HOST}:{self.port}"
        self._waitress: Any = None
        self._thread: threading.Thread | None = None
        self._stopping = False

    def start(self) -> Self:
        """Start to serve, again if `close` was called before. A second call does nothing."""
        if self._thread is None or not self._thread.is_alive():
            if self._socket.fileno() < 0:
                self._socket = _listen(self.port)
            self._waitress = _create(self.app, self._socket, self._threads)
            self._stopping = False
            self._thread = threading.Thread(
                target=self._serve, name=f"site on {self.port}", daemon=True
            )
            self._thread.start()
        return self

    def close(self) -> None:
        """Finish the current requests and stop serving. A second call does nothing."""
        thread, self._thread = self._thread, None
        if thread:
            self._waitress.task_dispatcher.shutdown()
            self._stopping = True
            self._waitress.trigger.pull_trigger()
            thread.join()
            self._hang_up()
        self._socket.close()

    def _serve(self) -> None:
        """Serve until `close` is called.

        The loop leaves connections open, because `close` still writes to a pipe.
        """
        while not self._stopping:
            self._waitress.asyncore.loop(map=self._waitress._map, use_poll=True, count=1)

    def _hang_up(self) -> None:
        """Close every connection of the server."""
        self._waitress.asyncore.close_all(self._waitress._map, ignore_all=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _listen(port: int) -> socket.socket:
    """Return a listening socket at a port of 127.0.0.1. Raises `PortInUse`."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or "a port is 0 to 65535"
        raise PortInUse(
            f"cannot listen on {HOST}:{port} ({reason})", "give another port, or 0 for any free one"
        ) from None
    return listener


def _create(app: Flask, listener: socket.socket, threads: int) -> Any:
    """Return the waitress server of an application."""
    from waitress import create_server

    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a browser's bursts are normal
    return create_server(
        app,
        sockets=[listener],
        threads=threads,
        connection_limit=CONNECTIONS,
        ident=None,
        max_request_body_size=1 << 20,
        channel_request_lookahead=0,
    )
