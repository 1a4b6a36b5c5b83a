"""The passengers of a booking who are ticked for a flight on a form: as checked in, or as having an
escort.

Each of the two has a table with the columns `NAMES`.
"""

from __future__ import annotations

from typing import Literal

from sites.crm.airline_desk.model.journal import Values
from sites.crm.airline_desk.model.records import Booking, Segment
from sites.crm.airline_desk.model.world import add
from sites.world import World

Ticks = Literal["checkins", "escorts"]
NAMES = ("reference", "flight", "date", "passenger")


def read(world: World, table: Ticks, found: Booking, one: Segment) -> set[int]:
    """Return the numbers of the passengers whom a table lists for the flight (as checked in, or
    with an escort).
    """
    rows = world.read(
        f"SELECT passenger FROM {table} WHERE reference = ? AND flight = ? AND date = ?",  # noqa: S608 (own names)
        (found.reference, one.flight, one.date),
    )
    return {row["passenger"] for row in rows}


def typed(found: Booking, key: str, values: Values, before: set[int]) -> set[int]:
    """Return the numbers of the passengers who are ticked in a form.

    Args:
        found: The booking.
        key: The name of the fields `<key>.<number>`; a field that is not empty is ticked.
        values: The texts of the form.
        before: The passengers who were ticked; they stay so if their field is missing.
    """

    def is_ticked(number: int) -> bool:
        own = f"{key}.{number}"
        return bool(values[own].strip()) if own in values else number in before

    return {each.number for each in found.passengers if is_ticked(each.number)}


def write(world: World, table: Ticks, found: Booking, one: Segment, after: set[int]) -> None:
    """Change a table so that it lists exactly these passengers for the flight."""
    key, before = (found.reference, one.flight, one.date), read(world, table, found, one)
    for each in sorted(before - after):
        world.write(
            f"DELETE FROM {table} WHERE reference = ? AND flight = ? AND date = ?"  # noqa: S608 (own names)
            " AND passenger = ?",
            (*key, each),
        )
    for each in sorted(after - before):
        add(world, table, dict(zip(NAMES, (*key, each), strict=True)))
