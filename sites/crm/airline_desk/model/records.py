"""The data classes of a booking and of the sale by which it is made, with their database rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from sites.world import Row, World

DIRECTIONS = ("outward", "return")
KINDS = ("adult", "child", "infant")
CONFIRMED, CANCELLED = "confirmed", "cancelled"


@dataclass(frozen=True)
class Person:
    """A person; `born` is an ISO date."""

    title: str
    first_name: str
    last_name: str
    gender: str
    born: str

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}"


@dataclass(frozen=True)
class Passenger:
    """A passenger of a booking.

    Attributes:
        number: The number within the booking.
        kind: One of `KINDS`.
        person: The person.
        adult: The number of the adult on whose lap an infant sits; None for all others.
    """

    number: int
    kind: str
    person: Person
    adult: int | None = None

    @property
    def seated(self) -> bool:
        """Whether the passenger has a seat."""
        return self.kind != "infant"


@dataclass(frozen=True)
class Segment:
    """One flight of a booking; `place` is its position within the direction, from 1."""

    direction: str
    place: int
    flight: str
    date: str
    brand: str


@dataclass(frozen=True)
class Booking:
    """A booking.

    Attributes:
        reference: The booking reference.
        status: `CONFIRMED` or `CANCELLED`.
        customer: The number of the customer who booked; None if the buyer is no customer yet.
        bought: The time of the purchase.
        segments: The flights.
        passengers: The passengers.
    """

    reference: str
    status: str
    customer: int | None
    bought: str
    segments: tuple[Segment, ...]
    passengers: tuple[Passenger, ...]

    @property
    def cancelled(self) -> bool:
        return self.status == CANCELLED

    def direction(self, name: str) -> tuple[Segment, ...]:
        """Return the flights of a direction, "outward" or "return"."""
        return tuple(each for each in self.segments if each.direction == name)

    def passenger(self, number: int) -> Passenger | None:
        """Return the passenger with a number, or None."""
        return next((each for each in self.passengers if each.number == number), None)


@dataclass(frozen=True)
class Search:
    """A search for flights.

    Attributes:
        origin: An airport code.
        destination: An airport code.
        departure: An ISO date.
        returning: An ISO date, "" for a one-way trip.
        adults: The number of adults.
        children: The number of children.
        infants: The number of infants.
    """

    origin: str
    destination: str
    departure: str
    returning: str
    adults: int = 1
    children: int = 0
    infants: int = 0

    @property
    def seats(self) -> int:
        """The number of travellers who need their own seat."""
        return self.adults + self.children

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each traveller, in the order in which forms ask for them."""
        counts = (self.adults, self.children, self.infants)
        return tuple(kind for kind, count in zip(KINDS, counts, strict=True) for _ in range(count))

    def ways(self) -> tuple[tuple[str, str, str, str], ...]:
        """Return direction, origin, destination and date of the outward and the return trip."""
        out = ("outward", self.origin, self.destination, self.departure)
        back = ("return", self.destination, self.origin, self.returning)
        return (out, back) if self.returning else (out,)


@dataclass(frozen=True)
class Choice:
    """A chosen offer by its id, and the fare brand."""

    offer: str
    brand: str

    @property
    def value(self) -> str:
        """The choice as the value that forms send, such as `LW2041/classic`."""
        return f"{self.offer}/{self.brand}"

    @classmethod
    def of(cls, value: str) -> Self:
        """Return the choice that a form has sent as a value such as `LW2041/classic`."""
        offer, _, brand = value.partition("/")
        return cls(offer, brand)


@dataclass(frozen=True)
class Trip:
    """A sale that is not finished yet. Parts that were not saved yet are empty.

    Attributes:
        number: The number of the sale.
        search: The search.
        choices: The chosen offers by direction.
        party: The passengers.
        seats: Seat codes by passenger, flight and date.
        bags: Numbers of bags by passenger and direction.
        reference: The reference of the booking that was made of the sale, "" before that.
    """

    number: int
    search: Search
    choices: Mapping[str, Choice] = field(default_factory=dict)
    party: tuple[Passenger, ...] = ()
    seats: Mapping[tuple[int, str, str], str] = field(default_factory=dict)
    bags: Mapping[tuple[int, str], int] = field(default_factory=dict)
    reference: str = ""


# Rows --------------------------------------------------------------------------------------------


def read_person(row: Mapping[str, Any]) -> Person:
    """Return the person described by a database row."""
    return Person(row["title"], row["first_name"], row["last_name"], row["gender"], row["born"])


def read_passenger(row: Mapping[str, Any]) -> Passenger:
    """Return the passenger described by a database row."""
    return Passenger(row["number"], row["kind"], read_person(row), row["adult"])


def passenger_row(reference: str, one: Passenger) -> Row:
    """Return the database row of a passenger."""
    return {
        "reference": reference,
        "number": one.number,
        "kind": one.kind,
        **asdict(one.person),
        "adult": one.adult,
    }


def segment_row(reference: str, one: Segment) -> Row:
    """Return the database row of a flight of a booking."""
    return {"reference": reference, **asdict(one)}


def read_booking(world: World, row: Row) -> Booking:
    """Return the booking in a row of `bookings`, with its segments and passengers."""
    own = (row["reference"],)
    segments = world.read(
        "SELECT direction, place, flight, date, brand FROM segments WHERE reference = ?"
        " ORDER BY direction, place",
        own,
    )
    passengers = world.read("SELECT * FROM passengers WHERE reference = ? ORDER BY number", own)
    return Booking(
        **row,
        segments=tuple(Segment(**each) for each in segments),
        passengers=tuple(map(read_passenger, passengers)),
    )


def read_trip(row: Row) -> Trip:
    """Return the sale in a row of `log_trips`."""
    choices = json.loads(row["offers"] or "{}")
    return Trip(
        number=row["number"],
        search=Search(**json.loads(row["search"])),
        choices={name: Choice.of(value) for name, value in choices.items()},
        party=tuple(map(read_passenger, json.loads(row["party"] or "[]"))),
        seats={(n, flight, day): seat for n, flight, day, seat in _listed(row["seats"])},
        bags={(n, direction): pieces for n, direction, pieces in _listed(row["bags"])},
        reference=row["reference"] or "",
    )


def trip_columns(trip: Trip) -> Row:
    """Return the database row of a sale for `log_trips`, without the number."""
    party = [passenger_row("", each) for each in trip.party]
    return {
        "search": json.dumps(asdict(trip.search)),
        "offers": json.dumps({name: each.value for name, each in trip.choices.items()}),
        "party": json.dumps(party, ensure_ascii=False),
        "seats": json.dumps([[*key, seat] for key, seat in trip.seats.items()]),
        "bags": json.dumps([[*key, pieces] for key, pieces in trip.bags.items()]),
        "reference": trip.reference or None,
    }


def _listed(text: str | None) -> Sequence[Any]:
    """Return the list in a JSON text; an empty list for None."""
    found: Sequence[Any] = json.loads(text or "[]")
    return found
