"""Admit to the control plane only requests with the token, and none that another page caused.

A program sends `Authorization: Bearer <token>`. A person opens `/?token=<token>` once; then the
browser sends a SameSite=Strict cookie. Browsers share the cookies of a host among all its ports, so
the control plane has a host name of its own for people: the sites never receive its cookie, which
counts under that name only. `Sec-Fetch-Site`, which browsers set and pages cannot, keeps pages of
other ports out: `same-site` and `cross-site` are refused, and the cookie counts only where the
header says `none` or `same-origin`. So the forms need no hidden token. An address that was typed
(`none`) changes nothing. The cookie is derived from the token and does not tell it.
"""

from __future__ import annotations

import hmac
from typing import Any

from flask import current_app, redirect, request

from sites.site_app import is_prefetch

HOST = "control.localhost"
"""The name for browsers, which look up what ends in .localhost themselves; programs use the IP."""
HOSTS = (HOST, "127.0.0.1", "localhost")
PERSON = {"none", "same-origin"}
"""Values of `Sec-Fetch-Site`: the person typed the address, or our own page sent the request."""
CHANGES = {"pages.generate", "pages.draw", "pages.finish"}
"""Endpoints that open or close a world."""
OPEN_TO_ALL = {"static", "shared"}
"""Endpoints of style sheets and images, which the page of a refusal needs."""


class Refused(Exception):
    """A refused request: an HTTP status and one sentence that says what to do instead."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def admit() -> Any:
    """Run before every request: None admits it, a response answers it. Raises `Refused`."""
    port, token = request.environ["SERVER_PORT"], current_app.config["TOKEN"]
    if request.environ.get("HTTP_HOST") not in {f"{host}:{port}" for host in HOSTS}:
        raise Refused(400, f"This host is not ours; use http://{HOST}:{port}/ instead.")
    came_from = request.headers.get("Sec-Fetch-Site")
    _check_sender(came_from)
    if request.path == "/" and _same(request.args.get("token", ""), token):
        return _remember(port, token)
    if request.endpoint not in OPEN_TO_ALL and not _known(port, token, came_from):
        raise Refused(
            401, "The token is missing or wrong; use the one that rehearse serve printed."
        )
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
    """Whether the request names the host that is for people."""
    return bool(request.environ["HTTP_HOST"] == f"{HOST}:{port}")


def _remember(port: str, token: str) -> Any:
    """Set the browser's cookie, and redirect to an address without the token.

    A browser that named the host otherwise is sent to the name that is for people first.
    """
    if not _is_named(port):
        return redirect(f"http://{HOST}:{port}/?token={token}")
    answer = redirect("/")
    answer.set_cookie(
        _cookie_name(port), _cookie_value(token), httponly=True, samesite="Strict", path="/"
    )
    return answer


def _cookie_name(port: str) -> str:
    """One per port, so that two control planes on one machine keep their own cookies."""
    return f"rehearse_control_{port}"


def _cookie_value(token: str) -> str:
    return hmac.new(token.encode(), b"cookie", "sha256").hexdigest()


def _same(offered: str, secret: str) -> bool:
    return hmac.compare_digest(offered.encode(errors="replace"), secret.encode())
