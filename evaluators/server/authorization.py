"""Admit requests to the control plane only if they have the token and no other page caused them.

A program sends `Authorization: Bearer <token>`. A person opens `/?token=<token>` once; then the
browser sends a SameSite=Strict cookie. Browsers share the cookies of a host among all its ports. So
the control plane has a host name of its own for people: the sites never get its cookie, which is
valid under that name only.

`Sec-Fetch-Site`, which browsers set and pages cannot, keeps out pages of other ports: `same-site`
and `cross-site` are refused, and the cookie is valid only with `none` or `same-origin`. So the
forms need no hidden token. A typed address (`none`) changes nothing. The cookie is derived from the
token and does not reveal it.
"""

from __future__ import annotations

import hmac
from typing import Any
from urllib.parse import urlencode

from flask import current_app, redirect, request

from sites.site_app import is_prefetch

HOST = "control.localhost"
"""The host name for browsers, which resolve *.localhost themselves; programs use the IP address."""
HOSTS = (HOST, "127.0.0.1", "localhost")
PERSON = {"none", "same-origin"}
"""The values of `Sec-Fetch-Site` for a typed address, and for a request by our own page."""
CHANGES = {"pages.generate", "pages.draw", "pages.finish"}
"""The names of the endpoints that open or finish a scenario."""
OPEN_TO_ALL = {"static", "shared"}
"""The names of the endpoints for style sheets and images, which an error page needs."""

MISSING = "The token is missing; use the token that rehearse serve printed."
WRONG = "This token is wrong; use the token that rehearse serve printed when it started last."


class Refused(Exception):
    """A refused request: an HTTP status and one sentence that says what to do instead."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def admit() -> Any:
    """Check a request before its endpoint runs.

    Returns:
        None to admit it, or the response to it (a redirect that sets the cookie).

    Raises:
        Refused: The host, the token or the sender is wrong.
    """
    port, token = request.environ["SERVER_PORT"], current_app.config["TOKEN"]
    if request.environ.get("HTTP_HOST") not in {f"{host}:{port}" for host in HOSTS}:
        raise Refused(400, f"This host is not ours; use http://{HOST}:{port}/ instead.")
    came_from = request.headers.get("Sec-Fetch-Site")
    _check_sender(came_from)
    if request.path == "/" and _same(request.args.get("token", ""), token):
        return _remember(port, token)
    if request.endpoint not in OPEN_TO_ALL and not _known(port, token, came_from):
        if came_from == "none" and not _is_named(port) and request.path == "/":
            return redirect(_address_for_people(port))  # a person can give the token there only
        raise Refused(401, WRONG if _brings_a_token() else MISSING)
    return None


def _check_sender(came_from: str | None) -> None:
    if came_from not in PERSON | {None}:
        raise Refused(
            403, "Another page sent you here; type or paste the address into the browser yourself."
        )
    if request.endpoint in CHANGES and came_from == "none":
        raise Refused(403, "A typed address changes nothing; use the form on the first page.")
    if is_prefetch():
        raise Refused(403, "This page is made when somebody opens it, not before.")


def _known(port: str, token: str, came_from: str | None) -> bool:
    header = request.authorization
    if header and header.type == "bearer" and _same(header.token or "", token):
        return True
    cookie = request.cookies.get(_cookie_name(port), "")
    return came_from in PERSON and _is_named(port) and _same(cookie, _cookie_value(token))


def _is_named(port: str) -> bool:
    """Return whether the request uses the host name that is meant for people."""
    return bool(request.environ["HTTP_HOST"] == f"{HOST}:{port}")


def _address_for_people(port: str) -> str:
    """Return the first page's address for people, with the request's token if it has one."""
    token = request.args.get("token")
    query = f"?{urlencode({'token': token})}" if token else ""
    return f"http://{HOST}:{port}/{query}"


def _brings_a_token() -> bool:
    """Return whether the request has a token that counts, right or wrong."""
    return bool(request.authorization or (request.path == "/" and request.args.get("token")))


def is_for_people() -> bool:
    """Return whether the request uses the host name at which a browser gets the cookie."""
    return _is_named(request.environ["SERVER_PORT"])


def first_page() -> str:
    """Return the address of the first page at which a person can give the token."""
    return f"http://{HOST}:{request.environ['SERVER_PORT']}/"


def _remember(port: str, token: str) -> Any:
    """Return a redirect to an address without the token, which sets the browser's cookie.

    A browser that uses another host name is first sent to the name for people.
    """
    if not _is_named(port):
        return redirect(f"http://{HOST}:{port}/?token={token}")
    answer = redirect("/")
    answer.set_cookie(
        _cookie_name(port), _cookie_value(token), httponly=True, samesite="Strict", path="/"
    )
    return answer


def _cookie_name(port: str) -> str:
    """Return the cookie's name, which has the port, so that two control planes keep their own
    cookies.
    """
    return f"rehearse_control_{port}"


def _cookie_value(token: str) -> str:
    return hmac.new(token.encode(), b"cookie", "sha256").hexdigest()


def _same(offered: str, secret: str) -> bool:
    return hmac.compare_digest(offered.encode(errors="replace"), secret.encode())
