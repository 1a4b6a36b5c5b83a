"""The database rows of a ticket and of its booking."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from scenarios.crm.airline_desk import bookings
from scenarios.crm.airline_desk.bookings import Customer, Held, Rows, Voucher
from scenarios.crm.policy.facts import Booking, Event, Facts, Raised, Segment
from scenarios.crm.tickets import customers
from scenarios.crm.tickets.customers import Known
from scenarios.crm.tickets.times import TIMES, later
from scenarios.crm.tickets.work import Filing
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.operations.correspondent import Expected, Script

PRIORITIES = ("high", "normal", "normal", "low")


def of_booking(
    case: Known,
    facts: Facts,
    desk: Filing,
    text: str,
    *,
    subjects: Sequence[str],
    takes: Iterable[str],
    vouchers: Sequence[Voucher] = (),
    beside: Sequence[Held] = (),
) -> Rows:
    """Return the rows of a booking and of the ticket about it.

    Args:
        case: The case.
        facts: The facts of the case.
        desk: The ticket number, airline and sampler.
        text: The text of the mail.
        subjects: Possible subjects of the mail.
        takes: The kinds of offers that the customer accepts.
        vouchers: The customer's vouchers.
        beside: Further bookings of the customer.
    """
    held, reference, wrote = case.held, case.held.reference, facts.request.wrote
    found = bookings.rows([held, *beside], [case.customer], vouchers)
    found["history"] = [line(reference, held.bought, "Sold")]
    found["notes"] = [note(reference, "claim")] if facts.booking.claim else []
    found["terms"] = [{"reference": reference, "balance": facts.booking.balance}]
    references = sorted((reference, *(each.reference for each in beside)))
    mail = heading(desk.speaker.rng, subjects, wrote.strftime(TIMES), customers.address(case))
    return found | ticket(
        desk.number, case.customer, held, references, {**mail, "body": text}, takes
    )


def ticket(
    number: int,
    customer: Customer,
    held: Held,
    references: Iterable[str],
    mail: dict[str, str],
    takes: Iterable[str],
) -> Rows:
    """Return the rows of a ticket and of its customer.

    The customer accepts any amount and flights that are offered, so an agent cannot find the right
    ones by offering.

    Args:
        number: The number of the ticket.
        customer: The customer.
        held: The booking whose card identifies the customer.
        references: The bookings that the ticket is about.
        mail: The first mail and the ticket's heading.
        takes: The kinds of offers that the customer accepts.
    """
    return {
        "identities": [{"customer": customer.number, "digits": held.card}],
        **filed(number, customer.number, references, **mail),
        "scripts": [{"ticket": number, "script": script(*takes).to_json()}],
    }


def script(*takes: str) -> Script:
    """Return the script by which the simulated customer accepts offers of these kinds."""
    return Script(tuple(map(Expected, takes)), "Yes, please do it like that.")


def heading(
    rng: Random,
    subjects: Sequence[str],
    opened: str,
    address: str,
    priorities: Sequence[str] = PRIORITIES,
) -> dict[str, str]:
    """Draw the heading of a mail: its subject and priority.

    Args:
        rng: The random numbers of the case.
        subjects: Possible subjects.
        opened: The time of the mail.
        address: The sender address.
        priorities: Possible priorities.
    """
    subject, priority = rng.choice(subjects), rng.choice(priorities)
    return {"opened": opened, "subject": subject, "priority": priority, "address": address}


def filed(
    number: int,
    customer: int | None,
    references: Iterable[str],
    *,
    opened: str,
    subject: str,
    priority: str,
    address: str,
    body: str,
) -> Rows:
    """Return the database rows of a ticket, of the bookings that it is about, and of its first
    mail.
    """
    row = {"number": number, "customer": customer, "subject": subject, "priority": priority}
    mail = {"ticket": number, "at": opened, "sender": "customer", "address": address}
    return {
        "tickets": [{**row, "opened": opened}],
        "ticket_bookings": [{"ticket": number, "reference": each} for each in references],
        "messages": [{**mail, "body": body}],
    }


def line(reference: str, at: str, entry: str) -> dict[str, Any]:
    """Return a database row of the booking's history, entered by a colleague."""
    return {"reference": reference, "at": at, "colleague": "Kim", "entry": entry}


def note(reference: str, code: str, day: str = "2026-01-12") -> dict[str, Any]:
    return {"reference": reference, "code": code, "day": day, "colleague": "Kim"}


def event(one: Event, **other: str) -> dict[str, Any]:
    """Return the database row of a flight's delay or cancellation; `other` replaces columns."""
    row = {"flight": one.flight, "date": one.day.isoformat(), "kind": one.kind}
    return {**row, "cause": one.cause, "minutes": one.minutes, **other}


def coupons(
    reference: str, segments: Iterable[Segment], accepted: Collection[str] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the database rows of flight coupons that are used or missed, or whose new time the
    customer accepted.
    """
    for each in segments:
        if each.state != "open" or each.flight in accepted:
            yield {
                "reference": reference,
                "flight": each.flight,
                "date": each.day.isoformat(),
                "state": each.state,
                "accepted": int(each.flight in accepted),
            }


def pay_in_turn(found: Rows, held: Held, raised: Raised | None) -> None:
    """Set the payment times of a booking one minute apart, and the last one to the time when its
    fare was raised.
    """
    own = [each for each in found["payments"] if each["reference"] == held.reference]
    for minute, row in enumerate(own):
        row["at"] = later(held.bought, minute)
    if raised:
        own[-1]["at"] = raised.at.strftime(TIMES)


def raised_lines(
    reference: str, booking: Booking, brand: str, airline: Airline
) -> Iterator[dict[str, Any]]:
    """Yield the row of the booking's history about a fare that was raised to `brand`; nothing if no
    fare was raised.
    """
    raised = booking.raised
    if raised:
        names = [airline.word(f"brand-{each}") for each in (raised.brand, brand)]
        text = f"All flights raised from {names[0]} to {names[1]}, difference paid by card"
        yield line(reference, raised.at.strftime(TIMES), text)
