"""A desk with tickets: rows for the tests of the queue, the mail and how tickets are closed."""

from __future__ import annotations

from random import Random
from typing import Any

from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import draw
from sites.crm.airline_desk.model.world import add, new_world
from sites.crm.airline_desk.operations.correspondent import Expected, Script
from sites.world import World
from tests.sites.crm.airline_desk import booked_rows
from tests.sites.crm.airline_desk.booked_rows import FAMILY

EDITION = draw(Random("a desk with tickets"))
REFUND, OTHER, OLD = 7731, 7732, 7690
SCRIPT = Script((Expected("refund"), Expected("flights", 80, "LW2041")), "Yes, do that.", "No.")


def rows() -> dict[str, list[dict[str, Any]]]:
    return {
        "tickets": [
            ticket(OTHER, "Seats", "low", "2026-01-12 09:00"),
            ticket(REFUND, "Money back, please", "high", "2026-01-15 09:30"),
            ticket(OLD, "Old", "urgent", "2026-01-10 08:00") | {"status": "closed"},
        ],
        "ticket_bookings": [{"ticket": REFUND, "reference": FAMILY}],
        "messages": [
            message(REFUND, "2026-01-15 09:30", "We cannot fly. Please pay everything back."),
            message(REFUND, "2026-01-14 18:00", "Hello? Is anybody there?"),
        ],
        "attachments": [
            {
                "ticket": REFUND,
                "at": "2026-01-15 09:30",
                "title": "Certificate",
                "body": "Ann Okafor cannot fly from 10 to 30 March 2026.",
            }
        ],
        "scripts": [{"ticket": REFUND, "script": SCRIPT.to_json()}],
        "identities": [{"customer": 1, "digits": "1111"}],
        "permissions": [
            {
                "customer": 1,
                "person": "Ben Okafor",
                "address": "ben@example.com",
                "matter": "changes",
                "since": "2026-01-01",
                "until": "2026-01-31",
            }
        ],
        "terms": [{"reference": FAMILY, "cover": 1, "agency": ""}],
    }


def ticket(number: int, subject: str, priority: str, opened: str) -> dict[str, Any]:
    return {
        "number": number,
        "customer": 1,
        "subject": subject,
        "priority": priority,
        "opened": opened,
    }


def message(ticket: int, at: str, body: str) -> dict[str, Any]:
    address = "ann@example.com"
    return {"ticket": ticket, "at": at, "sender": "customer", "address": address, "body": body}


def desk(data: CrmData, airline: str = "contrail", session: str = "s1") -> World:
    """The desk of `booked_rows` with tickets."""
    before = booked_rows.desk(data, airline, session)
    kept = {table: rows for table, rows in before.snapshot().items() if rows}
    world = new_world(session, airline, kept, EDITION)
    for table, listed in rows().items():
        for row in listed:
            add(world, table, row)
    return world
