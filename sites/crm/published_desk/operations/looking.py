"""Look up bookings, journeys and the flights on offer. Nothing is changed."""

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
    """Letter case and blanks do not matter."""
    wanted = normal(reference)
    rows = world.read("SELECT * FROM bookings WHERE reference = ?", (wanted,))
    if not rows:
        sentence = f"There is no booking {fields.short(wanted)}. Check the reference."
        raise Refusal(404, sentence, "/bookings", "Search again")
    return read_booking(rows[0])


def bookings(world: World) -> tuple[Booking, ...]:
    return tuple(read_booking(row) for row in world.read("SELECT * FROM bookings ORDER BY rowid"))


def namesakes(world: World, one: Booking) -> tuple[Booking, ...]:
    """The bookings of other passengers of the same name."""
    name = one.passenger.first_name.casefold(), one.passenger.last_name.casefold()
    return tuple(
        each
        for each in bookings(world)
        if (each.passenger.first_name.casefold(), each.passenger.last_name.casefold()) == name
        and each.passenger.born != one.passenger.born
    )


def journey(world: World, number: int) -> Journey:
    rows = world.read("SELECT * FROM log_journeys WHERE number = ?", (number,))
    if not rows:
        raise Refusal(404, f"There is no search {number}.", "/flights", "Search for flights")
    return read_journey(rows[0])


def own_journey(world: World, number: int) -> Journey:
    """A journey to a new booking, not one that is to change another."""
    found = journey(world, number)
    if found.booking:
        search = Place("modify-search", found.booking).address
        raise Refusal(404, f"Search {number} is for another booking.", search, "Open it")
    return found


def with_flights(found: Journey) -> tuple[Leg, Leg | None]:
    """The chosen flights; refused (409) before they are chosen."""
    if found.legs is None:
        results = Place("results", str(found.number)).address
        raise Refusal(409, "Choose the flights and confirm them first.", results, "Choose flights")
    return found.legs


def with_passenger(found: Journey) -> Passenger:
    """The passenger; refused (409) before the flights are chosen and the details saved."""
    with_flights(found)
    if found.passenger is None:
        form = Place("passenger", str(found.number)).address
        raise Refusal(409, "Save the passenger details first.", form, "Passenger details")
    return found.passenger


def offers(
    world: World, data: CrmData, origin: str, destination: str, date: str
) -> tuple[Flight, ...]:
    """The flights on an ISO date, in order of departure, with the seats that are left."""
    return tuple(
        replace(flight, seats=max(0, flight.seats - taken(world, flight)))
        for flight in data.flights(origin, destination, date)
    )


def version_of(world: World, place: Place) -> int:
    """How often the journey or booking that the screen shows was changed in this world."""
    return journal.version(world, place.reference) if place.subject else 0


def taken(world: World, flight: Flight) -> int:
    [row] = world.read(
        "SELECT count(*) AS seats FROM bookings WHERE status = ? AND"
        " ((outward_flight = ? AND outward_date = ?) OR (return_flight = ? AND return_date = ?))",
        (CONFIRMED, *(flight.number, flight.date) * 2),
    )
    return int(row["seats"])
