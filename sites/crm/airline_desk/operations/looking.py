"""Look up sales, bookings and what is left of flights. Nothing is changed."""

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
    """A sale by its number. Raises `Refusal` (404)."""
    rows = world.read("SELECT * FROM log_trips WHERE number = ?", (number,))
    if not rows:
        raise Refusal(404, f"There is no search {number}. Search again.")
    return read_trip(rows[0])


def open_trip(world: World) -> Trip | None:
    """The sale of the last search; None before there is one, and once it is booked."""
    rows = world.read("SELECT * FROM log_trips ORDER BY number DESC LIMIT 1")
    found = read_trip(rows[0]) if rows else None
    return found if found and not found.reference else None


def booking(world: World, reference: str) -> Booking:
    """A booking; letter case and blanks do not matter. Raises `Refusal` (404)."""
    wanted = normal(reference)
    rows = world.read("SELECT * FROM bookings WHERE reference = ?", (wanted,))
    if not rows:
        raise Refusal(404, f"There is no booking {fields.short(wanted)}. Check the reference.")
    return read_booking(world, rows[0])


def references(world: World) -> list[str]:
    """Of all bookings, in the order in which they were made."""
    return [row["reference"] for row in world.read("SELECT reference FROM bookings ORDER BY rowid")]


def offers(
    world: World, data: CrmData, origin: str, destination: str, date: str, without: str = ""
) -> tuple[Offer, ...]:
    """The offers of a day, by departure, with the seats that are left in this world."""
    found = data.network.offers(origin, destination, date)
    return tuple(left(world, data, each, without) for each in found)


def chosen(world: World, data: CrmData, found: Trip) -> dict[str, tuple[Offer, Fare]]:
    """The offer and the fare that were chosen for each direction."""
    return {
        direction: _chosen(world, data, (origin, destination, day), found.choices[direction])
        for direction, origin, destination, day in found.search.ways()
        if direction in found.choices
    }


def _chosen(
    world: World, data: CrmData, way: tuple[str, str, str], choice: Choice
) -> tuple[Offer, Fare]:
    offer = data.network.offer(*way, choice.offer)
    assert offer is not None, "a sale holds offers of the timetable"
    found = left(world, data, offer)
    return found, found.fare(choice.brand)


def left(world: World, data: CrmData, offer: Offer, without: str = "") -> Offer:
    """The offer without the seats that were sold in this world; `without` is the reference of a
    booking whose own seats count as free."""
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
    return next(fare.seats for fare in data.network.fares(flight) if fare.brand == brand)


def _sold(world: World, flight: Flight, without: str) -> dict[str, int]:
    """The seats of a flight that bookings of this world take, by brand."""
    rows = world.read(
        "SELECT segments.brand, count(*) AS number FROM segments"
        " JOIN bookings USING (reference) JOIN passengers USING (reference)"
        " WHERE segments.flight = ? AND segments.date = ? AND status = 'confirmed'"
        " AND kind != 'infant' AND bookings.reference != ? GROUP BY segments.brand",
        (flight.number, flight.date, without),
    )
    return {row["brand"]: row["number"] for row in rows}


def seat_map(world: World, flight: Flight, without: str = "") -> Cabin:
    """The seats of a flight, with those that bookings of this world hold as taken; `without` is
    the reference of a booking whose own seats count as free."""
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
