"""Change the seats and the bags of a booking.

`values` are the normal texts of a form by the fields' keys; fields that are missing stay as they
are. A wrong value raises `Invalid`, and a booking or flight that cannot be changed raises
`Refusal`; then nothing is changed.
"""

from __future__ import annotations

from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import Booking
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import booked, checks, selling
from sites.crm.base import forms
from sites.crm.base.world import CrmData
from sites.world import World


def save_seats(
    world: World,
    data: CrmData,
    reference: str,
    flight: int,
    values: Values,
    version: int | None = None,
) -> None:
    """Assign, exchange and release seats on the n-th flight of a booking.

    Args:
        world: The visit's database (its world).
        data: The site's read-only data.
        reference: The reference of the booking.
        flight: The position of the flight in the booking, from 1.
        values: `seat.<number of the passenger>`, such as `14C`, or empty for no seat.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("seats", (reference, str(flight)))
    with booked.change(world, "save-seats", place, values, version) as (found, entry):
        where = booked.flight(data, booked.segment(found, flight))
        before = seats(world, found, flight)
        typed = {f"seat.{each}": seat for each, seat in before.items()} | {**values}
        own = found.reference
        after = selling.read_seats(world, where, found.passengers, typed, own)
        for each in {*before, *after}:
            if before.get(each) != after.get(each):
                _sit(world, (own, each, where.number, where.date), after.get(each, ""))
        entry.recorded = {"seats": {str(each): seat for each, seat in after.items()}}
        entry.slots = {**entry.slots, "flight": where.number}


def save_bags(world: World, reference: str, values: Values, version: int | None = None) -> None:
    """Set how many bags each passenger takes.

    Args:
        world: The visit's database (its world).
        reference: The reference of the booking.
        values: `bags-outward.<number of the passenger>` and `bags-return.<number>`.
        version: The version of the page that was sent; an older version is refused, None skips the
            check.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The booking cannot be changed. Nothing was changed.
    """
    place = Place("bags", (reference,))
    with booked.change(world, "save-bags", place, values, version) as (found, entry):
        before = bags(world, found)
        keys = {bags_key(*key): key for key in before}
        typed = {bags_key(*key): str(pieces) for key, pieces in before.items()} | {**values}
        read = forms.read(typed, dict.fromkeys(keys, checks.count(prices.MOST_BAGS)))
        changed = {keys[key]: pieces for key, pieces in read.items() if pieces != before[keys[key]]}
        for (number, direction), pieces in changed.items():
            _pack(world, (found.reference, number, direction), pieces)
        entry.recorded = {"bags": [[*key, pieces] for key, pieces in changed.items()]}


def seats(world: World, found: Booking, flight: int) -> dict[int, str]:
    """Return the seat codes on the n-th flight of a booking, by passenger number."""
    one = booked.segment(found, flight)
    rows = world.read(
        "SELECT passenger, seat FROM seats WHERE reference = ? AND flight = ? AND date = ?",
        (found.reference, one.flight, one.date),
    )
    return {row["passenger"]: row["seat"] for row in rows}


def bags(world: World, found: Booking) -> dict[tuple[int, str], int]:
    """Return the number of bags in a booking, by passenger number and direction, for passengers
    with a seat.
    """
    rows = world.read("SELECT * FROM bags WHERE reference = ?", (found.reference,))
    pieces = {(row["passenger"], row["direction"]): row["pieces"] for row in rows}
    flown = dict.fromkeys(each.direction for each in found.segments)
    return {
        (each.number, direction): pieces.get((each.number, direction), 0)
        for direction in flown
        for each in found.passengers
        if each.seated
    }


def bags_key(number: int, direction: str) -> str:
    """Return the key of the field for a passenger's bags in a direction."""
    return f"bags-{direction}.{number}"


def _sit(world: World, key: tuple[str, int, str, str], seat: str) -> None:
    """Write a passenger's seat on a flight to the database; "" removes it. `key` is (reference,
    passenger, flight, date).
    """
    world.write(
        "DELETE FROM seats WHERE reference = ? AND passenger = ? AND flight = ? AND date = ?", key
    )
    if seat:
        columns = ("reference", "passenger", "flight", "date")
        add(world, "seats", {**dict(zip(columns, key, strict=True)), "seat": seat})


def _pack(world: World, key: tuple[str, int, str], pieces: int) -> None:
    """Write the number of a passenger's bags to the database. `key` is (reference, passenger,
    direction).
    """
    world.write("DELETE FROM bags WHERE reference = ? AND passenger = ? AND direction = ?", key)
    if pieces:
        columns = ("reference", "passenger", "direction")
        add(world, "bags", {**dict(zip(columns, key, strict=True)), "pieces": pieces})
