"""Readers of the requests that a page sends: pressed buttons, and the typed texts and clicks before
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import request
from werkzeug.exceptions import BadRequest

from sites.crm.base.address import Place, screen_about
from sites.crm.base.forms import Invalid, Values
from sites.crm.published_desk import journal
from sites.crm.published_desk.form_fields import CONTROLS, FIELDS
from sites.world import World

MOST_EVENTS = 100
LONGEST_NAME = 60
"""Maximum length of an id in a request, and of a subject such as a booking reference."""


@dataclass(frozen=True)
class Event:
    """An event in a page: a typed text (`value` is the field's new text) or a click (`value` is
    None).
    """

    place: Place
    name: str
    value: str | None = None


@dataclass(frozen=True)
class Sent:
    """A press of a button as the page sent it.

    Attributes:
        control: The id of the button.
        version: The version of the page.
        values: The texts of the fields.
        events: The typed texts and clicks before it.
        reviewed: The token that the review page gave out, "" without a review.
    """

    control: str
    version: int
    values: Values
    events: tuple[Event, ...] = ()
    reviewed: str = ""


def read_body() -> dict[str, Any]:
    """Return the posted JSON object. Raises `Invalid`."""
    if not request.is_json:
        raise Invalid({"body": "Send a JSON object with Content-Type: application/json."})
    try:
        body = request.get_json()
    except BadRequest:
        body = None
    if not isinstance(body, dict):
        raise Invalid({"body": "This is no JSON object. Load the page again."})
    return body


def read_commit(place: Place, body: Mapping[str, Any]) -> Sent:
    """Return the press of a button that a posted body describes. Raises `Invalid`."""
    control, version = body.get("control"), body.get("version")
    if not isinstance(control, str) or control not in CONTROLS[place.screen]:
        raise Invalid({"control": "There is no such button here. Load the page again."})
    if type(version) is not int:
        raise Invalid({"version": "The version of the page is missing. Load the page again."})
    values, reviewed = _values(place, body.get("values")), body.get("reviewed")
    given = reviewed if isinstance(reviewed, str) else ""
    return Sent(control, version, values, read_events(body), given)


def read_events(body: Mapping[str, Any]) -> tuple[Event, ...]:
    """Return the events (typed texts and clicks) in a posted body, in order; () if it has no list.
    Raises `Invalid`.
    """
    listed = body.get("events", [])
    if not isinstance(listed, list) or len(listed) > MOST_EVENTS:
        raise Invalid({"events": f"Send a list of at most {MOST_EVENTS} events."})
    return tuple(_event(each) for each in listed)


def log_events(world: World, events: tuple[Event, ...]) -> None:
    """Record typed texts and clicks in the journal. Raises `WorldClosed` after the end of the
    visit.
    """
    for each in events:
        if each.value is None:
            journal.click(world, each.place, each.name)
        else:
            journal.draft(world, each.place, each.name, each.value)


def _values(place: Place, sent: Any) -> Values:
    """Return the texts that a request gives for the screen's fields, by id; missing fields are
    empty, unknown ones left out. Raises `Invalid`.
    """
    if not isinstance(sent, dict):
        raise Invalid({"values": "Send the fields of the form by their ids."})
    known = {field: sent.get(field, "") for field in FIELDS[place.screen]}
    wrong = {field: "Send text." for field, text in known.items() if not isinstance(text, str)}
    if wrong:
        raise Invalid(wrong)
    return {field: _whole(text) for field, text in known.items()}


def _event(sent: Any) -> Event:
    """Return the typed text or click that an event in a request describes. Raises `Invalid`."""
    if not isinstance(sent, dict):
        raise Invalid({"events": "An event is an object."})
    place = screen_about(_text(sent, "screen"), _text(sent, "subject"))
    if place is None:
        raise Invalid({"events": "There is no such screen, or it is not about this."})
    if sent.get("kind") == "click":
        return Event(place, _text(sent, "control"))
    value = sent.get("value")
    if sent.get("kind") != "draft" or sent.get("field") not in FIELDS[place.screen]:
        raise Invalid({"events": "An event is a click, or the draft of a field of its screen."})
    if not isinstance(value, str):
        raise Invalid({str(sent["field"]): "Send text."})
    return Event(place, sent["field"], _whole(value))


def _text(sent: Mapping[str, Any], key: str) -> str:
    """Return a short text in an event of a request, by its key. Raises `Invalid`."""
    value = sent.get(key)
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise Invalid({"events": f"The {key} of an event is a short text."})
    return _whole(value)


def _whole(text: str) -> str:
    """Return a text in which surrogate pairs are joined and lone surrogates replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
