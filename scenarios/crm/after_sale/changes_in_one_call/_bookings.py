"""The bookings of a telephone call: two of the same people, and some that resemble the second
booking.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

from scenarios.crm.after_sale.changes_in_one_call._edits import WAYS, Call
from scenarios.crm.airline_desk import bookings, dates, parties
from scenarios.crm.airline_desk.bookings import Customer, Held, Voucher
from scenarios.crm.airline_desk.parties import ADULT
from scenarios.crm.airline_desk.sampling import LETTERS
from sites.crm import CrmData
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.records import CANCELLED, Passenger
from sites.crm.base.clock import TODAY
from sites.crm.base.timetable import Flight

BRANDS = ("classic", "flex", "flex", "business")

Way = tuple[str, str, str, str]
"""Origin, destination, and the ISO dates of the outward and return flights."""


def days_of_travel(rng: Random) -> list[str]:
    """Draw the travel days of two trips as ISO dates: out, home, out, home.

    The first trip is soon, and the second is weeks later in a month that the first does not touch.
    """
    first = TODAY + timedelta(rng.randint(2, 25))
    home = first + timedelta(rng.randint(3, 10))
    second = home + timedelta(rng.randint(30, 190))
    while second.month in {first.month, home.month}:
        second += timedelta(7)
    days = (first, home, second, second + timedelta(rng.randint(4, 14)))
    return [each.isoformat() for each in days]


def trip(
    rng: Random,
    data: CrmData,
    people: tuple[Passenger, ...],
    ends: Way,
    taken: set[str],
) -> Held | None:
    """Draw a booking of two flights with seats and bags, or return None if flights lack seats."""
    home, city, out, back = ends
    ways = {}
    for name, way in zip(WAYS, ((home, city, out), (city, home, back)), strict=True):
        brand = rng.choice(BRANDS)
        direct = [
            each for each in data.network.direct(*way) if each.fare(brand).seats >= len(people)
        ]
        if not direct:
            return None
        ways[name] = rng.choice(direct), brand
    held = Held(
        reference=bookings.reference(rng, taken),
        customer=1,
        bought=f"2025-{rng.randint(10, 12)}-{rng.randint(1, 28):02} {rng.randint(8, 18):02}:15:00",
        ways=ways,
        passengers=people,
        card=f"{rng.randrange(10000):04}",
    )
    seats = {
        (each.number, flight.number): code
        for flight in held.flights
        for each, code in zip(people, _seats(rng, flight, len(people)), strict=False)
    }
    bags = {(each.number, way): rng.choice((0, 1, 1, 2)) for each in people for way in WAYS}
    packed = {key: pieces for key, pieces in bags.items() if pieces}
    return replace(held, seats=seats, bags=packed)


def _seats(rng: Random, flight: Flight, number: int) -> list[str]:
    free = [each.code for each in cabin(flight).places.values() if each.free and not each.exit]
    return rng.sample(free, number)


def call_about(rng: Random, trips: tuple[Held, Held]) -> Call:
    """Draw the details of a call: vouchers (the last has expired), a card, and the check-ins of the
    first trip.
    """
    card = parties.card(rng)
    balances = [rng.randint(8, 19), rng.randint(60, 90), rng.randint(60, 90)]
    days = [
        TODAY + timedelta(rng.randint(20, 120)),
        TODAY + timedelta(rng.randint(150, 400)),
        TODAY - timedelta(rng.randint(5, 60)),
    ]
    vouchers = [
        Voucher(f"V-{_code(rng)}", 1, balance, day.isoformat())
        for balance, day in zip(balances, days, strict=True)
    ]
    people = trips[0].passengers[1:]
    checked = [
        (each.number, way)
        for each in people
        for way in WAYS
        if way == WAYS[0] or rng.random() < 0.5
    ]
    return Call(trips, checked, vouchers, vouchers[0], card)


def _code(rng: Random) -> str:
    return "".join(rng.choices(LETTERS, k=4))


def look_alikes(
    rng: Random, data: CrmData, two: Held, taken: set[str]
) -> tuple[tuple[Held, ...], tuple[Customer, ...]] | None:
    """Draw three bookings that resemble the second trip, with their customers; None if impossible.

    A namesake flies to the same city in another month, and to another city on the same days. The
    party itself has a cancelled booking with the trip's cities and days.
    """
    who = two.passengers[0].person
    own = Customer(1, who, f"{who.first_name.lower()}@example.com", two.origin, "Silver")
    namesake = parties.draw(rng, data, (ADULT,), [two.flights[0].date] * 2, turning=False)
    person = replace(namesake.passengers[0].person, last_name=who.last_name)
    if person.first_name == who.first_name:
        return None
    other = Customer(2, person, f"{person.first_name.lower()}@example.org", two.origin)
    out, back = (flight.date for flight in two.flights)
    cities = {*bookings.plain_airports(data)} - {two.origin, two.destination}
    city = rng.choice(sorted(cities))
    later = dates.moved(out, 45), dates.moved(back, 45)
    ends: list[tuple[Way, tuple[Passenger, ...]]] = [
        ((two.origin, two.destination, *later), (Passenger(1, "adult", person),)),
        ((two.origin, city, out, back), (Passenger(1, "adult", person),)),
        ((two.origin, two.destination, out, back), two.passengers),
    ]
    made = [trip(rng, data, people, way, taken) for way, people in ends]
    held = [each for each in made if each]
    if len(held) < len(ends):
        return None
    *namesakes, void = held
    return (
        *(replace(each, customer=2) for each in namesakes),
        replace(void, status=CANCELLED),
    ), (own, other)
