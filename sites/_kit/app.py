"""The application of a declared site: it opens pages and takes forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import jinja2
from flask import Flask, current_app, g, redirect, render_template, request, send_from_directory
from werkzeug.wrappers import Response

from sites._kit.checking import check
from sites._kit.declare import Invalid, Site
from sites._kit.forms import FORM, Sending, Tried, form_of, problems
from sites._kit.map import Map, Place
from sites._kit.pages import View, ago
from sites.site_app import SENTENCES, Refusal, check_csrf, create_site, enter_kept
from sites.world import Row, Worlds

HERE = Path(__file__).parent
NOWHERE = Place.of("", {})
"""The place of an error page, which no link leads to."""


def create_app(site: Site, folder: Path, worlds: Worlds) -> Flask:
    """Return the application of a declared site.

    Args:
        site: The site.
        folder: The folder with the site's own templates.
        worlds: The open worlds.

    Raises:
        BadDeclaration: The site is declared wrongly.
    """
    check(site)
    app = create_site(site.name, folder, worlds)
    own = app.jinja_loader
    assert own is not None
    app.jinja_loader = jinja2.ChoiceLoader([own, jinja2.FileSystemLoader(HERE / "templates")])
    app.extensions["kit"] = site
    app.jinja_env.filters["ago"] = ago
    app.jinja_env.globals["frame"] = _frame
    app.add_url_rule("/kit/<path:file>", "kit", _static)
    for rule in ("/", "/<path:path>"):  # a drawn skin has addresses of its own
        app.add_url_rule(rule, f"page {rule}", _opened, methods=["GET"])
        app.add_url_rule(rule, f"form {rule}", _sent, methods=["POST"])
    return app


def _static(file: str) -> Response:
    """Return a file of the kit, such as a style sheet."""
    return send_from_directory(HERE / "static", file)


def _opened(**_: str) -> Response | str | tuple[str, int]:
    """Show a page, at the usual address of what it shows."""
    found = Map(current_app.extensions["kit"], enter_kept())
    if request.path == "/" and found.place("/") is None:
        return redirect(found.url(Place.of(found.site.home, {})), 303)
    place = _place(found)
    if not {*request.args} & {*found.site.page[place.page].asked}:
        kept = found.kept(place)
        if kept != place:
            return redirect(found.url(kept), 303)
    texts = {each.name: place[each.name] or "" for each in found.site.page[place.page].asks}
    try:
        record = _asked(found, place, texts)
    except Invalid as error:
        if not {*error.errors} <= {*texts}:
            raise
        bare = found.record(place.but(**dict.fromkeys(texts)))
        return _render(View(found, place, bare, _seen(found), Tried(errors=error.errors))), 400
    usual = found.computed_place(place, record)
    return _draw(found, place, record) if usual == place else redirect(found.url(usual), 303)


def _asked(found: Map, place: Place, texts: Mapping[str, str]) -> Row:
    """Return the record of a page for the texts in its address.

    A link may fill in some of the texts and leave the others to the visitor, which is no mistake.

    Raises:
        Invalid: The page cannot be opened with a text.
    """
    asks = found.site.page[place.page].asks
    is_whole = all(texts[each.name] for each in asks if each.required)
    if errors := problems(found, asks, texts, is_draft=not is_whole):
        raise Invalid(**errors)
    return found.record(place)


def _sent(**_: str) -> Response | tuple[str, int]:
    """Take a form. Show the page that follows, or the form's page with the mistakes."""
    found = Map(current_app.extensions["kit"], enter_kept())
    check_csrf()
    place = _place(found)
    form = form_of(found, place, request.form.get(FORM, ""))
    answer = Sending(found, place, form, request.form).answer()
    if isinstance(answer, Place):
        return redirect(found.url(answer), 303)
    return _draw(found, place, found.record(place), answer), 400 if answer.errors else 200


def _place(found: Map) -> Place:
    """Return the page that the request names.

    Raises:
        Refusal: The site has no such page (404).
    """
    place = found.place(f"{quote(request.path)}?{request.query_string.decode('latin-1')}")
    if place is None:
        raise Refusal(404, SENTENCES[404])
    return place


def _draw(found: Map, place: Place, record: Row, tried: Tried | None = None) -> str:
    """Return a page, and write into the journal that it was opened.

    Raises:
        Refusal: The record has another address (404).
    """
    page = found.site.page[place.page]
    if any(place[key] != str(record[key]) for key in page.args):
        raise Refusal(404, SENTENCES[404])
    view = View(found, place, record, _seen(found), tried or Tried())
    if tried is None and not found.world.closed:
        found.note(place, record, view.shown if page.listing else None)
    return _render(view)


def _render(view: View) -> str:
    """Return the page as its own template, or else the kit's, writes it."""
    return render_template([f"{view.place.page}.html", "page.html"], v=view, r=view.record)


def _seen(found: Map) -> set[Place]:
    """Return the pages that the visitor has opened."""
    rows = found.world.read("SELECT DISTINCT page, args FROM log_pages")
    return {Place.of(row["page"], json.loads(row["args"])) for row in rows}


def _frame() -> View | None:
    """Return the view for the frame of an error page, or None outside a visit."""
    world = g.get("world")
    if world is None or world.released:
        return None
    found = Map(current_app.extensions["kit"], world)
    return View(found, NOWHERE, {"me": found.me}, set())
