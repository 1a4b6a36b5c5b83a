"""The CRM's read-only data, and the world that a visit can change."""

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
"""An `id` is given once over all tables of the journal: sorted by it, they are one record of what
happened. `submitted`, `recorded` (normal forms, NULL where refused) and `errors` (NULL where
accepted) are JSON by control id. A row of `log_journeys` is a journey as it is now."""


@dataclass(frozen=True)
class Knobs:
    """Options that make the pages harder.

    `hidden_labels`: fields have no accessible names. `shuffle`: a seed for the order of the
    fields. `survey`: a popup asks for an opinion. `latency_ms`: answers come so much later.
    `labels`: "" for labels that say what a field is, or ambiguous
    (`sites.crm.published_desk.ambiguous`).
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
        return self.labels == AMBIGUOUS

    def to_json(self) -> Row:
        """By name. The usual labels are left out: scenarios are hashed with their knobs."""
        return {name: value for name, value in asdict(self).items() if name != "labels" or value}


@dataclass(frozen=True)
class CrmData:
    """The read-only part: airports, flights and a list of names, shared by all worlds."""

    timetable: Timetable

    @property
    def airports(self) -> Airports:
        return self.timetable.airports

    def flights(self, origin: str, destination: str, date: str) -> tuple[Flight, ...]:
        """The flights on an ISO date, in order of departure."""
        return self.timetable.on(origin, destination, date)

    def flight(self, number: str, date: str) -> Flight | None:
        return self.timetable.flight(number, date)

    @cached_property
    def network(self) -> Network:
        """What the airline desk sells: flights with fares, and connections."""
        return Network(self.airports)

    @cached_property
    def people(self) -> Mapping[str, Sequence[str]]:
        """Names by `female`, `male` and `last`."""
        return tomllib.loads(PEOPLE.read_text(encoding="utf-8"))

    @cached_property
    def digest(self) -> str:
        """Identifies the data: equal digests mean equal flights."""
        codes = list(self.airports)
        sample = [self.flights(here, codes[-1], "2026-06-01") for here in codes[:3]]
        seen = f"{self.timetable.seed} {sample}".encode()
        return hashlib.sha256(FILE.read_bytes() + PEOPLE.read_bytes() + seen).hexdigest()


def load_data(seed: int = 0) -> CrmData:
    """The airports and the timetable of a seed; flights are made when they are asked for."""
    return CrmData(Timetable(load_airports(), seed))


def new_world(session: str, bookings: Sequence[Booking] = (), knobs: Knobs | None = None) -> World:
    """A visit that has just begun, with these bookings already made."""
    world = World(SCHEMA, session, {"knobs": json.dumps((knobs or Knobs()).to_json())})
    for booking in bookings:
        add_booking(world, booking)
    return world


def add_booking(world: World, booking: Booking) -> None:
    """Write a booking as it stands, unchecked."""
    row = booking_row(booking)
    marks = ", ".join("?" * len(row))
    world.write(f"INSERT INTO bookings VALUES ({marks})", list(row.values()))  # noqa: S608


def knobs(world: World) -> Knobs:
    return Knobs(**json.loads(world.about["knobs"]))
