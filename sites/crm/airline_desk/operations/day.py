"""The day of travel: departures of an airport, bookings on a flight, other flights, check-in.

`values` are the normal texts of a form by the fields' keys. A wrong value raises `Invalid`, and a
booking that cannot be changed raises `Refusal`; then nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking, Segment, read_booking
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import booked, changing, checks, looking, ticked
from sites.crm.base import forms
from sites.crm.base.forms import Invalid
from sites.crm.base.network import Fare, Offer, utc
from sites.crm.base.timetable import Flight
from sites.crm.base.world import CrmData
from sites.site_app import Refusal
from sites.world import World

CANCELLED, MOVED = "cancelled", "moved"


@dataclass(frozen=True)
class Event:
    """A change that the airline made to a flight.

    Attributes:
        kind: `CANCELLED`, `MOVED` or "late".
        cause: The reason.
        minutes: By how many minutes it is moved or late.
    """

    kind: str
    cause: str
    minutes: int


@dataclass(frozen=True)
class OnBoard:
    """A booking on a flight.

    Attributes:
        booking: The booking.
        place: The position of the flight in the booking, from 1.
        segment: The flight in the booking.
        onward: The next flight of the same direction, None if it is the last.
        waiting: Minutes until the next flight departs.
    """

    booking: Booking
    place: int
    segment: Segment
    onward: Flight | None
    waiting: int

    @property
    def persons(self) -> int:
        """The number of passengers, including infants."""
        return len(self.booking.passengers)

    @property
    def seats(self) -> int:
        """The number of passengers with a seat."""
        return sum(each.seated for each in self.booking.passengers)


# Looking -----------------------------------------------------------------------------------------


def event(world: World, flight: Flight) -> Event | None:
    """Return the cancellation, new time or delay of a flight on its date, or None."""
    rows = world.read(
        "SELECT kind, cause, minutes FROM flight_events WHERE flight = ? AND date = ?",
        (flight.number, flight.date),
    )
    return Event(**rows[0]) if rows else None


def departures(data: CrmData, airport: str, destination: str, date: str) -> tuple[Flight, ...]:
    """Return the departures of an airport on a day, sorted by time and number.

    Args:
        data: The site's read-only data.
        airport: The airport code.
        destination: Only flights to this airport; "" for all.
        date: An ISO date.
    """
    found = [
        flight
        for to in ([destination] if destination else data.airports)
        if to != airport
        for flight in data.network.on(airport, to, date)
    ]
    return tuple(sorted(found, key=lambda flight: (flight.departs, flight.number)))


def flight(data: CrmData, number: str, date: str) -> Flight:
    """Return the flight with a number on a date. Raises `Refusal` (404)."""
    try:
        found = data.network.flight(number.strip().upper(), checks.iso_day(date))
    except ValueError:
        found = None
    if found is None:
        raise Refusal(404, "There is no such flight on this day. Look it up among the departures.")
    return found


def seats_left(world: World, data: CrmData, one: Flight) -> tuple[Fare, ...]:
    """Return the fares of a flight with the seats that are left, after the bookings of this visit.

    A cancelled flight has none.
    """
    if booked.is_cancelled(world, one):
        return ()
    return looking.left(world, data, Offer((one,), data.network.fares(one))).fares


def on_board(world: World, data: CrmData, one: Flight) -> tuple[OnBoard, ...]:
    """Return the bookings on a flight in the order of their purchase."""
    rows = world.read(
        "SELECT DISTINCT bookings.* FROM bookings JOIN segments USING (reference)"
        " WHERE status = 'confirmed' AND flight = ? AND date = ? ORDER BY bought, reference",
        (one.number, one.date),
    )
    return tuple(_on_board(data, read_booking(world, row), one) for row in rows)


def waiting_for(world: World, one: Flight) -> tuple[str, ...]:
    """Return the references of the bookings on a flight's waiting list, first come first."""
    rows = world.read(
        "SELECT reference FROM waiting WHERE flight = ? AND date = ? ORDER BY rowid",
        (one.number, one.date),
    )
    return tuple(row["reference"] for row in rows)


def waits_for(world: World, found: Booking) -> set[tuple[str, str]]:
    """Return number and date of each flight for which a booking is on the waiting list."""
    rows = world.read("SELECT flight, date FROM waiting WHERE reference = ?", (found.reference,))
    return {(row["flight"], row["date"]) for row in rows}


def others(data: CrmData, one: Flight) -> tuple[Flight, ...]:
    """Return the other flights of the same route and day."""
    found = data.network.on(one.origin, one.destination, one.date)
    return tuple(each for each in found if each.number != one.number)


def checked_in(world: World, found: Booking, place: int) -> set[int]:
    """Return the numbers of the passengers who are checked in on the n-th flight of a booking."""
    return ticked.read(world, "checkins", found, booked.segment(found, place))


def _on_board(data: CrmData, found: Booking, one: Flight) -> OnBoard:
    """Return a booking on a flight with its connecting flight, if any, and the minutes until that
    departs.
    """
    at = next(
        place
        for place, each in enumerate(found.segments)
        if (each.flight, each.date) == (one.number, one.date)
    )
    here, after = found.segments[at], found.segments[at + 1 : at + 2]
    onward = booked.flight(data, after[0]) if after else None
    if onward is None or after[0].direction != here.direction:
        return OnBoard(found, at + 1, here, None, 0)
    waiting = utc(data.airports, onward)[0] - utc(data.airports, one)[1]
    return OnBoard(found, at + 1, here, onward, waiting)


# Other flights of the day ------------------------------------------------------------------------


def rebook(
    world: World,
    data: CrmData,
    reference: str,
    place: int,
    values: Values,
    version: int | None = None,
) -> None:
    """Move a booking to another flight of the same route and day, free of charge.

    The brand stays the same. Seats and check-ins on the old flight are deleted.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        place: The position of the flight in the booking, from 1.
        values: `to-flight`, the number of the new flight.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    at = Place("rebook", (reference, str(place)))
    with booked.change(world, "rebook", at, values, version) as (found, entry):
        one = booked.segment(found, place)
        new = _chosen(world, data, one, values)
        _check_room(world, data, found, one, new)
        flights = [booked.flight(data, each) for each in found.segments]
        flights[place - 1] = new
        if not booked.in_turn(data, flights):
            raise Invalid(
                {
                    "to-flight": "The next flight of the booking leaves before this arrives,"
                    " or this one before the flight before it arrives. Choose another."
                }
            )
        changing.leave_flight(world, found, one)
        world.write(
            "UPDATE segments SET flight = ? WHERE reference = ? AND direction = ? AND place = ?",
            (new.number, found.reference, one.direction, one.place),
        )
        entry.recorded = {"from": one.flight, "to": new.number}
        entry.slots = {**entry.slots, "flight": new.number}


def wait(
    world: World,
    data: CrmData,
    reference: str,
    place: int,
    values: Values,
    version: int | None = None,
) -> None:
    """Put a booking on the waiting list of another flight of the same route and day.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        place: The position of the flight in the booking, from 1.
        values: `to-flight`, the number of the other flight.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    with _waiting(world, data, "add-waiting", reference, place, values, version) as (found, new):
        if (new.number, new.date) in waits_for(world, found):
            raise Invalid({"to-flight": f"The booking waits for {new.number} already."})
        row = {"reference": found.reference, "flight": new.number, "date": new.date}
        add(world, "waiting", row)


def stop_waiting(
    world: World,
    data: CrmData,
    reference: str,
    place: int,
    values: Values,
    version: int | None = None,
) -> None:
    """Take a booking off the waiting list of a flight.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        place: The position of the flight in the booking, from 1.
        values: `to-flight`, the number of the other flight.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    with _waiting(world, data, "end-waiting", reference, place, values, version) as (found, new):
        if (new.number, new.date) not in waits_for(world, found):
            raise Invalid({"to-flight": f"The booking does not wait for {new.number}."})
        world.write(
            "DELETE FROM waiting WHERE reference = ? AND flight = ? AND date = ?",
            (found.reference, new.number, new.date),
        )


@contextmanager
def _waiting(
    world: World,
    data: CrmData,
    control: str,
    reference: str,
    place: int,
    values: Values,
    version: int | None,
) -> Iterator[tuple[Booking, Flight]]:
    """Yield the booking, and the flight whose waiting list the change is about."""
    at = Place("rebook", (reference, str(place)))
    with booked.change(world, control, at, values, version) as (found, entry):
        new = _chosen(world, data, booked.segment(found, place), values)
        yield found, new
        entry.recorded = {"flight": new.number}
        entry.slots = {**entry.slots, "flight": new.number}


def _chosen(world: World, data: CrmData, one: Segment, values: Values) -> Flight:
    """Return the flight whose number is in the field `to-flight`. Raises `Invalid`."""
    known = {each.number: each for each in others(data, booked.flight(data, one))}

    def reader(text: str) -> Flight:
        found = known.get(text.strip().upper())
        if found is None:
            raise ValueError("Choose another flight of the same route and day.")
        if booked.is_cancelled(world, found):
            raise ValueError(f"{found.number} is cancelled. Choose another flight.")
        return found

    return forms.read(values, {"to-flight": reader})["to-flight"]


def _check_room(world: World, data: CrmData, found: Booking, one: Segment, new: Flight) -> None:
    """Raise `Invalid` if the new flight has not enough free seats in the booked fare brand."""
    need = sum(each.seated for each in found.passengers)
    left = next(fare.seats for fare in seats_left(world, data, new) if fare.brand == one.brand)
    if left < need:
        raise Invalid(
            {"to-flight": f"{new.number} has {left} seats left in this fare; {need} are needed."}
        )


# Check-in ----------------------------------------------------------------------------------------


def save_checkin(
    world: World,
    data: CrmData,
    reference: str,
    place: int,
    values: Values,
    version: int | None = None,
) -> None:
    """Set who is checked in on the n-th flight of a booking: the ticked passengers and no others.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        place: The position of the flight in the booking, from 1.
        values: `checked-in.<number>`, which is `yes` or empty.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    at = Place("checkin", (reference, str(place)))
    with booked.change(world, "save-checkin", at, values, version) as (found, entry):
        one = booked.segment(found, place)
        before = checked_in(world, found, place)
        after = ticked.typed(found, "checked-in", values, before)
        if after - before and booked.is_cancelled(world, booked.flight(data, one)):
            sentence = f"{one.flight} is cancelled. Nobody can be checked in."
            raise Invalid({f"checked-in.{each}": sentence for each in sorted(after - before)})
        ticked.write(world, "checkins", found, one, after)
        entry.recorded = {"checked in": sorted(after)}
        entry.slots = {**entry.slots, "flight": one.flight}
