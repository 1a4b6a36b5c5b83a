"""What a booking holds, and the sale that it is made by."""

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
    """`born` is an ISO date."""

    title: str
    first_name: str
    last_name: str
    gender: str
    born: str

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"


@dataclass(frozen=True)
class Passenger:
    """`adult` is the number of the one on whose lap an infant sits, None for all others."""

    number: int
    kind: str
    person: Person
    adult: int | None = None

    @property
    def seated(self) -> bool:
        return self.kind != "infant"


@dataclass(frozen=True)
class Segment:
    """One flight of a booking; `place` counts from 1 within the direction."""

    direction: str
    place: int
    flight: str
    date: str
    brand: str


@dataclass(frozen=True)
class Booking:
    """`customer` is the number of who booked, None for one who is no customer yet."""

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
        return tuple(each for each in self.segments if each.direction == name)

    def passenger(self, number: int) -> Passenger | None:
        return next((each for each in self.passengers if each.number == number), None)


@dataclass(frozen=True)
class Search:
    """`returning` is "" for one-way; the numbers are those of travellers by kind."""

    origin: str
    destination: str
    departure: str
    returning: str
    adults: int = 1
    children: int = 0
    infants: int = 0

    @property
    def seats(self) -> int:
        """How many need a seat of their own."""
        return self.adults + self.children

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each traveller, in the order in which forms ask for them."""
        counts = (self.adults, self.children, self.infants)
        return tuple(kind for kind, count in zip(KINDS, counts, strict=True) for _ in range(count))

    def ways(self) -> tuple[tuple[str, str, str, str], ...]:
        """Direction, origin, destination and date of the way out, and of the way back if any."""
        out = ("outward", self.origin, self.destination, self.departure)
        back = ("return", self.destination, self.origin, self.returning)
        return (out, back) if self.returning else (out,)


@dataclass(frozen=True)
class Choice:
    """An offer by its id, and the brand."""

    offer: str
    brand: str

    @property
    def value(self) -> str:
        return f"{self.offer}/{self.brand}"

    @classmethod
    def of(cls, value: str) -> Self:
        offer, _, brand = value.partition("/")
        return cls(offer, brand)


@dataclass(frozen=True)
class Trip:
    """A sale as it is prepared; what was not saved yet is empty.

    `seats` are codes by (passenger, flight, date), `bags` pieces by (passenger, direction).
    `reference` is that of the booking that came of it, "" before.
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
    return Person(row["title"], row["first_name"], row["last_name"], row["gender"], row["born"])


def read_passenger(row: Mapping[str, Any]) -> Passenger:
    return Passenger(row["number"], row["kind"], read_person(row), row["adult"])


def passenger_row(reference: str, one: Passenger) -> Row:
    return {
        "reference": reference,
        "number": one.number,
        "kind": one.kind,
        **asdict(one.person),
        "adult": one.adult,
    }


def segment_row(reference: str, one: Segment) -> Row:
    return {"reference": reference, **asdict(one)}


def read_booking(world: World, row: Row) -> Booking:
    """The booking of a row of `bookings`, with its segments and passengers."""
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
    """The sale of a row of `log_trips`."""
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
    """All columns of `log_trips` but the number."""
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
    found: Sequence[Any] = json.loads(text or "[]")
    return found
