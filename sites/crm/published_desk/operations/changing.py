"""Operations on existing bookings: find, cancel, change the passenger, change the flights."""

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
    """Find the booking whose reference was typed, and return it.

    Args:
        world: The visit's database (its world).
        values: `booking-reference`.

    Raises:
        Invalid: The reference is missing.
        Refusal: 404 if the booking does not exist.
    """
    with commit(world, "search-booking", Place("find"), values) as entry:
        found = booking(world, forms.reference(values, "booking-reference"))
        entry.recorded = {"booking-reference": found.reference}
    return found


def start_cancel(world: World, reference: str) -> Booking:
    """Record the press of Cancel on a booking, and return the booking. The page then asks for the
    reference; nothing is cancelled yet.
    """
    return _start(world, "cancel-booking", reference)


def start_modify(world: World, reference: str) -> Booking:
    """Record the press of Modify on a booking, and return the booking. Nothing is changed yet."""
    return _start(world, "modify-booking", reference)


def cancel_booking(
    world: World, reference: str, values: Values, version: int | None = None
) -> Booking:
    """Cancel a booking for good.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `confirm-reference`, the same reference typed again.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: The typed reference is another one.
        Refusal: 404 or 409. Nothing was changed.
    """
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
    """Save all details of a booking's passenger.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `title`, `first-name`, `last-name`, `gender` and `dob`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong.
        Refusal: 404 or 409. Nothing was changed.
    """
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
    """Move a booking to flights of a journey that was begun to change it.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        number: The number of the journey.
        values: `outward` and `return`, the numbers of the flights.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong.
        Refusal: 404 or 409. Nothing was changed.
    """
    place = Place("modify-results", f"{normal(reference)}/{number}")
    with commit(world, "save-changes", place, values) as entry:
        found = changeable(world, reference, version)
        trip = journey_for(world, found, number)
        outward, back = chosen(world, data, trip, values)
        entry.recorded = flight_values(outward, back)
        return _save(world, _moved(found, outward, back))


def journey_for(world: World, found: Booking, number: int) -> Journey:
    """Return a journey that was begun to change this booking. Raises `Refusal` (404)."""
    trip = journey(world, number)
    if trip.booking != found.reference:
        search = Place("modify-search", found.reference).address
        raise Refusal(404, f"Search {number} is not for this booking.", search, "Search again")
    return trip


def _start(world: World, control: str, reference: str) -> Booking:
    """Record the press of a button on a booking that can be changed, and return the booking."""
    with commit(world, control, Place("booking", normal(reference)), {}):
        return changeable(world, reference)


def _moved(found: Booking, outward: Flight, back: Flight | None) -> Booking:
    """Return a copy of a booking with other flights and their price."""
    inbound = Leg(back.number, back.date) if back else None
    price = total(outward, back) if back else total(outward)
    return replace(found, outward=Leg(outward.number, outward.date), inbound=inbound, price=price)


def _save(world: World, changed: Booking) -> Booking:
    """Write the current state of a booking to the database, and return it."""
    row = booking_row(changed)
    columns = ", ".join(f"{column} = ?" for column in row)
    world.write(
        f"UPDATE bookings SET {columns} WHERE reference = ?",  # noqa: S608 (own names)
        (*row.values(), changed.reference),
    )
    return changed
