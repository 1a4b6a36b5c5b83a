"""The CRM's read-only data, and the database (world) that a visit to the published desk
can change.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from sites.crm.base.airports import FILE, Airports, load_airports
from sites.crm.base.network import Network
from sites.crm.base.records import Booking, booking_row
from sites.crm.base.timetable import Flight, Timetable
from sites.world import Row, World

AMBIGUOUS = "ambiguous"
LABELS = ("", AMBIGUOUS)
MOST_LATENCY = 2000
PEOPLE = Path(__file__).with_name("people.toml")

SCHEMA = """
CREATE TABLE bookings (
    reference TEXT PRIMARY KEY, status TEXT NOT NULL,
    title TEXT NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    gender TEXT NOT NULL, born TEXT NOT NULL,
    outward_flight TEXT NOT NULL, outward_date TEXT NOT NULL,
    return_flight TEXT, return_date TEXT,
    price INTEGER NOT NULL, card TEXT NOT NULL);
CREATE TABLE log_pages (
    id INTEGER PRIMARY KEY, screen TEXT NOT NULL, subject TEXT NOT NULL, address TEXT NOT NULL);
CREATE TABLE log_drafts (
    id INTEGER PRIMARY KEY, screen TEXT NOT NULL, subject TEXT NOT NULL, field TEXT NOT NULL,
    value TEXT NOT NULL);
CREATE TABLE log_events (
    id INTEGER PRIMARY KEY, screen TEXT NOT NULL, subject TEXT NOT NULL, kind TEXT NOT NULL,
    control TEXT NOT NULL);
CREATE TABLE log_commits (
    id INTEGER PRIMARY KEY, control TEXT NOT NULL, screen TEXT NOT NULL, subject TEXT NOT NULL,
    submitted TEXT NOT NULL, recorded TEXT, errors TEXT);
CREATE TABLE log_journeys (
    id INTEGER PRIMARY KEY, number INTEGER NOT NULL UNIQUE, booking TEXT NOT NULL,
    origin TEXT NOT NULL, destination TEXT NOT NULL, departure TEXT NOT NULL, "returning" TEXT,
    outward TEXT, inbound TEXT, passenger TEXT, reference TEXT);
"""
"""The SQL of the tables of a visit to the published desk.

An `id` is unique over all tables of the journal; sorted by it, they are one record of events.
`submitted`, `recorded` (normal forms, NULL if refused) and `errors` (NULL if accepted) are
JSON by control id. A row of `log_journeys` is a journey in its current state.
"""


@dataclass(frozen=True)
class Knobs:
    """Settings that make the published desk's pages harder.

    Attributes:
        hidden_labels: Whether fields lack accessible names.
        shuffle: A seed for the order of the fields; None for the usual order.
        survey: Whether a popup asks for an opinion.
        latency_ms: Milliseconds by which answers are delayed.
        labels: "" for clear labels, or "ambiguous" (`sites.crm.published_desk.ambiguous`).

    Raises:
        ValueError: `labels` or `latency_ms` is not allowed.
    """

    hidden_labels: bool = False
    shuffle: int | None = None
    survey: bool = False
    latency_ms: int = 0
    labels: str = ""

    def __post_init__(self) -> None:
        if self.labels not in LABELS:
            raise ValueError(f"labels is {self.labels!r}; it can be '' or {AMBIGUOUS!r}")
        if not 0 <= self.latency_ms <= MOST_LATENCY:
            raise ValueError(f"latency_ms is {self.latency_ms}; it can be 0 to {MOST_LATENCY}")

    @property
    def ambiguous(self) -> bool:
        """Whether the labels of fields and buttons are ambiguous."""
        return self.labels == AMBIGUOUS

    def to_json(self) -> Row:
        """Return the settings as a dict by name.

        Clear labels are left out, because scenarios are hashed with their knobs.
        """
        return {name: value for name, value in asdict(self).items() if name != "labels" or value}


@dataclass(frozen=True)
class CrmData:
    """The read-only data that all visits share: airports, flights and a list of names."""

    timetable: Timetable

    @property
    def airports(self) -> Airports:
        return self.timetable.airports

    def flights(self, origin: str, destination: str, date: str) -> tuple[Flight, ...]:
        """Return the published desk's flights of a route on an ISO date, in order of departure."""
        return self.timetable.on(origin, destination, date)

    def flight(self, number: str, date: str) -> Flight | None:
        """Return the flight with this number on this date, or None."""
        return self.timetable.flight(number, date)

    @cached_property
    def network(self) -> Network:
        """The flights with fares and the connections that the airline desk sells."""
        return Network(self.airports)

    @cached_property
    def people(self) -> Mapping[str, Sequence[str]]:
        """Lists of names for people: first names under `female` and `male`, last names under
        `last`.
        """
        return tomllib.loads(PEOPLE.read_text(encoding="utf-8"))

    @cached_property
    def digest(self) -> str:
        """A hash of the data: equal digests mean equal flights."""
        codes = list(self.airports)
        sample = [self.flights(here, codes[-1], "2026-06-01") for here in codes[:3]]
        seen = f"{self.timetable.seed} {sample}".encode()
        return hashlib.sha256(FILE.read_bytes() + PEOPLE.read_bytes() + seen).hexdigest()


def load_data(seed: int = 0) -> CrmData:
    """Return the airports and the timetable of a seed; flights are computed on demand."""
    return CrmData(Timetable(load_airports(), seed))


def new_world(session: str, bookings: Sequence[Booking] = (), knobs: Knobs | None = None) -> World:
    """Return the database (world) of a visit to the published desk that has just begun.

    Args:
        session: The session, which stands in addresses.
        bookings: Bookings that exist already.
        knobs: Options that make the pages harder; None for none.
    """
    world = World(SCHEMA, session, {"knobs": json.dumps((knobs or Knobs()).to_json())})
    for booking in bookings:
        add_booking(world, booking)
    return world


def add_booking(world: World, booking: Booking) -> None:
    """Insert a booking into the visit's database without checking it."""
    row = booking_row(booking)
    marks = ", ".join("?" * len(row))
    world.write(f"INSERT INTO bookings VALUES ({marks})", list(row.values()))  # noqa: S608


def knobs(world: World) -> Knobs:
    """Return the settings that make this visit's pages harder."""
    return Knobs(**json.loads(world.about["knobs"]))
