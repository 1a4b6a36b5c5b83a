"""A screen as JSON: its own contents, and the parts that every screen has."""

from __future__ import annotations

from sites.crm.base.address import Place
from sites.crm.base.world import CrmData, knobs
from sites.crm.published_desk import ambiguous, journal, operations
from sites.crm.published_desk.screen_contents import CONTENTS, CrmView
from sites.crm.published_desk.serializers import Json
from sites.world import World

TITLES = {
    "flights": "Search flights",
    "results": "Choose flights",
    "passenger": "Passenger details",
    "payment": "Payment",
    "receipt": "Receipt",
    "find": "Find a booking",
    "booking": "Booking",
    "cancel": "Cancel the booking",
    "modify": "Change the passenger",
    "modify-search": "Change the flights",
    "modify-results": "Choose other flights",
}
UNSURVEYED = {"flights", "find"}
"""The screens on which the survey popup does not appear."""


def open_screen(world: World, data: CrmData, place: Place, notice: str = "") -> Json:
    """Return a screen as JSON, and record in the journal that it was opened. Raises `Refusal` (404,
    409).
    """
    with world.lock:
        screen = describe(CrmView(world, data, place), notice)
        journal.open_page(world, place)
    return screen


def describe(view: CrmView, notice: str = "") -> Json:
    """Return a screen as JSON without recording it in the journal. Raises `Refusal` (404, 409)."""
    screen = _screen(view, notice)
    return ambiguous.disguise(view, screen) if knobs(view.world).ambiguous else screen


def _screen(view: CrmView, notice: str) -> Json:
    place = view.place
    contents = CONTENTS[place.screen](view) if place.screen in CONTENTS else {}
    return {
        "screen": place.screen,
        "subject": place.subject,
        "address": place.address,
        "title": TITLES[place.screen],
        "version": operations.version_of(view.world, place),
        "notice": notice,
        "survey": _asks(view.world, place),
        "back": "",
        "fields": view.fields(),
        "buttons": view.buttons(),
        "tabs": [],
        "flights": None,
        "booking": None,
        "journey": None,
        "namesakes": [],
        **contents,
    }


def _asks(world: World, place: Place) -> bool:
    """Return whether the survey popup appears on the screen."""
    wanted = knobs(world).survey and place.screen not in UNSURVEYED
    return wanted and not journal.surveyed(world)
