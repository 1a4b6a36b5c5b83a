"""Escorts of ours for children who fly alone, at a desk that works on tickets.

`values` are normal texts by the fields' keys. A booking or flight that cannot be changed raises
`Refusal`; then nothing is changed. Whether a child may have one is up to the desk.
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
    """Book an escort on the n-th flight for who is ticked, and none for the others:
    `escort.<number>` is `yes`, or nothing."""
    at = Place("escort", (reference, str(place)))
    with booked.change(world, "save-escort", at, values, version) as (found, entry):
        one = booked.segment(found, place)
        after = ticked.typed(found, "escort", values, escorted(world, found, place))
        ticked.write(world, "escorts", found, one, after)
        entry.recorded = {"escorts": sorted(after)}
        entry.slots = {**entry.slots, "flight": one.flight}


def escorted(world: World, found: Booking, place: int) -> set[int]:
    """The passengers who have an escort on the n-th flight."""
    return ticked.read(world, "escorts", found, booked.segment(found, place))


def booked_on(world: World, one: Flight) -> int:
    """How many escorts there are on a flight."""
    [row] = world.read(
        "SELECT count(*) AS number FROM escorts WHERE flight = ? AND date = ?",
        (one.number, one.date),
    )
    return int(row["number"])
