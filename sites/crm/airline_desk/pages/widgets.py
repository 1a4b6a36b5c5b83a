"""The server's part of the form widgets: the data for their templates and the meaning of their
posted values.

The value of a field is its normal text (an airport's code, an ISO date, whole dollars, a number).
While the entry is wrong, it is the draft of what was entered: see `draft`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.pages.countries import countries
from sites.crm.airline_desk.pages.screen import Field, Option
from sites.crm.base import fields
from sites.crm.base.airports import Airport, Airports, load_airports
from sites.crm.base.clock import LAST_DAY, TODAY
from sites.months import MONTHS

Posted = Mapping[str, str]

NUMBERS = tuple(Option(str(number), str(number)) for number in range(7))
"""The options of a field for a number if the field names none: 0 to 6."""
EVERY = "*"
"""The mark before a city's name in a list of airports, for the row that stands for all airports of
the city.
"""
TYPED = "?"
"""The mark before an entry that was typed, although an airport must be picked from the list."""

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LISTED = re.compile(r"([0-9]{1,4})-([0-9]{1,2})-([0-9]{1,2})")
_NUMBER = re.compile(r"[0-9]{1,4}")
_KINDS = {"airport", "date", "count", "money", "choice"}
_PARTS = {"date-lists": ("year", "month", "day"), "airport-lists": ("country", "city", "")}
"""The names of the drop-down lists of which a compound widget consists, in the order of its entry;
"" is the list that has the field's own name.
"""
_BETWEEN = {"date-lists": "-", "airport-lists": "/"}


class Served(Protocol):
    """The interface of site data that contains the airports."""

    @property
    def airports(self) -> Airports: ...


@dataclass(frozen=True)
class Part:
    """One of the drop-down lists that together form a field, such as the month of a date."""

    id: str
    label: str
    value: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Control:
    """A form field as its widget draws it.

    Attributes:
        widget: The name of the widget.
        key: The key of the field, independent of the airline's name for it.
        text: The text in the field.
        code: The code that was picked.
        parts: The lists of a compound widget.
        options: The options of a list.
    """

    widget: str
    key: str
    text: str
    code: str = ""
    parts: tuple[Part, ...] = ()
    options: tuple[Option, ...] = ()


# Posted values -----------------------------------------------------------------------------------


def read(airline: Airline, kind: str, id: str, posted: Posted, data: Served) -> str:  # noqa: A002
    """Return the value of a posted field as normal text, such as an ISO date; "" if it is empty.

    Args:
        airline: The airline.
        kind: The kind of the field.
        id: The html id of the field.
        posted: All posted values.
        data: The site's data.

    Raises:
        ValueError: The entry is wrong; the message is a sentence for the visitor.
    """
    widget = airline.widget(kind, id)
    entered = draft(airline, kind, id, posted)
    if not entered.strip(f"{TYPED}-/ "):
        return ""
    if widget in _READERS:
        return _READERS[widget](airline, entered, data.airports)
    return entered


def draft(airline: Airline, kind: str, id: str, posted: Posted) -> str:  # noqa: A002  as in HTML
    """Return the visitor's entry in a field as one text, right or wrong; three lists give
    `2026-02-30`, for example.
    """
    widget = airline.widget(kind, id)
    if widget in _PARTS:
        names = (f"{id}-{part}" if part else id for part in _PARTS[widget])
        return _BETWEEN[widget].join(posted.get(name, "").strip() for name in names)
    typed = " ".join(posted.get(id, "").split())
    if widget == "airport-picked":
        return posted.get(f"{id}-code") or posted.get(f"{id}-list") or TYPED + typed
    return typed


def missing(airline: Airline, kind: str) -> str:
    """Return the error message for a field that must not be empty."""
    return airline.word(f"give-{kind}" if kind in _KINDS else "give-text")


def _typed_airport(airline: Airline, entered: str, airports: Airports) -> str:
    return fields.airport(airports, entered)


def _picked_airport(airline: Airline, entered: str, airports: Airports) -> str:
    if entered in airports:
        return entered
    inside = _in_city(airports, entered.removeprefix(EVERY))
    if entered.startswith(EVERY) and inside:
        raise ValueError(_several(airline, inside))
    raise ValueError(airline.word("pick-airport", text=fields.short(entered.lstrip(TYPED + EVERY))))


def _listed_airport(airline: Airline, entered: str, airports: Airports) -> str:
    *_, code = entered.split("/")
    if code in airports:
        return code
    raise ValueError(
        airline.word("no-airport", text=fields.short(code))
        if code
        else airline.word("part-airport")
    )


def _several(airline: Airline, inside: Sequence[Airport]) -> str:
    labels = " or ".join(each.label for each in inside)
    return airline.word("many-airports", city=inside[0].city, airports=labels)


def _written_day(airline: Airline, entered: str, _: Airports) -> str:
    return airline.formats.read_day(entered)


def _listed_day(airline: Airline, entered: str, _: Airports) -> str:
    parts = _LISTED.fullmatch(entered)
    if parts is None:
        raise ValueError(airline.word("part-date"))
    year, month, day = map(int, parts.groups())
    return airline.formats.day_of(year, month, day)


def _number(airline: Airline, entered: str, _: Airports) -> str:
    if not _NUMBER.fullmatch(entered):
        raise ValueError(airline.word("give-count"))
    return str(int(entered))


def _money(airline: Airline, entered: str, _: Airports) -> str:
    return str(airline.formats.read_money(entered))


_READERS: Mapping[str, Callable[[Airline, str, Airports], str]] = {
    "airport-typed": _typed_airport,
    "airport-picked": _picked_airport,
    "airport-lists": _listed_airport,
    "date-typed": _written_day,
    "date-written": _written_day,
    "date-calendar": _written_day,
    "date-lists": _listed_day,
    "count-number": _number,
    "count-stepper": _number,
    "count-list": _number,
    "money": _money,
}


# Data for the templates --------------------------------------------------------------------------


def prepare(airline: Airline, field: Field) -> Control:
    """Return the data for the template of a field's widget."""
    widget = airline.widget(field.kind, field.id)
    key, _ = airline.key_of(field.id) or ("", ())
    if widget in _PARTS:
        return Control(widget, key, field.value, parts=_parts(airline, field, widget))
    if widget == "airport-picked":
        return _picked(airline, field, key)
    numbers = (field.options or NUMBERS) if field.kind == "count" else ()
    return Control(widget, key, _shown(airline, field), options=numbers)


def _shown(airline: Airline, field: Field) -> str:
    """Return the text that a field's control shows for its value; a wrong entry is shown as it was
    entered.
    """
    value = field.value
    if field.kind == "airport" and value in _airports():
        return _airports()[value].label
    if field.kind == "date" and _ISO.fullmatch(value):
        return airline.formats.day(value)
    if field.kind == "money" and value.isdecimal():
        return airline.formats.money(int(value))
    return value


def _picked(airline: Airline, field: Field, key: str) -> Control:
    """Return the data of a control in which an airport is picked from a list."""
    rows = pickable(airline)
    label = next((each.label for each in rows if each.value == field.value), "")
    code = field.value if label else ""
    text = label or field.value.removeprefix(TYPED)
    return Control("airport-picked", key, text, code=code, options=rows)


def pickable(airline: Airline) -> tuple[Option, ...]:
    """Return the options of a list of all airports, sorted by city. A city with several airports
    has an option of its own before them.
    """
    rows: list[Option] = []
    for city, inside in _cities().items():
        if len(inside) > 1:
            rows.append(Option(EVERY + city, airline.word("all-airports", city=city)))
        rows += (Option(each.code, each.label) for each in inside)
    return tuple(rows)


def _parts(airline: Airline, field: Field, widget: str) -> tuple[Part, ...]:
    """Return the drop-down lists of a compound widget, with the selected values."""
    names = _PARTS[widget]
    if widget == "date-lists":
        values = field.value.split("-") if field.value.count("-") == 2 else ["", "", ""]
        options = [_years(), _months(airline), _numbered(31)]
        order, words = (2, 1, 0), ("year", "month-of", "day")
    else:
        values, options = _places(field.value)
        order, words = (0, 1, 2), ("country", "city", "place")
    return tuple(
        Part(
            id=f"{field.id}-{names[at]}" if names[at] else field.id,
            label=airline.word(words[at]),
            value=values[at],
            options=options[at],
        )
        for at in order
    )


def _places(value: str) -> tuple[list[str], list[tuple[Option, ...]]]:
    """Return the values of the lists for country, city and airport code, from a code or an
    incomplete entry, and the options of the three lists.
    """
    values = value.split("/") if value.count("/") == 2 else ["", "", value]
    if values[2] in _airports():
        values[:2] = [countries()[values[2]], _airports()[values[2]].city]
    named = [_same(sorted(set(countries().values()))), _same(_cities())]
    ports = (Option(each.code, each.label) for each in _airports().values())
    return values, [*named, tuple(sorted(ports, key=lambda port: port.label))]


def _same(texts: Iterable[str]) -> tuple[Option, ...]:
    """Return options whose labels are their values."""
    return tuple(Option(text, text) for text in texts)


def _numbered(last: int) -> tuple[Option, ...]:
    """Return options with two digits each, as in the parts of an ISO date."""
    return tuple(Option(f"{number:02}", f"{number:02}") for number in range(1, last + 1))


def _months(airline: Airline) -> tuple[Option, ...]:
    return tuple(Option(f"{at:02}", name) for at, name in enumerate(MONTHS, start=1))


def _years() -> tuple[Option, ...]:
    return _same((f"{TODAY.year}", f"{TODAY.year + 1}"))


@lru_cache(maxsize=1)
def _airports() -> Airports:
    return load_airports()


@lru_cache(maxsize=1)
def _cities() -> Mapping[str, tuple[Airport, ...]]:
    """Return the airports of each city, by the cities' names."""
    return {
        city: _in_city(_airports(), city)
        for city in sorted({each.city for each in _airports().values()})
    }


def _in_city(airports: Airports, city: str) -> tuple[Airport, ...]:
    """Return the airports of a city."""
    return tuple(each for each in airports.values() if each.city == city)


# Data for the page's scripts ---------------------------------------------------------------------

SCRIPTED = {
    *("airport-typed", "airport-picked", "airport-lists"),
    *("date-typed", "date-calendar", "count-stepper"),
}
"""The names of widgets that need the JavaScript file `static/reservations/widgets.js`."""


def is_scripted(airline: Airline, field: Field) -> bool:
    """Return whether a script adds something to the field's widget."""
    return airline.widget(field.kind, field.id) in SCRIPTED


def front(airline: Airline) -> dict[str, object]:
    """Return the data that the page's scripts read: days, formats, words and airports."""
    return {
        "today": TODAY.isoformat(),
        "first_day": TODAY.isoformat(),
        "last_day": LAST_DAY.isoformat(),
        "day_form": airline.formats.day_form,
        "words": {key: airline.words[key] for key in _SHOWN_WORDS},
        "airports": [
            {
                "code": each.code,
                "city": each.city,
                "name": each.name,
                "label": each.label,
                "country": countries()[each.code],
            }
            for each in _airports().values()
        ],
    }


_SHOWN_WORDS = (
    *("choose", "suggestions", "all-airports", "fewer", "more", "open-calendar", "pick-out"),
    *("pick-home", "month-of", "previous-month", "next-month", "close", "picked", "none-picked"),
)
