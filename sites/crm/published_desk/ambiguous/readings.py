"""The form's comments on its values: the meaning that each value was given, or the kind of value
that is expected instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from sites.crm.base import fields
from sites.crm.base.clock import long_day, spoken
from sites.crm.base.forms import Values
from sites.crm.base.records import Journey
from sites.crm.base.timetable import Flight, clock12
from sites.crm.base.world import CrmData
from sites.crm.published_desk import operations
from sites.crm.published_desk.form_fields import FIELDS
from sites.crm.published_desk.screen_contents import CrmView
from sites.crm.published_desk.serializers import money

MISSING = "…"
ONE_WAY = "one-way"
NO_WAY_BACK = "A one-way trip has no way back. Leave this field empty."
TAKES = "This field takes"
_AIRPORT = "an airport, by its code or its city"
_DAY = "a date, such as 2026-03-04 or 4 March 2026"
_REFERENCE = "a booking reference"
EXPECTED = {
    "from": _AIRPORT,
    "to": _AIRPORT,
    "trip-type": "a kind of trip",
    "departure": _DAY,
    "return": _DAY,
    "title": "a title",
    "first-name": "a name",
    "last-name": "a name",
    "gender": "a gender",
    "dob": "a date of birth, such as 1980-05-03 or 3 May 1980",
    "card-number": "a card number",
    "expiry": "the expiry date of a card, such as 09/27",
    "cvc": "the CVC of a card",
    "booking-reference": _REFERENCE,
    "confirm-reference": _REFERENCE,
}
"""Words for the kind of value that each field takes. Fields of the same kind have the
same words.
"""
_REPEATED = (
    "Choose an airport from the list.",
    "Write the date like 2026-03-04 or 4 March 2026.",
)
"""Ends of messages that are dropped, because they repeat the expected kind of value."""

_SEARCH = "{from} to {to}, leaving {departure}, coming back {return}"
_SEARCH_ONE_WAY = "{from} to {to}, one way, leaving {departure}"
_PERSON = (
    "Title {title}, first name {first-name}, last name {last-name}, gender {gender}, born {dob}"
)
_FLIGHTS = "Out {outward}; back {return}"
_FLIGHTS_ONE_WAY = "Out {outward}"
LINES = {
    "flights": (_SEARCH, _SEARCH_ONE_WAY),
    "modify-search": (_SEARCH, _SEARCH_ONE_WAY),
    "results": (_FLIGHTS, _FLIGHTS_ONE_WAY),
    "modify-results": (_FLIGHTS, _FLIGHTS_ONE_WAY),
    "passenger": (_PERSON,),
    "modify": (_PERSON,),
    "payment": ("Card number {card-number}, expiry date {expiry}, CVC {cvc}",),
    "find": ("Booking {booking-reference}",),
    "cancel": ("Booking {confirm-reference}",),
}
"""The line by which a form repeats its accepted values, as a template for each screen. If there are
two, the second is for a one-way trip.
"""
RESULTS = ("results", "modify-results")


@dataclass(frozen=True)
class Reading:
    """A comment on the values of a form.

    Attributes:
        line: The line that repeats the accepted values in their roles, "" if there are none.
        problems: Sentences about wrong values, by the fields' real ids.
    """

    line: str
    problems: Mapping[str, str]


def read(view: CrmView, values: Values, whole: bool = False) -> Reading:
    """Return the comment on a form's values.

    Args:
        view: The screen.
        values: The values by the fields' real ids.
        whole: Whether empty fields are wrong, too.
    """
    accepted: dict[str, str] = {}
    problems: dict[str, str] = {}
    for field in _asked(view):
        text = values.get(field, "")
        if not text.strip() and not whole:
            continue
        try:
            accepted[field] = _meaning(view, field, text, values)
        except ValueError as problem:
            problems[field] = str(problem)
    return Reading(_line(view, accepted, values), problems)


def searched(data: CrmData, journey: Journey) -> str:
    """Return a line of text that repeats the search with which a journey began."""
    wanted = {
        "from": data.airports[journey.origin].label,
        "to": data.airports[journey.destination].label,
        "departure": long_day(date.fromisoformat(journey.departure)),
        "return": long_day(date.fromisoformat(journey.returning)) if journey.returning else "",
    }
    return (_SEARCH if journey.returning else _SEARCH_ONE_WAY).format_map(wanted)


def _asked(view: CrmView) -> tuple[str, ...]:
    """Return the real ids of the fields that the screen shows."""
    listed = tuple(FIELDS[view.place.screen])
    one_way = view.place.screen in RESULTS and not _journey(view).returning
    return listed[:1] if one_way else listed


def _line(view: CrmView, accepted: Mapping[str, str], values: Values) -> str:
    """Return the line of text that repeats the accepted values of a form, "" if there are none."""
    if not accepted.keys() - {"trip-type"}:
        return ""
    one_way = values.get("trip-type") == ONE_WAY or _asked(view) == ("outward",)
    template = LINES[view.place.screen][-1 if one_way else 0]
    return template.format_map({**dict.fromkeys(_asked(view), MISSING), **accepted})


# One value ---------------------------------------------------------------------------------------


def _meaning(view: CrmView, field: str, text: str, values: Values) -> str:
    """Return the meaning that a field's text was given, in words. Raises ValueError with the
    expected kind of value.
    """
    if view.place.screen in RESULTS:
        return _flight(view, field, text)
    if field == "return" and values.get("trip-type") == ONE_WAY:
        if text.strip():
            raise ValueError(NO_WAY_BACK)
        return ""
    try:
        return meaning(field, text, view.data)
    except ValueError as problem:
        raise ValueError(_sentence(EXPECTED[field], str(problem) if text.strip() else "")) from None


def meaning(field: str, text: str, data: CrmData) -> str:
    """Return the meaning of a text in a field of a form, in words. Raises ValueError."""
    return _READERS[field](text, data)


def _sentence(expected: str, reason: str) -> str:
    """Return the error message for a wrong value: the expected kind of value, and the reason
    without repetition.
    """
    for end in _REPEATED:
        reason = reason.removesuffix(end).strip()
    return f"{TAKES} {expected}. {reason}".strip()


def _airport(text: str, data: CrmData) -> str:
    return data.airports[fields.airport(data.airports, text)].label


def _flight_day(text: str, _: CrmData) -> str:
    return long_day(date.fromisoformat(fields.flight_day(text)))


def _birthday(text: str, _: CrmData) -> str:
    return spoken(date.fromisoformat(fields.birthday(text)))


def _name(text: str, _: CrmData) -> str:
    found = fields.name(text, "name")
    if any(map(str.isdigit, found)):
        raise ValueError("A name has no digits.")
    return found


_Reader = Callable[[str, CrmData], str]


def _plain(reader: Callable[[str], str]) -> _Reader:
    return lambda text, _: reader(text)


_READERS: Mapping[str, _Reader] = {
    "from": _airport,
    "to": _airport,
    "trip-type": _plain(lambda text: fields.choice(text, fields.TRIPS)),
    "departure": _flight_day,
    "return": _flight_day,
    "title": _plain(lambda text: fields.choice(text, fields.TITLES)),
    "first-name": _name,
    "last-name": _name,
    "gender": _plain(lambda text: fields.choice(text, fields.GENDERS)),
    "dob": _birthday,
    "card-number": _plain(fields.card_number),
    "expiry": _plain(fields.expiry),
    "cvc": _plain(fields.cvc),
    "booking-reference": _plain(fields.reference),
    "confirm-reference": _plain(fields.reference),
}


# Flights -----------------------------------------------------------------------------------------


def _journey(view: CrmView) -> Journey:
    return operations.journey(view.world, view.place.number)


def _flight(view: CrmView, group: str, number: str) -> str:
    """Return departure time and price of the flight that was chosen in a list, in words.

    Sold-out and unknown flights are only refused by the operation itself.
    """
    found = next((each for each in _offers(view, group) if each.number == number.strip()), None)
    if found is None:
        raise ValueError("This list takes a flight: choose one.")
    return f"at {clock12(found.departs)} with {found.number} for {money(found.price)}"


def _offers(view: CrmView, group: str) -> tuple[Flight, ...]:
    """Return the flights that a list (outward or return) offers."""
    trip = _journey(view)
    here, there, day = trip.origin, trip.destination, trip.departure
    if group == "return" and trip.returning:
        here, there, day = trip.destination, trip.origin, trip.returning
    return operations.offers(view.world, view.data, here, there, day)
