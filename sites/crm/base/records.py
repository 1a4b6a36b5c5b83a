"""Records: a booking, and a journey that may become one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Self

from sites.crm.base.timetable import Flight
from sites.world import Row

CONFIRMED, CANCELLED = "confirmed", "cancelled"
PASSENGER_FIELDS = ("title", "first-name", "last-name", "gender", "dob")


@dataclass(frozen=True)
class Passenger:
    """`born` is an ISO date."""

    title: str
    first_name: str
    last_name: str
    gender: str
    born: str

    @property
    def name(self) -> str:
        return f"{self.title} {self.first_name} {self.last_name}"

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Self:
        """Of the texts of the fields by their ids."""
        return cls(*(values[field] for field in PASSENGER_FIELDS))

    def values(self) -> dict[str, str]:
        """By the ids of the fields that they stand in."""
        who = (self.title, self.first_name, self.last_name, self.gender, self.born)
        return dict(zip(PASSENGER_FIELDS, who, strict=True))


@dataclass(frozen=True)
class Leg:
    """A flight number and an ISO date."""

    flight: str
    date: str


@dataclass(frozen=True)
class Booking:
    """`inbound` is the flight back, None for one-way; `card` the last four digits."""

    reference: str
    status: str
    passenger: Passenger
    outward: Leg
    inbound: Leg | None
    price: int
    card: str

    @property
    def cancelled(self) -> bool:
        return self.status == CANCELLED

    @property
    def legs(self) -> tuple[Leg, ...]:
        return (self.outward, self.inbound) if self.inbound else (self.outward,)


@dataclass(frozen=True)
class Journey:
    """A search and the choices made for it so far.

    `number` counts from 1. `booking` is the reference of the booking that it is to change, or "".
    `returning` is None for one-way. `outward` and `inbound` are the chosen flight numbers.
    `reference` is that of the booking that came of it.
    """

    number: int
    booking: str
    origin: str
    destination: str
    departure: str
    returning: str | None
    outward: str | None = None
    inbound: str | None = None
    passenger: Passenger | None = None
    reference: str | None = None

    @property
    def legs(self) -> tuple[Leg, Leg | None] | None:
        """The chosen flights, None before they are chosen."""
        if self.outward is None:
            return None
        back = Leg(self.inbound, self.returning) if self.inbound and self.returning else None
        return Leg(self.outward, self.departure), back


def total(*flights: Flight) -> int:
    """Whole dollars."""
    return sum(flight.price for flight in flights)


def read_passenger(row: Row) -> Passenger:
    return Passenger(row["title"], row["first_name"], row["last_name"], row["gender"], row["born"])


def read_booking(row: Row) -> Booking:
    back = row["return_flight"]
    return Booking(
        reference=row["reference"],
        status=row["status"],
        passenger=read_passenger(row),
        outward=Leg(row["outward_flight"], row["outward_date"]),
        inbound=Leg(back, row["return_date"]) if back else None,
        price=row["price"],
        card=row["card"],
    )


def booking_row(booking: Booking) -> Row:
    back = booking.inbound
    return {
        "reference": booking.reference,
        "status": booking.status,
        **asdict(booking.passenger),
        "outward_flight": booking.outward.flight,
        "outward_date": booking.outward.date,
        "return_flight": back.flight if back else None,
        "return_date": back.date if back else None,
        "price": booking.price,
        "card": booking.card,
    }


def read_journey(row: Row) -> Journey:
    kept = {key: value for key, value in row.items() if key not in {"id", "passenger"}}
    who = row["passenger"]
    return Journey(**kept, passenger=Passenger.of(json.loads(who)) if who else None)
