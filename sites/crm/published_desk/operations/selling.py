"""Operations that book a flight: search, choose, enter the passenger, pay."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from sites.crm.base import forms
from sites.crm.base.address import Place, normal
from sites.crm.base.forms import Values
from sites.crm.base.records import CONFIRMED, Booking, Journey, Leg, total
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData, add_booking
from sites.crm.published_desk import journal
from sites.crm.published_desk.operations._commits import changeable, check_version, commit
from sites.crm.published_desk.operations.looking import (
    bookings,
    journey,
    offers,
    own_journey,
    taken,
    with_flights,
    with_passenger,
)
from sites.site_app import Refusal
from sites.world import World

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The characters of booking references."""
REFERENCE = 6


def search_flights(world: World, data: CrmData, values: Values, reference: str = "") -> Journey:
    """Search for flights, which begins a journey (a search with its choices).

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        values: `from`, `to`, `trip-type`, `departure` and `return`.
        reference: The booking whose flights the journey is to change; "" for a new booking.

    Raises:
        Invalid: A value is wrong.
        Refusal: 404 or 409. Nothing was changed.
    """
    place = Place("modify-search", normal(reference)) if reference else Place("flights")
    with commit(world, "search-flights", place, values) as entry:
        if reference:
            changeable(world, reference)
        typed = forms.search(data.airports, values)
        made = Journey(
            number=_next_journey(world),
            booking=place.subject,
            origin=typed["from"],
            destination=typed["to"],
            departure=typed["departure"],
            returning=typed["return"] or None,
        )
        entry.recorded = {**typed, "journey": str(made.number)}
        journal.append(world, "log_journeys", _journey_values(made))
    return made


def confirm_flights(
    world: World, data: CrmData, number: int, values: Values, version: int | None = None
) -> Journey:
    """Choose the flights of a journey.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        number: The number of the journey.
        values: `outward` and `return`, the numbers of the flights.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong.
        Refusal: 404 or 409. Nothing was changed.
    """
    with commit(world, "confirm-flights", Place("results", str(number)), values) as entry:
        found = _open_journey(world, number, entry.place, version)
        outward, back = chosen(world, data, found, values)
        entry.recorded = flight_values(outward, back)
        world.write(
            "UPDATE log_journeys SET outward = ?, inbound = ? WHERE number = ?",
            (outward.number, back.number if back else None, number),
        )
    return journey(world, number)


def save_passenger(
    world: World, data: CrmData, number: int, values: Values, version: int | None = None
) -> Journey:
    """Save the passenger of a journey whose flights are chosen.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        number: The number of the journey.
        values: `title`, `first-name`, `last-name`, `gender` and `dob`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong.
        Refusal: 404 or 409. Nothing was changed.
    """
    with commit(world, "save-passenger", Place("passenger", str(number)), values) as entry:
        with_flights(_open_journey(world, number, entry.place, version))
        entry.recorded = forms.passenger(values).values()
        world.write(
            "UPDATE log_journeys SET passenger = ? WHERE number = ?",
            (json.dumps(entry.recorded, ensure_ascii=False), number),
        )
    return journey(world, number)


def book(
    world: World, data: CrmData, number: int, values: Values, version: int | None = None
) -> Booking:
    """Pay for the chosen flights and return the booking. A journey can be booked only once.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        number: The number of the journey.
        values: `card-number`, `expiry` and `cvc`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong.
        Refusal: 404 or 409. Nothing was changed.
    """
    with commit(world, "book-flight", Place("payment", str(number)), values) as entry:
        found = _open_journey(world, number, entry.place, version)
        made = _booking(world, data, found, forms.payment(values))
        entry.recorded = {**forms.payment(values), "reference": made.reference}
        add_booking(world, made)
        world.write(
            "UPDATE log_journeys SET reference = ? WHERE number = ?", (made.reference, number)
        )
    return made


def _next_journey(world: World) -> int:
    [row] = world.read("SELECT count(*) + 1 AS number FROM log_journeys")
    return int(row["number"])


def _journey_values(made: Journey) -> tuple[str | int | None, ...]:
    trip = (made.number, made.booking, made.origin, made.destination, made.departure)
    return (*trip, made.returning, None, None, None, None)


def _open_journey(world: World, number: int, place: Place, version: int | None) -> Journey:
    """Return a journey that is not booked yet. Raises `Refusal`: 404 if it is unknown, 409 if it is
    booked or newer than the page.
    """
    found = own_journey(world, number)
    if found.reference:
        receipt = Place("receipt", str(number)).address
        sentence = "This was booked already, so nothing was done."
        raise Refusal(409, sentence, receipt, "See the receipt")
    check_version(world, place, version)
    return found


def chosen(
    world: World, data: CrmData, found: Journey, values: Values
) -> tuple[Flight, Flight | None]:
    """Return the flights that a form chooses out of the offers of a journey. Raises `Invalid`."""
    there, here = found.origin, found.destination
    outward = offers(world, data, there, here, found.departure)
    back = offers(world, data, here, there, found.returning) if found.returning else None
    return forms.choice(values, outward, back, data)


def flight_values(outward: Flight, back: Flight | None) -> dict[str, str]:
    """Return chosen flights as the values that the journal records, by field."""
    return {
        "outward": outward.number,
        "outward-date": outward.date,
        "return": back.number if back else "",
        "return-date": back.date if back else "",
    }


def _booking(world: World, data: CrmData, found: Journey, paid: Mapping[str, str]) -> Booking:
    """Return the booking that a journey results in, without writing it to the database."""
    outward, back = with_flights(found)
    who = with_passenger(found)
    flown = [_on_sale(world, data, leg, found) for leg in (outward, back) if leg]
    return Booking(
        reference=new_reference(world),
        status=CONFIRMED,
        passenger=who,
        outward=outward,
        inbound=back,
        price=total(*flown),
        card=paid["card-number"][-4:],
    )


def _on_sale(world: World, data: CrmData, leg: Leg, found: Journey) -> Flight:
    """Return the flight that a journey has chosen. Raises `Refusal` (409) if it is sold out now."""
    flight = data.flight(leg.flight, leg.date)
    assert flight is not None, "a journey holds flights of the timetable"
    if flight.seats <= taken(world, flight):
        results = Place("results", str(found.number)).address
        sentence = f"Flight {leg.flight} is sold out now. Choose another one."
        raise Refusal(409, sentence, results, "Choose flights")
    return flight


def new_reference(world: World) -> str:
    """Return a new booking reference, which depends on the visit's name and the number of
    bookings.
    """
    taken = {each.reference for each in bookings(world)}
    count = len(taken)
    while (made := reference_of(f"{world.name}/{count}")) in taken:
        count += 1
    return made


def reference_of(seed: str) -> str:
    """Return a reference of six letters and digits made from a text."""
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")
    letters = []
    for _ in range(REFERENCE):
        number, digit = divmod(number, len(LETTERS))
        letters.append(LETTERS[digit])
    return "".join(letters)
