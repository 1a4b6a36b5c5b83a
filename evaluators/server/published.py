"""Two calls on a site's own address, as SteP published them: open a scenario, and score it.

Anyone who reaches the site gets a scenario's solution and its score, without a token. This is the
simulator's published interface ("SteP", Sodhi et al. 2024); do not measure with it. Its replies say
so (`compat`).
"""

from __future__ import annotations

from flask import Blueprint, Flask, Response, jsonify, request

from agent.plugins import UnknownName
from evaluators.server.app import current_sessions, number, parameters, refuse_head
from evaluators.server.authorization import PERSON, Refused
from evaluators.server.sessions import ScenarioNotOpen, Sessions, TooManyScenarios
from sites.site_app import is_prefetch

SITE = "crm"
WARNING = (
    "The published calls are open on the CRM's own address: an agent that browses there can read"
    " solutions and scores. Do not report results that were made with it."
)

calls = Blueprint("published", __name__)


def mount(app: Flask, sessions: Sessions) -> None:
    """Add the calls that open and score a scenario to the CRM's application before it is served."""
    app.extensions["sessions"] = sessions
    app.register_blueprint(calls)


@calls.before_request
def admit() -> None:
    """Admit programs and people; refuse requests that other pages caused."""
    if request.headers.get("Sec-Fetch-Site") not in PERSON | {None}:
        raise Refused(403, "Another page sent you here; type the address into the browser.")
    if is_prefetch():
        raise Refused(403, "This is answered when somebody asks for it, not before.")


@calls.get("/generate-random-scenario")
def generate() -> Response:
    """Open a scenario as a separate visit and return its description as JSON.

    So a call, which needs no token, ends nobody else's visit.
    """
    refuse_head()
    args = parameters("type", "seed")
    opened = current_sessions().draw(SITE, args.get("type", ""), number("seed"), own=True)
    return jsonify({**opened.described(), "compat": True})


@calls.get("/evaluate")
def evaluate() -> Response:
    """Return the score of a scenario of this site as it is now, without what its checks wanted."""
    wanted = parameters("scenario").get("scenario", "")
    opened = current_sessions().find(wanted)
    if opened.scenario.site != SITE:
        raise ScenarioNotOpen(f"The scenario {wanted!r} is of another site.")
    return jsonify({**opened.evaluated(explained=False), "compat": True})


@calls.errorhandler(Refused)
def _refused(problem: Refused) -> tuple[Response, int]:
    return jsonify(error=str(problem)), problem.status


@calls.errorhandler(TooManyScenarios)
def _full(problem: TooManyScenarios) -> tuple[Response, int]:
    return jsonify(error=str(problem)), 503


@calls.errorhandler(ScenarioNotOpen)
@calls.errorhandler(UnknownName)
def _unknown(problem: Exception) -> tuple[Response, int]:
    return jsonify(error=str(problem)), 404
