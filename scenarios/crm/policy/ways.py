"""The parts of a booking that the rules look at: its directions and what was flown of them."""

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
    """Return the flights of each direction."""
    return (booking.way(direction) for direction in booking.directions())


def is_begun(way: Way) -> bool:
    """Return whether a flight of a direction was flown."""
    return any(each.state == FLOWN for each in way)


def unbegun(booking: Booking) -> Iterator[tuple[str, int, Passenger, Way]]:
    """Yield, for each passenger and direction not yet begun: passenger number, fare, passenger and
    flights.
    """
    for way in ways(booking):
        if not is_begun(way):
            for one in booking.passengers:
                yield str(one.number), one.fares[way[0].direction], one, way


def seated(booking: Booking) -> list[Passenger]:
    """Return the passengers with a seat, that is all but infants."""
    return [each for each in booking.passengers if each.kind != "infant"]


def brand_of(way: Way, find: Find) -> Brand:
    """Return the fare brand that counts: that before a recent upgrade, else the booked one."""
    lowered = find("13")
    return lowered.brand if lowered and lowered.brand else way[0].brand


def lowered(find: Find) -> tuple[str, ...]:
    """Return ("13",) if a recent upgrade of the fare is ignored because of article 13, else ()."""
    found = find("13")
    return ("13",) if found and found.brand else ()


def unflown_part(edition: Edition, way: Way, fare: int) -> int:
    """Return the part of a fare, in dollars rounded down, for flights that were not flown."""
    if edition.share_by == "miles":
        size = [edition.miles[zone(each.origin)][zone(each.destination)] for each in way]
    else:
        size = [1] * len(way)
    unflown = [one for one, each in zip(size, way, strict=True) if each.state != FLOWN]
    return fare * sum(unflown) // sum(size)
