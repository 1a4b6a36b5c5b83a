"""The timetable: flights computed from route and date, so that every search finds the same flights.

A route has eight slots. Each has its own flight number and a fixed departure time. On a given date
three to eight of them fly, at that day's prices and with that day's seats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random

from sites.crm.base.airports import Airports, distance

SLOTS = 8
FEWEST = 3
CARRIERS = ("LW", "KW", "RW", "TW")
NUMBERS = 9000
"""The number of flight numbers per carrier: they have four digits, 1000 to 9999."""
STEPS, STARTS = (1009, 2003, 4507, 7001), (17, 4011, 2503, 8009)
"""Factors (STEPS) and offsets (STARTS) of flight numbers by carrier: number = 1000 + (step x place
+ start) mod 9000; `place` numbers all slots.

The steps have no factor in common with 9000, so each number belongs to exactly one place.
"""
FIRST, LAST = 5 * 60, 23 * 60
DAY = 24 * 60
SOLD_OUT = 0.12
MOST_SEATS, FEW_SEATS = 160, 9


@dataclass(frozen=True)
class Flight:
    """One flight on one date.

    Attributes:
        number: The flight number.
        origin: An airport code.
        destination: An airport code.
        date: The ISO date of departure.
        departs: Minutes of the local day.
        arrives: Minutes of the local day.
        days: The number of days between departure and arrival (-1 across the date line).
        minutes: The duration.
        price: Whole dollars.
        seats: The number of seats left (0: sold out).
    """

    number: str
    origin: str
    destination: str
    date: str
    departs: int
    arrives: int
    days: int
    minutes: int
    price: int
    seats: int


def clock24(minutes: int) -> str:
    """Return a time like 19:01."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def clock12(minutes: int) -> str:
    """Return a time like 7:01pm; noon is 12:00pm, midnight 12:00am."""
    hour = minutes // 60
    return f"{hour % 12 or 12}:{minutes % 60:02}{'pm' if hour >= 12 else 'am'}"


class Timetable:
    """Every flight between these airports.

    Args:
        airports: The airports.
        seed: The seed from which all flights are computed.
        fewest: The minimum number of flights per route and date.
    """

    def __init__(self, airports: Airports, seed: int = 0, fewest: int = FEWEST) -> None:
        self.airports, self.seed, self.fewest = airports, seed, fewest
        self.on = lru_cache(maxsize=4096)(self._on)

    def _on(self, origin: str, destination: str, date: str) -> tuple[Flight, ...]:
        """Return the flights of a route on an ISO date, sorted by departure; at least one has free
        seats.
        """
        rng = Random(f"crm/flights/{self.seed}/{origin}/{destination}/{date}")
        times = self._times(origin, destination)
        slots = sorted(rng.sample(range(SLOTS), rng.randint(self.fewest, SLOTS)))
        flights = [
            self._flight((origin, destination, date), slot, times[slot], rng) for slot in slots
        ]
        if not any(flight.seats for flight in flights):
            flights[0] = replace(flights[0], seats=FEW_SEATS)
        return tuple(flights)

    def flight(self, number: str, date: str) -> Flight | None:
        """Return the flight with this number on this date, or None if it does not fly then."""
        route = self._route(number)
        flights = self.on(*route, date) if route else ()
        return next((each for each in flights if each.number == number), None)

    def number(self, origin: str, destination: str, slot: int) -> str:
        """Return the flight number of a route's slot (0 to 7)."""
        place = 2 * self._places[origin, destination] + slot % 2
        carrier = slot // 2
        return f"{CARRIERS[carrier]}{1000 + (STEPS[carrier] * place + STARTS[carrier]) % NUMBERS}"

    def _route(self, number: str) -> tuple[str, str] | None:
        """Return the route that a flight number belongs to, or None."""
        if number[:2] not in CARRIERS or not number[2:].isdecimal():
            return None
        carrier = CARRIERS.index(number[:2])
        back = pow(STEPS[carrier], -1, NUMBERS)
        place = (int(number[2:]) - 1000 - STARTS[carrier]) * back % NUMBERS // 2
        return self._routes[place] if place < len(self._routes) else None

    @cached_property
    def _routes(self) -> list[tuple[str, str]]:
        codes = list(self.airports)
        return [(here, there) for here in codes for there in codes if here != there]

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        return {route: place for place, route in enumerate(self._routes)}

    def _times(self, origin: str, destination: str) -> list[int]:
        """Return the departure times of a route's slots in minutes of the day, all different."""
        rng = Random(f"crm/times/{self.seed}/{origin}/{destination}")
        return sorted(rng.sample(range(FIRST, LAST), SLOTS))

    def _flight(self, route: tuple[str, str, str], slot: int, departs: int, rng: Random) -> Flight:
        """Return the flight of a slot on a route and date, with price and seats drawn at random."""
        origin, destination, date = route
        here, there = self.airports[origin], self.airports[destination]
        far = distance(here, there)
        minutes = round(35 + far / 830 * 60) + rng.randrange(-4, 12)
        ahead = round((there.utc_offset - here.utc_offset) * 60)
        days, arrives = divmod(departs + minutes + ahead, DAY)
        sold_out, seats = rng.random() < SOLD_OUT, rng.randint(1, MOST_SEATS)
        price = round((38 + far * 0.075) * rng.uniform(0.75, 1.6))
        return Flight(
            number=self.number(origin, destination, slot),
            origin=origin,
            destination=destination,
            date=date,
            departs=departs,
            arrives=arrives,
            days=days,
            minutes=minutes,
            price=price,
            seats=0 if sold_out else seats,
        )
