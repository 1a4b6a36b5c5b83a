"""What a customer writes who wants all money back, and the rows that a desk has of the case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenarios.crm.airline_desk import bookings
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.phrasings import Speaker
from scenarios.crm.policy.facts import Claim, Document
from scenarios.crm.tickets import other_tickets, ticket_forms
from scenarios.crm.tickets.customers import address, card_values, fact_sentence
from scenarios.crm.tickets.filed_rows import line, note
from scenarios.crm.tickets.refund.case import RefundCase
from scenarios.crm.tickets.ticket import Desk
from scenarios.crm.tickets.times import TIMES, later, length, when
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.operations.correspondent import Expected, Script

WORDS = "ticket_refund"
"""The phrasings of its letters."""
SAD = 0.5
"""The share of the letters that are sad: of those that are refused, and a third of it of others."""
OWED = 0.25
"""This share of the letters names a card for what is open, where nothing is."""
WHY = {
    "illness": "I am ill",
    "injury": "I have broken my leg",
    "jury": "I am called up for jury duty",
    "job": "I have lost my job",
    "burglary": "our home was broken into",
}
PAPERS = {
    "illness": ("Certificate of a doctor", "{name} is ill since {day} and must not travel."),
    "injury": (
        "Report of a hospital",
        "{name} was brought in on {day} with a broken leg, an injury that has to be rested.",
    ),
    "jury": ("Letter of a court", "Of {day}: {name} is called up for jury duty for six weeks."),
    "job": ("Letter of a firm", "Of {day}: the firm ends the work of {name}, who loses the job."),
    "burglary": ("Report of the police", "On {day} there was a burglary at the home of {name}."),
}
"""The title of a document, and its text."""


# The mail ----------------------------------------------------------------------------------------


def body(case: RefundCase, data: CrmData, speaker: Speaker) -> str:
    """The letter: what is asked for, what is claimed, and by what the customer is known."""
    rng = speaker.rng
    who = case.customer.person
    parts = [speaker.say("ask", reference=case.held.reference)]
    parts += [claimed(case, claim, speaker) for claim in case.facts.claims]
    share = SAD if case.outcome in ("refused", "passed on") else SAD / 3
    if rng.random() < share:
        parts.append(speaker.say("sad"))
    if rng.random() < 0.4:
        parts.append(speaker.say("digress", **decoys(rng, data)))
    first, *others = parts
    rng.shuffle(others)
    facts = [fact_sentence(case, fact, speaker) for fact in case.given if fact != "email"]
    if case.facts.booking.balance or rng.random() < OWED:
        facts.append(speaker.say("owed", **card_values(case, rng)))
    paragraphs = [" ".join([first, *others]), " ".join(facts), speaker.say("sign", name=who.name)]
    return "\n".join(each for each in paragraphs if each)


def claimed(case: RefundCase, claim: Claim, speaker: Speaker) -> str:
    if claim.about == "bought":
        return speaker.say("bought", when=when(claim.value, case.facts.request.wrote))
    if claim.about == "moved":
        return speaker.say("moved", by=length(claim.value))
    if claim.about == "cause":
        return speaker.say("cause", why=WHY[claim.value])
    return speaker.say("cover")


# The rows ----------------------------------------------------------------------------------------


def filed(case: RefundCase, desk: Desk) -> Rows:
    """Return all rows of the desk: those of the case, and tickets of others."""
    text = body(case, desk.data, desk.speaker)
    found = rows(case, desk.number, text, desk.airline, desk.speaker)
    return other_tickets.add(found, desk, SUBJECTS)


def rows(case: RefundCase, number: int, text: str, airline: Airline, speaker: Speaker) -> Rows:
    """All that the desk has of the case, under the ticket's number."""
    held, facts = case.held, case.facts
    vouchers = [case.voucher] if case.voucher else []
    found = bookings.rows([held], [case.customer], vouchers)
    for minute, row in enumerate(found["payments"]):
        row["at"] = later(held.bought, minute)
    raised = facts.booking.raised
    if raised:
        found["payments"][-1]["at"] = raised.at.strftime(TIMES)
    wrote = facts.request.wrote.strftime(TIMES)
    found["history"] = [*_history(case, airline)]
    found["notes"] = [note(held.reference, "claim")] if facts.booking.claim else []
    found["flight_events"] = [
        {
            "flight": each.flight,
            "date": each.day.isoformat(),
            "kind": each.kind,
            "cause": each.cause,
            "minutes": each.minutes,
        }
        for each in facts.events
    ]
    found["coupons"] = [*_coupons(case)]
    found["terms"] = [
        {
            "reference": held.reference,
            "cover": int(facts.booking.cover),
            "balance": facts.booking.balance,
        }
    ]
    found["identities"] = [{"customer": case.customer.number, "digits": held.card}]
    found |= ticket_forms.filed(
        number,
        case.customer.number,
        [held.reference],
        opened=wrote,
        subject=speaker.rng.choice(SUBJECTS),
        priority=speaker.rng.choice(("high", "normal", "normal", "low")),
        address=address(case),
        body=text,
    )
    found["attachments"] = [
        attachment(number, case, document, airline) for document in facts.documents
    ]
    found["scripts"] = [{"ticket": number, "script": script().to_json()}]
    return found


SUBJECTS = ("Money back", "Our cancelled trip", "Refund", "Please pay back", "About my booking")


def script() -> Script:
    """The customer takes any money back, and any charge for what is open: nobody learns the right
    amounts by offering."""
    return Script((Expected("refund"), Expected("fee")), "Yes, please do it like that.")


def _history(case: RefundCase, airline: Airline) -> Iterator[dict[str, Any]]:
    reference, raised = case.held.reference, case.facts.booking.raised
    yield line(reference, case.held.bought, "Sold")
    if raised:
        [now] = {each.brand for each in case.facts.booking.segments}
        names = [airline.word(f"brand-{each}") for each in (raised.brand, now)]
        text = f"All flights raised from {names[0]} to {names[1]}, difference paid by card"
        yield line(reference, raised.at.strftime(TIMES), text)


def _coupons(case: RefundCase) -> Iterator[dict[str, Any]]:
    """The flights that were flown or missed, and those whose new time was accepted."""
    accepted = {each.flight for each in case.facts.events if each.accepted}
    for each in case.facts.booking.segments:
        if each.state != "open" or each.flight in accepted:
            yield {
                "reference": case.held.reference,
                "flight": each.flight,
                "date": each.day.isoformat(),
                "state": each.state,
                "accepted": int(each.flight in accepted),
            }


def attachment(number: int, case: RefundCase, one: Document, airline: Airline) -> dict[str, Any]:
    title, text = PAPERS[one.cause]
    day = airline.formats.day(one.day.isoformat())
    return {
        "ticket": number,
        "at": one.sent.strftime(TIMES),
        "title": title,
        "body": text.format(name=case.customer.person.name, day=day),
    }
