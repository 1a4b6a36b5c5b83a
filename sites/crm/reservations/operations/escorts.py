"""Escorts of ours for children who fly alone, at a desk that works on tickets.

`values` are normal texts by the fields' keys. A booking or flight that cannot be changed raises
`Refusal`; then nothing is changed. Whether a child may have one is up to the desk.
"""

from __future__ import annotations

from sites.crm.reservations.journal import Values
from sites.crm.reservations.operations import booked
from sites.crm.reservations.place import Place
from sites.crm.reservations.records import Booking
from sites.crm.reservations.world import add
from sites.crm.timetable import Flight
from sites.world import World


def save_escorts(
    world: World, reference: str, place: int, values: Values, version: int | None = None
) -> None:
    """Book an escort on the n-th flight for who is ticked, and none for the others:
    `escort.<number>` is `yes`, or nothing."""
    at = Place("escort", (reference, str(place)))
    with booked.change(world, "save-escort", at, values, version) as (found, entry):
        one, before = booked.segment(found, place), escorted(world, found, place)
        typed = {each.number: values.get(f"escort.{each.number}") for each in found.passengers}
        after = {
            number
            for number, text in typed.items()
            if (number in before if text is None else text.strip())
        }
        key = (found.reference, one.flight, one.date)
        for each in sorted(before - after):
            world.write(
                "DELETE FROM escorts WHERE reference = ? AND flight = ? AND date = ?"
                " AND passenger = ?",
                (*key, each),
            )
        for each in sorted(after - before):
            names = ("reference", "flight", "date", "passenger")
            add(world, "escorts", dict(zip(names, (*key, each), strict=True)))
        entry.recorded = {"escorts": sorted(after)}
        entry.slots = {**entry.slots, "flight": one.flight}


def escorted(world: World, found: Booking, place: int) -> set[int]:
    """The passengers who have an escort on the n-th flight."""
    one = booked.segment(found, place)
    rows = world.read(
        "SELECT passenger FROM escorts WHERE reference = ? AND flight = ? AND date = ?",
        (found.reference, one.flight, one.date),
    )
    return {row["passenger"] for row in rows}


def booked_on(world: World, one: Flight) -> int:
    """How many escorts there are on a flight."""
    [row] = world.read(
        "SELECT count(*) AS number FROM escorts WHERE flight = ? AND date = ?",
        (one.number, one.date),
    )
    return int(row["number"])
