"""The pages and endpoints of the control plane; each reads the request and makes one call.

An error is one sentence: JSON `{"error": ...}`, or a small page for a browser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from werkzeug.exceptions import BadRequest, HTTPException, MethodNotAllowed

from agent.plugins import UnknownName, unknown
from agent.storage_errors import NotWritten
from evaluators.commands import listing
from evaluators.server import formatting
from evaluators.server.authorization import Refused, admit, first_page, is_for_people
from evaluators.server.sessions import (
    SEEDS,
    NoSuchSeed,
    OpenScenario,
    ScenarioNotOpen,
    ScenarioReopened,
    Sessions,
    TooManyScenarios,
)
from sites.site_app import COMPILED, SHARED
from sites.web_json import read_shallow

BODY_LIMIT = 64 * 1024
LONGEST_ANSWER = 20_000
SECONDS = 1_000_000
"""The upper bound of the parameter `seconds` (a time limit) in an address."""
LISTED = 50
"""The most open scenarios that the landing page lists."""

_NUMBER = re.compile(r"[0-9]{1,16}")
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'; object-src 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept, Authorization, Cookie, Sec-Fetch-Site",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SENTENCES = {
    400: "This request cannot be read; see the first page for how to ask.",
    404: "There is no such page; the first page shows what there is.",
    405: "This address cannot be used like that; see the first page for how to ask.",
    413: f"That is too much at once; send less than {BODY_LIMIT // 1024} kB.",
    500: "The fault is on our side; what is open stays open.",
}
_FINISH = (
    'Send {"scenario": ID, "answer": TEXT} with Content-Type: application/json, or as form fields.'
)

pages = Blueprint("pages", __name__)


def create_app(sessions: Sessions, token: str) -> Flask:
    """Return the control plane's application.

    Args:
        sessions: The open scenarios.
        token: The secret that requests must send; it is compared in constant time and never shown.
    """
    app = Flask("evaluators.server", root_path=str(Path(__file__).parent))
    app.config.update(
        TOKEN=token,
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        MAX_FORM_MEMORY_SIZE=BODY_LIMIT,
        MAX_FORM_PARTS=100,
    )
    app.extensions["sessions"] = sessions
    read_shallow(app, sort_keys=False)  # the name comes before the details
    app.jinja_options = {
        "undefined": jinja2.StrictUndefined,
        "bytecode_cache": COMPILED,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    app.jinja_env.filters.update(
        percent=formatting.percent, plain=formatting.plain, brief=formatting.brief
    )
    app.jinja_env.tests["records"] = formatting.are_records
    app.add_url_rule(
        "/shared/<path:file>", "shared", lambda file: send_from_directory(SHARED, file)
    )
    app.register_blueprint(pages)
    app.before_request(admit)
    app.after_request(_add_headers)
    _handle_errors(app)
    return app


@pages.get("/")
def landing() -> str:
    """The first page: sites, families and open scenarios."""
    opened = [*current_sessions()]
    return render_template(
        "landing.html",
        sites=_served(),
        families=_drawable(),
        listed=[(each, each.evaluated()) for each in opened[:LISTED]],
        hidden=max(0, len(opened) - LISTED),
    )


@pages.get("/scenario/<scenario_id>")
def scenario(scenario_id: str) -> str:
    """The page of an open scenario with its score."""
    opened = current_sessions().find(scenario_id)
    evaluation = opened.evaluated()
    return render_template(
        "scenario.html",
        opened=opened,
        scenario=opened.scenario,
        about=_about(opened.scenario.family),
        evaluation=evaluation,
        rewards=formatting.rewards(evaluation["reward_parts"]),
    )


@pages.get("/generate-random-scenario")
def generate() -> Response:
    """Open a scenario and return its description as JSON."""
    refuse_head()
    args = parameters("site", "type", "seed", "own", "seconds")
    site, family, seed = args.get("site", ""), args.get("type", ""), number("seed")
    own, seconds = bool(number("own", below=2)), number("seconds", below=SECONDS)
    opened = current_sessions().draw(site, family, seed, own=own, seconds=seconds)
    return jsonify(opened.described())


@pages.post("/draw")
def draw() -> Any:
    """Open a scenario for the landing page's form; `type` is "", `<site>/` or `<site>/<family>`."""
    site, _, family = request.form.get("type", "").partition("/")
    own = bool(number("own", below=2))
    return _shown(current_sessions().draw(site, family, number("seed"), own=own))


@pages.get("/evaluate")
def evaluate() -> Response:
    """Return the score of a scenario's world as it is now.

    Only of a finished scenario does it say what each check found and wanted.
    """
    wanted = parameters("scenario").get("scenario", "")
    if not wanted:
        raise Refused(400, "Say which scenario: /evaluate?scenario=ID.")
    return jsonify(current_sessions().find(wanted).evaluated())


@pages.post("/finish")
def finish() -> Any:
    """Finish a scenario with the sent answer and return its score.

    A form also sends the number of its `opening`: how often the scenario was opened under its id.
    """
    sent, opening = _sent(), number("opening")
    opened = current_sessions().finish(_text(sent, "scenario"), _answer(sent), opening)
    return _shown(opened) if _wants_page() else jsonify(opened.evaluated())


def current_sessions() -> Sessions:
    """Return the open scenarios of this application."""
    sessions: Sessions = current_app.extensions["sessions"]
    return sessions


def _served() -> list[tuple[str, str, str]]:
    """Return (name, address, description) of each site."""
    about = {row["site"]: row["about"] for row in listing.rows("sites")}
    return [(name, each.server.url, about[name]) for name, each in current_sessions().sites.items()]


def _drawable() -> dict[str, list[tuple[str, str]]]:
    """Return (family, description) of each family, by site."""
    about = _about_families()
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in current_sessions().sites}
    for site, family in current_sessions().families():
        found[site].append((family, about[family]))
    return found


def _about_families() -> dict[str, str]:
    """Return the description of each family: its file's first line up to a colon."""
    rows = listing.rows("families")
    return {row["family"]: row["about"].partition(":")[0].rstrip(".") for row in rows}


def _about(family: str) -> str:
    """Return the description of a family; for an unlisted variant, its base's with the variant's
    name.
    """
    known, (base, _, variant) = _about_families(), family.partition(".")
    return known[family] if family in known else f"{known[base]} ({variant})"


def _shown(opened: OpenScenario) -> Any:
    return redirect(url_for("pages.scenario", scenario_id=opened.id), 303)


# Reading the request -----------------------------------------------------------------------------


def _sent() -> Mapping[str, Any]:
    """Return the fields of a posted form or JSON object."""
    if not request.is_json:
        return request.form
    try:
        sent = request.get_json()
    except BadRequest:
        raise Refused(400, f"This is not JSON. {_FINISH}") from None
    if not isinstance(sent, dict):
        raise Refused(400, _FINISH)
    return sent


def _text(sent: Mapping[str, Any], key: str) -> str:
    value = sent.get(key)
    if not isinstance(value, str) or not value:
        raise Refused(400, f"The field {key!r} is missing or no text. {_FINISH}")
    return value


def _answer(sent: Mapping[str, Any]) -> str:
    answer = sent.get("answer")
    if answer is None:
        return ""
    if not isinstance(answer, str):
        raise Refused(400, f"The answer is {type(answer).__name__}; send it as text.")
    if len(answer) > LONGEST_ANSWER:
        raise Refused(413, f"The answer is longer than {LONGEST_ANSWER} characters; shorten it.")
    if any("\ud800" <= letter <= "\udfff" for letter in answer):
        raise Refused(400, "The answer holds half a character (a surrogate); send whole ones.")
    return answer


def refuse_head() -> None:
    """Refuse HEAD (405) at an address whose GET opens a scenario."""
    if request.method == "HEAD":
        raise MethodNotAllowed(["GET"])


def parameters(*known: str) -> Mapping[str, str]:
    """Return the parameters of the request's query by name.

    Raises `Refused` for a parameter that is not `known`.
    """
    for name in request.args:
        if name not in known:
            raise Refused(400, _sentence(f"{unknown('parameter', name[:40], known)}"))
    return request.args


def number(key: str, below: int = SEEDS) -> int | None:
    """Return a parameter or field of the request as a number, or None if it is empty.

    Args:
        key: The name of the parameter.
        below: The number must be smaller than this.

    Raises:
        Refused: It is no whole number from 0 to `below` - 1.
    """
    text = request.values.get(key, "").strip()
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or int(text) >= below:
        raise Refused(400, f"The {key} {text[:40]!r} is no whole number from 0 to {below - 1}.")
    return int(text)


# Answering ---------------------------------------------------------------------------------------


def _wants_page() -> bool:
    """Return whether a browser sent the request, that is, it prefers HTML."""
    types = request.accept_mimetypes
    return types.best_match(["application/json", "text/html"]) == "text/html"


def _handle_errors(app: Flask) -> None:
    app.register_error_handler(Refused, lambda error: _refusal(error.status, str(error)))
    app.register_error_handler(ScenarioNotOpen, lambda error: _refusal(404, str(error)))
    app.register_error_handler(NoSuchSeed, lambda error: _refusal(400, str(error)))
    app.register_error_handler(TooManyScenarios, lambda error: _refusal(503, str(error)))
    app.register_error_handler(UnknownName, lambda error: _refusal(404, _sentence(str(error))))
    app.register_error_handler(ScenarioReopened, lambda error: _refusal(409, str(error)))
    app.register_error_handler(NotWritten, lambda error: _refusal(507, _sentence(str(error))))
    app.register_error_handler(HTTPException, _http_refusal)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _refusal(status: int, sentence: str) -> Response:
    if _wants_page():
        page = render_template(
            "error.html",
            status=status,
            sentence=sentence,
            may_bring=is_for_people(),
            first_page=first_page(),
        )
        answer = Response(page)
    else:
        answer = jsonify(error=sentence)
    answer.status_code = status
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _http_refusal(error: HTTPException) -> Any:
    """Return an HTTP error as one sentence; redirects pass, and 405 keeps its `Allow` header."""
    status = error.code or 500
    if status < 400:
        return error
    answer = _refusal(status, _SENTENCES.get(status, _SENTENCES[400]))
    answer.headers.extend([pair for pair in error.get_headers() if pair[0] == "Allow"])
    return answer


def _add_headers(response: Response) -> Response:
    response.headers.update(_HEADERS)
    return response
