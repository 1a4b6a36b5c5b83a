"""A company's trips: bookings with the fees, refunds and notes that came after the sale.

Each trip is drawn from a description: it counts for the question, or a single condition
disqualifies it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

from scenarios.crm.airline_desk import bookings, dates, parties
from scenarios.crm.airline_desk.bookings import CARD, Customer, Held, Rows, Voucher
from scenarios.crm.airline_desk.parties import ADULT, CHILD, INFANT
from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.cabin import Place, cabin
from sites.crm.airline_desk.model.records import CANCELLED, CONFIRMED, Passenger, Person
from sites.crm.base.network import BRANDS, USUAL_DAY, Offer
from sites.crm.base.timetable import Flight

VOUCHER = "voucher"
NOTES = ("called", "illness", "wheelchair", "permission", "documents", "claim", "meal")
COLLEAGUES = ("A. Brandt", "J. Okafor", "M. Sato", "P. Lindqvist")
COMPOSITIONS = (
    (ADULT,),
    (ADULT, ADULT),
    (ADULT, ADULT, INFANT),
    (ADULT, CHILD),
    (ADULT, CHILD, INFANT),
    (ADULT, ADULT, CHILD, INFANT),
)
FIRST_BOUGHT, LAST_BOUGHT = "2025-09-01", "2025-12-20"
"""The first and the last day on which trips may be bought, as ISO dates."""
PLACES = 4
"""The number of cities to which the company's people travel."""
QUIET, LAST_FEE = "2025-12-27", "2026-01-14"
"""The last day for ordinary later fees, and the last day for later fees that a question requires,
as ISO dates.
"""


@dataclass(frozen=True)
class Fee:
    """A fee charged and paid after the sale, for a passenger or (None) for the whole booking."""

    kind: str
    passenger: int | None
    amount: int
    day: str
    method: str
    source: str


@dataclass(frozen=True)
class Payment:
    """A payment for a trip; `back` is the amount refunded later, in dollars."""

    method: str
    source: str
    amount: int
    at: str
    back: int = 0


@dataclass(frozen=True)
class Trip:
    """A booking of a customer with what came after the sale; `agency` is the customer's company (""
    for none).

    Attributes:
        back: The refunded percentage of each payment of the sale.
    """

    held: Held
    agency: str
    fees: tuple[Fee, ...] = ()
    back: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def day(self) -> str:
        """The ISO date of the first flight."""
        return self.held.flights[0].date

    @property
    def out(self) -> tuple[Offer, str]:
        """The offer (flights and prices) and the fare brand of the outward direction."""
        return self.held.ways["outward"]

    @property
    def seated(self) -> tuple[Passenger, ...]:
        return tuple(each for each in self.held.passengers if each.seated)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.person.name for each in self.held.passengers)

    @cached_property
    def price(self) -> int:
        return self.held.price()

    @cached_property
    def payments(self) -> tuple[Payment, ...]:
        sold = self.held.payments()
        shares = (*self.back, *([0] * len(sold)))
        return (
            *(
                Payment(method, source, amount, self.held.bought, amount * share // 100)
                for (method, source, amount), share in zip(sold, shares, strict=False)
            ),
            *(
                Payment(each.method, each.source, each.amount, f"{each.day} 15:20:00")
                for each in self.fees
            ),
        )

    def fee(self, *kinds: str) -> int:
        """Return the sum of the later fees of these kinds, in dollars."""
        return sum(each.amount for each in self.fees if each.kind in kinds)

    @cached_property
    def bags(self) -> int:
        """The price of the bags at the sale, in dollars."""
        pieces = self.held.bags.items()
        return sum(prices.bags(self.held.ways[way][1], count) for (_, way), count in pieces)

    @cached_property
    def seats(self) -> int:
        """The price of the seats at the sale, in dollars."""
        flown = {flight.number: flight for flight in self.held.flights}
        chosen = self.held.seats.items()
        return sum(cabin(flown[number]).places[code].price for (_, number), code in chosen)

    def lacks_seat(self, flight: Flight, passengers: Sequence[Passenger]) -> bool:
        """Return whether any of these passengers has no seat on a flight."""
        return any((each.number, flight.number) not in self.held.seats for each in passengers)


# Rows --------------------------------------------------------------------------------------------


def rows(trips: Sequence[Trip], customers: Sequence[Customer], airline: Airline) -> Rows:
    """Return the database rows at the start of a visit; payments are numbered in the order of the
    trips.
    """
    made = bookings.rows([each.held for each in trips], customers, _vouchers(trips))
    made["payments"] = []
    tables: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("payments", "refunds", "fees", "notes", "history")
    }
    for each in trips:
        for table, row in _rows(each, airline, len(tables["payments"])):
            tables[table].append({"reference": each.held.reference, **row})
    return {**made, **tables}


def _rows(trip: Trip, airline: Airline, before: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the (table, row) pairs of a trip; its payments are numbered after the `before` earlier
    payments.
    """
    who = COLLEAGUES[before % len(COLLEAGUES)]
    for number, paid in enumerate(trip.payments, start=before + 1):
        columns = ("at", "method", "source", "amount")
        row = {column: getattr(paid, column) for column in columns}
        yield "payments", {"number": number, **row}
        if paid.back:
            yield "refunds", {"payment": number, "amount": paid.back}
    for fee in trip.fees:
        yield "fees", {"kind": fee.kind, "passenger": fee.passenger, "amount": fee.amount}
        yield "history", _entry(trip, airline, f"{fee.day} 15:20:00", who, "done-charge")
    day = dates.moved(trip.held.bought[:10], 2)
    for code in trip.notes:
        yield "notes", {"code": code, "day": day, "colleague": who}
        yield "history", _entry(trip, airline, f"{day} 09:40:00", who, "done-add-note")
    if trip.held.status == CANCELLED:
        yield "history", _entry(trip, airline, f"{LAST_FEE} 16:05:00", who, "done-confirm-cancel")
    elif any(each.back for each in trip.payments):
        yield "history", _entry(trip, airline, f"{LAST_FEE} 16:05:00", who, "done-give-refund")


def _entry(trip: Trip, airline: Airline, at: str, who: str, key: str) -> dict[str, Any]:
    text = airline.word(key, reference=trip.held.reference)
    return {"at": at, "colleague": who, "entry": text}


def _vouchers(trips: Sequence[Trip]) -> Iterator[Voucher]:
    """Yield the vouchers that paid for trips; each balance is the amount refunded to it."""
    for trip in trips:
        assert trip.held.customer is not None
        balances: dict[str, int] = {}
        for each in trip.payments:
            if each.method == VOUCHER:
                balances[each.source] = balances.get(each.source, 0) + each.back
        for code, balance in balances.items():
            yield Voucher(code, trip.held.customer, balance, "2026-12-31")


# Drawing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """A description of a trip to draw; None and "" leave the choice to chance.

    Attributes:
        days: The first and last date on which the trip may begin.
        bought: The first and last date on which it may be bought.
        home_in: The month ("2026-03") of the return flight.
        stops: Whether the outward direction has a change of planes.
        no_note: A note that the booking must not have.
        seats: On the first flight, "all" passengers have a seat, or there is a "gap".
        fees: Kinds of fees; the trip has one fee of these kinds.
        charged: The first and last date on which that fee may be charged.
        charged_voucher: Whether a voucher pays that fee.
        back: The probability of a refund.
    """

    agency: str
    customer: int
    days: tuple[str, str]
    bought: tuple[str, str] = (FIRST_BOUGHT, LAST_BOUGHT)
    home_in: str = ""
    brand: str = ""
    stops: bool | None = None
    status: str = CONFIRMED
    note: str = ""
    no_note: str = ""
    voucher: bool | None = None
    traveller: Person | None = None
    seats: str = ""
    compositions: tuple[tuple[str, ...], ...] = COMPOSITIONS
    home_brand: str = ""
    fees: tuple[str, ...] = ()
    charged: tuple[str, str] | None = None
    charged_voucher: bool = False
    back: float = 0.2


class Office:
    """A generator of trips from one city to a few others; it never repeats a reference or code."""

    def __init__(self, rng: Random, data: CrmData, places: int = PLACES) -> None:
        self.rng, self.data = rng, data
        self.home, *others = rng.sample(
            bookings.plain_airports(data), len(bookings.plain_airports(data))
        )
        both = (each for each in others if self._is_both(each))
        self.places = [*islice(both, places)]
        self.taken: set[str] = set()

    def _is_both(self, place: str) -> bool:
        """Return whether both non-stop flights and flights with a stop go from home to a place."""
        offers = self.data.network.offers(self.home, place, USUAL_DAY)
        return len({each.stops for each in offers}) > 1

    def customer(self, number: int, agency: str) -> Customer:
        """Draw a customer, with this number and agency, who books trips."""
        who = self.person()
        plain = f"{who.first_name}.{who.last_name}".casefold()
        ascii_only = plain.encode("ascii", "ignore").decode().replace("'", "").replace(" ", "")
        return Customer(number, who, f"{ascii_only}@example.com", self.home, agency=agency)

    def person(self) -> Person:
        return parties.draw(self.rng, self.data, (ADULT,), ("2026-06-01",)).passengers[0].person

    def trip(self, wanted: Wanted) -> Trip:
        """Draw a trip that fits a description."""
        rng = self.rng
        composition = rng.choice(wanted.compositions)
        ways = self._ways(wanted, len([each for each in composition if each != INFANT]))
        days = [offer.date for offer, _ in ways.values()]
        party = parties.draw(rng, self.data, composition, days, turning=False).passengers
        if wanted.traveller:
            party = (replace(party[0], person=wanted.traveller), *party[1:])
        held = Held(
            reference=bookings.reference(rng, self.taken),
            customer=wanted.customer,
            bought=_time(rng, _between(rng, *wanted.bought)),
            ways=ways,
            passengers=party,
            card=f"{rng.randrange(1000, 10000)}",
            seats=self._seats(wanted, ways, party),
            bags=self._bags(ways, party),
            status=wanted.status,
        )
        if wanted.voucher if wanted.voucher is not None else rng.random() < 0.4:
            share = held.price() * rng.randint(20, 70) // 100
            held = replace(held, sources=((VOUCHER, self._code(), share),))
        return Trip(
            held=held,
            agency=wanted.agency,
            fees=tuple(self._fees(wanted, held)),
            back=self._back(wanted, held),
            notes=self._notes(wanted),
        )

    def _ways(self, wanted: Wanted, number: int) -> dict[str, tuple[Offer, str]]:
        """Draw the flights and the fare brand of the outward direction and, usually, of the
        return.
        """
        while True:
            place, day = self.rng.choice(self.places), _between(self.rng, *wanted.days)
            later = dates.moved(day, self.rng.randint(3, 9))
            try:
                ways = {"outward": self._offer((self.home, place, day), wanted, number)}
                if wanted.home_in or self.rng.random() < 0.8:
                    anyhow = replace(wanted, stops=None, brand=wanted.home_brand)
                    ways["return"] = self._offer((place, self.home, later), anyhow, number)
            except IndexError:
                continue
            if later.startswith(wanted.home_in):
                return ways

    def _offer(self, way: tuple[str, str, str], wanted: Wanted, number: int) -> tuple[Offer, str]:
        """Draw flights with enough seats, and their fare brand.

        Raises:
            IndexError: No offer fits.
        """
        brand = wanted.brand or self.rng.choice(BRANDS[:3])
        able = [
            each
            for each in self.data.network.offers(*way)
            if each.fare(brand).seats >= number and wanted.stops in (None, each.stops > 0)
        ]
        return self.rng.choice(able), brand

    def _bags(
        self, ways: Mapping[str, object], party: Sequence[Passenger]
    ) -> dict[tuple[int, str], int]:
        pieces = {
            (each.number, way): self.rng.choice((0, 1, 1, 2, 3))
            for each in party
            for way in ways
            if each.seated
        }
        return {key: count for key, count in pieces.items() if count}

    def _seats(
        self,
        wanted: Wanted,
        ways: Mapping[str, tuple[Offer, str]],
        party: Sequence[Passenger],
    ) -> dict[tuple[int, str], str]:
        flights = [flight for offer, _ in ways.values() for flight in offer.flights]
        found: dict[tuple[int, str], str] = {}
        for flight in flights:
            seated = [each for each in party if each.seated]
            kept = {"all": len(seated), "gap": len(seated) - 1}
            anyhow = len(seated) if self.rng.random() < 0.6 else self.rng.randint(0, len(seated))
            number = kept.get(wanted.seats, anyhow) if flight == flights[0] else anyhow
            free = self._free(flight)
            sitting = self.rng.sample(seated, min(number, len(free)))
            found |= {
                (each.number, flight.number): place.code
                for each, place in zip(sitting, free, strict=False)
            }
        return found

    def _free(self, flight: Flight) -> list[Place]:
        """Return the free seats of a flight in random order; often those with a charge come
        first.
        """
        free = [each for each in cabin(flight).places.values() if each.free and not each.exit]
        self.rng.shuffle(free)
        if self.rng.random() < 0.6:
            free.sort(key=lambda each: -each.price)
        return free

    def _fees(self, wanted: Wanted, held: Held) -> Iterator[Fee]:
        """Yield a trip's later fees: first a fee of a wanted kind, if any, then sometimes
        another.
        """
        usual = dates.moved(held.bought[:10], 3), QUIET
        anything = ("change", "name", "seats", "bags", "service")
        kinds = [self.rng.choice(wanted.fees)] if wanted.fees else []
        kinds += self.rng.sample(anything, self.rng.choice((0, 1, 1)))
        seated = [each.number for each in held.passengers if each.seated]
        for place, kind in enumerate(kinds):
            first = place == 0
            day = _between(self.rng, *(wanted.charged if first and wanted.charged else usual))
            by_voucher = first and wanted.charged_voucher
            method, source = (VOUCHER, self._code()) if by_voucher else (CARD, held.card)
            one = self.rng.choice([None, *seated])
            yield Fee(kind, one, self._amount(kind), day, method, source)

    def _amount(self, kind: str) -> int:
        least, most = {"change": (40, 95), "name": (20, 45), "service": (10, 28)}.get(
            kind, (24, 76)
        )
        return self.rng.randint(least, most)

    def _back(self, wanted: Wanted, held: Held) -> tuple[int, ...]:
        if held.status == CANCELLED:
            return tuple(self.rng.choice((0, 50, 80)) for _ in held.payments())
        if self.rng.random() >= wanted.back:
            return ()
        return tuple(self.rng.choice((10, 15, 25)) for _ in held.payments())

    def _notes(self, wanted: Wanted) -> tuple[str, ...]:
        others = [each for each in NOTES if each not in (wanted.note, wanted.no_note)]
        drawn = self.rng.sample(others, self.rng.choice((0, 0, 1)))
        return (*drawn, *([wanted.note] if wanted.note else []))

    def _code(self) -> str:
        return f"V-{bookings.reference(self.rng, self.taken)}"


def _time(rng: Random, day: str) -> str:
    """Draw a minute of a working day, as an ISO date and time."""
    return f"{day} {rng.randint(8, 17):02}:{rng.randint(0, 59):02}:00"


def _between(rng: Random, first: str, last: str) -> str:
    """Draw a day from the first to the last day."""
    start = date.fromisoformat(first)
    days = (date.fromisoformat(last) - start).days
    return (start + timedelta(rng.randint(0, max(0, days)))).isoformat()
