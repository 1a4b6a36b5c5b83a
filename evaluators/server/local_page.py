"""A page on loopback for one person, with a random token in its address.

The page shows changes at once. Pages of other ports and hosts can neither read nor answer: they do
not know the token, and a request with another host name, or a request that another page caused
(`Sec-Fetch-Site`, `Origin`), is refused. A held request (a long poll) ends after a change, and when
the page closes.
"""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, request
from werkzeug.exceptions import HTTPException

from evaluators.server.authorization import PERSON
from sites.server import HOST, Server
from sites.web_json import read_shallow

THREADS = 16
HELD = 12
"""The most requests that wait for a change at once; further requests get the current state."""
HOLD_S = 20.0
LOOK_S = 0.1
"""Seconds between two checks for changes while a request waits."""
BODY_LIMIT = 4 * 2**20
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none';"
    " require-trusted-types-for 'script'; trusted-types {types}",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

SENTENCES = {
    400: "This request cannot be read.",
    403: "Open the address that was printed in the terminal; no other page may ask here.",
    404: "There is no such page; open the whole address that was printed in the terminal.",
    413: "That is too much at once.",
    500: "The fault is on our side.",
}


@dataclass(frozen=True)
class LocalPage:
    """A page that is being served; `url` is the address for the person."""

    server: Server
    token: str = field(repr=False)

    @property
    def url(self) -> str:
        """The address with the token."""
        return f"{self.server.url}/{self.token}/"

    def wait(self) -> None:
        """Wait until the process is interrupted."""
        threading.Event().wait()


class Changes:
    """Lets requests wait for a change; `version` returns a text that identifies the current
    state.
    """

    def __init__(self, version: Callable[[], str]) -> None:
        self._version = version
        self._closed = threading.Event()
        self._places = threading.Semaphore(HELD)

    def wait(self, known: str) -> str:
        """Return the version of the current state once it differs from `known`, or after some
        seconds.
        """
        if not self._places.acquire(blocking=False):
            return self._version()
        try:
            for _ in range(round(HOLD_S / LOOK_S)):
                version = self._version()
                if version != known or self._closed.wait(LOOK_S):
                    return version
            return self._version()
        finally:
            self._places.release()

    def close(self) -> None:
        """End all waiting requests."""
        self._closed.set()


@contextmanager
def serve(
    pages: Blueprint, changes: Changes, port: int = 0, types: str = "'none'"
) -> Iterator[LocalPage]:
    """Serve the pages under a new token within the block.

    Args:
        pages: The pages.
        changes: The changes that requests may wait for.
        port: The port, 0 for a free one.
        types: The trusted types that the pages' script creates, for the content security policy.

    Raises:
        PortInUse: The port is taken.
    """
    token = secrets.token_urlsafe(24)
    logging.getLogger("waitress").setLevel(
        logging.ERROR
    )  # a browser may send requests while it closes
    with Server(create_app(pages, token, types), port, THREADS) as server:
        try:
            yield LocalPage(server, token)
        finally:
            changes.close()


def create_app(pages: Blueprint, token: str, types: str = "'none'") -> Flask:
    """Return the application; each of its addresses begins with the token."""
    app = Flask("evaluators.server.local", static_folder=None)
    app.config.update(TOKEN=token, MAX_CONTENT_LENGTH=BODY_LIMIT)
    read_shallow(app, sort_keys=False)
    app.register_blueprint(pages, url_prefix="/<token>")
    app.url_value_preprocessor(_take_token)
    app.before_request(_admit)
    app.after_request(lambda response: _with_headers(response, types))
    app.register_error_handler(HTTPException, _refusal)
    return app


def file(path: Path, kind: str) -> Response:
    """Return a file of the page as a response of this media type."""
    return Response(path.read_bytes(), mimetype=kind)


def _take_token(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Remove the token from the parameters of the address, as pages do not need it."""
    if values is not None:
        values.pop("token", None)


def _admit() -> None:
    """Admit requests that know the token and that no other page caused."""
    host = request.environ.get("HTTP_HOST", "")
    hosts = {f"{name}:{request.environ['SERVER_PORT']}" for name in (HOST, "localhost")}
    if host not in hosts or request.headers.get("Sec-Fetch-Site") not in PERSON | {None}:
        abort(403)
    if request.headers.get("Origin") not in {f"http://{host}", None}:
        abort(403)
    token = request.path.split("/")[1].encode(errors="replace")
    if not hmac.compare_digest(token, current_app.config["TOKEN"].encode()):
        abort(404)


def _with_headers(response: Response, types: str) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value.format(types=types))
    return response


def _refusal(error: HTTPException) -> Any:
    """Return an HTTP error as one sentence; redirects pass."""
    status = error.code or 500
    if status < 400:
        return error
    sentence = SENTENCES.get(status, SENTENCES[400])
    return Response(f"{sentence}\n", status, mimetype="text/plain")
