"""Search for bookings by facts about their passengers, customers and flights. Nothing is
changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from dataclasses import fields as fields_of

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.records import Booking, read_booking
from sites.crm.airline_desk.operations import booked
from sites.crm.base import fields, forms
from sites.crm.base.airports import plain
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.world import Row, World

PAGE = 10
"""The number of bookings on one page of results."""
LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "-": " ",
        "'": None,
        "’": None,
    }
)
"""A translation table for letters and marks that are no accents but that most people type
differently, such as ø as o.
"""
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
_FLIGHT = re.compile(r"[A-Z]{2}[0-9]{4}")
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+")


@dataclass(frozen=True)
class Wanted:
    """The conditions of a search for bookings; "" is no condition.

    Attributes:
        name: The start of a name.
        origin: An airport code.
        destination: An airport code.
        month: A month such as `2026-03` in which a flight departs.
        email: The customer's e-mail address.
        reference: The booking reference.
        flight: A flight number.
        date: The ISO date of the flight.
    """

    name: str = ""
    origin: str = ""
    destination: str = ""
    month: str = ""
    email: str = ""
    reference: str = ""
    flight: str = ""
    date: str = ""

    @property
    def anything(self) -> bool:
        """Whether any condition is set."""
        return self != Wanted()


@dataclass(frozen=True)
class Found:
    """A booking that a search found, its customer's database row, and its flights in order."""

    booking: Booking
    customer: Row | None
    flights: tuple[Flight, ...]


KEYS = {
    "name": "name",
    "route-from": "origin",
    "route-to": "destination",
    "month": "month",
    "email": "email",
    "booking-reference": "reference",
    "flight": "flight",
    "flight-date": "date",
}
"""The attribute of `Wanted` that each field of the search form sets."""


def wanted(data: CrmData, values: Values) -> Wanted:
    """Return the conditions of a search that a form states. Raises `Invalid`."""
    readers: dict[str, Callable[[str], str]] = {
        "name": _name,
        "route-from": lambda text: fields.airport(data.airports, text),
        "route-to": lambda text: fields.airport(data.airports, text),
        "month": _month,
        "email": _email,
        "booking-reference": fields.reference,
        "flight": _flight,
        "flight-date": fields.day,
    }
    asked = {key: reader for key, reader in readers.items() if values.get(key, "").strip()}
    read = forms.read(values, asked)
    return Wanted(**{KEYS[key]: text for key, text in read.items()})


def search(world: World, data: CrmData, asked: Wanted) -> tuple[Found, ...]:
    """Return the bookings that meet all conditions, sorted by the day of their first flight and
    then by reference.

    Origin and destination must match one of the directions, and the month one of the flights. The
    name may be the customer's, the agency's, or that of any passenger.
    """
    rows = world.read("SELECT * FROM bookings")
    customers = {row["number"]: row for row in world.read("SELECT * FROM customers")}
    found = (_found(world, data, customers, row) for row in rows)
    fitting = [each for each in found if _fits(asked, each)]
    return tuple(sorted(fitting, key=_order))


def subject(asked: Wanted, page: int = 1, pages: int = 1) -> str:
    """Return the name of a page of results in the journal: `name=okafor, origin=FRA 1/2`.

    It is "" if the search has no condition.
    """
    if not asked.anything:
        return ""
    pairs = [(each.name, getattr(asked, each.name)) for each in fields_of(Wanted)]
    return f"{', '.join(f'{name}={text}' for name, text in pairs if text)} {page}/{pages}"


def pages(found: tuple[Found, ...]) -> int:
    """Return the number of pages that a search's results take, at least 1."""
    return max(1, -(-len(found) // PAGE))


def is_called(first: str, last: str, typed: str) -> bool:
    """Return whether a typed text is the start of a person's name.

    It may start the first name, the last name, or both in either order. With a comma, the last name
    stands before it and the first name after it. Letter case and accents are ignored.
    """
    if "," in typed:
        lasts, _, firsts = typed.partition(",")
        return _begins(last, _bare(lasts)) and _begins(first, _bare(firsts))
    words = _bare(typed).split()
    pairs = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(len(words) + 1)]
    return any(_begins(first, one) and _begins(last, other) for one, other in pairs) or any(
        _begins(last, one) and _begins(first, other) for one, other in pairs
    )


# Matching ----------------------------------------------------------------------------------------


def _found(world: World, data: CrmData, customers: dict[int, Row], row: Row) -> Found:
    """Return a booking with its customer and flights, as a result of a search."""
    booking = read_booking(world, row)
    flights = tuple(booked.flight(data, each) for each in booking.segments)
    customer = None if booking.customer is None else customers.get(booking.customer)
    return Found(booking, customer, flights)


def _order(found: Found) -> tuple[str, str]:
    """Return the sort key of a found booking: the day of its first flight, and its reference."""
    return found.flights[0].date if found.flights else "", found.booking.reference


def _fits(asked: Wanted, found: Found) -> bool:
    """Return whether a booking meets all conditions of the search."""
    return all(
        (
            not asked.name or any(is_called(*name, asked.name) for name in _names(found)),
            asked.reference in {"", found.booking.reference},
            not asked.email or _is_email(found, asked.email),
            not asked.month or any(each.date.startswith(asked.month) for each in found.flights),
            any(_goes(asked, *way) for way in _ways(found)),
            any(_is_flight(asked, each) for each in found.flights),
        )
    )


def _names(found: Found) -> Iterator[tuple[str, str]]:
    """Yield the names by which a booking is found, as (first, last): the customer's, the agency's
    and the passengers'.
    """
    if found.customer:
        yield found.customer["first_name"], found.customer["last_name"]
        yield "", found.customer["agency"]
    for each in found.booking.passengers:
        yield each.person.first_name, each.person.last_name


def _is_email(found: Found, email: str) -> bool:
    """Return whether the booking's customer has this e-mail address."""
    return found.customer is not None and found.customer["email"].casefold() == email


def _ways(found: Found) -> Iterator[tuple[str, str]]:
    """Yield the first and the last airport of each direction of a booking."""
    by_direction: dict[str, list[Flight]] = {}
    for segment, flight in zip(found.booking.segments, found.flights, strict=True):
        by_direction.setdefault(segment.direction, []).append(flight)
    for flights in by_direction.values():
        yield flights[0].origin, flights[-1].destination


def _goes(asked: Wanted, origin: str, destination: str) -> bool:
    """Return whether a direction from `origin` to `destination` meets the conditions of
    the search.
    """
    return asked.origin in {"", origin} and asked.destination in {"", destination}


def _is_flight(asked: Wanted, flight: Flight) -> bool:
    """Return whether a flight meets the conditions of the search: number and date."""
    return asked.flight in {"", flight.number} and asked.date in {"", flight.date}


def _begins(name: str, typed: str) -> bool:
    """Return whether a typed text is the start of the name, or of the rest of the name from any
    later word on.
    """
    words = _bare(name).split()
    return not typed or any(" ".join(words[at:]).startswith(typed) for at in range(len(words)))


def _bare(text: str) -> str:
    """Return a name in lower case and without accents."""
    return " ".join(plain(text).translate(LETTERS).split())


# Typed values ------------------------------------------------------------------------------------


def _name(text: str) -> str:
    """Return the typed name in lower case and without accents. Raises `ValueError`."""
    typed = _bare(fields.name(text, "name"))
    if not typed.strip(", "):
        raise ValueError("Give a name, or a part of it.")
    return typed


def _month(text: str) -> str:
    """Return the typed month, such as `2026-03`. Raises `ValueError`."""
    if not _MONTH.fullmatch(text.strip()):
        raise ValueError("Choose a month.")
    return text.strip()


def _email(text: str) -> str:
    """Return the typed e-mail address in lower case. Raises `ValueError`."""
    typed = plain(text)
    if not _EMAIL.fullmatch(typed) or len(typed) > 200:
        raise ValueError("Write the e-mail address like ann@example.com.")
    return typed


def _flight(text: str) -> str:
    """Return the typed flight number in upper case. Raises `ValueError`."""
    typed = "".join(text.split()).upper()
    if not _FLIGHT.fullmatch(typed):
        raise ValueError("Write the flight's number like LW2041.")
    return typed
