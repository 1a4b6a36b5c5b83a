"""The letter of a customer whose flight is disrupted, and the database rows of the case."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

from scenarios.crm.airline_desk import OUTWARD, Held, Rows, Speaker, bookings, dates, parties
from scenarios.crm.policy.facts import TODAY, IdentityFact
from scenarios.crm.tickets import (
    TIMES,
    Filing,
    Other,
    add_others,
    asides,
    base_booking,
    card_words,
    fact_sentence,
)
from scenarios.crm.tickets import address as customer_address
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets.disruption.rules import DisruptionCase, Stranded
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

CAUSE_WORDS = {
    "weather": "Weather",
    "traffic": "Air traffic control",
    "security": "Security",
    "technical": "Technical fault",
    "crew": "No crew",
    "strike": "Strike of our staff",
    "computers": "Failure of our computers",
}
"""The causes as the desk's pages name them."""
WHY = {
    "weather": "it was because of the weather",
    "traffic": "air traffic control did not let you fly",
    "security": "there was something about security",
    "technical": "the plane was broken",
    "crew": "you had no crew for the plane",
    "strike": "your own staff was on strike",
    "computers": "your computers had failed",
}
SUBJECTS = ("Our flight", "Stuck", "What happens now?", "Changed flight", "Help with our trip")
TAKES = ("flights", "compensation", "care", "fee")
PRIORITIES = ("urgent", "high", "normal", "normal")
OWED = 0.25
"""The share of letters that give a card although nothing is unpaid."""


# The mail ----------------------------------------------------------------------------------------


def body(case: DisruptionCase, data: CrmData, speaker: Speaker) -> str:
    """Return the letter: the event, the wishes, the statements, and the identity facts."""
    rng, who = speaker.rng, case.customer.person
    first, *others = case.stranded
    flight = {"flight": case.event.flight, "day": _named(case.event.day)}
    act = "off" if case.event.kind == "cancelled" else "moved"
    parts = [speaker.say(act, reference=first.held.reference, **flight)]
    if case.sender.who == "other":
        parts.insert(0, speaker.say("other", customer=who.name))
    parts += [speaker.say("second", reference=each.held.reference) for each in others]
    if case.wished:
        parts.append(_wish(case, speaker))
    more = [speaker.say("money"), _stated(case, speaker)]
    if case.new_email:
        more.append(speaker.say("mailbox", email=case.new_email))
    more += asides(speaker, data)
    rng.shuffle(more)
    facts = [_fact(case, fact, speaker) for fact in case.given if _is_written(case, fact)]
    if rng.random() < OWED or any(each.booking.balance for each in case.stranded):
        facts.append(speaker.say("owed", **card_words(rng, case.card)))
    name = who.name if case.sender.who == "customer" else _stranger(case)
    paragraphs = [" ".join([*parts, *more]), " ".join(facts), speaker.say("sign", name=name)]
    return "\n".join(each for each in paragraphs if each)


def _named(day: date) -> str:
    """Return a day such as "3 March"."""
    return dates.plain(day).removeprefix("on ")


def _wish(case: DisruptionCase, speaker: Speaker) -> str:
    if case.wished == "any":
        return speaker.say("any")
    options = (each for one in case.stranded for each in one.options)
    asked = next(each for each in options if each.id == case.asked)
    day = _named(date.fromisoformat(asked.day))
    return speaker.say("certain", flights=" and ".join(asked.id.split(".")), day=day)


def _stated(case: DisruptionCase, speaker: Speaker) -> str:
    if case.claim.about == "why":
        return speaker.say("why", why=WHY[case.claim.value])
    return speaker.say("told", day=_named(case.claim.value))


def _is_written(case: DisruptionCase, fact: IdentityFact) -> bool:
    """Return whether the mail states this identity fact in words; the customer's own sender address
    is no such statement.
    """
    return fact != "email" or case.sender.who != "customer"


def _fact(case: DisruptionCase, fact: IdentityFact, speaker: Speaker) -> str:
    """Return a sentence of the mail that states an identity fact of the customer; a wrong fact is
    close to the true value.
    """
    if fact == "email":
        return speaker.say("their-email", email=case.customer.email)
    whose = "" if case.sender.who == "customer" else "their-"
    return fact_sentence(case, fact, speaker, whose)


def _stranger(case: DisruptionCase) -> str:
    """Return the name of a sender who is not a passenger."""
    return "Robin Ashworth" if case.customer.person.gender == "Female" else "Kit Marlowe"


def address(case: DisruptionCase) -> str:
    """Return the sender address of the mail: the known one if the mail proves identity by it,
    otherwise an unknown one.
    """
    if case.sender.who != "customer":
        return f"{_stranger(case).lower().replace(' ', '.')}@mail.example.org"
    return customer_address(case)


# The rows ----------------------------------------------------------------------------------------


def filed(case: DisruptionCase, desk: Filing) -> Rows:
    """Return the database rows of a scenario: those of the ticket's case, and tickets of other
    customers.
    """
    return _others(rows(case, desk), case, desk)


def rows(case: DisruptionCase, desk: Filing) -> Rows:
    """Return the database rows of a case: its ticket with the mail, the customer, the bookings and
    the disruption.
    """
    number, data, airline, speaker = desk.number, desk.data, desk.airline, desk.speaker
    rng, wrote = speaker.rng, case.wrote.strftime(TIMES)
    held = [each.held for each in case.stranded]
    found = bookings.rows(held, [case.customer])
    found["history"] = [line for one in case.stranded for line in _history(case, one, airline)]
    own = ticket_rows.event(case.event, cause=CAUSE_WORDS[case.event.cause])
    found["flight_events"] = [own, *_decoy_event(case, rng)]
    accepted = [case.event.flight] if case.event.accepted else []
    found["coupons"] = [
        row
        for one in case.stranded
        for row in ticket_rows.coupons(one.held.reference, one.booking.segments, accepted)
    ]
    found["terms"] = [
        {
            "reference": each.held.reference,
            "cover": int(rng.random() < 0.4),
            "agency": each.booking.agency,
            "balance": each.booking.balance,
        }
        for each in case.stranded
    ]
    mail = ticket_rows.heading(rng, SUBJECTS, wrote, address(case), PRIORITIES)
    mail["body"] = body(case, data, speaker)
    references = [each.reference for each in held]
    return found | ticket_rows.ticket(number, case.customer, held[0], references, mail, TAKES)


def _decoy_event(case: DisruptionCase, rng: Random) -> Iterator[dict[str, Any]]:
    """Yield a row about a small delay of the return flight, which has no consequences and only
    distracts.
    """
    for one in case.stranded[:1]:
        for way, (offer, _) in one.held.ways.items():
            if one.way == OUTWARD and way != OUTWARD and rng.random() < 0.5:
                flight = offer.flights[0]
                own = {"flight": flight.number, "date": flight.date, "kind": "moved"}
                yield {**own, "cause": "New timetable", "minutes": rng.choice((15, 20, 30))}


def _history(case: DisruptionCase, one: Stranded, airline: Airline) -> Iterator[dict[str, Any]]:
    reference, day = one.held.reference, airline.formats.day
    event = case.event
    what = "is cancelled" if event.kind == "cancelled" else f"leaves {event.minutes} minutes later"
    what = f"{event.flight} of {day(event.day.isoformat())} {what}"
    yield ticket_rows.line(reference, one.held.bought, "Sold")
    if one.returned:
        yield ticket_rows.line(
            reference, f"{one.returned} 09:20", f"Letter to the customer: {what}"
        )
        back = one.returned + timedelta(1)
        yield ticket_rows.line(reference, f"{back} 15:40", "This letter came back, address unknown")
        yield ticket_rows.line(
            reference, f"{one.informed} 08:10", f"Customer told on the phone: {what}"
        )
    else:
        yield ticket_rows.line(
            reference, f"{one.informed} 08:10", f"Letter to the customer: {what}"
        )


# Other customers ---------------------------------------------------------------------------------


def _others(found: Rows, case: DisruptionCase, desk: Filing) -> Rows:
    """Add the database rows of two tickets of other customers, whose flights are none of the
    possible replacements.
    """
    options = (each for one in case.stranded for each in one.early)
    taken = {number for each in options for number in each.id.split(".")}
    other = Other(lambda rng, number: _another(rng, desk.data, number, taken), _moved, "16")
    return add_others(found, desk, SUBJECTS, other)


def _moved(held: Held, speaker: Speaker) -> str:
    flight = held.flights[0]
    day = _named(date.fromisoformat(flight.date))
    return speaker.say("moved", reference=held.reference, flight=flight.number, day=day)


def _another(rng: Random, data: CrmData, number: int, taken: set[str]) -> Held:
    while True:
        here, there = rng.sample(sorted(data.airports), 2)
        day = (TODAY + timedelta(rng.randint(3, 30))).isoformat()
        offers = [
            each
            for each in data.network.offers(here, there, day)
            if each.fares[0].seats > 2 and not taken & {*each.id.split(".")}
        ]
        if offers:
            break
    party = parties.draw(rng, data, ("adult",), [day, day], turning=False)
    bought = f"2025-12-{rng.randint(2, 28):02} 10:{rng.randint(10, 59)}"
    reference = bookings.reference(rng, set())
    base = base_booking.Base({OUTWARD: (rng.choice(offers), "light")}, party)
    return base_booking.held(rng, base, bought, reference=reference, customer=number)
