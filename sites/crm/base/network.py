"""The routes, flights and connections that the airline desk sells, computed from a seed.

Hubs have flights to and from every airport. Any other route has direct flights if it is short, if
it has few connections, or if a hash selects it. An offer is a flight, or two flights with a change
at a hub.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from random import Random

from sites.crm.base.airports import Airports, distance
from sites.crm.base.timetable import DAY, Flight, Timetable

HUBS = ("AMS", "DFW", "DOH", "ORD", "SIN", "VIE")
BRANDS = ("light", "classic", "flex", "business")
FEWEST_FLIGHTS = 6
LEAST_WAITING, MOST_WAITING = 60, 300
"""Minimum and maximum number of minutes between two connecting flights at the hub.

Nobody waits overnight, because the first flight of a day leaves more than `MOST_WAITING` after the
last arrival of the day before.
"""
CONNECTIONS = 8, 12
"""Range from which a random number draws the most connections that are offered for a pair of
airports on a day.
"""
SHORT_KM = 900
DIRECT = 0.06
"""The share of routes between non-hubs that get direct flights although they are long and have
connections.
"""
USUAL_DAY, ENOUGH = "2026-01-15", 12
"""A route between non-hubs with fewer than ENOUGH connections on the day USUAL_DAY gets direct
flights.
"""
DETOUR, DETOUR_KM = 1.4, 700
HUB_PRICE, OTHER_PRICE = 0.68, 1.35
"""Price factors of flights to or from a hub (HUB_PRICE) and of other flights (OTHER_PRICE), so that
a journey with a stop is often cheaper.
"""
FULL, FEW = 0.06, 0.22
"""On a flight with free seats, the share of its fares that are sold out (FULL) or have one to three
seats (FEW).
"""
MOST_SEATS = 40


@dataclass(frozen=True)
class Fare:
    """A fare brand of a flight or an offer.

    Attributes:
        brand: One of `BRANDS`.
        price: The price for an adult, in whole dollars.
        seats: The number of seats left at this fare (0: sold out).
    """

    brand: str
    price: int
    seats: int


@dataclass(frozen=True)
class Offer:
    """An offer for one direction: a flight, or two flights with a change.

    Attributes:
        flights: The flights.
        fares: The fares in the order of `BRANDS`.
    """

    flights: tuple[Flight, ...]
    fares: tuple[Fare, ...]

    @property
    def id(self) -> str:
        """The offer's id: its flight numbers, joined by dots."""
        return ".".join(flight.number for flight in self.flights)

    @property
    def origin(self) -> str:
        return self.flights[0].origin

    @property
    def destination(self) -> str:
        return self.flights[-1].destination

    @property
    def date(self) -> str:
        return self.flights[0].date

    @property
    def departs(self) -> int:
        return self.flights[0].departs

    @property
    def arrives(self) -> int:
        return self.flights[-1].arrives

    @property
    def days(self) -> int:
        """The number of days between the offer's `date` and its arrival."""
        return sum(flight.days for flight in self.flights)

    @property
    def stops(self) -> int:
        return len(self.flights) - 1

    @property
    def waiting(self) -> int:
        """The waiting time at the hub in minutes. Both flights are on the same local day there."""
        pairs = zip(self.flights, self.flights[1:], strict=False)
        return sum(after.departs - before.arrives for before, after in pairs)

    @property
    def minutes(self) -> int:
        """Total travel time in minutes."""
        return self.waiting + sum(flight.minutes for flight in self.flights)

    def fare(self, brand: str) -> Fare:
        """Return the offer's fare of a fare brand."""
        return self.fares[BRANDS.index(brand)]


class Network:
    """Every flight and every offer between these airports.

    Args:
        airports: The airports.
        seed: The seed from which all flights are computed.
    """

    def __init__(self, airports: Airports, seed: int = 1) -> None:
        self.airports, self.seed = airports, seed
        self._timetable = Timetable(airports, seed, FEWEST_FLIGHTS)
        self.flies = lru_cache(maxsize=8192)(self._flies)
        self.on = lru_cache(maxsize=4096)(self._on)
        self.fares = lru_cache(maxsize=8192)(self._fares)
        self.offers = lru_cache(maxsize=512)(self._offers)

    def flight(self, number: str, date: str) -> Flight | None:
        """Return the flight with this number on this date, or None if it does not fly then."""
        found = self._timetable.flight(number, date)
        flights = self.on(found.origin, found.destination, date) if found else ()
        return next((each for each in flights if each.number == number), None)

    def offer(self, origin: str, destination: str, date: str, offer_id: str) -> Offer | None:
        """Return the offer with an id on a route and day, or None."""
        found = self.offers(origin, destination, date)
        return next((each for each in found if each.id == offer_id), None)

    def _flies(self, origin: str, destination: str) -> bool:
        """Return whether a route has direct flights. Routes between airports of the same city have
        none.
        """
        if not self._apart(origin, destination):
            return False
        if {origin, destination} & set(HUBS) or self._km(origin, destination) < SHORT_KM:
            return True
        one, other = sorted((origin, destination))
        drawn = Random(f"crm/routes/{self.seed}/{one}/{other}").random() < DIRECT
        return drawn or self._few(one, other) or self._few(other, one)

    def _few(self, origin: str, destination: str) -> bool:
        """Return whether a route has few connections through hubs on a usual day."""
        found = islice(self._connections(origin, destination, USUAL_DAY), ENOUGH)
        return len(list(found)) < ENOUGH

    def _on(self, origin: str, destination: str, date: str) -> tuple[Flight, ...]:
        """Return the direct flights of a route on an ISO date, in order of departure."""
        if not self.flies(origin, destination):
            return ()
        share = HUB_PRICE if {origin, destination} & set(HUBS) else OTHER_PRICE
        flights = self._timetable.on(origin, destination, date)
        return tuple(replace(each, price=round(each.price * share)) for each in flights)

    def _fares(self, flight: Flight) -> tuple[Fare, ...]:
        """Return the fares of a flight by brand, each more expensive than the one before.

        `flight.price` is the price of the first brand.
        """
        rng = Random(f"crm/fares/{self.seed}/{flight.number}/{flight.date}")
        classic = round(flight.price * rng.uniform(1.05, 1.35)) + rng.randint(8, 35)
        flex = round(classic * rng.uniform(1.05, 1.4)) + rng.randint(10, 45)
        business = round(flex * rng.uniform(1.5, 2.3)) + rng.randint(40, 120)
        prices = (flight.price, classic, flex, business)
        return tuple(
            Fare(brand, price, min(flight.seats, _seats(rng)))
            for brand, price in zip(BRANDS, prices, strict=True)
        )

    def _offers(self, origin: str, destination: str, date: str) -> tuple[Offer, ...]:
        """Return the offers of a route on a day, sorted by departure, then arrival, then id."""
        found = list(self._connections(origin, destination, date))
        rng = Random(f"crm/connections/{self.seed}/{origin}/{destination}/{date}")
        most = rng.randint(*CONNECTIONS)
        some = rng.sample(found, most) if len(found) > most else found
        connecting = (self._offer(*flights) for flights in some)
        return tuple(sorted((*self.direct(origin, destination, date), *connecting), key=_order))

    def direct(self, origin: str, destination: str, date: str) -> tuple[Offer, ...]:
        """Return the offers of a route on a day without a change, sorted by departure, then
        arrival, then id.
        """
        offers = map(self._offer, self.on(origin, destination, date))
        return tuple(sorted(offers, key=_order))

    def _connections(
        self, origin: str, destination: str, date: str
    ) -> Iterator[tuple[Flight, Flight]]:
        """Yield each pair of flights that make a possible connection on a route and day."""
        hubs = self._hubs(origin, destination) if self._apart(origin, destination) else ()
        for hub in hubs:
            for first in self.on(origin, hub, date):
                for second in self.on(hub, destination, later(date, first.days)):
                    if LEAST_WAITING <= second.departs - first.arrives <= MOST_WAITING:
                        yield first, second

    def _offer(self, *flights: Flight) -> Offer:
        """Return the offer that consists of these flights."""
        by_brand = zip(*(self.fares(flight) for flight in flights), strict=True)
        return Offer(flights, tuple(_joined(fares) for fares in by_brand))

    def _hubs(self, origin: str, destination: str) -> tuple[str, ...]:
        """Return the hubs that lie, without a long detour, on the way between two airports."""
        far = DETOUR * self._km(origin, destination) + DETOUR_KM
        return tuple(
            hub for hub in HUBS if self._km(origin, hub) + self._km(hub, destination) <= far
        )

    def _apart(self, one: str, other: str) -> bool:
        """Return whether two airports are in different cities."""
        return self.airports[one].city != self.airports[other].city

    def _km(self, one: str, other: str) -> float:
        return self._distances[one, other]

    @cached_property
    def _distances(self) -> dict[tuple[str, str], float]:
        places = self.airports.values()
        return {
            (here.code, there.code): distance(here, there) for here in places for there in places
        }


def utc(airports: Airports, flight: Flight) -> tuple[int, int]:
    """Return the times of departure and arrival, in minutes of UTC since day 0 of the calendar."""
    ahead = round(airports[flight.origin].utc_offset * 60)
    departs = datetime.date.fromisoformat(flight.date).toordinal() * DAY + flight.departs - ahead
    return departs, departs + flight.minutes


@lru_cache(maxsize=2048)
def later(date: str, days: int) -> str:
    """Return the ISO date a number of days later."""
    return (datetime.date.fromisoformat(date) + datetime.timedelta(days)).isoformat()


def _seats(rng: Random) -> int:
    """Draw the number of free seats at a fare, 0 if it is sold out."""
    share = rng.random()
    if share < FULL:
        return 0
    return rng.randint(1, 3) if share < FULL + FEW else rng.randint(4, MOST_SEATS)


def _joined(fares: tuple[Fare, ...]) -> Fare:
    """Return the fare of a connection, given the fares of its flights: the sum of the prices and
    the smallest number of seats.
    """
    return Fare(
        fares[0].brand, sum(each.price for each in fares), min(each.seats for each in fares)
    )


def _order(offer: Offer) -> tuple[int, int, str]:
    """Return the sort key of an offer: departure, arrival and id."""
    return offer.departs, offer.days * DAY + offer.arrives, offer.id
