"""What somebody at the desk tells or writes down for whoever wrote on a ticket.

`values` are normal texts by the fields' keys; a wrong value raises `Invalid`, and nothing is
changed. Who may be told, and who may ask for a change, is up to the desk.
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
    """Tell an address about a flight: `reply-to`, `reply-flight`, `reply-day`, `reply-time`."""
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
    """Write down another address for the customer of a ticket: `new-email`."""
    place = Place("contact", (number,))
    with change(world, "save-contact", place, values, version) as (one, entry):
        new = forms.read(values, {"new-email": email})["new-email"]
        world.write("UPDATE customers SET email = ? WHERE number = ?", (new, one.customer))
        entry.recorded = {"email": new}
        entry.slots = {**entry.slots, "email": new}


def email(text: str) -> str:
    """In small letters. Raises ValueError for what is no address."""
    typed = text.strip().casefold()
    if not _EMAIL.fullmatch(typed) or len(typed) > LONGEST:
        raise ValueError("Give an e-mail address, like ann@example.com.")
    return typed


def time(text: str) -> str:
    """Minutes exactly, in 24 hours; nothing is nothing. `7:05 PM` is 19:05."""
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
    typed = correspondent.plain(text)
    if len(typed) > LONGEST:
        raise ValueError("Give the number of a flight, like LW2041.")
    return typed
