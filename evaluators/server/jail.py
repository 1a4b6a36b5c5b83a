"""A proxy that confines the browser of an external agent to the served sites.

The browser must send all its traffic to the proxy, also to loopback, which Chromium excludes unless
`--proxy-bypass-list=<-loopback>` is given. So a guarded site answers only requests that came
through the proxy: a browser started without the flags sees a page that names them, and no task.

Both sides of the proxy are made of the standard library. Proxies on PyPI exist to let traffic
through, tunnels first; a proxy that forwards requests to a few addresses needs no more than this
file.
"""

from __future__ import annotations

import hmac
import re
import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from sites.server import BACKLOG, HOST

PASS = "X-Rehearsal-Jail"  # noqa: S105 (a header's name)
"""The header that tells a site that a request came through the proxy."""
SECONDS = 60.0
"""Seconds that a site or a browser may be silent."""
LARGEST = 1 << 20
"""The most bytes of a request; sites accept no more."""
_BETWEEN_TWO = {
    *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"),
    *("te", "trailer", "transfer-encoding", "upgrade"),
}
"""The names of headers that are valid for one connection only, so a proxy must not forward them."""
_OURS = {"host", "content-length", PASS.lower()}
_PATH = re.compile(r"/[\x21-\x7e]*")
_OUTSIDE = b"<!doctype html><title>Outside</title><p>This address is outside the task's site.\n"


class Jail:
    """The proxy, which runs on a free loopback port within the block.

    `urls` are the origins that it forwards to, such as `http://127.0.0.1:5000`. `refused` holds the
    latest requests that it refused.
    """

    def __init__(self, urls: Iterable[str]) -> None:
        self.urls = tuple(urls)
        self.refused: deque[str] = deque(maxlen=1000)
        self.secret = secrets.token_hex(32)
        handler = type("Handler", (_Handler,), {"jail": self})
        self._http = _Http((HOST, 0), handler)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def url(self) -> str:
        """The proxy's address."""
        return f"http://{HOST}:{self._http.server_port}"

    @property
    def flags(self) -> list[str]:
        """The flags to start Chromium with.

        The first two send its traffic to the proxy. The others close what needs no proxy: name
        look-ups and UDP.
        """
        udp = "webrtc-ip-handling-policy=disable_non_proxied_udp"
        return [
            f"--proxy-server={self.url}",
            "--proxy-bypass-list=<-loopback>",
            f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOST}",
            *("--disable-quic", f"--{udp}", f"--force-{udp}"),
        ]

    def addresses(self) -> dict[str, Any]:
        """Return {"proxy": URL, "flags": [flags of Chromium]}."""
        return {"proxy": self.url, "flags": self.flags}

    def guard(self, app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
        """Wrap a site's WSGI application so that it answers only requests that came through the
        proxy.
        """
        key = f"HTTP_{PASS.upper().replace('-', '_')}"

        def guarded(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
            if hmac.compare_digest(environ.get(key, "").encode(), self.secret.encode()):
                return app(environ, start)
            start("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
            lines = "\n".join(self.flags)
            return [f"This site is open through its proxy only. Flags:\n\n{lines}\n".encode()]

        return guarded

    def site_of(self, target: str) -> tuple[str, str] | None:
        """Return the site (host and port) that an absolute address names, and the address's
        unchanged path.

        Returns None for an address outside the sites.
        """
        for url in self.urls:
            path = target.removeprefix(url)
            path = f"/{path}" if path[:1] in ("", "?") else path
            if target.startswith(url) and _PATH.fullmatch(path):
                return urlsplit(url).netloc, path
        return None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = BACKLOG

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a browser that hangs up; print nothing."""


class _Handler(BaseHTTPRequestHandler):
    """Handles one request per connection: forwards it to a site or refuses it."""

    protocol_version = "HTTP/1.1"
    timeout = SECONDS
    jail: Jail

    def forward(self) -> None:
        """Forward a request to a site, or refuse it."""
        found = self.jail.site_of(self.path)
        length = self.headers.get("Content-Length", "0")
        if (
            found is None
            or "Transfer-Encoding" in self.headers
            or not re.fullmatch(r"[0-9]{1,7}", length)
            or int(length) > LARGEST
        ):
            self.refuse()
            return
        site, path = found
        connection = HTTPConnection(HOST, urlsplit(f"//{site}").port, timeout=SECONDS)
        try:
            self._ask(connection, site, path, self.rfile.read(int(length)))
            self._answer(connection.getresponse())
        except (OSError, HTTPException, ValueError):
            with suppress(OSError):
                self._say(502, b"The site did not answer.\n")
        finally:
            connection.close()

    do_GET = do_HEAD = do_POST = forward  # noqa: N815 (the standard library's names)

    def refuse(self) -> None:
        """Answer that the address is outside the task's sites."""
        self.jail.refused.append(f"{self.command} {self.path}")
        self._say(403, _OUTSIDE)

    do_CONNECT = do_OPTIONS = do_PUT = do_PATCH = do_DELETE = do_TRACE = refuse  # noqa: N815

    def _ask(self, connection: HTTPConnection, site: str, path: str, body: bytes) -> None:
        connection.putrequest(self.command, path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in _BETWEEN_TWO | _OURS:
                connection.putheader(name, value)
        for name, value in (("Host", site), (PASS, self.jail.secret), ("Connection", "close")):
            connection.putheader(name, value)
        if body or self.command == "POST":
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)

    def _answer(self, response: HTTPResponse) -> None:
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in _BETWEEN_TWO:
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        while piece := response.read(1 << 16):
            self.wfile.write(piece)

    def _say(self, status: int, text: bytes) -> None:
        self.send_response_only(status)
        for name, value in (
            ("Content-Type", "text/html; charset=utf-8"),
            ("Cache-Control", "no-store"),
            ("Content-Length", str(len(text))),
            ("Connection", "close"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Print nothing."""
