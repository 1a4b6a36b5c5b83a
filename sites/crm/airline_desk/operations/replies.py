"""Replies to the sender of a ticket, and changes of the customer's e-mail address.

`values` are the normal texts of a form by the fields' keys. A wrong value raises `Invalid`,
and nothing is changed. The operations do not check who may get the answer or ask for the change.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import correspondent
from sites.crm.airline_desk.operations.tickets import change
from sites.crm.base import forms
from sites.crm.base.forms import Invalid
from sites.crm.base.timetable import clock24
from sites.world import World

LONGEST = 80
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_TIME = re.compile(r"([0-9]{1,2}) ?[:.] ?([0-9]{2}) ?(?:([AP])\.? ?M\.?)?", re.IGNORECASE)


def send_reply(world: World, number: str, values: Values, version: int | None = None) -> None:
    """Send a reply with facts about a flight to an e-mail address, for a ticket.

    Args:
        world: The visit's database (its world).
        number: The number of the ticket.
        values: `reply-to`, `reply-flight`, `reply-day` and `reply-time`; one of the last three at
            least.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The ticket is unknown (404) or newer than the page (409). Nothing was changed.
    """
    with change(world, "send-reply", Place("reply", (number,)), values, version) as (one, entry):
        readers: dict[str, Callable[[str], str]] = {
            "reply-to": email,
            "reply-flight": _flight,
            "reply-day": str.strip,
            "reply-time": time,
        }
        to, flight, day, at = forms.read(values, readers).values()
        if not any((flight, day, at)):
            raise Invalid({"reply-flight": "Give what is told: a flight, a day or a time."})
        row = {"ticket": one.number, "address": to, "flight": flight, "day": day, "time": at}
        add(world, "replies", row)
        entry.recorded = dict(row)
        entry.slots = {**entry.slots, "to": to, "flight": flight or "–"}


def save_contact(world: World, number: str, values: Values, version: int | None = None) -> None:
    """Store a new e-mail address for the customer of a ticket.

    Args:
        world: The visit's database (its world).
        number: The number of the ticket.
        values: `new-email`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The ticket is unknown (404) or newer than the page (409). Nothing was changed.
    """
    place = Place("contact", (number,))
    with change(world, "save-contact", place, values, version) as (one, entry):
        new = forms.read(values, {"new-email": email})["new-email"]
        world.write("UPDATE customers SET email = ? WHERE number = ?", (new, one.customer))
        entry.recorded = {"email": new}
        entry.slots = {**entry.slots, "email": new}


def email(text: str) -> str:
    """Return an e-mail address in lower case. Raises ValueError for other texts."""
    typed = text.strip().casefold()
    if not _EMAIL.fullmatch(typed) or len(typed) > LONGEST:
        raise ValueError("Give an e-mail address, like ann@example.com.")
    return typed


def time(text: str) -> str:
    """Return a typed time in 24 hours with minutes: `7:05 PM` becomes 19:05. An empty text stays
    empty.

    Raises:
        ValueError: The text is no time.
    """
    typed = " ".join(text.split())
    if not typed:
        return ""
    match = _TIME.fullmatch(typed)
    hour, minute = (int(match[1]), int(match[2])) if match else (99, 0)
    half = (match[3] or "").upper() if match else ""
    if half and 1 <= hour <= 12:
        hour = hour % 12 + 12 * (half == "P")
    elif half:
        hour = 99
    if hour > 23 or minute > 59:
        raise ValueError("Give a time, like 19:05 or 7:05 PM.")
    return clock24(60 * hour + minute)


def _flight(text: str) -> str:
    """Return flight numbers in a uniform spelling. Raises `ValueError`."""
    typed = correspondent.plain(text)
    if len(typed) > LONGEST:
        raise ValueError("Give the number of a flight, like LW2041.")
    return typed
