"""Tickets of other customers that are in the queue beside the ticket to work on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from scenarios.crm.airline_desk import bookings
from scenarios.crm.airline_desk.bookings import Customer, Held, Rows
from scenarios.crm.tickets import base_booking, customers, ticket_forms
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets.work import Filing
from scenarios.phrasings import Speaker
from sites.crm.airline_desk.handbook import edition as editions

PRIORITIES = ("high", "normal", "low")


@dataclass(frozen=True)
class Other:
    """The way to draw another ticket: the booking of a customer number, its mail, and the article
    that refused it if it is closed.
    """

    booking: Callable[[Random, int], Held]
    mail: Callable[[Held, Speaker], str]
    article: str


def add(found: Rows, desk: Filing, subjects: Sequence[str], other: Other | None = None) -> Rows:
    """Add two more customers with a booking and a ticket each; the second ticket is closed.

    Args:
        found: The rows of the case; they are changed.
        desk: The ticket number, airline and sampler of the case.
        subjects: Possible subjects of the mails.
        other: The way to draw these tickets; without it, the family must have a phrasing `ask` that
            names a reference.

    Returns:
        The changed rows.
    """
    drawn = other or Other(lambda rng, number: _booking(rng, desk, number), _asking, "2")
    for at in (2, 3):
        for table, more in _rows(drawn, at, desk, subjects).items():
            found[table] = [*found.get(table, []), *more]
    closed = {"status": "closed", "outcome": "refused", "article": drawn.article, "amount": 0}
    found["tickets"][-1] |= closed
    return found


def _rows(other: Other, at: int, desk: Filing, subjects: Sequence[str]) -> Rows:
    rng = desk.speaker.rng
    held = other.booking(rng, at)
    who = held.passengers[0].person
    customer = Customer(at, who, customers.email(who), held.origin)
    opened = f"2026-01-{rng.randint(8, 14):02} {rng.randint(7, 19):02}:{rng.randint(10, 59)}"
    mail = ticket_rows.heading(rng, subjects, opened, customer.email, PRIORITIES)
    mail["body"] = other.mail(held, desk.speaker)
    number = ticket_forms.another(desk.number, at)
    return bookings.rows([held], [customer]) | ticket_rows.filed(
        number, at, [held.reference], **mail
    )


def _asking(held: Held, speaker: Speaker) -> str:
    return speaker.say("ask", reference=held.reference)


def _booking(rng: Random, desk: Filing, number: int) -> Held:
    edition = editions.draw(rng)
    while (base := base_booking.base(rng, desk.data, edition)) is None:
        continue
    reference = bookings.reference(rng, set())
    bought = f"2025-12-{rng.randint(10, 28)} 10:{rng.randint(10, 59)}"
    plain = replace(base, bags={})
    return base_booking.held(rng, plain, bought, reference=reference, customer=number)
