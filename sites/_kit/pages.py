"""The words, links, lists and forms of one page, for the templates of a declared site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from markupsafe import Markup, escape

from sites._kit import fields
from sites._kit.declare import SORT, Column, Field, Form, Link, Page, Show, Skin
from sites._kit.forms import FORM, KEEP, ONCE, Tried, held, next_number
from sites._kit.map import Map, Place, Shown
from sites.site_app import csrf_token
from sites.world import Row

# The code below escapes every text that it puts into a page.
# ruff: noqa: S704

HOUR, DAY = 60, 24 * 60


@dataclass
class View:
    """One page in the visitor's skin.

    Attributes:
        map: The map of the visit.
        place: The page.
        record: The record that it shows.
        seen: The pages that the visitor has opened.
        tried: The form that came back to the page.
    """

    map: Map
    place: Place
    record: Row
    seen: set[Place]
    tried: Tried = field(default_factory=Tried)

    @property
    def skin(self) -> Skin:
        """The skin."""
        return self.map.skin

    @property
    def page(self) -> Page:
        """The declared page."""
        return self.map.site.page[self.place.page]

    @cached_property
    def shown(self) -> Shown:
        """The rows of the list that stand on this page."""
        return self.map.shown(self.place, self.record)

    @property
    def is_asked(self) -> bool:
        """Whether the visitor has entered all that the page asks for, or it asks for nothing."""
        return all(self.place[each.name] for each in self.page.asks if each.required)

    def say(self, word: str, row: Mapping[str, Any] | None = None) -> str:
        """Return a text of the skin."""
        return self.skin.say(word, row or self.record)

    # Links

    def go(self, word: str, row: Row | None = None) -> Markup:
        """Return the declared link with this label's name, "" if the row has none.

        Args:
            word: The name of the label.
            row: The row of the list; None for the page itself.
        """
        listing = self.page.listing
        among = self.page.links if row is None else listing.links if listing else ()
        link = next(each for each in among if each.label == word)
        row = self.record if row is None else row
        return self.anchor(link, row) if link.shown(row) else Markup("")

    def anchor(self, link: Link, row: Row) -> Markup:
        """Return a link of a record or a row."""
        to = self.map.leads(self.place, self.map.to(link, row))
        return self.to(self.skin.say(link.label, row), to)

    def to(self, label: str, place: Place, kind: str = "") -> Markup:
        """Return a link to a place."""
        names = f"{kind} visited".strip() if place in self.seen else kind
        here = ' aria-current="page"' if place == self.place else ""
        url = escape(self.map.url(place))
        return Markup(f'<a href="{url}" class="{names}"{here}>{escape(label)}</a>')

    def nav(self) -> list[Markup]:
        """Return the links that stand on every page."""
        return [self.anchor(link, self.record) for link in self.skin.nav if link.shown(self.record)]

    def links(self) -> list[Markup]:
        """Return all links of the page itself."""
        return [
            self.anchor(each, self.record) for each in self.page.links if each.shown(self.record)
        ]

    @property
    def searched(self) -> bool:
        """Whether the list can be filtered or searched."""
        return bool(self.page.listing and (self.page.listing.filters or self.page.listing.keyword))

    @property
    def is_kept(self) -> bool:
        """Whether the list shows filters that it keeps until the visitor clears them."""
        listing, shown = self.page.listing, self.place.but(page=None)
        return bool(listing and listing.kept) and self.map.bare(shown) != shown

    def tabs(self) -> list[Markup]:
        """Return the links to the orders of the list; the present order is no link."""
        return [
            Markup('<strong aria-current="true">{}</strong>').format(label)
            if place == self.place
            else self.to(label, place)
            for label, place in self.map.orders(self.place)
        ]

    def turns(self) -> list[Markup]:
        """Return the links to the other pages of the list."""
        return [self.to(*each) for each in self.map.turns(self.place, self.shown.last)]

    # Records and rows

    def cell(self, column: Column | str, row: Row | None = None) -> Markup:
        """Return the HTML of a column of a row, or of the page's record."""
        if isinstance(column, str):
            column = Column(column, (Show("text", column),))
        pieces = [self._piece(each, row) for each in column.shows]
        return Markup(" ".join([each for each in pieces if each]))

    def _piece(self, show: Show, row: Row | None) -> Markup:
        if show.kind == "link":
            return self.go(show.of, row)
        row = self.record if row is None else row
        if show.kind == "word":
            return escape(self.skin.say(show.of, row))
        if row[show.of] is None:
            return Markup("")
        return PIECES[show.kind](row[show.of], self.map.site.now)

    def named(self, column: Column, shown: Markup) -> Markup:
        """Return a column of a row outside of a table.

        A number alone says nothing there, nor does one of several amounts of money, so the heading
        of its column, if the skin has one, stands before it.
        """
        heading, amounts = (
            f"col_{column.name}",
            self.page.listing.amounts if self.page.listing else (),
        )
        is_bare = str(shown).strip().isdigit() or (column in amounts and len(amounts) > 1)
        if is_bare and self.skin.pattern(heading) is not None:
            return Markup(f"{escape(self.say(heading))}: {shown}")
        return shown

    # Forms

    def choices(self, source: str | tuple[str, ...]) -> list[str]:
        """Return the values of a filter or a choice."""
        return fields.Options(self.map.world, source).all()

    def form(self, name: str, row: Row | None = None) -> Markup:
        """Return a declared form, "" if the record or the row has none.

        Args:
            name: The name of the form.
            row: The row of the list; None for the page itself.
        """
        listing = self.page.listing
        among = self.page.forms if row is None else listing.forms if listing else ()
        form = next(each for each in among if each.name == name)
        return self._form(form, self.record if row is None else row)

    def buttons(self, row: Row) -> Markup:
        """Return all forms of a row of the list."""
        assert self.page.listing
        return Markup("".join(self._form(form, row) for form in self.page.listing.forms))

    def _form(self, form: Form, row: Row) -> Markup:
        """Return a form of a row or of the page's record, "" if it has none."""
        if not form.shown(row):
            return Markup("")
        given = "".join(_hidden(key, row[column]) for key, column in form.given.items())
        inside = given + self._fields(form, row) + self._buttons(form, row)
        kind = "fields" if form.fields else "press"
        return Markup(f'<form method="post" action="{self._here}" class="{kind}">'
                      f"{self._marks}{_hidden(FORM, form.name)}{inside}</form>")  # fmt: skip

    @cached_property
    def _here(self) -> Markup:
        """The address of this page."""
        return escape(self.map.url(self.place))

    @cached_property
    def _marks(self) -> str:
        """The hidden fields that every form of this page holds."""
        return _hidden("csrf", csrf_token()) + _hidden(ONCE, next_number(self.map.world))

    def _buttons(self, form: Form, row: Row) -> str:
        """Return the button that sends a form, and the button that keeps it as a draft."""
        pressed = ""
        if form.done is not None:
            pressed = f' aria-pressed="{"true" if form.done(row) else "false"}"'
        label = escape(self.skin.say(form.name, row, "button"))
        commits = " data-commits" * form.commits
        button = f'<button class="{form.name}"{pressed}{commits}>{label}</button>'
        if not form.keeps:
            return button
        return (
            button + f'<button name="{KEEP}" value="yes">{escape(self.say("keep", row))}</button>'
        )

    def _fields(self, form: Form, row: Row) -> str:
        """Return the fields of a form; those of a section stand in a part that can be opened."""
        if not form.fields and not self._is_tried(form, row):
            return ""
        sections: dict[str, list[fields.Filled]] = {}
        for each in form.fields:
            sections.setdefault(each.tab, []).append(self._filled(form, each, row))
        return (
            self._alert(form, row)
            + self._kept(form, row)
            + "".join(self._section(tab, filled) for tab, filled in sections.items())
        )

    def _section(self, tab: str, filled: list[fields.Filled]) -> str:
        inside = "".join(each.html() for each in filled)
        if not tab:
            return inside
        is_open = " open" if any(each.wrong or each.looked for each in filled) else ""
        return f"<details{is_open}><summary>{escape(self.say(tab))}</summary>{inside}</details>"

    def _alert(self, form: Form, row: Row) -> str:
        """Return the sentences about mistakes that are in none of the form's fields."""
        if not self._is_tried(form, row):
            return ""
        own = {each.name for each in form.fields}
        wrong = [text for name, text in self.tried.errors.items() if name not in own]
        return f'<p role="alert">{escape(" ".join(wrong))}</p>' if wrong else ""

    def _kept(self, form: Form, row: Row) -> str:
        """Return the sentence that the fields show a draft, "" if they do not."""
        if self._is_tried(form, row) or not self._draft(form):
            return ""
        return f'<p role="status">{escape(self.say("kept", row))}</p>'

    def _draft(self, form: Form) -> Row:
        """Return the draft of a form by argument; empty if none is kept."""
        return held(self.map.world, form.name, self.map.url(self.place)) if form.keeps else {}

    def _is_tried(self, form: Form, row: Row) -> bool:
        """Return whether this form, in this row, came back to the page."""
        if form.name != self.tried.form:
            return False
        return all(str(row.get(form.given[key])) == text for key, text in self.tried.row.items())

    def _filled(self, form: Form, each: Field, row: Row) -> fields.Filled:
        """Return a field with its text."""
        is_tried = self._is_tried(form, row)
        texts = self.tried.texts if is_tried else self._texts(form, row)
        text = texts.get(each.name)
        return fields.Filled(
            each,
            f"{form.name}-{each.name}{self._place_of(row)}",
            self.skin.say(each.name, row, "label"),
            "" if text is None else str(text),
            fields.Options(self.map.world, each.options, self.record),
            self.tried.errors.get(each.name, "") if is_tried else "",
            self.say("look") if each.kind == "suggest" else "",
            is_tried and self.tried.looked == each.name,
            self.say("nothing") if each.kind == "suggest" else "",
        )

    def _place_of(self, row: Row) -> str:
        """Return the ending of the ids of a row's fields, "" for those of the page itself."""
        if row is self.record:
            return ""
        return next(f"-{at}" for at, each in enumerate(self.shown.rows) if each is row)

    def _texts(self, form: Form, row: Row) -> Row:
        """Return what the fields of a form show at first: a draft, or columns of the record."""
        kept = self._draft(form)
        columns = {
            each.name: each.held or (each.name if each.options else "") for each in form.fields
        }
        return {name: kept.get(name, row.get(column, "")) for name, column in columns.items()}

    # A form for several rows

    def mass_begin(self) -> Markup:
        """Return the start of the form around a list whose rows can be chosen, "" if there is
        none.
        """
        form = self.page.listing.mass if self.page.listing else None
        if form is None:
            return Markup("")
        head = f'<form method="post" action="{self._here}" class="mass">{self._marks}'
        return Markup(head + _hidden(FORM, form.name))

    def pick(self, row: Row) -> Markup:
        """Return the check box that chooses a row, "" if the list has no form for several rows."""
        form = self.page.listing.mass if self.page.listing else None
        if form is None or form.each is None:
            return Markup("")
        name, value = form.each[0], str(row[form.each[1]])
        ticked = " checked" if value in self.tried.chosen else ""
        label = escape(self.say("pick", row))
        return Markup(f'<input type="checkbox" name="{name}" value="{escape(value)}"'
                      f' aria-label="{label}"{ticked}>')  # fmt: skip

    def mass_end(self) -> Markup:
        """Return the fields and the button of the form for several rows, and its end."""
        form = self.page.listing.mass if self.page.listing else None
        if form is None:
            return Markup("")
        inside = self._fields(form, self.record) + self._buttons(form, self.record)
        return Markup(f'<div class="fields">{inside}</div></form>')

    # The form that opens this page with other arguments

    def asking(self) -> Markup:
        """Return the form whose text becomes part of the address, "" if the page has none."""
        if not self.page.asks:
            return Markup("")
        texts = Markup("").join(self._asked(each).html() for each in self.page.asks)
        inside = self.order() + texts
        url = escape(self.map.url(self.map.bare(self.place)))
        button = f"<button>{escape(self.say('apply'))}</button>"
        return Markup(f'<form method="get" action="{url}" class="fields">{inside}{button}</form>')

    def order(self) -> Markup:
        """Return the hidden fields that keep the order of the list in a form for the address."""
        sort = self.place[SORT]
        kept = self.map.spelled({SORT: sort}) if sort else {}
        return Markup("".join(_hidden(*each) for each in kept.items()))

    def _asked(self, each: Field) -> fields.Filled:
        options = fields.Options(self.map.world, each.options)
        label, value = self.skin.say(each.name, None, "label"), self.place[each.name] or ""
        wrong = self.tried.errors.get(each.name, "")
        return fields.Filled(each, f"by-{each.name}", label, value, options, wrong)


def _hidden(name: str, value: object) -> str:
    """Return a hidden field."""
    return f'<input type="hidden" name="{name}" value="{escape(value)}">'


# Pieces


def ago(at: float, now: float) -> Markup:
    """Return the age of a time with the time itself.

    Args:
        at: The time, in seconds since 1970.
        now: The time of the visit.
    """
    day, minutes = datetime.fromtimestamp(at, UTC), int(now - at) // 60
    age = f"{minutes // DAY} days ago"
    if minutes < 2 * HOUR:
        age = f"{minutes} minutes ago"
    elif minutes < 2 * DAY:
        age = f"{minutes // HOUR} hours ago"
    return Markup(f'<time datetime="{day.isoformat()}">{age} ({day:%Y-%m-%d %H:%M})</time>')


def on_day(at: float, now: float) -> Markup:
    """Return the day of a time."""
    day = datetime.fromtimestamp(at, UTC)
    return Markup(f'<time datetime="{day.isoformat()}">{day:%Y-%m-%d}</time>')


def money(cents: int, now: float) -> Markup:
    """Return an amount of money in dollars."""
    sign = "-" if cents < 0 else ""
    return Markup(f"{sign}${abs(cents) / 100:,.2f}")


def plain(value: object, now: float) -> Markup:
    """Return a value as text."""
    return escape(value)


def lines(value: object, now: float) -> Markup:
    """Return a text with its line breaks."""
    return Markup("<br>").join(escape(each) for each in str(value).split("\n"))


PIECES: Mapping[str, Callable[[Any, float], Markup]] = {
    "text": plain,
    "lines": lines,
    "ago": ago,
    "date": on_day,
    "money": money,
}
