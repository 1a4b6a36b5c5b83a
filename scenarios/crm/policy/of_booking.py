"""Convert the bookings and customers that a family draws into facts for the rules."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from scenarios.crm.airline_desk.bookings import Customer as HeldCustomer
from scenarios.crm.airline_desk.bookings import Held
from scenarios.crm.policy.facts import Booking, Customer, Passenger, Payment, Segment, State
from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.base.network import utc
from sites.crm.base.timetable import DAY, Flight


def booking(
    held: Held,
    data: CrmData,
    states: Mapping[str, State] | None = None,
    first_payment: int = 1,
    **more: Any,
) -> Booking:
    """Convert a drawn booking into the form that the rules read.

    Args:
        held: The booking that the family drew.
        data: The site's read-only data.
        states: The states of flights that are not open, by flight number.
        first_payment: The number of the first payment; the others follow in order, as their rows
            do.
        **more: Other fields of `Booking`.
    """
    segments = tuple(
        segment(data, way, flight, brand, (states or {}).get(flight.number, "open"))
        for way, (offer, brand) in held.ways.items()
        for flight in offer.flights
    )
    people = tuple(
        Passenger(
            each.number,
            each.kind,  # type: ignore[arg-type]
            date.fromisoformat(each.person.born),
            {
                way: prices.fare(offer.fare(brand).price, each.kind)
                for way, (offer, brand) in held.ways.items()
            },
            each.adult,
        )
        for each in held.passengers
    )
    paid = tuple(
        Payment(number, method, source, amount)  # type: ignore[arg-type]
        for number, (method, source, amount) in enumerate(held.payments(), start=first_payment)
    )
    return Booking(held.reference, time(held.bought), segments, people, paid, **more)


def segment(
    data: CrmData, direction: str, flight: Flight, brand: str, state: State = "open"
) -> Segment:
    """Convert a flight in a fare brand into the form that the rules read."""
    departs, arrives = map(_time_of, utc(data.airports, flight))
    return Segment(
        direction=direction,
        flight=flight.number,
        origin=flight.origin,
        destination=flight.destination,
        day=date.fromisoformat(flight.date),
        departs=departs,
        arrives=arrives,
        brand=brand,  # type: ignore[arg-type]
        state=state,
    )


def customer(held: HeldCustomer) -> Customer:
    """Convert a drawn customer into the form that the rules read."""
    return Customer(
        held.number,
        date.fromisoformat(held.person.born),
        held.email,
        held.home,
        held.tier.lower(),  # type: ignore[arg-type]
        held.agency,
    )


def time(iso: str) -> datetime:
    """Convert an ISO time from a database row into a UTC datetime."""
    return datetime.fromisoformat(iso.removesuffix("Z")).replace(tzinfo=UTC)


def _time_of(minutes: int) -> datetime:
    return datetime.fromordinal(minutes // DAY).replace(tzinfo=UTC) + timedelta(
        minutes=minutes % DAY
    )
