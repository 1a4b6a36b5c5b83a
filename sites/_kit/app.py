"""The application of a declared site: its pages, its forms, and the journal of what was opened."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
from flask import Flask, current_app, redirect, render_template, request, send_from_directory
from markupsafe import Markup
from werkzeug.wrappers import Response

from sites._kit.declare import Do, Form, Invalid, Link, Page, Site
from sites._kit.map import Map, Place, Shown
from sites.site_app import SENTENCES, Refusal, check_csrf, create_site, csrf_token, enter
from sites.world import Row, World, Worlds

HERE = Path(__file__).parent


def create_app(site: Site, folder: Path, worlds: Worlds) -> Flask:
    app = create_site(site.name, folder, worlds)
    own = app.jinja_loader
    assert own is not None
    app.jinja_loader = jinja2.ChoiceLoader([own, jinja2.FileSystemLoader(HERE / "templates")])
    app.extensions["kit"] = site
    app.add_url_rule("/kit/<path:file>", "kit", lambda file: send_from_directory(HERE / "static", file))  # noqa: E501
    for rule in ("/", "/<path:path>"):  # a drawn skin has addresses of its own
        app.add_url_rule(rule, f"page {rule}", opened)
    app.add_url_rule("/do/<name>", "sent", sent, methods=["POST"])
    app.jinja_env.filters["ago"] = ago
    return app


def _map() -> Map:
    return Map(current_app.extensions["kit"], enter(request.args.get("scenario")))


def opened(**_: str) -> str:
    found = _map()
    place = found.place(request.full_path)
    if place is None:
        raise Refusal(404, SENTENCES[404])
    return draw(found, place)


def draw(found: Map, place: Place, errors: Mapping[str, str] | None = None,
         typed: Mapping[str, str] | None = None, tried: str = "") -> str:  # fmt: skip
    record = found.record(place)
    if found.url(found.usual(place)) != found.url(Place.of(place.page, {**dict(place.args), **{
        key: record[key] for key in found.site.page[place.page].args}})):  # fmt: skip
        raise Refusal(404, SENTENCES[404])
    seen = {(row["page"], row["args"]) for row in found.world.read("SELECT page, args FROM log_pages")}
    if errors is None and not found.world.closed:
        found.note(place)
    view = View(found, place, record, seen, errors or {}, typed or {}, tried)
    return render_template([f"{place.page}.html", "page.html"], v=view, r=record)


def sent(name: str) -> Response | tuple[str, int]:
    world = enter(None)
    check_csrf()
    found = Map(current_app.extensions["kit"], world)
    place = found.place(request.form.get("from", ""))
    forms = {each.name: each for page in found.site.pages
             for each in (*page.forms, *(page.listing.forms if page.listing else ()))}  # fmt: skip
    if place is None or name not in forms:
        raise Refusal(400, SENTENCES[400])
    form = forms[name]
    typed = {each.name: request.form.get(each.name, "").replace("\r\n", "\n") for each in form.fields}
    do = Do(form.operation.name, {**{key: request.form.get(key, "") for key in form.given}, **form.fixed, **typed})
    made: Row | None = None
    refused: Invalid | None = None
    wrong = dict(check(found, form, typed))
    try:
        if wrong:
            raise Invalid(**wrong)
        made = found.site.run(world, do)
    except Invalid as error:
        refused = error
    values = name, json.dumps(do.args, sort_keys=True), str(refused or "")
    world.write("INSERT INTO log_forms (form, args, refused) VALUES (?, ?, ?)", values)
    if refused:
        return draw(found, place, refused.errors, typed, name), 400
    return redirect(found.url(found.follows(place, form, do, made)), 303)


def check(found: Map, form: Form, typed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """A sentence for each field that cannot be taken as it is."""
    for each in form.fields:
        value = typed[each.name].strip()
        label = found.skin.say(each.name, None, "label")
        if each.required and not value:
            yield each.name, f"{label}: fill this in."
        elif len(value) > each.most:
            yield each.name, f"{label}: at most {each.most} characters."
        elif each.options and value and value not in choices(found, each.options):
            yield each.name, f"{label}: choose one of the list."


def choices(found: Map, sql: str) -> list[str]:
    return [str(next(iter(row.values()))) for row in found.world.read(sql)]


@dataclass
class View:
    """What templates use: words, links, lists and forms of one page, in the visitor's skin."""

    map: Map
    place: Place
    record: Row
    seen: set[tuple[str, str]]
    errors: Mapping[str, str]
    typed: Mapping[str, str]
    tried: str
    used: list[str] = field(default_factory=list)

    @property
    def skin(self) -> Any:
        return self.map.skin

    @property
    def page(self) -> Page:
        return self.map.site.page[self.place.page]

    def say(self, word: str, row: Mapping[str, Any] | None = None) -> str:
        return self.skin.say(word, row or self.record)

    # Links

    def go(self, word: str, row: Row | None = None) -> Markup:
        """The declared link of that word, "" where the row has none."""
        listing = self.page.listing
        among = self.page.links if row is None else listing.links if listing else ()
        link = next(each for each in among if each.label == word)
        row = self.record if row is None else row
        return self.anchor(link, row) if link.shown(row) else Markup("")

    def anchor(self, link: Link, row: Row) -> Markup:
        return self.to(self.skin.say(link.label, row), self.map.to(link, row))

    def to(self, label: str, place: Place, kind: str = "") -> Markup:
        names = [kind] * bool(kind) + ["visited"] * (self.map.line(place) in self.seen)
        here = Markup(' aria-current="page"') if place == self.place else Markup("")
        return Markup('<a href="{}" class="{}"{}>{}</a>').format(
            self.map.url(place), " ".join(names), here, label
        )

    def nav(self) -> list[Markup]:
        return [self.anchor(link, self.record) for link in self.skin.nav]

    def tabs(self) -> list[Markup]:
        return [self.to(label, place) for label, place in self.map.tabs(self.place)]

    def turns(self) -> list[Markup]:
        return [self.to(label, place) for label, place in self.map.turns(self.place, self.shown.last)]

    @cached_property
    def shown(self) -> Shown:
        return self.map.shown(self.place, self.record)

    # Forms

    def choices(self, sql: str) -> list[str]:
        return choices(self.map, sql)

    def form(self, name: str, row: Row | None = None) -> Markup:
        listing = self.page.listing
        among = self.page.forms if row is None else listing.forms if listing else ()
        form = next(each for each in among if each.name == name)
        row = self.record if row is None else row
        if not form.shown(row):
            return Markup("")
        given = [(key, row[column]) for key, column in form.given.items()]
        hidden = [("csrf", csrf_token()), ("from", self.map.url(self.place)), *given]
        parts = [Markup('<form method="post" action="/do/{}" class="{}">').format(
            name, "fields" if form.fields else "press")]  # fmt: skip
        parts += [Markup('<input type="hidden" name="{}" value="{}">').format(*each) for each in hidden]
        parts += [self._field(form, each, row) for each in form.fields]
        done = form.done is not None and form.done(row)
        pressed = Markup(' aria-pressed="{}"').format("true" if done else "false") if form.done else ""
        parts += [Markup('<button class="{}"{}>{}</button></form>').format(name, pressed, self.skin.say(name, row, "button"))]
        return Markup("").join(parts)

    def _field(self, form: Form, each: Any, row: Row) -> Markup:
        mine = form.name == self.tried
        value = self.typed.get(each.name, "") if mine else str(row.get(each.held or each.name) or "" if each.held or each.options else "")
        wrong = self.errors.get(each.name, "") if mine else ""
        key = f"{form.name}-{each.name}"
        more = Markup(' required' if each.required else "") + Markup(' aria-invalid="true" aria-describedby="{}-why"').format(key) * bool(wrong)
        if each.kind == "text":
            control = Markup('<textarea id="{}" name="{}" rows="5"{}>{}</textarea>').format(key, each.name, more, value)
        elif each.kind == "choice":
            listed = ["", *choices(self.map, each.options)]
            options = Markup("").join(Markup('<option{}>{}</option>').format(Markup(" selected") if one == value else "", one) for one in listed)
            control = Markup('<select id="{}" name="{}"{}>{}</select>').format(key, each.name, more, options)
        elif each.kind == "check":
            more += Markup(" checked") if value == "yes" else ""
            control = Markup('<input type="checkbox" id="{}" name="{}" value="yes"{}>').format(key, each.name, more)
        else:
            control = Markup('<input id="{}" name="{}" value="{}" autocomplete="off"{}>').format(key, each.name, value, more)
        why = Markup('<span class="why" id="{}-why">{}</span>').format(key, wrong) if wrong else ""
        return Markup('<p><label for="{}">{}</label>{}{}</p>').format(key, self.skin.say(each.name, row, "label"), control, why)


def ago(at: float, now: float) -> Markup:
    day = datetime.fromtimestamp(at, UTC)
    minutes = int(now - at) // 60
    said = f"{minutes} minutes ago" if minutes < 120 else f"{minutes // 60} hours ago" if minutes < 2880 else f"{minutes // 1440} days ago"
    return Markup('<time datetime="{}">{} ({:%Y-%m-%d %H:%M})</time>').format(day.isoformat(), said, day)


