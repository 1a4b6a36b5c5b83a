"""Existing bookings: find, cancel, change the passenger, change the flights."""

from __future__ import annotations

from dataclasses import replace

from sites.crm.base import forms
from sites.crm.base.address import Place, normal
from sites.crm.base.forms import Invalid, Values
from sites.crm.base.records import CANCELLED, Booking, Journey, Leg, booking_row, total
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.crm.published_desk.operations._commits import changeable, commit
from sites.crm.published_desk.operations.looking import booking, journey
from sites.crm.published_desk.operations.selling import chosen, flight_values
from sites.site_app import Refusal
from sites.world import World


def find_booking(world: World, values: Values) -> Booking:
    """The booking whose reference was typed."""
    with commit(world, "search-booking", Place("find"), values) as entry:
        found = booking(world, forms.reference(values, "booking-reference"))
        entry.recorded = {"booking-reference": found.reference}
    return found


def start_cancel(world: World, reference: str) -> Booking:
    """Press Cancel on a booking: asks for the reference, changes nothing yet."""
    return _start(world, "cancel-booking", reference)


def start_modify(world: World, reference: str) -> Booking:
    """Press Modify on a booking."""
    return _start(world, "modify-booking", reference)


def cancel_booking(
    world: World, reference: str, values: Values, version: int | None = None
) -> Booking:
    """Cancel for good; its reference must be typed again."""
    place = Place("cancel", normal(reference))
    with commit(world, "confirm-cancel", place, values) as entry:
        found = changeable(world, reference, version)
        if forms.reference(values, "confirm-reference") != found.reference:
            raise Invalid({"confirm-reference": "This is another reference. Check it."})
        entry.recorded = {"confirm-reference": found.reference}
        return _save(world, replace(found, status=CANCELLED))


def modify_passenger(
    world: World, reference: str, values: Values, version: int | None = None
) -> Booking:
    """Save all details of a booking's passenger."""
    place = Place("modify", normal(reference))
    with commit(world, "save-changes", place, values) as entry:
        found = changeable(world, reference, version)
        who = forms.passenger(values)
        entry.recorded = who.values()
        return _save(world, replace(found, passenger=who))


def modify_flights(
    world: World,
    data: CrmData,
    reference: str,
    number: int,
    values: Values,
    version: int | None = None,
) -> Booking:
    """Move a booking onto flights of a journey that was begun for it."""
    place = Place("modify-results", f"{normal(reference)}/{number}")
    with commit(world, "save-changes", place, values) as entry:
        found = changeable(world, reference, version)
        trip = journey_for(world, found, number)
        outward, back = chosen(world, data, trip, values)
        entry.recorded = flight_values(outward, back)
        return _save(world, _moved(found, outward, back))


def journey_for(world: World, found: Booking, number: int) -> Journey:
    """A journey that was begun to change this booking."""
    trip = journey(world, number)
    if trip.booking != found.reference:
        search = Place("modify-search", found.reference).address
        raise Refusal(404, f"Search {number} is not for this booking.", search, "Search again")
    return trip


def _start(world: World, control: str, reference: str) -> Booking:
    with commit(world, control, Place("booking", normal(reference)), {}):
        return changeable(world, reference)


def _moved(found: Booking, outward: Flight, back: Flight | None) -> Booking:
    inbound = Leg(back.number, back.date) if back else None
    price = total(outward, back) if back else total(outward)
    return replace(found, outward=Leg(outward.number, outward.date), inbound=inbound, price=price)


def _save(world: World, changed: Booking) -> Booking:
    row = booking_row(changed)
    columns = ", ".join(f"{column} = ?" for column in row)
    world.write(
        f"UPDATE bookings SET {columns} WHERE reference = ?",  # noqa: S608 (own names)
        (*row.values(), changed.reference),
    )
    return changed
