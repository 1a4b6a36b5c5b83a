"""What the rules look at in a booking: its directions, and what of them was flown."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.crm.policy.facts import (
    Booking,
    Brand,
    Passenger,
    Segment,
)
from scenarios.crm.policy.findings import Find
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.handbook.zones import zone

FLOWN, MISSED, OPEN = "flown", "missed", "open"
Way = tuple[Segment, ...]


def ways(booking: Booking) -> Iterator[Way]:
    return (booking.way(direction) for direction in booking.directions())


def is_begun(way: Way) -> bool:
    return any(each.state == FLOWN for each in way)


def unbegun(booking: Booking) -> Iterator[tuple[str, int, Passenger, Way]]:
    """Each passenger's fare of each direction of which nothing was flown."""
    for way in ways(booking):
        if not is_begun(way):
            for one in booking.passengers:
                yield str(one.number), one.fares[way[0].direction], one, way


def seated(booking: Booking) -> list[Passenger]:
    return [each for each in booking.passengers if each.kind != "infant"]


def brand_of(way: Way, find: Find) -> Brand:
    """The one that counts."""
    lowered = find("13")
    return lowered.brand if lowered and lowered.brand else way[0].brand


def lowered(find: Find) -> tuple[str, ...]:
    found = find("13")
    return ("13",) if found and found.brand else ()


def unflown_part(edition: Edition, way: Way, fare: int) -> int:
    """The part of a fare that was not flown, rounded down."""
    if edition.share_by == "miles":
        size = [edition.miles[zone(each.origin)][zone(each.destination)] for each in way]
    else:
        size = [1] * len(way)
    unflown = [one for one, each in zip(size, way, strict=True) if each.state != FLOWN]
    return fare * sum(unflown) // sum(size)
