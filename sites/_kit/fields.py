"""Fields of forms: the texts that each kind accepts, and its HTML.

Every kind works without script. The server checks all limits again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from markupsafe import Markup, escape

from sites._kit.declare import Field
from sites.world import Row, World

FOUND = 10
"""The maximum number of options that a look-up shows."""
LOOK = "look"
"""The button that looks up the options of a field; its value is the name of the field."""
PICK = "_pick"
"""The ending of the name of the radio buttons under a field that has a look-up."""
RANGE = re.compile(r"([0-9]{0,9})-([0-9]{0,9})")
FILE = re.compile(r"[\w .()-]+\.\w+")


@dataclass(frozen=True)
class Options:
    """The values that a field accepts.

    Attributes:
        world: The world.
        source: The query of the values, or the values; "" if everything is accepted.
        record: The columns that the query may name: those of the page's record, and `me`.
    """

    world: World
    source: str | tuple[str, ...]
    record: Row = field(default_factory=dict)

    def all(self) -> list[str]:
        """Return all values."""
        if isinstance(self.source, tuple):
            return [*self.source]
        return [str(row[0]) for row in self.world.table(self.source, self._values)[1]]

    def has(self, value: str) -> bool:
        """Return whether a value is one of them."""
        if isinstance(self.source, tuple):
            return value in self.source
        return bool(self._where("CAST(value AS TEXT) = :text_", value, 1))

    def matching(self, text: str) -> list[str]:
        """Return the first values that contain a text, in either case of letters."""
        if isinstance(self.source, tuple):
            found = [each for each in self.source if text.casefold() in each.casefold()]
            return found[:FOUND]
        return self._where("instr(lower(value), lower(:text_)) > 0", text, FOUND)

    @property
    def _values(self) -> Row:
        return {"me": self.world.about.get("me", ""), **self.record}

    def _where(self, condition: str, value: str, most: int) -> list[str]:
        """Return the first values of the query that hold a condition."""
        sql = f"WITH found(value) AS ({self.source}) SELECT value FROM found WHERE {condition}"  # noqa: S608
        values = {**self._values, "text_": value}
        return [str(row[0]) for row in self.world.table(f"{sql} LIMIT {most}", values)[1]]


# Limits


def read(fields: Sequence[Field], sent: Mapping[str, str]) -> dict[str, str]:
    """Return the text of each field, with line breaks as `\\n`.

    A radio button under a field with a look-up replaces its text, but not for the next look-up.
    """
    texts = {}
    for each in fields:
        picked = "" if LOOK in sent or each.kind != "suggest" else sent.get(each.name + PICK, "")
        texts[each.name] = (picked or sent.get(each.name, "")).replace("\r\n", "\n")
    return texts


def problem(field: Field, text: str, options: Options, is_draft: bool = False) -> str:
    """Return a sentence about the mistake in a text, "" if there is none.

    Args:
        field: The field.
        text: The text in the field.
        options: The values that the field accepts.
        is_draft: Whether the text may be unfinished.
    """
    value = text.strip()
    if not value:
        return "fill this in." if field.required and not is_draft else ""
    if len(text) > field.most:
        return f"write at most {field.most} characters; these are {len(text)}."
    if field.kind != "text" and any(letter in value for letter in "\n\r\0"):
        return "write one line only."
    if is_draft:
        return ""
    if field.options and not options.has(value):
        return "choose one of the list."
    return LIMITS.get(field.kind, _no_limit)(field, value)


def _no_limit(field: Field, value: str) -> str:
    return ""


def _date(field: Field, value: str) -> str:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return "write a date as 2026-01-31: year, month, day."
    try:
        date.fromisoformat(value)
    except ValueError:
        return "the calendar has no such day."
    if field.low and value < field.low:
        return f"the first possible day is {field.low}."
    return f"the last possible day is {field.high}." if field.high and value > field.high else ""


def _number(field: Field, value: str) -> str:
    if not re.fullmatch(r"-?[0-9]{1,15}", value):
        return "write a whole number."
    if field.low and int(value) < int(field.low):
        return f"write {field.low} or more."
    return f"write {field.high} or less." if field.high and int(value) > int(field.high) else ""


def _range(field: Field, value: str) -> str:
    found = RANGE.fullmatch(value)
    if not found or not any(found.groups()):
        return "write a range as 10-25, or 10- without an end."
    low, high = found.groups()
    return "begin with the smaller number." if high and int(low or 0) >= int(high) else ""


def _file(field: Field, value: str) -> str:
    if not FILE.fullmatch(value):
        return "write the name of a file, such as report.pdf, without a folder."
    if field.endings and not value.lower().endswith(field.endings):
        return f"the name must end in {' or '.join(field.endings)}."
    return ""


def _check(field: Field, value: str) -> str:
    return "" if value == "yes" else "tick the box or leave it empty."


LIMITS: Mapping[str, Callable[[Field, str], str]] = {
    "date": _date,
    "number": _number,
    "range": _range,
    "file": _file,
    "check": _check,
}


# HTML


@dataclass(frozen=True)
class Filled:
    """A field with its text.

    Attributes:
        field: The field.
        id: Its id on the page.
        label: Its label.
        value: Its text.
        options: The values that it accepts.
        wrong: A sentence about its mistake; "" if there is none.
        look: The label of the button that looks up its options.
        looked: Whether the options were looked up.
        nothing: The text of a look-up that finds nothing.
    """

    field: Field
    id: str
    label: str
    value: str
    options: Options
    wrong: str = ""
    look: str = ""
    looked: bool = False
    nothing: str = ""

    def html(self) -> Markup:
        """Return the label, the field, and the sentence about its mistake."""
        why = f'<span class="why" id="{self.id}-why">{escape(self.wrong)}</span>'
        why = why if self.wrong else ""
        if self.field.kind == "radio":
            buttons = self._radios(self.field.name, self.options.all(), self.value)
            return Markup(self._group(self.label, buttons) + why)  # noqa: S704 (escaped above)
        label = f'<label for="{self.id}">{escape(self.label)}</label>'
        more = self._lookup() if self.field.kind == "suggest" else ""
        return Markup(f"<p>{label}{self._control()}{why}</p>{more}")  # noqa: S704 (escaped above)

    def _control(self) -> str:
        """Return the element that somebody fills in."""
        same = f'id="{self.id}" name="{self.field.name}"{self._state()}'
        if self.field.kind == "text":
            first = "\n" if self.value.startswith("\n") else ""  # HTML drops the first line break
            return f'<textarea {same} rows="5">{first}{escape(self.value)}</textarea>'
        if self.field.kind == "choice":
            chosen = "".join(self._options())
            return f"<select {same}>{chosen}</select>"
        if self.field.kind == "check":
            ticked = " checked" if self.value == "yes" else ""
            return f'<input type="checkbox" {same} value="yes"{ticked}>'
        return f'<input {same} value="{escape(self.value)}" autocomplete="off">'

    def _state(self) -> str:
        """Return the attributes that say whether the field is required and whether it is wrong."""
        wrong = f' aria-invalid="true" aria-describedby="{self.id}-why"' if self.wrong else ""
        return (' aria-required="true"' if self.field.required else "") + wrong

    def _options(self) -> Iterator[str]:
        """Yield the options of a choice, an empty one first."""
        yield "<option></option>"
        for each in self.options.all():
            chosen = " selected" if each == self.value else ""
            yield f"<option{chosen}>{escape(each)}</option>"

    def _radios(self, name: str, values: Sequence[str], chosen: str = "") -> str:
        """Return a radio button for each value."""
        return "".join(
            f'<label><input type="radio" name="{name}" value="{escape(each)}"'
            f"{' checked' if each == chosen else ''}> {escape(each)}</label>"
            for each in values
        )

    def _group(self, legend: str, inside: str) -> str:
        return f"<fieldset><legend>{escape(legend)}</legend>{inside}</fieldset>"

    def _lookup(self) -> str:
        """Return the button for a look-up, and the options that it found."""
        button = f'<button name="{LOOK}" value="{self.field.name}">{escape(self.look)}</button>'
        if not self.looked:
            return button
        found = self.options.matching(self.value.strip())
        if not found:
            return f'{button}<p role="status">{escape(self.nothing)}</p>'
        return button + self._group(self.label, self._radios(self.field.name + PICK, found))
