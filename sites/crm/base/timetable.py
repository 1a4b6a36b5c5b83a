"""The flights: a pure function of route and date, so that every search finds the same ones.

A route has eight slots, each with a flight number of its own and a fixed time of departure. On
a given date three to eight of them fly, at that day's prices and with that day's seats.
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
"""Flight numbers have four digits: 1000 to 9999."""
STEPS, STARTS = (1009, 2003, 4507, 7001), (17, 4011, 2503, 8009)
"""By carrier: number = 1000 + (step x place + start) mod 9000; the steps have no factor in common
with 9000, so that no number is given twice and each leads back to its place."""
FIRST, LAST = 5 * 60, 23 * 60
DAY = 24 * 60
SOLD_OUT = 0.12
MOST_SEATS, FEW_SEATS = 160, 9


@dataclass(frozen=True)
class Flight:
    """One flight on one date.

    `departs` and `arrives` are minutes of the local day, `days` is how many days after the day
    of departure it arrives (-1 across the date line), `minutes` the time in the air and on the
    ground, `price` whole dollars, `seats` those left (0: sold out).
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
    """19:01"""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def clock12(minutes: int) -> str:
    """7:01pm; noon is 12:00pm, midnight 12:00am."""
    hour = minutes // 60
    return f"{hour % 12 or 12}:{minutes % 60:02}{'pm' if hour >= 12 else 'am'}"


class Timetable:
    """Every flight between these airports; `seed` names the plan.

    `fewest` is the least number of flights of a route on a date.
    """

    def __init__(self, airports: Airports, seed: int = 0, fewest: int = FEWEST) -> None:
        self.airports, self.seed, self.fewest = airports, seed, fewest
        self.on = lru_cache(maxsize=4096)(self._on)

    def _on(self, origin: str, destination: str, date: str) -> tuple[Flight, ...]:
        """The flights of a route on an ISO date, in order of departure; one at least has seats."""
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
        """The flight with this number on this date, if it flies then."""
        route = self._route(number)
        flights = self.on(*route, date) if route else ()
        return next((each for each in flights if each.number == number), None)

    def number(self, origin: str, destination: str, slot: int) -> str:
        place = 2 * self._places[origin, destination] + slot % 2
        carrier = slot // 2
        return f"{CARRIERS[carrier]}{1000 + (STEPS[carrier] * place + STARTS[carrier]) % NUMBERS}"

    def _route(self, number: str) -> tuple[str, str] | None:
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
        """When the slots depart; no two at the same time."""
        rng = Random(f"crm/times/{self.seed}/{origin}/{destination}")
        return sorted(rng.sample(range(FIRST, LAST), SLOTS))

    def _flight(self, route: tuple[str, str, str], slot: int, departs: int, rng: Random) -> Flight:
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
