"""Records as JSON for the pages, with formatted texts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from sites.crm.base.airports import Airport, Airports
from sites.crm.base.clock import long_day, spoken
from sites.crm.base.records import Booking, Journey, Leg, Passenger, total
from sites.crm.base.timetable import Flight, clock12, clock24
from sites.crm.base.world import CrmData

CURRENCY = "$"

Json = dict[str, Any]


def airport_json(one: Airport) -> Json:
    """Return an airport as JSON."""
    return {"code": one.code, "city": one.city, "name": one.name, "label": one.label}


def offer_json(flight: Flight, group: str, place: int, drafts: Mapping[str, str]) -> Json:
    """Return an offered flight as JSON, the `place`-th (from 1) of its list."""
    return {
        "id": f"{group}-{place}",
        "group": group,
        "number": flight.number,
        **_times(flight),
        "price": flight.price,
        "seats": flight.seats,
        "sold_out": not flight.seats,
        "checked": drafts.get(group, "") == flight.number,
        "label": f"{flight.number}, {clock12(flight.departs)} to {_arrival(flight)},"
        f" {money(flight.price)}, {_seats(flight)}",
    }


def booking_json(data: CrmData, booking: Booking) -> Json:
    """Return a booking as JSON, with formatted texts."""
    back = booking.inbound
    return {
        "reference": booking.reference,
        "status": booking.status,
        "status_text": booking.status.capitalize(),
        "passenger": passenger_json(booking.passenger),
        "outward": leg_json(data, booking.outward),
        "return": leg_json(data, back) if back else None,
        "price": booking.price,
        "price_text": money(booking.price),
        "card": booking.card,
    }


def journey_json(data: CrmData, journey: Journey) -> Json:
    """Return a journey (a search with its choices) as JSON, with formatted texts."""
    outward, back = journey.legs or (None, None)
    flights = [data.flight(leg.flight, leg.date) for leg in (outward, back) if leg]
    return {
        "number": journey.number,
        **route_json(data.airports, journey.origin, journey.destination),
        "departure": journey.departure,
        "return": journey.returning or "",
        "outward": leg_json(data, outward) if outward else None,
        "return_flight": leg_json(data, back) if back else None,
        "price_text": money(total(*filter(None, flights))) if flights else "",
        "passenger": passenger_json(journey.passenger) if journey.passenger else None,
    }


def passenger_json(passenger: Passenger) -> Json:
    """Return a passenger as JSON, with formatted texts."""
    born = date.fromisoformat(passenger.born)
    return {**passenger.values(), "dob_text": spoken(born), "name": passenger.name}


def leg_json(data: CrmData, leg: Leg) -> Json:
    """Return a booked or chosen flight as JSON, with formatted texts."""
    flight = data.flight(leg.flight, leg.date)
    assert flight is not None, f"{leg.flight} does not fly on {leg.date}"
    return {
        "number": flight.number,
        **route_json(data.airports, flight.origin, flight.destination),
        "date": flight.date,
        "day": day_text(flight.date),
        **_times(flight),
        "price": flight.price,
    }


def route_json(airports: Airports, origin: str, destination: str) -> Json:
    """Return codes and labels of a route's two airports as JSON."""
    here, there = airports[origin], airports[destination]
    return {
        "from": here.code,
        "to": there.code,
        "from_text": here.label,
        "to_text": there.label,
    }


def day_text(day: str) -> str:
    """Return an ISO date like Wednesday, 4 March 2026."""
    return long_day(date.fromisoformat(day))


def money(dollars: int) -> str:
    """Return an amount of whole dollars as pages write it."""
    return f"{CURRENCY}{dollars:,}"


def _times(flight: Flight) -> Json:
    return {
        "departs": clock24(flight.departs),
        "arrives": clock24(flight.arrives),
        "departs_text": clock12(flight.departs),
        "arrives_text": _arrival(flight),
        "days": flight.days,
        "minutes": flight.minutes,
    }


def _arrival(flight: Flight) -> str:
    """Return the time of arrival, with a remark if it is on another day."""
    days = {-1: " (the day before)", 0: "", 1: " (next day)"}
    return clock12(flight.arrives) + days.get(flight.days, f" ({flight.days} days later)")


def _seats(flight: Flight) -> str:
    if not flight.seats:
        return "sold out"
    return f"{flight.seats} seat{'s' if flight.seats > 1 else ''} left"
