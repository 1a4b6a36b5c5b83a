"""Tickets of others that stand in the queue beside the one that is to be worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from scenarios.crm.airline_desk import bookings
from scenarios.crm.airline_desk.bookings import Customer, Held, Rows
from scenarios.crm.airline_desk.phrasings import Speaker
from scenarios.crm.tickets import base_booking, customers, ticket_forms
from scenarios.crm.tickets.ticket import Desk
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions


def add(found: Rows, desk: Desk, subjects: Sequence[str]) -> Rows:
    """Add the rows of two others to those of a ticket."""
    more = rows(desk.speaker.rng, desk.data, desk.number, subjects, desk.speaker)
    for table, listed in more.items():
        found[table] = [*found.get(table, []), *listed]
    return found


def rows(
    rng: Random, data: CrmData, number: int, subjects: Sequence[str], speaker: Speaker
) -> Rows:
    """Two more customers with a booking and a ticket each, one of them closed. `number` is the
    ticket to be worked on; the family has an act `ask` that names a reference."""
    found: Rows = {}
    for at, status in enumerate(("open", "closed"), start=2):
        held, customer = _another(rng, data, at)
        own_rows = bookings.rows([held], [customer])
        opened = f"2026-01-{rng.randint(8, 14):02} {rng.randint(7, 19):02}:{rng.randint(10, 59)}"
        own_rows |= ticket_forms.filed(
            ticket_forms.another(number, at),
            at,
            [held.reference],
            opened=opened,
            subject=rng.choice(subjects),
            priority=rng.choice(("high", "normal", "low")),
            address=customer.email,
            body=speaker.say("ask", reference=held.reference),
        )
        if status == "closed":
            own_rows["tickets"] = [{**each, **_CLOSED} for each in own_rows["tickets"]]
        for table, more in own_rows.items():
            found[table] = [*found.get(table, []), *more]
    return found


_CLOSED = {"status": "closed", "outcome": "refused", "article": "2", "amount": 0}


def _another(rng: Random, data: CrmData, number: int) -> tuple[Held, Customer]:
    edition = editions.draw(rng)
    while (base := base_booking.base(rng, data, edition)) is None:
        continue
    reference = bookings.reference(rng, set())
    bought = f"2025-12-{rng.randint(10, 28)} 10:{rng.randint(10, 59)}"
    held = base_booking.held(
        rng, replace(base, bags={}), bought, reference=reference, customer=number
    )
    who = held.passengers[0].person
    return held, Customer(number, who, customers.email(who), held.origin)
