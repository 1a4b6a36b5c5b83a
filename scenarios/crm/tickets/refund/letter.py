"""The letter of a customer who wants a full refund, and the database rows of the case."""

from __future__ import annotations

from typing import Any

from scenarios.crm.airline_desk import Rows, Speaker
from scenarios.crm.policy.facts import Claim, Document
from scenarios.crm.tickets import (
    TIMES,
    Filing,
    add_others,
    asides,
    card_words,
    duration,
    fact_sentence,
    when,
)
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets.refund.case import RefundCase
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

WORDS = "ticket_refund"
"""The name of the family whose phrasings refund letters use."""
SAD = 0.5
"""The share of letters with a sad remark if the ticket is refused or passed on; otherwise a third
of it.
"""
OWED = 0.25
"""The share of letters that give a card although nothing is unpaid."""
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
"""The title and text template of the document that proves a cause, by cause."""


# The mail ----------------------------------------------------------------------------------------


def body(case: RefundCase, data: CrmData, speaker: Speaker) -> str:
    """Return the letter: the wish, the claims, and identity facts."""
    rng = speaker.rng
    who = case.customer.person
    parts = [speaker.say("ask", reference=case.held.reference)]
    parts += [claimed(case, claim, speaker) for claim in case.facts.claims]
    share = SAD if case.outcome in ("refused", "passed on") else SAD / 3
    parts += asides(speaker, data, share)
    first, *others = parts
    rng.shuffle(others)
    facts = [fact_sentence(case, fact, speaker) for fact in case.given if fact != "email"]
    if case.facts.booking.balance or rng.random() < OWED:
        facts.append(speaker.say("owed", **card_words(rng, case.card)))
    paragraphs = [" ".join([first, *others]), " ".join(facts), speaker.say("sign", name=who.name)]
    return "\n".join(each for each in paragraphs if each)


def claimed(case: RefundCase, claim: Claim, speaker: Speaker) -> str:
    if claim.about == "bought":
        return speaker.say("bought", when=when(claim.value, case.facts.request.wrote))
    if claim.about == "moved":
        return speaker.say("moved", by=duration(claim.value))
    if claim.about == "cause":
        return speaker.say("cause", why=WHY[claim.value])
    return speaker.say("cover")


def refunding(speaker: Speaker) -> Speaker:
    """Return the sampler with the phrasings of refund letters."""
    return Speaker(WORDS, speaker.kind, speaker.rng)


# The rows ----------------------------------------------------------------------------------------


def filed(case: RefundCase, desk: Filing) -> Rows:
    """Return the database rows of a scenario: those of the ticket's case, and tickets of other
    customers.
    """
    found = rows(case, desk, body(case, desk.data, desk.speaker))
    return add_others(found, desk, SUBJECTS)


def rows(case: RefundCase, desk: Filing, text: str) -> Rows:
    """Return the database rows of a case: its ticket with the mail `text`, the customer and the
    booking.
    """
    held, facts = case.held, case.facts
    vouchers = [case.voucher] if case.voucher else []
    found = ticket_rows.of_booking(
        case, facts, desk, text, subjects=SUBJECTS, takes=TAKES, vouchers=vouchers
    )
    ticket_rows.pay_in_turn(found, held, facts.booking.raised)
    brand = facts.booking.segments[0].brand
    found["history"] += ticket_rows.raised_lines(held.reference, facts.booking, brand, desk.airline)
    found["flight_events"] = [*map(ticket_rows.event, facts.events)]
    accepted = {each.flight for each in facts.events if each.accepted}
    found["coupons"] = [*ticket_rows.coupons(held.reference, facts.booking.segments, accepted)]
    found["terms"] = [{**each, "cover": int(facts.booking.cover)} for each in found["terms"]]
    found["attachments"] = [
        attachment(desk.number, case, document, desk.airline) for document in facts.documents
    ]
    return found


TAKES = ("refund", "fee")
SUBJECTS = ("Money back", "Our cancelled trip", "Refund", "Please pay back", "About my booking")


def attachment(number: int, case: RefundCase, one: Document, airline: Airline) -> dict[str, Any]:
    title, text = PAPERS[one.cause]
    day = airline.formats.day(one.day.isoformat())
    return {
        "ticket": number,
        "at": one.sent.strftime(TIMES),
        "title": title,
        "body": text.format(name=case.customer.person.name, day=day),
    }
