"""Functions that look up bookings, journeys and offered flights. They change nothing."""

from __future__ import annotations

from dataclasses import replace

from sites.crm.base import fields
from sites.crm.base.address import Place, normal
from sites.crm.base.records import (
    CONFIRMED,
    Booking,
    Journey,
    Leg,
    Passenger,
    read_booking,
    read_journey,
)
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.crm.published_desk import journal
from sites.site_app import Refusal
from sites.world import World


def booking(world: World, reference: str) -> Booking:
    """Return a booking, ignoring case and blanks in the reference. Raises `Refusal` (404)."""
    wanted = normal(reference)
    rows = world.read("SELECT * FROM bookings WHERE reference = ?", (wanted,))
    if not rows:
        sentence = f"There is no booking {fields.short(wanted)}. Check the reference."
        raise Refusal(404, sentence, "/bookings", "Search again")
    return read_booking(rows[0])


def bookings(world: World) -> tuple[Booking, ...]:
    """Return all bookings in the order in which they were made."""
    return tuple(read_booking(row) for row in world.read("SELECT * FROM bookings ORDER BY rowid"))


def namesakes(world: World, one: Booking) -> tuple[Booking, ...]:
    """Return the bookings of other passengers with the same name."""
    name = one.passenger.first_name.casefold(), one.passenger.last_name.casefold()
    return tuple(
        each
        for each in bookings(world)
        if (each.passenger.first_name.casefold(), each.passenger.last_name.casefold()) == name
        and each.passenger.born != one.passenger.born
    )


def journey(world: World, number: int) -> Journey:
    """Return the journey (a search with its choices) with a number. Raises `Refusal` (404)."""
    rows = world.read("SELECT * FROM log_journeys WHERE number = ?", (number,))
    if not rows:
        raise Refusal(404, f"There is no search {number}.", "/flights", "Search for flights")
    return read_journey(rows[0])


def own_journey(world: World, number: int) -> Journey:
    """Return the journey with a number if it is for a new booking. Raises `Refusal` (404) if it is
    to change an existing booking.
    """
    found = journey(world, number)
    if found.booking:
        search = Place("modify-search", found.booking).address
        raise Refusal(404, f"Search {number} is for another booking.", search, "Open it")
    return found


def with_flights(found: Journey) -> tuple[Leg, Leg | None]:
    """Return the chosen flights of a journey. Raises `Refusal` (409) before they are chosen."""
    if found.legs is None:
        results = Place("results", str(found.number)).address
        raise Refusal(409, "Choose the flights and confirm them first.", results, "Choose flights")
    return found.legs


def with_passenger(found: Journey) -> Passenger:
    """Return the passenger of a journey. Raises `Refusal` (409) before flights are chosen and the
    passenger's details are saved.
    """
    with_flights(found)
    if found.passenger is None:
        form = Place("passenger", str(found.number)).address
        raise Refusal(409, "Save the passenger details first.", form, "Passenger details")
    return found.passenger


def offers(
    world: World, data: CrmData, origin: str, destination: str, date: str
) -> tuple[Flight, ...]:
    """Return the flights of a route on an ISO date, in order of departure, with the seats that are
    left after this visit's bookings.
    """
    return tuple(
        replace(flight, seats=max(0, flight.seats - taken(world, flight)))
        for flight in data.flights(origin, destination, date)
    )


def version_of(world: World, place: Place) -> int:
    """Return how often the journey or booking that the screen shows was changed in this visit."""
    return journal.version(world, place.reference) if place.subject else 0


def taken(world: World, flight: Flight) -> int:
    """Return the number of seats that this visit's bookings take on a flight."""
    [row] = world.read(
        "SELECT count(*) AS seats FROM bookings WHERE status = ? AND"
        " ((outward_flight = ? AND outward_date = ?) OR (return_flight = ? AND return_date = ?))",
        (CONFIRMED, *(flight.number, flight.date) * 2),
    )
    return int(row["seats"])
