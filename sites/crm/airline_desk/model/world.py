"""The database of a visit to the airline desk (its world): customers and bookings with everything
that belongs to them.

A booking has segments (one flight each, in one of two directions), passengers, seats, bags,
payments and fees. Money is in whole dollars, dates are ISO dates, and `at` and `bought` are ISO
times of the desk's clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model import ticket_tables
from sites.world import World

LEVEL = "2"
"""The value of `World.about["level"]` for visits to the airline desk without a handbook
(level 2).
"""
HANDBOOK_LEVEL = "3"
"""The value of `World.about["level"]` for visits to the desk with a handbook and tickets (level 3).

Then `World.about["edition"]` is the handbook's edition as JSON.
"""
KEPT = 32
"""Number of parsed editions of the handbook that are cached."""

SCHEMA = """
CREATE TABLE customers (
    number INTEGER PRIMARY KEY, title TEXT NOT NULL, first_name TEXT NOT NULL,
    last_name TEXT NOT NULL, born TEXT NOT NULL, email TEXT NOT NULL, home TEXT NOT NULL,
    tier TEXT NOT NULL, agency TEXT NOT NULL);
CREATE TABLE bookings (
    reference TEXT PRIMARY KEY, status TEXT NOT NULL, customer INTEGER, bought TEXT NOT NULL);
CREATE TABLE segments (
    reference TEXT NOT NULL, direction TEXT NOT NULL, place INTEGER NOT NULL,
    flight TEXT NOT NULL, date TEXT NOT NULL, brand TEXT NOT NULL,
    PRIMARY KEY (reference, direction, place));
CREATE TABLE passengers (
    reference TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
    first_name TEXT NOT NULL, last_name TEXT NOT NULL, gender TEXT NOT NULL, born TEXT NOT NULL,
    adult INTEGER, PRIMARY KEY (reference, number));
CREATE TABLE seats (
    reference TEXT NOT NULL, passenger INTEGER NOT NULL, flight TEXT NOT NULL, date TEXT NOT NULL,
    seat TEXT NOT NULL, PRIMARY KEY (reference, passenger, flight, date));
CREATE TABLE bags (
    reference TEXT NOT NULL, passenger INTEGER NOT NULL, direction TEXT NOT NULL,
    pieces INTEGER NOT NULL, PRIMARY KEY (reference, passenger, direction));
CREATE TABLE payments (
    number INTEGER PRIMARY KEY, reference TEXT NOT NULL, at TEXT NOT NULL, method TEXT NOT NULL,
    source TEXT NOT NULL, amount INTEGER NOT NULL);
CREATE TABLE refunds (
    number INTEGER PRIMARY KEY, reference TEXT NOT NULL, payment INTEGER NOT NULL,
    amount INTEGER NOT NULL);
CREATE TABLE vouchers (
    code TEXT PRIMARY KEY, customer INTEGER NOT NULL, balance INTEGER NOT NULL,
    expires TEXT NOT NULL);
CREATE TABLE fees (
    number INTEGER PRIMARY KEY, reference TEXT NOT NULL, kind TEXT NOT NULL, passenger INTEGER,
    amount INTEGER NOT NULL);
CREATE TABLE notes (
    number INTEGER PRIMARY KEY, reference TEXT NOT NULL, code TEXT NOT NULL, day TEXT NOT NULL,
    colleague TEXT NOT NULL);
CREATE TABLE history (
    number INTEGER PRIMARY KEY, reference TEXT NOT NULL, at TEXT NOT NULL, colleague TEXT NOT NULL,
    entry TEXT NOT NULL);
CREATE TABLE flight_events (
    flight TEXT NOT NULL, date TEXT NOT NULL, kind TEXT NOT NULL, cause TEXT NOT NULL,
    minutes INTEGER NOT NULL, PRIMARY KEY (flight, date));
CREATE TABLE checkins (
    reference TEXT NOT NULL, passenger INTEGER NOT NULL, flight TEXT NOT NULL, date TEXT NOT NULL,
    PRIMARY KEY (reference, passenger, flight, date));
CREATE TABLE waiting (
    reference TEXT NOT NULL, flight TEXT NOT NULL, date TEXT NOT NULL,
    PRIMARY KEY (reference, flight, date));
CREATE TABLE log_pages (
    id INTEGER PRIMARY KEY, screen TEXT NOT NULL, subject TEXT NOT NULL, address TEXT NOT NULL);
CREATE TABLE log_commits (
    id INTEGER PRIMARY KEY, control TEXT NOT NULL, screen TEXT NOT NULL, subject TEXT NOT NULL,
    submitted TEXT NOT NULL, recorded TEXT, errors TEXT);
CREATE TABLE log_drafts (
    screen TEXT NOT NULL, subject TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (screen, subject, field));
CREATE TABLE log_trips (
    number INTEGER PRIMARY KEY, search TEXT NOT NULL, offers TEXT, party TEXT, seats TEXT,
    bags TEXT, reference TEXT);
"""
"""The SQL of the tables.

`log_pages` and `log_commits` are the journal. A row of `log_trips` is a sale in its current state,
with its parts as JSON. `log_drafts` holds the texts of forms that were not saved.
"""

TABLES = (
    *("customers", "bookings", "segments", "passengers", "seats", "bags", "payments", "refunds"),
    *("vouchers", "fees", "notes", "history", "flight_events", "checkins", "waiting"),
)
"""The names of all tables that every level has, except the journal's."""

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""Database rows, by the name of their table."""


def new_world(session: str, airline: str, rows: Rows, edition: Edition | None = None) -> World:
    """Return the database (world) of a visit that has just begun.

    Args:
        session: The session, which stands in addresses.
        airline: The key of the airline.
        rows: The rows that the tables hold at first.
        edition: The edition of the handbook at level 3; None for a desk without a handbook.
    """
    about, schema = {"level": LEVEL, "airline": airline}, SCHEMA
    if edition:
        about |= {"level": HANDBOOK_LEVEL, "edition": edition.to_json()}
        schema += ticket_tables.SCHEMA
    world = World(schema, session, about)
    for table, each in rows.items():
        for row in each:
            add(world, table, row)
    return world


def add(world: World, table: str, row: Mapping[str, Any]) -> None:
    """Insert a row into a table of the visit's database without checking it. A missing number
    becomes the next one of the table.
    """
    marks = ", ".join("?" * len(row))
    columns = ", ".join(row)
    world.write(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(row.values()))  # noqa: S608


def is_airline_desk(world: World) -> bool:
    """Return whether the visit with this database is at the airline desk."""
    return world.about.get("level") in {LEVEL, HANDBOOK_LEVEL}


def edition_of(world: World) -> Edition | None:
    """Return the edition of the handbook of this visit, or None if its desk has no handbook."""
    text = world.about.get("edition")
    return _edition(text) if text else None


@lru_cache(maxsize=KEPT)
def _edition(text: str) -> Edition:
    return Edition.from_json(text)


def has_tickets(world: World) -> bool:
    """Return whether the visitor works on tickets (level 3)."""
    return world.about.get("level") == HANDBOOK_LEVEL


def tables(world: World) -> tuple[str, ...]:
    """Return the names of all tables of the visit's database except the journal's."""
    return TABLES + (ticket_tables.TICKET_TABLES if has_tickets(world) else ())
