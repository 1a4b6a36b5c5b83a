"""The HTTP routes of the published desk: each screen's page, its JSON, and the requests of its
buttons.
"""

from __future__ import annotations

import hmac
import time
from pathlib import Path

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from sites.crm.airline_desk.model.world import is_airline_desk
from sites.crm.base import address
from sites.crm.base.address import SCREENS, Place
from sites.crm.base.airports import suggest
from sites.crm.base.clock import FIRST_DAY, LAST_DAY, TODAY
from sites.crm.base.forms import Invalid
from sites.crm.base.world import CrmData, knobs
from sites.crm.published_desk import ambiguous, commits, requests, screens
from sites.crm.published_desk.requests import Sent
from sites.crm.published_desk.screen_contents import CrmView
from sites.crm.published_desk.serializers import CURRENCY, Json, airport_json
from sites.site_app import SENTENCES, Refusal, create_site, csrf_token, enter
from sites.web_json import read_shallow
from sites.world import World, WorldClosed, Worlds

CSRF_HEADER = "X-CSRF-Token"
NO_SCREEN = "There is no such page. Search flights, or find a booking."
NOT_OURS = "This request is not from our page. Load the page again and send it there."

pages = Blueprint("pages", __name__)
api = Blueprint("api", __name__, url_prefix="/api")


def create_published_desk(data: CrmData, worlds: Worlds) -> Flask:
    """Return the Flask application of the desk that SteP published."""
    app = create_site("crm", Path(__file__).parent, worlds)
    app.extensions["crm"] = data
    read_shallow(app, sort_keys=False)  # keep the general entries before the details
    app.register_blueprint(api)
    app.register_blueprint(pages)
    return app


# Pages -------------------------------------------------------------------------------------------


@pages.get("/")
def home() -> ResponseReturnValue:
    world = _enter()
    named = f"?scenario={world.session}" if "scenario" in request.args else ""
    return redirect(f"/flights{named}")


@pages.get("/flights")
@pages.get("/flights/<path:_rest>")
@pages.get("/bookings")
@pages.get("/bookings/<path:_rest>")
def page(_rest: str = "") -> str:
    """Return the HTML page of the screen at the request's address."""
    world = _enter()
    screen = screens.open_screen(world, _data(), _place(request.path))
    return render_template("app.html", boot=_boot(world, screen))


def _boot(world: World, screen: Json) -> Json:
    """Return the data that is embedded in the HTML page for its scripts."""
    set_knobs = knobs(world)
    return {
        "csrf": csrf_token(),
        "session": world.session,
        "today": TODAY.isoformat(),
        "first_day": FIRST_DAY.isoformat(),
        "last_day": LAST_DAY.isoformat(),
        "currency": CURRENCY,
        "airports": [airport_json(each) for each in _data().airports.values()],
        "knobs": {
            "hidden_labels": set_knobs.hidden_labels or set_knobs.ambiguous,
            "latency_ms": set_knobs.latency_ms,
        },
        "screen": screen,
    }


@pages.get("/captions/<screen>/<control>")
def caption(screen: str, control: str) -> ResponseReturnValue:
    """Return the picture of a field's or button's caption, if labels are ambiguous. Raises
    `Refusal` (404) otherwise.
    """
    world = _enter()
    known = screen in SCREENS and knobs(world).ambiguous
    picture = ambiguous.caption(world, screen, control) if known else ""
    if not picture:
        raise Refusal(404, NO_SCREEN, "/flights", "Search flights")
    return Response(picture, mimetype="image/svg+xml")


# JSON --------------------------------------------------------------------------------------------


@api.get("/airports")
def airports() -> ResponseReturnValue:
    """Return the airports that a typed text may mean, as a JSON response."""
    _enter()
    found = suggest(_data().airports, request.args.get("q", ""))
    return jsonify(airports=[airport_json(each) for each in found])


@api.post("/events")
def events() -> ResponseReturnValue:
    """Record the typed texts and clicks that a page sends.

    With ambiguous labels, the response contains the form's comment on its values.
    """
    world = _enter()
    _check_csrf()
    body, set_knobs = requests.read_body(), knobs(world)
    sent = requests.read_events(ambiguous.read_events(world, body) if set_knobs.ambiguous else body)
    with world.lock:
        requests.log_events(world, sent)
        found = ambiguous.verdict(world, _data(), sent) if set_knobs.ambiguous else None
    return jsonify(found) if found else ("", 204)


@api.get("/<path:_rest>")
def screen(_rest: str) -> ResponseReturnValue:
    """Return the JSON of the screen at the request's address."""
    world = _enter()
    _take_time(world)
    return jsonify(screens.open_screen(world, _data(), _api_place()))


@api.post("/<path:_rest>")
def commit(_rest: str) -> ResponseReturnValue:
    """Run the action of a button that was pressed, and return the next screen as JSON."""
    world = _enter()
    _check_csrf()
    place = _api_place()
    if knobs(world).ambiguous:
        return _reviewed_commit(world, place)
    return _commit(world, place, requests.read_commit(place, requests.read_body()))


def _commit(world: World, place: Place, sent: Sent) -> ResponseReturnValue:
    _take_time(world)
    with world.lock:
        requests.log_events(world, sent.events)
        done = commits.commit(world, _data(), place, sent)
        shown = screens.open_screen(world, _data(), done.place, done.notice)
    return jsonify(address=done.place.address, screen=shown)


def _reviewed_commit(world: World, place: Place) -> ResponseReturnValue:
    """Handle the press of a button on a page with ambiguous labels: first return the review, and
    run the action once it is confirmed.
    """
    try:
        body = ambiguous.read_commit(world, place.screen, requests.read_body())
        sent, view = requests.read_commit(place, body), CrmView(world, _data(), place)
        if ambiguous.is_confirmed(view, sent):
            return _commit(world, place, sent)
        _take_time(world)
        with world.lock:
            requests.log_events(world, sent.events)
            ambiguous.check(view, sent)
            shown = ambiguous.review(view, sent, screens.describe(view))
        return jsonify(address=place.address, screen=shown)
    except Invalid as problem:
        raise Invalid(ambiguous.shown_errors(world, place.screen, problem.errors)) from None


# Shared functions --------------------------------------------------------------------------------


def _enter() -> World:
    """Return the database (world) of the requested session.

    Raises:
        Refusal: 404, if the session belongs to the airline desk.
    """
    world = enter(request.args.get("scenario"))
    if is_airline_desk(world):
        raise Refusal(404, "This visit is at an airline's desk. Open its own address.")
    return world


def _data() -> CrmData:
    data: CrmData = current_app.extensions["crm"]
    return data


def _api_place() -> Place:
    return _place(request.path.removeprefix("/api"))


def _place(path: str) -> Place:
    """Return the screen and subject at a URL path. Raises `Refusal` (404)."""
    found = address.read(path)
    if found is None:
        raise Refusal(404, NO_SCREEN, "/flights", "Search flights")
    return found


def _check_csrf() -> None:
    """Raise `Refusal` (403) unless the request has the token of one of the site's own pages."""
    sent = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(sent.encode(), csrf_token().encode()):
        raise Refusal(403, NOT_OURS)


def _take_time(world: World) -> None:
    """Delay the response by the visit's setting `latency_ms`."""
    time.sleep(knobs(world).latency_ms / 1000)


# Refusals of the JSON addresses ------------------------------------------------------------------


@api.errorhandler(Invalid)
def _invalid(problem: Invalid) -> ResponseReturnValue:
    return jsonify(errors=problem.errors), 400


@api.errorhandler(Refusal)
def _refused(problem: Refusal) -> ResponseReturnValue:
    return _sorry(problem.status, problem.sentence, problem.link, problem.label)


@api.errorhandler(WorldClosed)
def _closed(_: WorldClosed) -> ResponseReturnValue:
    return _sorry(409, SENTENCES[409])


@api.errorhandler(HTTPException)
def _http(problem: HTTPException) -> ResponseReturnValue:
    status = problem.code or 500
    return _sorry(status, SENTENCES.get(status, SENTENCES[400]))


def _sorry(status: int, sentence: str, link: str = "", label: str = "") -> ResponseReturnValue:
    return jsonify(error=sentence, address=link, label=label), status
