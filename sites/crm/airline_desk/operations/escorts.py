"""Escorts of the airline for children who fly alone, at a desk that works on tickets.

`values` are the normal texts of a form by the fields' keys. A booking or flight that cannot be
changed raises `Refusal`; then nothing is changed. The operations do not check whether a child may
have an escort.
"""

from __future__ import annotations

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking
from sites.crm.airline_desk.operations import booked, ticked
from sites.crm.base.timetable import Flight
from sites.world import World


def save_escorts(
    world: World, reference: str, place: int, values: Values, version: int | None = None
) -> None:
    """Set who has an escort on the n-th flight of a booking: the ticked passengers and no others.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        place: The position of the flight in the booking, from 1.
        values: `escort.<number>`, which is `yes` or empty.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    at = Place("escort", (reference, str(place)))
    with booked.change(world, "save-escort", at, values, version) as (found, entry):
        one = booked.segment(found, place)
        after = ticked.typed(found, "escort", values, escorted(world, found, place))
        ticked.write(world, "escorts", found, one, after)
        entry.recorded = {"escorts": sorted(after)}
        entry.slots = {**entry.slots, "flight": one.flight}


def escorted(world: World, found: Booking, place: int) -> set[int]:
    """Return the numbers of the passengers who have an escort on the n-th flight of a booking."""
    return ticked.read(world, "escorts", found, booked.segment(found, place))


def booked_on(world: World, one: Flight) -> int:
    """Return the number of escorts who are booked on a flight."""
    [row] = world.read(
        "SELECT count(*) AS number FROM escorts WHERE flight = ? AND date = ?",
        (one.number, one.date),
    )
    return int(row["number"])
