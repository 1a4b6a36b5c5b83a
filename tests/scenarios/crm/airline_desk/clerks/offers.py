"""Other flights for a direction of a booking, as the desk lists them and the rules look at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby

from scenarios.crm.policy.facts import Booking, Segment
from tests.scenarios.crm.airline_desk.clerk import BRANDS, Clerk, SeenOffer
from tests.scenarios.crm.airline_desk.clerks.booking import WORDS, at
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets

DAY = 24 * 60


@dataclass(frozen=True)
class Listed:
    """Flights of a day, by their numbers, and their fares with seats for all who travel, by brand;
    `segments` as the rules look at them."""

    day: date
    fares: Mapping[str, SeenOffer]
    segments: tuple[Segment, ...]

    @property
    def seen(self) -> SeenOffer:
        return next(iter(self.fares.values()))

    @property
    def numbers(self) -> tuple[str, ...]:
        return self.seen.numbers

    @property
    def lands(self) -> int:
        """Minutes from the start of the day on which they leave, by the clock at the end."""
        same = self.seen.same_day
        return self.seen.arrives + (0 if same else DAY)


def listed(
    desk: Tickets, booking: Booking, way: str, day: date, clocks: Mapping[str, float]
) -> list[Listed]:
    """What the desk lists for a direction on a day, sold-out flights apart; a page of the list is
    open then."""
    clerk = desk.clerk
    desk.open(booking.reference)
    desk.follow("open-reroute", way=desk.word(WORDS[way]))
    desk.send("search-flights", desk.visitor.day(desk.word("departure"), day.isoformat()))
    names = {desk.word(f"brand-{each}"): each for each in BRANDS}
    offers = sorted(clerk.offers(*names), key=lambda each: each.numbers)
    own = booking.way(way)
    found = []
    for _, group in groupby(offers, key=lambda each: each.numbers):
        fares = {names[each.brand]: each for each in group}
        one = next(iter(fares.values()))
        found.append(Listed(day, fares, tuple(_segments(one, own, day, clocks))))
    return found


def _segments(
    seen: SeenOffer, own: Sequence[Segment], day: date, clocks: Mapping[str, float]
) -> Iterator[Segment]:
    """Its flights: when those between land and leave is told by how long they wait alone."""
    first, last = own[0], own[-1]
    leaves = at(clocks, first.origin, day, seen.departs)
    whole = replace(
        first,
        flight=seen.numbers[0],
        destination=last.destination,
        day=day,
        departs=leaves,
        arrives=leaves + timedelta(minutes=seen.minutes),
        state="open",
    )
    if seen.direct:
        yield whole
        return
    stop = leaves + timedelta(minutes=(seen.minutes - seen.waiting) // 2)
    yield replace(whole, destination=seen.hub, arrives=stop)
    onward = stop + timedelta(minutes=seen.waiting)
    yield replace(whole, flight=seen.numbers[1], origin=seen.hub, departs=onward)


def price(clerk: Clerk, adult: int, booking: Booking) -> int:
    """What the whole party pays for a direction that costs an adult so much."""
    child = -(-adult * clerk.child_percent() // 100)
    each = {"adult": adult, "child": child, "infant": clerk.infant_fare()}
    return sum(each[one.kind] for one in booking.passengers)


def take(desk: Tickets, offer: SeenOffer) -> None:
    """Choose a fare; the page that settles it is open then."""
    desk.go(offer.page)
    desk.send("confirm-flights", {offer.fare.name: offer.fare.value})
