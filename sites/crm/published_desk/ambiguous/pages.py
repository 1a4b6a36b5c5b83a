"""A screen as JSON with neutral ids, and the page's comments on values while they are entered (for
ambiguous labels).
"""

from __future__ import annotations

from collections.abc import Sequence

from sites.crm.base.forms import Values
from sites.crm.base.world import CrmData
from sites.crm.published_desk import journal, operations
from sites.crm.published_desk.ambiguous import pictures, readings
from sites.crm.published_desk.ambiguous.names import Names, names
from sites.crm.published_desk.form_fields import BUTTONS
from sites.crm.published_desk.requests import Event
from sites.crm.published_desk.screen_contents import CONTENTS, CrmView
from sites.crm.published_desk.serializers import Json
from sites.site_app import Refusal
from sites.world import World

OK = "OK"
DEEDS = {
    "search-flights": "Search for flights",
    "confirm-flights": "Take these flights",
    "save-passenger": "Save this passenger",
    "book-flight": "Book and pay",
    "search-booking": "Look for this booking",
    "cancel-booking": "Begin to cancel this booking",
    "modify-booking": "Begin to change this booking",
    "confirm-cancel": "Cancel this booking for good",
    "save-changes": "Save these changes",
}
"""A description of each button's action, as the review before the action shows it."""


def disguise(view: CrmView, screen: Json) -> Json:
    """Return a screen's JSON with neutral ids, without any text that says which field is which."""
    own = names(view.world, view.place.screen)
    reading = readings.read(view, _values(view, screen["fields"]))
    results = view.place.screen in readings.RESULTS
    return {
        **screen,
        "ambiguous": True,
        "fields": [_field(own, view, each) for each in _sorted(own, screen["fields"])],
        "buttons": [*_buttons(own, view, screen["buttons"])],
        "flights": _lists(own, view, screen["flights"]) if results else None,
        "journey": None if results else screen["journey"],
        "searched": _searched(view) if results else "",
        "line": reading.line,
        "problems": _problems(own, reading),
    }


def verdict(world: World, data: CrmData, events: Sequence[Event]) -> Json | None:
    """Return the form's comment on the values that are entered in it now.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        events: The events that the page has just sent.

    Returns:
        The address, the line and the problems of the screen. None if the events entered no value.
    """
    entered = [each.place for each in events if each.value is not None]
    if not entered:
        return None
    view = CrmView(world, data, entered[-1])
    try:
        contents = CONTENTS.get(view.place.screen)
        found = contents(view) if contents else {}
    except Refusal:
        return None
    reading = readings.read(view, _values(view, found.get("fields", view.fields())))
    own = names(world, view.place.screen)
    return {
        "address": view.place.address,
        "line": reading.line,
        "problems": _problems(own, reading),
    }


def _values(view: CrmView, fields: Sequence[Json]) -> Values:
    """Return the current values of the fields by their real ids; for lists of flights, the chosen
    option.
    """
    drafts = journal.drafts(view.world, view.place)
    return {**drafts, **{each["id"]: each["value"] for each in fields}}


def _sorted(own: Names, listed: Sequence[Json]) -> list[Json]:
    """Return fields or buttons in the order in which they are shown."""
    places = [*own.fields, *own.buttons]
    return sorted(listed, key=lambda each: places.index(each["id"]))


def _problems(own: Names, reading: readings.Reading) -> dict[str, str]:
    """Return the error messages of a comment by neutral ids."""
    return {own.neutral[field]: why for field, why in reading.problems.items()}


def _field(own: Names, view: CrmView, field: Json) -> Json:
    """Return a field's JSON with its neutral id and without label and hint."""
    shown = own.neutral[field["id"]]
    return {
        **field,
        "id": shown,
        "label": "",
        "hint": "",
        "type": "choice" if field["type"] == "choice" else "text",
        "picture": pictures.address(view.place.screen, shown),
    }


def _buttons(own: Names, view: CrmView, buttons: Sequence[Json]) -> list[Json]:
    """Return the buttons' JSON: with neutral ids for buttons that submit, unchanged for links."""
    pressing = [each for each in buttons if each["action"] == "commit"]
    links = [each for each in buttons if each["action"] != "commit"]
    return [*(_button(own, view, each) for each in _sorted(own, pressing)), *links]


def _button(own: Names, view: CrmView, button: Json) -> Json:
    """Return a button's JSON with its neutral id. If it was pressed before, `known` says what it
    does.
    """
    shown, screen = own.neutral[button["id"]], view.place.screen
    known = len(BUTTONS[screen]) > 1 and _was_pressed(view.world, screen, button["id"])
    return {
        **button,
        "id": shown,
        "label": OK,
        "commits": False,
        "picture": pictures.address(screen, shown),
        "known": DEEDS[button["id"]] if known else "",
    }


def _was_pressed(world: World, screen: str, control: str) -> bool:
    """Return whether a button of a screen was pressed in this visit."""
    found = "SELECT 1 FROM log_events WHERE kind = 'click' AND screen = ? AND control = ? LIMIT 1"
    return bool(world.read(found, (screen, control)))


def _searched(view: CrmView) -> str:
    """Return a line of text with the search whose results the screen lists."""
    trip = operations.journey(view.world, view.place.number)
    return readings.searched(view.data, trip)


def _lists(own: Names, view: CrmView, flights: Json) -> Json:
    """Return the lists of flights as JSON by neutral ids, without their route and day."""
    shown = [(own.neutral[group], flights[group]) for group in own.fields if flights[group]]
    return {
        name: {
            "title": f"List {1 + place}",
            "day": "",
            "picture": pictures.address(view.place.screen, name),
            "rows": [_row(name, row) for row in found["rows"]],
        }
        for place, (name, found) in enumerate(shown)
    }


def _row(name: str, row: Json) -> Json:
    """Return a flight of a list as JSON with neutral ids and without a label."""
    place = row["id"].rpartition("-")[2]
    return {**row, "id": f"{name}-{place}", "group": name, "label": ""}
