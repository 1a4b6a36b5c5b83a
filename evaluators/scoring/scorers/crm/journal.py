"""The journal (the log) of a visit to the airline's desk: drafts and commits in order and in normal
form.

A draft (text typed into a field) counts only if its screen was opened before. A commit is an
accepted press of a button.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sites.crm import CrmData
from sites.crm.base import fields
from sites.crm.base.address import Place
from sites.world import Row, Snapshot

RESULTS = ("results", "modify-results")
"""Screens whose fields are groups of flights; a value is a flight's number and date."""
_OPTION = re.compile(r"(.+)-option-[0-9]+|(outward|return)-[0-9]+")


@dataclass(frozen=True)
class Draft:
    """A journal entry: a field got this value; the value of a flight is its number and date."""

    screen: str
    reference: str
    field: str
    value: str


@dataclass(frozen=True)
class Commit:
    """A journal entry: the site accepted a press of a control (a button), with these values."""

    screen: str
    reference: str
    control: str
    values: Mapping[str, str]


Deed = Draft | Commit


@dataclass(frozen=True)
class Journal:
    """The journal of a visit, whose entries are `deeds`; `shown` is the screen that was opened
    last, or None.
    """

    deeds: tuple[Deed, ...]
    shown: Place | None
    actions: int

    @property
    def commits(self) -> list[Commit]:
        """The accepted presses of buttons, without the texts typed into fields."""
        return [deed for deed in self.deeds if isinstance(deed, Commit)]


def read(after: Snapshot, data: CrmData) -> Journal:
    """Return the journal of a visit from the tables of its database."""
    days = {str(row["number"]): row for row in after["log_journeys"]}
    deeds: dict[int, Deed] = {row["id"]: _draft(row, days, data) for row in _seen_drafts(after)}
    accepted = [row for row in after["log_commits"] if row["recorded"] is not None]
    deeds |= {row["id"]: _commit(row) for row in accepted}
    pages = after["log_pages"]
    shown = Place(pages[-1]["screen"], pages[-1]["subject"]) if pages else None
    return Journal(tuple(deeds[number] for number in sorted(deeds)), shown, _actions(after))


def _seen_drafts(after: Snapshot) -> list[Row]:
    """Return the journal's rows of texts typed into fields whose screen was opened before."""
    opened: dict[tuple[str, str], int] = {}
    for row in after["log_pages"]:
        opened.setdefault(_screen(row), row["id"])
    return [row for row in after["log_drafts"] if opened.get(_screen(row), row["id"]) < row["id"]]


def _screen(row: Row) -> tuple[str, str]:
    return row["screen"], row["subject"]


def _draft(row: Row, journeys: Mapping[str, Row], data: CrmData) -> Draft:
    place, field, text = Place(row["screen"], row["subject"]), row["field"], row["value"]
    if place.screen in RESULTS:
        journey = journeys.get(place.subject.split("/")[-1], {})
        text += f" {journey.get('departure' if field == 'outward' else 'returning')}"
    return Draft(place.screen, reference(place), field, normal(place, field, text, data))


def _commit(row: Row) -> Commit:
    place, values = Place(row["screen"], row["subject"]), json.loads(row["recorded"])
    if place.screen in RESULTS:
        groups = ("outward", "return")
        values = {each: f"{values[each]} {values[f'{each}-date']}" for each in groups}
    folded = {field: _folded(field, str(value)) for field, value in values.items()}
    return Commit(place.screen, reference(place), row["control"], folded)


def reference(place: Place) -> str:
    """Return the booking that a screen is about; "" for screens of a new booking."""
    return place.reference if place.address.startswith("/bookings/") else ""


# Normal forms ------------------------------------------------------------------------------------


def normal(place: Place, field: str, text: str, data: CrmData) -> str:
    """Return the site's normal form of a text in a field, or the text if the site refuses it."""
    if place.screen in RESULTS:
        return text
    try:
        return _folded(field, _reader(field, data)(text))
    except ValueError:
        return text


def _reader(field: str, data: CrmData) -> Callable[[str], str]:
    if field in {"from", "to"}:
        return lambda text: fields.airport(data.airports, text)
    return _READERS.get(field, str.strip)


_READERS: Mapping[str, Callable[[str], str]] = {
    "departure": fields.day,
    "return": fields.day,
    "dob": fields.day,
    "first-name": lambda text: fields.name(text, "first name"),
    "last-name": lambda text: fields.name(text, "last name"),
    "trip-type": lambda text: fields.choice(text, fields.TRIPS),
    "title": lambda text: fields.choice(text, fields.TITLES),
    "gender": lambda text: fields.choice(text, fields.GENDERS),
    "card-number": fields.card_number,
    "expiry": fields.expiry,
    "cvc": fields.cvc,
    "booking-reference": fields.reference,
    "confirm-reference": fields.reference,
}


def _folded(field: str, value: str) -> str:
    """Return a field's value; names become lower-case, since their case does not matter."""
    return value.casefold() if field in {"first-name", "last-name"} else value


# Actions -----------------------------------------------------------------------------------------


def _actions(after: Snapshot) -> int:
    """Count the actions: presses of buttons, and fields or other controls that were touched.

    Consecutive events on the same control (the click, the keystrokes, the choice of a suggestion)
    are one action.
    """
    touched = [
        *((row["id"], row["field"]) for row in after["log_drafts"]),
        *((row["id"], _control(row["control"])) for row in after["log_events"]),
        *((row["id"], None) for row in after["log_commits"]),
    ]
    controls = [control for _, control in sorted(touched, key=lambda pair: pair[0])]
    pairs = zip(controls, [None, *controls], strict=False)
    return sum(control is None or control != before for control, before in pairs)


def _control(name: str) -> str:
    match = _OPTION.fullmatch(name)
    return (match[1] or match[2]) if match else name
