"""The data classes of the published desk: a booking, and a journey (a search with its choices) that
may become one.
"""

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
    """A passenger; `born` is an ISO date."""

    title: str
    first_name: str
    last_name: str
    gender: str
    born: str

    @property
    def name(self) -> str:
        """Title, first and last name."""
        return f"{self.title} {self.first_name} {self.last_name}"

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Self:
        """Return the passenger that the texts of form fields describe."""
        return cls(*(values[field] for field in PASSENGER_FIELDS))

    def values(self) -> dict[str, str]:
        """Return the passenger's values by the ids of the form fields."""
        who = (self.title, self.first_name, self.last_name, self.gender, self.born)
        return dict(zip(PASSENGER_FIELDS, who, strict=True))


@dataclass(frozen=True)
class Leg:
    """A booked or chosen flight: flight number and ISO date."""

    flight: str
    date: str


@dataclass(frozen=True)
class Booking:
    """A booking of the published desk.

    Attributes:
        reference: The booking reference.
        status: `CONFIRMED` or `CANCELLED`.
        passenger: The passenger.
        outward: The outward flight.
        inbound: The return flight, None for a one-way trip.
        price: Whole dollars.
        card: The last four digits of the card.
    """

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
        """The flights of the booking."""
        return (self.outward, self.inbound) if self.inbound else (self.outward,)


@dataclass(frozen=True)
class Journey:
    """A search and the choices that were made for it.

    Attributes:
        number: Its number, from 1.
        booking: The reference of the booking that it is to change, or "".
        origin: An airport code.
        destination: An airport code.
        departure: An ISO date.
        returning: An ISO date, None for a one-way trip.
        outward: The number of the chosen outward flight.
        inbound: The number of the chosen return flight.
        passenger: The passenger.
        reference: The reference of the booking that was made of it, None before that.
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
        """The chosen outward and return flight (None for a one-way trip); None before they are
        chosen.
        """
        if self.outward is None:
            return None
        back = Leg(self.inbound, self.returning) if self.inbound and self.returning else None
        return Leg(self.outward, self.departure), back


def total(*flights: Flight) -> int:
    """Return the sum of the flights' prices in whole dollars."""
    return sum(flight.price for flight in flights)


def read_passenger(row: Row) -> Passenger:
    """Return the passenger in a row of the database."""
    return Passenger(row["title"], row["first_name"], row["last_name"], row["gender"], row["born"])


def read_booking(row: Row) -> Booking:
    """Return the booking in a row of the database."""
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
    """Return the database row of a booking."""
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
    """Return the journey in a row of the database."""
    kept = {key: value for key, value in row.items() if key not in {"id", "passenger"}}
    who = row["passenger"]
    return Journey(**kept, passenger=Passenger.of(json.loads(who)) if who else None)
