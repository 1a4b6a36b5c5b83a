"""Take a form that somebody sends: check it, call its operation once, and write it down.

A form is sent to the address of its own page. So a page that shows what is wrong has the address
of the page with the form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from werkzeug.datastructures import MultiDict

from sites._kit import fields
from sites._kit.declare import Do, Field, Form, Invalid
from sites._kit.map import Map, Place
from sites.site_app import Refusal
from sites.world import Row, World

FORM, ONCE, KEEP = "form", "once", "keep"
"""The names in a sent form: which form it is, how many forms were sent before its page was made,
and the button that keeps it as a draft."""

UNREADABLE = "This form cannot be read. Open its page again and fill it in there."
TWICE = "This form was sent before and was done once. Nothing was done again."
GONE = "A row that you chose is gone. Open the list again and choose there."
NONE_CHOSEN = "Choose at least one row."


@dataclass(frozen=True)
class Tried:
    """A form that comes back to its page.

    Attributes:
        form: The name of the form; "" if none was sent.
        texts: The text of each field.
        errors: A sentence about each mistake, by the name of the field or argument.
        looked: The field whose options are looked up; "" for none.
        chosen: The rows that are chosen, by the value of their column.
        row: The arguments that the form got from its page or row.
    """

    form: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    looked: str = ""
    chosen: tuple[str, ...] = ()
    row: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sending:
    """A form that somebody sends from a page.

    Attributes:
        map: The map of the visit.
        place: The page.
        form: The form.
        sent: The names and values that the browser sent.
    """

    map: Map
    place: Place
    form: Form
    sent: MultiDict[str, str]

    def answer(self) -> Place | Tried:
        """Do what the form asks for.

        Returns:
            The page that follows, or the form that its page has to show again.

        Raises:
            Refusal: The form is outdated, or the operation refused. Nothing was changed.
        """
        with self.map.world.lock:
            texts = fields.read(self.form.fields, self.sent)
            looked = self.sent.get(fields.LOOK, "")
            if looked:
                return self._back(texts, looked=looked)
            is_draft = self.form.keeps and KEEP in self.sent
            errors = self._errors(texts, is_draft)
            do = self._do(texts)
            if is_draft and not errors:
                hold(self.map.world, self.form.name, self.map.url(self.place), do)
                return self.place
            return self._once(do, texts, errors)

    def _once(self, do: Do, texts: Mapping[str, str], errors: Mapping[str, str]) -> Place | Tried:
        """Call the operation, unless the same form was sent before."""
        once = _number(self.sent.get(ONCE, ""))
        self._check_once(do, once)
        try:
            if errors:
                raise Invalid(**errors)
            made = self.map.site.run(self.map.world, do)
        except Invalid as error:
            self._log(do, once, refused=str(error))
            return self._back(texts, errors=error.errors)
        place = self.map.follows(self.place, self.form, do, made)
        self._log(do, once, after=self.map.url(place))
        if self.form.keeps:
            hold(self.map.world, self.form.name, self.map.url(self.place), None)
        return place

    def _back(self, texts: Mapping[str, str], **more: Any) -> Tried:
        row = {key: self.sent.get(key, "") for key in self.form.given}
        return Tried(self.form.name, texts, chosen=self._chosen(), row=row, **more)

    def _chosen(self) -> tuple[str, ...]:
        """Return the chosen rows, each once."""
        each = self.form.each
        return tuple(dict.fromkeys(self.sent.getlist(each[0]))) if each else ()

    def _do(self, texts: Mapping[str, str]) -> Do:
        """Return the call of the operation that the form asks for."""
        given = {key: self.sent.get(key, "") for key in self.form.given}
        chosen = {self.form.each[0]: [*self._chosen()]} if self.form.each else {}
        return Do(self.form.operation.name, {**given, **self.form.fixed, **chosen, **texts})

    # Checks

    def _errors(self, texts: Mapping[str, str], is_draft: bool) -> dict[str, str]:
        """Return a sentence for each field whose text cannot be accepted."""
        found = problems(self.map, self.form.fields, texts, is_draft, self.map.record(self.place))
        if self.form.each and not is_draft:
            self._check_chosen()
            if not self._chosen():
                found[self.form.each[0]] = NONE_CHOSEN
        return found

    def _check_chosen(self) -> None:
        """Raise `Refusal` (404) if the page does not show a chosen row any longer."""
        assert self.form.each
        rows = self.map.shown(self.place, self.map.record(self.place)).rows
        if not {*self._chosen()} <= {str(row[self.form.each[1]]) for row in rows}:
            raise Refusal(404, GONE, self.map.url(self.place), "Open the list")

    def _check_once(self, do: Do, once: int) -> None:
        """Raise `Refusal` (409) if the same form of the same page was sent and done before."""
        sql = (
            "SELECT after FROM log_forms WHERE form = ? AND args = ? AND once = ? AND refused = ''"
        )
        found = self.map.world.read(sql, (self.form.name, _text(do), once))
        if found:
            raise Refusal(409, TWICE, found[0]["after"], "See the page that follows")

    def _log(self, do: Do, once: int, refused: str = "", after: str = "") -> None:
        """Write into the journal that the form was sent."""
        sql = "INSERT INTO log_forms (form, args, refused, once, after) VALUES (?, ?, ?, ?, ?)"
        self.map.world.write(sql, (self.form.name, _text(do), refused, once, after))


def problems(
    found: Map,
    asked: tuple[Field, ...],
    texts: Mapping[str, str],
    is_draft: bool = False,
    record: Row | None = None,
) -> dict[str, str]:
    """Return a sentence for each field whose text cannot be accepted, with the field's label.

    Args:
        found: The map of the visit.
        asked: The fields.
        texts: The text of each field.
        is_draft: Whether the texts may be unfinished.
        record: The record of the page, whose columns the queries of options may name.
    """
    errors = {}
    for each in asked:
        options = fields.Options(found.world, each.options, record or {})
        wrong = fields.problem(each, texts[each.name], options, is_draft)
        if wrong:
            errors[each.name] = f"{found.skin.say(each.name, None, 'label')}: {wrong}"
    return errors


def form_of(found: Map, place: Place, name: str) -> Form:
    """Return the form of a page by its name.

    Raises:
        Refusal: The page has no such form (400).
    """
    for form in found.site.page[place.page].sent:
        if form.name == name:
            return form
    raise Refusal(400, UNREADABLE, found.url(place), "Open the page")


def next_number(world: World) -> int:
    """Return the number of forms that were sent so far. Each page holds it in its forms."""
    return int(world.read("SELECT coalesce(max(id), 0) AS n FROM log_forms")[0]["n"])


def hold(world: World, form: str, url: str, do: Do | None) -> None:
    """Keep the text of a form as a draft, without sending it.

    Args:
        world: The world.
        form: The name of the form.
        url: The address of its page.
        do: The call that it would make if it were sent; None ends the draft.
    """
    sql = "INSERT INTO log_drafts (form, place, args) VALUES (?, ?, ?)"
    world.write(sql, (form, url, _text(do) if do else ""))


def held(world: World, form: str, url: str) -> Row:
    """Return the draft of the form of a page, by argument; empty if there is none."""
    sql = "SELECT args FROM log_drafts WHERE form = ? AND place = ? ORDER BY id DESC LIMIT 1"
    found = world.read(sql, (form, url))
    kept: Row = json.loads(found[0]["args"]) if found and found[0]["args"] else {}
    return kept


def _text(do: Do) -> str:
    return json.dumps(do.args, sort_keys=True)


def _number(text: str) -> int:
    """Return the number of forms that a page says were sent before it.

    Raises:
        Refusal: It is no such number (400).
    """
    if not text.isdecimal() or len(text) > 9:
        raise Refusal(400, UNREADABLE)
    return int(text)
