"""Bookings that exist at the desk when a visit begins, as rows of the visit's database.

A booking costs the sum of its fares, seats and bags. Its listed sources (such as vouchers) pay
first and a card pays the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from scenarios.crm.airline_desk.sampling import LETTERS
from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.records import (
    CONFIRMED,
    Passenger,
    Person,
    Segment,
    passenger_row,
    segment_row,
)
from sites.crm.base.network import Offer
from sites.crm.base.timetable import Flight

Rows = dict[str, list[dict[str, Any]]]
"""Database rows (column to value) by table, as `sites.crm.airline_desk.model.world.new_world` takes
them.
"""
CARD = "card"


@dataclass(frozen=True)
class Customer:
    """A customer of the airline who has bookings; `home` is the code of an airport."""

    number: int
    person: Person
    email: str
    home: str
    tier: str = ""
    agency: str = ""

    def row(self) -> dict[str, Any]:
        who = self.person
        return {
            "number": self.number,
            "title": who.title,
            "first_name": who.first_name,
            "last_name": who.last_name,
            "born": who.born,
            "email": self.email,
            "home": self.home,
            "tier": self.tier,
            "agency": self.agency,
        }


@dataclass(frozen=True)
class Voucher:
    """A travel voucher of a customer: `balance` in dollars, valid until the ISO date `expires`."""

    code: str
    customer: int
    balance: int
    expires: str


@dataclass(frozen=True)
class Held:
    """A booking that exists when the visit begins.

    Attributes:
        ways: The offer and the brand (fare class) of each direction.
        seats: Seat codes by (passenger number, flight number).
        bags: Numbers of bags by (passenger number, direction).
        sources: Payments other than the card, each as (method, source, dollars).
        card: The last four digits of the card that pays the rest of the price.
    """

    reference: str
    customer: int | None
    bought: str
    ways: Mapping[str, tuple[Offer, str]]
    passengers: tuple[Passenger, ...]
    card: str
    seats: Mapping[tuple[int, str], str] = field(default_factory=dict)
    bags: Mapping[tuple[int, str], int] = field(default_factory=dict)
    sources: tuple[tuple[str, str, int], ...] = ()
    status: str = CONFIRMED

    @property
    def flights(self) -> tuple[Flight, ...]:
        return tuple(flight for offer, _ in self.ways.values() for flight in offer.flights)

    @property
    def origin(self) -> str:
        return self.flights[0].origin

    @property
    def destination(self) -> str:
        """The code of the airport to which the first direction flies."""
        offer, _ = next(iter(self.ways.values()))
        return offer.destination

    def price(self) -> int:
        """Return the price of the fares, seats and bags of all passengers, in dollars."""
        return sum(self.ticket(each) for each in self.passengers)

    def ticket(self, one: Passenger) -> int:
        """Return the price of one passenger's fares, seats and bags, in dollars."""
        fares = [prices.fare(offer.fare(brand).price, one.kind) for offer, brand in self._fares()]
        seats = [
            cabin(flight).places[code].price
            for flight in self.flights
            for (number, named), code in self.seats.items()
            if (number, named) == (one.number, flight.number)
        ]
        bags = [
            prices.bags(self.ways[way][1], pieces)
            for (number, way), pieces in self.bags.items()
            if number == one.number
        ]
        return sum(fares) + sum(seats) + sum(bags)

    def _fares(self) -> Iterable[tuple[Offer, str]]:
        return self.ways.values()

    def payments(self) -> list[tuple[str, str, int]]:
        """Return (method, source, dollars) of each payment; the card's payment comes last."""
        rest = self.price() - sum(amount for *_, amount in self.sources)
        return [*self.sources, *([(CARD, self.card, rest)] if rest else [])]


def rows(
    held: Iterable[Held], customers: Iterable[Customer] = (), vouchers: Iterable[Voucher] = ()
) -> Rows:
    """Return the database rows of these bookings, customers and vouchers, by table."""
    found: Rows = {"customers": [each.row() for each in customers]}
    found["vouchers"] = [vars(each).copy() for each in vouchers]
    for each in held:
        for table, row in _rows(each):
            found.setdefault(table, []).append(row)
    return found


def _rows(held: Held) -> Iterator[tuple[str, dict[str, Any]]]:
    reference = held.reference
    own = {"status": held.status, "customer": held.customer, "bought": held.bought}
    yield "bookings", {"reference": reference, **own}
    dates = {flight.number: flight.date for flight in held.flights}
    for way, (offer, brand) in held.ways.items():
        for place, flight in enumerate(offer.flights, start=1):
            one = Segment(way, place, flight.number, flight.date, brand)
            yield "segments", segment_row(reference, one)
    for one_of in held.passengers:
        yield "passengers", passenger_row(reference, one_of)
    for (number, flown), seat in held.seats.items():
        key = {"reference": reference, "passenger": number, "flight": flown, "date": dates[flown]}
        yield "seats", {**key, "seat": seat}
    for (number, way), pieces in held.bags.items():
        key = {"reference": reference, "passenger": number, "direction": way}
        yield "bags", {**key, "pieces": pieces}
    for method, source, amount in held.payments():
        yield (
            "payments",
            {
                "reference": reference,
                "at": held.bought,
                "method": method,
                "source": source,
                "amount": amount,
            },
        )


def reference(rng: Random, taken: set[str]) -> str:
    """Draw a booking reference that is not in `taken`, and add it to `taken`."""
    while (made := "".join(rng.choices(LETTERS, k=6))) in taken or made.isalpha():
        continue
    taken.add(made)
    return made


def plain_airports(data: CrmData) -> list[str]:
    """Return the airports of cities with a single airport."""
    cities = [each.city for each in data.airports.values()]
    return [code for code, each in data.airports.items() if cities.count(each.city) == 1]


def offer(rng: Random, data: CrmData, way: tuple[str, str, str], brand: str, number: int) -> Offer:
    """Draw an offer of a day that has enough seats in a brand.

    Args:
        way: Origin, destination and ISO date.
        number: The seats that the offer must still have in this brand.

    Raises:
        IndexError: No offer of that day has enough seats.
    """
    able = [each for each in data.network.offers(*way) if each.fare(brand).seats >= number]
    return rng.choice(able)
