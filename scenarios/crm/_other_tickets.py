"""Tickets of others that stand in the queue beside the one that is to be worked on."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scenarios.crm import _bookings, _refund_case
from scenarios.crm._bookings import Customer, Held, Rows
from scenarios.crm._phrasings import Speaker
from sites.crm import CrmData
from sites.crm.reservations.handbook import edition as editions

FIRST_NUMBER, NUMBERS = 1000, 9000
"""The numbers of tickets."""


def rows(
    rng: Random, data: CrmData, number: int, subjects: Sequence[str], speaker: Speaker
) -> Rows:
    """Two more customers with a booking and a ticket each, one of them closed. `number` is the
    ticket to be worked on; the family has an act `ask` that names a reference."""
    found: Rows = {}
    for at, status in enumerate(("open", "closed"), start=2):
        held, customer = _another(rng, data, at)
        own = (number - FIRST_NUMBER + at * 37) % NUMBERS + FIRST_NUMBER
        own_rows = _bookings.rows([held], [customer])
        opened = f"2026-01-{rng.randint(8, 14):02} {rng.randint(7, 19):02}:{rng.randint(10, 59)}"
        own_rows["tickets"] = [
            {
                "number": own,
                "customer": at,
                "subject": rng.choice(subjects),
                "priority": rng.choice(("high", "normal", "low")),
                "opened": opened,
                **({"status": status, **_CLOSED} if status == "closed" else {}),
            }
        ]
        own_rows["ticket_bookings"] = [{"ticket": own, "reference": held.reference}]
        own_rows["messages"] = [
            {
                "ticket": own,
                "at": opened,
                "sender": "customer",
                "address": customer.email,
                "body": speaker.say("ask", reference=held.reference),
            }
        ]
        for table, more in own_rows.items():
            found[table] = [*found.get(table, []), *more]
    return found


_CLOSED = {"outcome": "refused", "article": "2", "amount": 0}


def _another(rng: Random, data: CrmData, number: int) -> tuple[Held, Customer]:
    edition = editions.draw(rng)
    while (base := _refund_case.base(rng, data, edition)) is None:
        continue
    held = Held(
        reference=_bookings.reference(rng, set()),
        customer=number,
        bought=f"2025-12-{rng.randint(10, 28)} 10:{rng.randint(10, 59)}",
        ways=base.ways,
        passengers=base.party.passengers,
        card=f"{rng.randrange(10_000):04}",
    )
    who = held.passengers[0].person
    return held, Customer(number, who, _refund_case.email(who), held.origin)
