"""The control plane's pages and endpoints.

Whoever calls needs the token: `Authorization: Bearer <token>`, or once `?token=` in the address
and from then on a SameSite=Strict cookie. Requests that another origin's page sends are refused.
"""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, redirect, render_template, request
from werkzeug.exceptions import HTTPException

from evaluators.control.opened import NotOpen, Opened, Sessions

COOKIE = "rehearse_control"
FETCH_SITES = {None, "none", "same-origin"}
LONGEST_ANSWER = 20_000
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Refused(Exception):
    """Not done: an HTTP status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def create_app(sessions: Sessions, token: str) -> Flask:
    """The application. `token` is compared in constant time and never shown."""
    app = Flask("evaluators.control", root_path=str(Path(__file__).parent))
    app.config.update(MAX_CONTENT_LENGTH=64 * 1024)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.before_request(lambda: _admit(token))
    app.after_request(_add_headers)
    app.register_error_handler(Refused, lambda error: (jsonify(error=str(error)), error.status))
    app.register_error_handler(NotOpen, lambda error: (jsonify(error=str(error)), 404))
    app.register_error_handler(HTTPException, _refuse_http)
    _add_routes(app, sessions)
    return app


def _add_routes(app: Flask, sessions: Sessions) -> None:
    @app.get("/")
    def landing() -> str:
        return render_template(
            "landing.html", families=sessions.families(), opened=[*sessions][::-1]
        )

    @app.get("/scenario/<scenario_id>")
    def scenario(scenario_id: str) -> str:
        opened = sessions.find(scenario_id)
        return render_template("scenario.html", opened=opened, evaluation=opened.evaluated())

    @app.get("/generate-random-scenario")
    def generate() -> Response:
        args = request.args
        opened = sessions.draw(args.get("site", ""), args.get("type", ""), _seed())
        return jsonify(opened.described())

    @app.post("/draw")
    def draw() -> Any:
        form = request.form
        opened = sessions.draw(form.get("site", ""), form.get("type", ""), _seed())
        return redirect(f"/scenario/{opened.scenario.id}")

    @app.get("/evaluate")
    def evaluate() -> Response:
        return jsonify(sessions.find(request.args.get("scenario", "")).evaluated())

    @app.post("/finish")
    def finish() -> Any:
        opened = _finished(sessions)
        if request.is_json:
            return jsonify(opened.evaluated())
        return redirect(f"/scenario/{opened.scenario.id}")


def _finished(sessions: Sessions) -> Opened:
    sent = request.get_json() if request.is_json else request.form
    if not hasattr(sent, "get"):
        raise Refused(400, 'send {"scenario": ID, "answer": TEXT}')
    answer = sent.get("answer") or ""
    if not isinstance(answer, str):
        raise Refused(400, f"the answer is {type(answer).__name__}; send it as text")
    if len(answer) > LONGEST_ANSWER:
        raise Refused(413, f"the answer is longer than {LONGEST_ANSWER} characters; shorten it")
    return sessions.finish(str(sent.get("scenario", "")), answer)


def _seed() -> int | None:
    text = request.values.get("seed", "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise Refused(400, f"seed {text[:40]!r} is no whole number from 0 to 999999999")
    return int(text)


def _admit(token: str) -> Any:
    """Let in whoever has the token and does not come from another origin's page."""
    port = request.environ["SERVER_PORT"]
    if request.host not in {f"127.0.0.1:{port}", f"localhost:{port}"}:
        raise Refused(400, f"this host is not ours; use http://127.0.0.1:{port}/")
    if request.headers.get("Sec-Fetch-Site") not in FETCH_SITES:
        raise Refused(403, "the control plane does not answer other pages; open it yourself")
    offered = request.args.get("token", "") if request.path == "/" else ""
    if offered and _same(offered, token):
        answer = redirect("/")
        answer.set_cookie(COOKIE, token, httponly=True, samesite="Strict")
        return answer
    header = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not (_same(header, token) or _same(request.cookies.get(COOKIE, ""), token)):
        raise Refused(401, "the token is missing or wrong; `rehearse serve` prints it")
    return None


def _same(offered: str, token: str) -> bool:
    return hmac.compare_digest(offered.encode(), token.encode())


def _add_headers(response: Response) -> Response:
    response.headers.update(_HEADERS)
    return response


def _refuse_http(error: HTTPException) -> Any:
    if (error.code or 500) < 400:
        return error
    return jsonify(error=f"{error.code} {error.name}: {error.description}"), error.code
