"""Functions that look up sales, bookings and free seats. They change nothing."""

from __future__ import annotations

from dataclasses import replace

from sites.crm.airline_desk.model.cabin import Cabin, cabin
from sites.crm.airline_desk.model.records import Booking, Choice, Trip, read_booking, read_trip
from sites.crm.base import fields
from sites.crm.base.address import normal
from sites.crm.base.network import Fare, Offer
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.site_app import Refusal
from sites.world import World


def trip(world: World, number: int) -> Trip:
    """Return the sale with a number. Raises `Refusal` (404) if there is none."""
    rows = world.read("SELECT * FROM log_trips WHERE number = ?", (number,))
    if not rows:
        raise Refusal(404, f"There is no search {number}. Search again.")
    return read_trip(rows[0])


def open_trip(world: World) -> Trip | None:
    """Return the booking that the last flight search opened, if it is not complete yet.

    Return None before the first search, and after the booking was made.
    """
    rows = world.read("SELECT * FROM log_trips ORDER BY number DESC LIMIT 1")
    found = read_trip(rows[0]) if rows else None
    return found if found and not found.reference else None


def booking(world: World, reference: str) -> Booking:
    """Return a booking, ignoring case and blanks in the reference. Raises `Refusal` (404)."""
    wanted = normal(reference)
    rows = world.read("SELECT * FROM bookings WHERE reference = ?", (wanted,))
    if not rows:
        raise Refusal(404, f"There is no booking {fields.short(wanted)}. Check the reference.")
    return read_booking(world, rows[0])


def references(world: World) -> list[str]:
    """Return the references of all bookings, in the order in which they were made."""
    return [row["reference"] for row in world.read("SELECT reference FROM bookings ORDER BY rowid")]


def offers(
    world: World, data: CrmData, origin: str, destination: str, date: str, without: str = ""
) -> tuple[Offer, ...]:
    """Return the offers of a day, sorted by departure, with the seats that are left after the
    bookings of this visit.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        origin: An airport code.
        destination: An airport code.
        date: An ISO date.
        without: The reference of a booking whose own seats count as free, or "".
    """
    found = data.network.offers(origin, destination, date)
    return tuple(left(world, data, each, without) for each in found)


def chosen(world: World, data: CrmData, found: Trip) -> dict[str, tuple[Offer, Fare]]:
    """Return the chosen offer and fare of a sale, by direction."""
    return {
        direction: _chosen(world, data, (origin, destination, day), found.choices[direction])
        for direction, origin, destination, day in found.search.ways()
        if direction in found.choices
    }


def _chosen(
    world: World, data: CrmData, way: tuple[str, str, str], choice: Choice
) -> tuple[Offer, Fare]:
    """Return the chosen offer and fare of a direction."""
    offer = data.network.offer(*way, choice.offer)
    assert offer is not None, "a sale holds offers of the timetable"
    found = left(world, data, offer)
    return found, found.fare(choice.brand)


def left(world: World, data: CrmData, offer: Offer, without: str = "") -> Offer:
    """Return an offer without the seats that bookings of this visit take.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        offer: The offer.
        without: The reference of a booking whose own seats count as free, or "".
    """
    sold = [_sold(world, flight, without) for flight in offer.flights]
    if not any(sold):
        return offer
    fares = []
    for fare in offer.fares:
        seats = [
            max(0, _seats(data, flight, fare.brand) - by_brand.get(fare.brand, 0))
            for flight, by_brand in zip(offer.flights, sold, strict=True)
        ]
        fares.append(replace(fare, seats=min(seats)))
    return replace(offer, fares=tuple(fares))


def _seats(data: CrmData, flight: Flight, brand: str) -> int:
    """Return the number of seats of a fare brand on a flight before any booking of the visit."""
    return next(fare.seats for fare in data.network.fares(flight) if fare.brand == brand)


def _sold(world: World, flight: Flight, without: str) -> dict[str, int]:
    """Return the number of seats that bookings of this visit take on a flight, by fare brand."""
    rows = world.read(
        "SELECT segments.brand, count(*) AS number FROM segments"
        " JOIN bookings USING (reference) JOIN passengers USING (reference)"
        " WHERE segments.flight = ? AND segments.date = ? AND status = 'confirmed'"
        " AND kind != 'infant' AND bookings.reference != ? GROUP BY segments.brand",
        (flight.number, flight.date, without),
    )
    return {row["brand"]: row["number"] for row in rows}


def seat_map(world: World, flight: Flight, without: str = "") -> Cabin:
    """Return the seat map of a flight, with the seats of this visit's bookings marked as taken.

    Args:
        world: The visit's database (its world).
        flight: The flight.
        without: The reference of a booking whose own seats count as free, or "".
    """
    rows = world.read(
        "SELECT seat FROM seats JOIN bookings USING (reference) WHERE flight = ? AND date = ?"
        " AND status = 'confirmed' AND reference != ?",
        (flight.number, flight.date, without),
    )
    held = {row["seat"] for row in rows}
    found = cabin(flight)
    if not held:
        return found
    places = {
        code: replace(place, free=place.free and code not in held)
        for code, place in found.places.items()
    }
    return replace(found, places=places)
