"""The common first steps of every change of a booking: find it and check that it can be changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from sites.crm.airline_desk.model.journal import JournalEntry, Values, commit, refuse_stale
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking, Passenger, Segment
from sites.crm.airline_desk.operations import looking
from sites.crm.base.address import normal
from sites.crm.base.network import utc
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.site_app import Refusal
from sites.world import World


@contextmanager
def change(
    world: World, control: str, place: Place, values: Values, version: int | None
) -> Iterator[tuple[Booking, JournalEntry]]:
    """Yield the booking that a change is about, and the change's entry in the journal; the change
    is made inside this context manager.

    Args:
        world: The visit's database (its world).
        control: The button that was pressed.
        place: The screen.
        values: The texts of the form.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Refusal: The booking is unknown (404), cancelled, or newer than the page (409).
    """
    reference, *rest = place.parts
    named = Place(place.screen, (normal(reference), *rest))
    with commit(world, control, named, values) as entry:
        found = looking.booking(world, reference)
        if found.cancelled:
            raise Refusal(409, f"Booking {found.reference} is cancelled. It cannot be changed.")
        refuse_stale(world, found.reference, version)
        entry.done, entry.slots = f"done-{control}", {"reference": found.reference}
        yield found, entry


def passenger(found: Booking, number: int) -> Passenger:
    """Return a passenger of the booking by number. Raises `Refusal` (404) if there is none."""
    one = found.passenger(number)
    if one is None:
        raise Refusal(404, f"Booking {found.reference} has no passenger {number}.")
    return one


def segment(found: Booking, place: int) -> Segment:
    """Return the n-th flight of a booking (from 1). Raises `Refusal` (404) if there is none."""
    if not 1 <= place <= len(found.segments):
        raise Refusal(404, f"Booking {found.reference} has no such flight.")
    return found.segments[place - 1]


def direction(found: Booking, name: str) -> tuple[Segment, ...]:
    """Return a booking's flights of a direction. Raises `Refusal` (404) if there are none."""
    own = found.direction(name)
    if not own:
        raise Refusal(404, f"Booking {found.reference} has no such direction.")
    return own


def flight(data: CrmData, one: Segment) -> Flight:
    """Return the timetable's flight for a segment of a booking."""
    found = data.network.flight(one.flight, one.date)
    assert found is not None, f"{one.flight} does not fly on {one.date}"
    return found


def is_cancelled(world: World, flight: Flight) -> bool:
    """Return whether the airline has cancelled a flight on its date."""
    return bool(
        world.read(
            "SELECT 1 FROM flight_events WHERE flight = ? AND date = ? AND kind = 'cancelled'",
            (flight.number, flight.date),
        )
    )


def in_turn(data: CrmData, flights: Iterable[Flight]) -> bool:
    """Return whether each of the flights departs after the one before it has arrived."""
    times = [utc(data.airports, each) for each in flights]
    return all(before[1] <= after[0] for before, after in pairwise(times))
