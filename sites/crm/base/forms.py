"""Functions that check the fields of a form and report all problems together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from sites.crm.base import fields
from sites.crm.base.airports import Airports
from sites.crm.base.records import Passenger
from sites.crm.base.timetable import DAY, Flight
from sites.crm.base.world import CrmData

T = TypeVar("T")
Values = Mapping[str, str]
"""The texts of a screen's fields as typed, by the ids of the fields."""


class Invalid(Exception):
    """Some fields of a form hold unacceptable texts.

    Attributes:
        errors: A sentence for each wrong field, by its id.
    """

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{field}: {why}" for field, why in errors.items()))
        self.errors = dict(errors)


def read(values: Values, readers: Mapping[str, Callable[[str], T]]) -> dict[str, T]:
    """Return the value of each field of a form, as its reader function parses it.

    Args:
        values: The texts of the fields.
        readers: For each field, a function that reads its text or raises `ValueError`.

    Raises:
        Invalid: At least one text is unacceptable. The error names all of them.
    """
    normal, errors = {}, {}
    for field, reader in readers.items():
        try:
            normal[field] = reader(values.get(field, ""))
        except ValueError as problem:
            errors[field] = str(problem)
    if errors:
        raise Invalid(errors)
    return normal


def search(airports: Airports, values: Values) -> dict[str, str]:
    """Return the normal values of a flight search. The return date is "" for a one-way trip.

    Raises:
        Invalid: Some fields are unacceptable, or do not fit together.
    """

    def code(text: str) -> str:
        return fields.airport(airports, text)

    one_way = values.get("trip-type", "").strip().lower() == "one-way"
    readers: dict[str, Callable[[str], str]] = {
        "from": code,
        "to": code,
        "trip-type": lambda text: fields.choice(text, fields.TRIPS),
        "departure": fields.flight_day,
        "return": (lambda _: "") if one_way else fields.flight_day,
    }
    normal = read(values, readers)
    if normal["from"] == normal["to"]:
        raise Invalid({"to": "The flight would end where it begins. Choose another airport."})
    if normal["return"] and normal["return"] < normal["departure"]:
        raise Invalid({"return": "The return date is before the departure date."})
    return normal


def passenger(values: Values) -> Passenger:
    """Return the passenger that a form's fields describe. Raises `Invalid`."""
    readers: dict[str, Callable[[str], str]] = {
        "title": lambda text: fields.choice(text, fields.TITLES),
        "first-name": lambda text: fields.name(text, "first name"),
        "last-name": lambda text: fields.name(text, "last name"),
        "gender": lambda text: fields.choice(text, fields.GENDERS),
        "dob": fields.birthday,
    }
    return Passenger.of(read(values, readers))


def payment(values: Values) -> dict[str, str]:
    """Return the normal texts of a form for a card payment, by field. Raises `Invalid`."""
    return read(
        values, {"card-number": fields.card_number, "expiry": fields.expiry, "cvc": fields.cvc}
    )


def reference(values: Values, field: str) -> str:
    """Return the booking reference in a form's field, in normal form. Raises `Invalid`."""
    return read(values, {field: fields.reference})[field]


def choice(
    values: Values, outward: Sequence[Flight], back: Sequence[Flight] | None, data: CrmData
) -> tuple[Flight, Flight | None]:
    """Return the flights that were chosen from the offered ones.

    Args:
        values: The texts of the fields.
        outward: The offered outward flights.
        back: The offered return flights; None for a one-way trip.
        data: The site's read-only data.

    Raises:
        Invalid: A flight is missing, unknown or sold out, or the return leaves before the outward
            flight arrives.
    """
    wanted = {"outward": outward} if back is None else {"outward": outward, "return": back}
    found = read(values, {field: partial(_chosen, field, each) for field, each in wanted.items()})
    if back is not None and not _in_turn(found["outward"], found["return"], data):
        raise Invalid({"return": "The return flight leaves before the outward flight arrives."})
    return found["outward"], found.get("return")


def _chosen(field: str, on_offer: Sequence[Flight], text: str) -> Flight:
    """Return the offered flight whose number a text states. Raises `ValueError`, also for a flight
    that is sold out.
    """
    number = text.strip().upper()
    if not number:
        raise ValueError(f"Choose {'an' if field == 'outward' else 'a'} {field} flight.")
    for flight in on_offer:
        if flight.number == number and flight.seats:
            return flight
        if flight.number == number:
            raise ValueError(f"Flight {number} is sold out. Choose another one.")
    raise ValueError(f"There is no flight {fields.short(number)} in this list.")


def _in_turn(outward: Flight, back: Flight, data: CrmData) -> bool:
    """Return whether the return flight departs after the outward flight has arrived."""
    arrives = fields.ordinal(outward.date) * DAY + outward.days * DAY + outward.arrives
    return fields.ordinal(back.date) * DAY + back.departs > arrives
