"""Who may use the control plane: whoever holds the token and is not led there by another page.

A program sends `Authorization: Bearer <token>`. A person opens `/?token=<token>` once and from
then on the browser sends a SameSite=Strict cookie. Browsers share the cookies of 127.0.0.1 among
all ports, so the sites receive this one too, and a page of a site counts as the same site. What
keeps such a page out is `Sec-Fetch-Site`, which browsers set and pages cannot: `same-site` and
`cross-site` are refused, and the cookie counts only where the header says `none` or
`same-origin`. The forms therefore need no hidden token: a post that would lack it never gets so
far. The cookie is not the token but made from it, so that no other port learns the token.
"""

from __future__ import annotations

import hmac
from typing import Any

from flask import current_app, redirect, request

PERSON = {"none", "same-origin"}
"""A browser's word for: typed by the person, or sent by our own page."""
OPEN_TO_ALL = {"static", "shared"}
"""Endpoints of files without content: what makes the page of a refusal readable."""


class Refused(Exception):
    """Not done: an HTTP status and one sentence that says what to do instead."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def admit() -> Any:
    """Run before every request: None lets it pass, a response answers it. Raises `Refused`."""
    port, token = request.environ["SERVER_PORT"], current_app.config["TOKEN"]
    if request.environ.get("HTTP_HOST") not in {f"127.0.0.1:{port}", f"localhost:{port}"}:
        raise Refused(400, f"This host is not ours; use http://127.0.0.1:{port}/ instead.")
    came_from = request.headers.get("Sec-Fetch-Site")
    if came_from not in PERSON | {None}:
        raise Refused(
            403, "Another page sent you here; type or paste the address into the browser yourself."
        )
    if request.path == "/" and _same(request.args.get("token", ""), token):
        return _remember(port, token)
    if request.endpoint not in OPEN_TO_ALL and not _known(port, token, came_from):
        raise Refused(
            401, "The token is missing or wrong; use the one that rehearse serve printed."
        )
    return None


def _known(port: str, token: str, came_from: str | None) -> bool:
    header = request.authorization
    if header and header.type == "bearer" and _same(header.token or "", token):
        return True
    cookie = request.cookies.get(_cookie_name(port), "")
    return came_from in PERSON and _same(cookie, _cookie_value(token))


def _remember(port: str, token: str) -> Any:
    """Give the browser the cookie, and an address without the token."""
    answer = redirect("/")
    answer.set_cookie(
        _cookie_name(port), _cookie_value(token), httponly=True, samesite="Strict", path="/"
    )
    return answer


def _cookie_name(port: str) -> str:
    """One a port: two control planes on one machine do not take each other's cookie away."""
    return f"rehearse_control_{port}"


def _cookie_value(token: str) -> str:
    return hmac.new(token.encode(), b"cookie", "sha256").hexdigest()


def _same(offered: str, secret: str) -> bool:
    return hmac.compare_digest(offered.encode(errors="replace"), secret.encode())
