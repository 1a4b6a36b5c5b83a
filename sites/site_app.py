"""The base of every site's application: find the visit's database, check requests, show errors."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import CodeType
from typing import Any

import jinja2
from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    g,
    got_request_exception,
    render_template,
    request,
    send_from_directory,
)
from jinja2.bccache import Bucket
from werkzeug.exceptions import HTTPException

from sites.joint import neighbours
from sites.web_json import read_shallow
from sites.world import MOST_NAMED, TooManySessions, World, WorldClosed, Worlds

COOKIE = "rehearse"
"""The name of the cookie that holds an episode's token."""

BODY_LIMIT = 64 * 1024
FILE_AGE = 3600
SHARED = Path(__file__).parent / "static"
SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
GIVEN = re.compile(r"[0-9A-Za-z]{20}|[0-9A-Fa-f]{32}|[0-9A-Fa-f]{64}")
"""The form of ids, session addresses and tokens that this project makes, in either case.

Such a text stays reserved even if no session has it now, so no visitor can open a session under it.
"""
FIRST_SESSION = "abc"
"""The session of a visitor without a name (as in WebShop's published code)."""
ANNOUNCES = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
"""Headers by which a browser says that it prefetches a page."""
PAGES = {None, "document"}
"""Values of `Sec-Fetch-Dest` for a page that the user looks at.

None stands for clients that send no such header, which count as looking at the page, too.
"""
RESERVED = {"dials", "evaluate", "finish", "generate-random-scenario", "shared", "static"}
"""Names of the control plane and of shared files, which cannot be names of sessions."""


class CompiledTemplates(jinja2.BytecodeCache):
    """A cache of compiled Jinja templates that all applications of a process share."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take a template from the cache."""
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Put a template into the cache."""
        self._compiled[bucket.key, bucket.checksum] = bucket.code


COMPILED = CompiledTemplates()

Allow = list[tuple[str, str]]
WSGI = Callable[[dict[str, Any], Any], Iterable[bytes]]
OpenSession = Callable[[str], World]
"""A function that makes the database (world) of a new session, given the session's name."""

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'; object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

TITLES = {
    400: "We cannot do that",
    401: "Please sign in",
    404: "We cannot find that",
    405: "Please use the buttons",
    409: "Nothing was changed",
    413: "That is too much",
    500: "Something went wrong",
    503: "One moment",
}
SENTENCES = {
    400: "This request cannot be read. Go back and try again from the page.",
    404: "There is no such page. Check the address, or start again from the first page.",
    405: "This address cannot be used like that. Use the buttons of the pages.",
    409: "This visit is over, so nothing was changed.",
    413: f"That is too much at once. Send less than {BODY_LIMIT // 1024} kB.",
    500: "The fault is on our side. Go back and try again.",
}
FULL = (
    f"There are {MOST_NAMED:,} open sessions, and no more are opened."
    " Go on with one of these, or start the server again."
)


class Refusal(Exception):
    """A refused request, which the visitor sees as an error page.

    Args:
        status: The HTTP status.
        sentence: One sentence that says what to do instead.
        link: The address, within the site, at which the visitor can go on; "" for none.
        label: The text of the link.
    """

    def __init__(self, status: int, sentence: str, link: str = "", label: str = "") -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.link, self.label = status, sentence, link, label


@dataclass(frozen=True)
class SiteContext:
    """The settings and worlds of one application.

    Attributes:
        name: The name of the site.
        worlds: The open worlds.
        open_session: Makes the world of a session that a visitor names; None if visitors cannot.
        scripted: The endpoints that the site's own scripts load; None means all (see
            `create_site`).
        secret: The key of the tokens in forms.
        lock: Held while a session is opened.
    """

    name: str
    worlds: Worlds
    open_session: OpenSession | None = None
    scripted: frozenset[str] | None = None
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    lock: Lock = field(default_factory=Lock)


def create_site(
    name: str,
    folder: Path,
    worlds: Worlds,
    open_session: OpenSession | None = None,
    scripted: frozenset[str] | None = None,
) -> Flask:
    """Return an application without pages, to be served at the host `<name>.localhost`.

    The template `error.html` gets a `refusal` and its `title`. Every template gets `world`, which
    is None outside a session, and `neighbours`, the other sites of the visit
    (`sites.joint.neighbours`).

    Args:
        name: The name of the site.
        folder: The folder with the site's `static` files and its `templates`.
        worlds: The open worlds.
        open_session: Makes the world of a session that a visitor names; None if visitors cannot
            open sessions.
        scripted: The endpoints of the pages that the site's own scripts load. Any other page that a
            script, a frame or a picture loads gets a copy of the world. None means all endpoints.
    """
    app = Flask(f"sites.{name}", root_path=str(folder))
    app.config.update(
        SECRET_KEY=secrets.token_bytes(32),
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        MAX_FORM_MEMORY_SIZE=BODY_LIMIT,
        MAX_FORM_PARTS=100,
        SEND_FILE_MAX_AGE_DEFAULT=FILE_AGE,
    )
    read_shallow(app)
    app.extensions["site_context"] = SiteContext(name, worlds, open_session, scripted)
    app.jinja_options = {
        "undefined": jinja2.StrictUndefined,
        "auto_reload": False,
        "bytecode_cache": COMPILED,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    app.url_map.merge_slashes = False
    app.add_url_rule("/shared/<path:file>", view_func=_shared)
    app.context_processor(_page_context)
    app.before_request(_check_host)
    app.after_request(_add_headers)
    app.teardown_request(_release_copies)
    app.register_error_handler(Refusal, _refuse)
    app.register_error_handler(WorldClosed, _refuse_late)
    app.register_error_handler(HTTPException, _refuse_http)
    got_request_exception.connect(_note_fault, app, weak=False)
    return app


def _page_context() -> dict[str, Any]:
    """Return the names that every template of a site may use."""
    return {"world": g.get("world"), "neighbours": neighbours(g.get("world"))}


def enter(session: str | None) -> World:
    """Return the database of the request's visit (its world), found by the cookie or else by the
    session.

    A new world is made only if the application opens sessions and the visitor has no cookie. The
    journal must contain only pages that were really opened. So a HEAD request gets a copy of the
    world that is thrown away, and so does a page that a script, a frame or a picture loads, except
    for the `scripted` endpoints of `create_site`.

    Args:
        session: The session in the address, or None if the address names none.

    Raises:
        Refusal: 404 if no world is found or the session is not the one of the cookie's world; 403
            if the browser only prefetches the page.
    """
    if is_prefetch():
        raise Refusal(403, "This page is made when somebody opens it, not before.")
    context: SiteContext = current_app.extensions["site_context"]
    token = request.cookies.get(COOKIE)
    world = context.worlds.find(token, session)
    if world is None and not token:
        world = _open(context, session or FIRST_SESSION)
    if world is None and not token and context.worlds.was_withdrawn(session):
        raise Refusal(
            404, "This visit ended, because its scenario was drawn again. Open the new address."
        )
    if world is None:
        raise Refusal(
            404, "Nobody has opened a visit at this address. Open a scenario and follow its link."
        )
    g.world = world
    if session is not None and session != world.session:
        raise Refusal(404, "This is not your session. Go on with your own.")
    return world if _is_opened(context) else _copy(world)


def enter_kept() -> World:
    """Return the database of the request's visit (its world), on pages whose addresses name no
    session.

    An episode has its token. Any other visitor begins at an address that names the session
    (`?scenario=...`); the site then keeps the session in a cookie of its own, so that links need
    not repeat it.

    Raises:
        Refusal: As in `enter`.
    """
    session = request.args.get("scenario")
    if request.cookies.get(COOKIE):
        return enter(session)
    world = enter(session or request.cookies.get(_kept_cookie()))
    g.kept = g.world.session
    return world


def kept_world() -> World | None:
    """Return the database of the session that the visitor's cookie keeps, or None."""
    context: SiteContext = current_app.extensions["site_context"]
    return context.worlds.find(None, request.cookies.get(_kept_cookie()))


def _kept_cookie() -> str:
    """Return the name of the cookie that keeps a session.

    Browsers send cookies to every port of a host, so the name says which site on which port it is.
    """
    context: SiteContext = current_app.extensions["site_context"]
    return f"session-{context.name}-{request.environ['SERVER_PORT']}"


def _copy(world: World) -> World:
    """Return a copy of the world that lives for this request only."""
    if "copies" not in g:
        g.copies = ExitStack()
    made: World = g.copies.enter_context(world.fork())
    return made


def _release_copies(_: BaseException | None) -> None:
    """Release the copies of worlds that a request made."""
    if "copies" in g:
        g.copies.close()


def _is_opened(context: SiteContext) -> bool:
    """Return whether the request sends a form or opens a page for the user to see."""
    if request.method != "GET":
        return request.method != "HEAD"
    is_ours = context.scripted is None or request.endpoint in context.scripted
    return is_ours or request.headers.get("Sec-Fetch-Dest") in PAGES


def is_prefetch() -> bool:
    """Return whether the browser prefetches a page that the user has not opened yet."""
    return any("prefetch" in request.headers.get(name, "").lower() for name in ANNOUNCES)


def add_globals(pages: Blueprint, **helpers: Callable[..., Any]) -> None:
    """Let all templates of an application call functions by the names that are given here."""
    for name, helper in helpers.items():
        pages.add_app_template_global(helper, name)


def csrf_token() -> str:
    """Return the value of the hidden field that every form that changes something must send.

    It is different for each visitor, world and application. A form from another world, such as an
    earlier attempt, is refused.
    """
    context: SiteContext = current_app.extensions["site_context"]
    visitor = f"{request.cookies.get(COOKIE) or g.world.session} {g.world.number}"
    return hmac.new(context.secret, visitor.encode(), "sha256").hexdigest()


def check_csrf() -> None:
    """Raise `Refusal` (400) unless the posted form came from one of the site's own pages."""
    sent = request.form.get("csrf", "")
    if not hmac.compare_digest(sent.encode(), csrf_token().encode()):
        raise Refusal(400, "This form is not from our page. Open the page again and send it there.")


def _open(context: SiteContext, session: str) -> World | None:
    """Return the world of a session that a visitor names, opening it if necessary.

    Once the site has opened `MOST_NAMED` sessions, it opens no more. It does not close an old one
    to make room: the score of that session would be lost, and its visitor would start again without
    notice.

    Returns:
        The world, or None if this name cannot be opened.

    Raises:
        Refusal: 503 if the site has opened too many sessions.
    """
    if context.open_session is None or not _is_free(session):
        return None
    with context.lock:
        world = context.worlds.find(None, session)
        try:
            return world or context.worlds.open_named(session, context.open_session)
        except TooManySessions:
            raise Refusal(503, FULL) from None


def _is_free(session: str) -> bool:
    """Return whether a visitor may open a session under this name."""
    known = session.lower() in RESERVED or GIVEN.fullmatch(session)
    return not known and SESSION.fullmatch(session) is not None


def _shared(file: str) -> Response:
    """Return the response with a file, such as a font, that all sites share."""
    return send_from_directory(SHARED, file)


def _note_fault(app: Flask, exception: Exception, **more: Any) -> None:
    """Record an exception in the visitor's world as a fault of the site, not of the visitor."""
    world = g.get("world") or app.extensions["site_context"].worlds.find(
        request.cookies.get(COOKIE), None
    )
    if world is not None:
        world.fault = f"{request.method} {request.path}: {type(exception).__name__}: {exception}"


def _check_host() -> None:
    """Raise `Refusal` (400) if the request names a host that is not this site's."""
    context: SiteContext = current_app.extensions["site_context"]
    port = request.environ["SERVER_PORT"]
    loopback = {f"{host}{end}" for host in ("127.0.0.1", "localhost") for end in ("", f":{port}")}
    if request.environ.get("HTTP_HOST") not in {*host_names(context.name, port), *loopback}:
        raise Refusal(400, f"This address is not ours. Use http://127.0.0.1:{port}/ instead.")


def host_names(name: str, port: str) -> set[str]:
    """Return the Host headers that mean the host `<name>.localhost`, with and without port."""
    return {f"{name}.localhost", f"{name}.localhost:{port}"}


def by_host(usual: WSGI, others: Mapping[str, WSGI]) -> WSGI:
    """Return an application that serves several hosts.

    Args:
        usual: The application for requests to any other host.
        others: The applications by host name, without `.localhost`.
    """

    def answer(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        host, port = environ.get("HTTP_HOST"), environ["SERVER_PORT"]
        named = (app for name, app in others.items() if host in host_names(name, port))
        return next(named, usual)(environ, start)

    return answer


def sister_url(name: str) -> str:
    """Return the address of another host of the same site, with the port of the current request."""
    host = request.environ["HTTP_HOST"]
    port = host.partition(":")[2]
    return f"http://{name}.localhost{f':{port}' if port else ''}"


def _add_headers(response: Response) -> Response:
    """Add the security headers to a response and forbid caching unless the page allows it."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    if "kept" in g:
        response.set_cookie(_kept_cookie(), g.kept, httponly=True, samesite="Lax")
    return response


def _refuse_late(_: WorldClosed) -> tuple[str, int, Allow]:
    """Return the error page for a visit that is over. It shows nothing of a released database."""
    if (world := g.get("world")) and world.released:
        g.world = None
    return _refuse(Refusal(409, SENTENCES[409]))


def _refuse(refusal: Refusal) -> tuple[str, int, Allow]:
    """Return the styled error page. If the method is refused (405), the Allow header says POST."""
    if "world" not in g:  # the error page links back to the visitor's session
        context: SiteContext = current_app.extensions["site_context"]
        g.world = context.worlds.find(request.cookies.get(COOKIE), None)
    title = TITLES.get(refusal.status, TITLES[400])
    page = render_template("error.html", refusal=refusal, title=title)
    return page, refusal.status, [("Allow", "POST")] if refusal.status == 405 else []


def _refuse_http(error: HTTPException) -> Any:
    """Return the styled page of an HTTP error.

    Redirects pass unchanged, and 405 keeps its list of methods.
    """
    status = error.code or 500
    if status < 400:
        return error
    page, *_ = _refuse(Refusal(status, SENTENCES.get(status, SENTENCES[400])))
    kept = [(name, value) for name, value in error.get_headers() if name == "Allow"]
    return page, status, kept
