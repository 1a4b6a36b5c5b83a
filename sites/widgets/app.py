"""The widgets' pages: the gallery, the task pages, and two addresses that receive their reports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    redirect,
    render_template,
    request,
    send_from_directory,
)
from werkzeug.wrappers import Response as BaseResponse

from sites.site_app import COOKIE, FILE_AGE, HEADERS, Refusal, create_site, enter
from sites.widgets import compositions, operations, originals, stills
from sites.widgets.operations import BadReport, Keys
from sites.widgets.world import MOST_SECONDS, VARIANTS, TaskPage, WidgetsData
from sites.world import World, Worlds

SEED = re.compile(r"[0-9]{1,9}")
SECONDS = re.compile(r"[1-9][0-9]{0,5}")
SHOWN = 40
"""The number of characters of an unknown name that an error message repeats."""

pages = Blueprint("pages", __name__)


def create_app(data: WidgetsData, worlds: Worlds) -> Flask:
    """Create the application with the task pages.

    Everybody can open the pages; only visits with a database of their own (world) are scored.
    """
    app = create_site("widgets", Path(__file__).parent, worlds)
    app.extensions["widgets"], app.extensions["keys"] = data, Keys()
    app.register_blueprint(pages)
    return app


@pages.get("/")
def home() -> Any:
    """Show the gallery, or redirect the visitor of a scenario to its task page."""
    world = _visitor(request.args.get("scenario"))
    if world is not None:
        seconds = _seconds()
        time = f"&seconds={seconds}" if seconds else ""
        return redirect(f"{world.about['start']}&scenario={world.session}{time}")
    return render_template("gallery.html", pages=_data().pages.values())


@pages.get("/play/<task>")
def play(task: str) -> str:
    """Show a task page for people to try: enlarged, with any seed, and with the rewards next to
    it.
    """
    page = _page(task)
    seed, variant = _seed(), _variant(page)
    return render_template(
        "play.html", page=page, seed=int(seed or 1), variant=variant, variants=page.variants
    )


@pages.get("/still/<task>.svg")
def picture(task: str) -> Response:
    response = Response(stills.picture(_page(task)), mimetype="image/svg+xml")
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    response.cache_control.public, response.cache_control.max_age = True, FILE_AGE
    return response


@pages.get("/miniwob/<task>.html")
def task(task: str) -> BaseResponse:
    page = _page(task, int(_seed() or 0))
    _variant(page)
    _seconds()
    _visitor(request.args.get("scenario"))
    response = Response(page.html, mimetype="text/html")
    response.headers["Content-Security-Policy"] = _policy(page)
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@pages.get("/original/<path:file>")
def original(file: str) -> BaseResponse:
    """Serve a file of the package with the original pages; a task's page begins its episode
    itself.
    """
    if originals.found() is None:
        raise Refusal(
            404, f"The original pages are not installed. To have them: {originals.INSTALL}"
        )
    folder, _, name = file.partition("/")
    task = name.removesuffix(".html")
    if folder == "miniwob" and task in originals.tasks():
        _seed()
        _visitor(request.args.get("scenario"))
        response = Response(originals.page(task), mimetype="text/html")
    else:
        response = send_from_directory(originals.folder(), file)
    response.headers["Content-Security-Policy"] = originals.POLICY
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@pages.post("/load")
def load() -> Any:
    """Record that a task page was loaded; return a key for its reports if the visit is scored."""
    sent = _sent()
    world = _visitor(str(sent.get("scenario") or "") or None)
    if world is None:
        return "", 204
    key = _keys().make(world, operations.begin(world, _data(), sent, operations.HTTP))
    return Response(key, mimetype="text/plain")


@pages.post("/report")
def report() -> Any:
    """Record the report of an episode that a task page posts with the key from its load."""
    sent = _sent()
    world, number = _keys().find(str(sent.get("key", "")))
    operations.report(world, number, sent)
    return "", 204


@pages.app_errorhandler(BadReport)
def _bad_report(error: BadReport) -> tuple[str, int]:
    return f"{error}\n", 400


def _visitor(session: str | None) -> World | None:
    """Return the visit's database (world), or None without a session. Raises `Refusal` if it is
    closed.
    """
    return enter(session) if session or request.cookies.get(COOKIE) else None


def _seed() -> str | None:
    """Return the seed in the address; None means a random seed. Raises `Refusal`."""
    seed = request.args.get("seed")
    if seed is not None and not SEED.fullmatch(seed):
        raise Refusal(400, f"The seed {seed[:SHOWN]!r} is no whole number from 0 to 999999999.")
    return seed


def _seconds() -> str | None:
    """Return the time limit in the address; None means the page's own limit. Raises `Refusal`."""
    seconds = request.args.get("seconds")
    if seconds is not None and not SECONDS.fullmatch(seconds):
        there = f"The seconds {seconds[:SHOWN]!r} are no whole number"
        raise Refusal(400, f"{there} from 1 to {MOST_SECONDS}.")
    return seconds


def _variant(page: TaskPage) -> str:
    """Return the variant in the address. Raises `Refusal` if the page has no such variant."""
    variant = request.args.get("variant", VARIANTS[0])
    if variant not in page.variants:
        there, known = f"There is no variant {variant[:SHOWN]!r}", " and ".join(page.variants)
        raise Refusal(400, f"{there} of {page.name}; there are {known}.")
    return variant


def _page(name: str, seed: int = 0) -> TaskPage:
    number = compositions.number_of(name)
    page = compositions.page(number, seed, _data()) if number else _data().pages.get(name)
    if page is None:
        raise Refusal(404, f"There is no task {name[:SHOWN]!r}.", "/", "See all tasks")
    return page


def _policy(page: TaskPage) -> str:
    """Return a content security policy that allows the page's own scripts and styles by hash."""
    scripts, styles = " ".join(page.scripts), " ".join(page.styles)
    rules = HEADERS["Content-Security-Policy"].replace("ancestors 'none'", "ancestors 'self'")
    return f"{rules}; script-src 'self' {scripts}; style-src 'self' {styles}"


def _sent() -> dict[str, Any]:
    """Return the JSON object that a task page posted. Raises `BadReport` if there is none."""
    sent = request.get_json(silent=True)
    if not isinstance(sent, dict):
        raise BadReport("this address takes what task pages send, a JSON object")
    return sent


def _data() -> WidgetsData:
    data: WidgetsData = current_app.extensions["widgets"]
    return data


def _keys() -> Keys:
    keys: Keys = current_app.extensions["keys"]
    return keys
