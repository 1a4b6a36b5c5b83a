"""The letter of a customer who wants other flights, and the database rows of the case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenarios.crm.after_sale.move_one_leg.moving import WAY_WORDS
from scenarios.crm.airline_desk import Rows, Speaker
from scenarios.crm.tickets import (
    EMAIL,
    TIMES,
    Filing,
    asides,
    card_words,
    fact_sentence,
    later,
)
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets.change.case import ChangeCase
from scenarios.crm.tickets.change.order import NAMED, NEAR
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.base.timetable import clock24

SAD = 0.6
"""The share of letters with a sad remark among those that want the change for free; half of it if
the change is refused.
"""
PROMISE = "Customer called. Told that the change of flights costs nothing."
SUBJECTS = ("Other flights", "Our journey", "Another day", "Please change", "About my booking")


# The mail ----------------------------------------------------------------------------------------


def body(case: ChangeCase, data: CrmData, airline: Airline, speaker: Speaker) -> str:
    """Return the letter: wishes and maximum price, claims, payment, identity facts and
    signature.
    """
    rng, who = speaker.rng, case.customer.person
    others = [*_claimed(case, airline, speaker), *_proposed(case, airline, speaker)]
    if case.facts.request.free:
        others.append(speaker.say("free"))
    if case.promised:
        others.append(speaker.say("promised"))
    sad = {"in part": SAD, "refused": SAD / 2}.get(case.decision.outcome, 0)
    others += asides(speaker, data, sad)
    rng.shuffle(others)
    facts = [fact_sentence(case, each, speaker) for each in case.given if each != "email"]
    money = [speaker.say("charge", **card_words(rng, case.card))]
    if case.voucher:
        money.insert(0, speaker.say("voucher", code=case.voucher.code))
    wished = [*_wished(case, data, speaker)]
    paragraphs = [wished, others, [*money, *facts], [speaker.say("sign", name=who.name)]]
    return "\n".join(" ".join(each) for each in paragraphs if each)


def _wished(case: ChangeCase, data: CrmData, speaker: Speaker) -> Iterator[str]:
    base, most = case.base, case.facts.request.most
    city = data.airports[case.held.destination].city
    yield speaker.say("ask", way=WAY_WORDS[base.way], city=city, when=base.day.text)
    offer = base.order.offers[0]
    if base.order.kind == NAMED:
        times = {"leaves": clock24(offer.departs), "arrives": clock24(offer.arrives)}
        yield speaker.say("named", **times)
    elif base.order.kind == NEAR:
        yield speaker.say("near", clock=clock24(base.order.clock))
    else:
        yield speaker.say(base.order.kind)
    if most is not None:
        yield speaker.say("ceiling", most=f"${most}")
    if EMAIL in case.wishes:
        yield speaker.say("mailbox", email=case.new_email)


def _claimed(case: ChangeCase, airline: Airline, speaker: Speaker) -> Iterator[str]:
    for each in case.facts.claims:
        if each.about == "relative" and case.loss:
            yield speaker.say("death", relative=case.loss.relation)
        elif each.about == "tier":
            yield speaker.say("tier", tier=airline.word(f"tier-{each.value}"))
        else:
            yield speaker.say("fare", fare=airline.word(f"brand-{each.value}"))


def _proposed(case: ChangeCase, airline: Airline, speaker: Speaker) -> Iterator[str]:
    way = case.facts.request.way_round
    if way == "raise":
        yield speaker.say("raise", fare=airline.word("brand-flex"))
    elif way:
        yield speaker.say("resell")


# The rows ----------------------------------------------------------------------------------------


def filed(case: ChangeCase, desk: Filing) -> Rows:
    """Return the database rows of a case: its ticket with the mail, the customer and bookings."""
    held, facts, airline = case.held, case.facts, desk.airline
    found = ticket_rows.of_booking(
        case,
        facts,
        desk,
        body(case, desk.data, airline, desk.speaker),
        subjects=SUBJECTS,
        takes=("flights", "fee", "refund"),
        vouchers=[case.voucher] if case.voucher else [],
        beside=[case.other],
    )
    ticket_rows.pay_in_turn(found, held, facts.booking.raised)
    found["history"] += _history(case, airline)
    found["coupons"] = [*ticket_rows.coupons(held.reference, facts.booking.segments)]
    found["attachments"] = [*_attachments(case, desk.number, airline)]
    return found


def _history(case: ChangeCase, airline: Airline) -> Iterator[dict[str, Any]]:
    reference, brand = case.held.reference, case.base.own[1]
    yield from ticket_rows.raised_lines(reference, case.facts.booking, brand, airline)
    if case.promised:
        at = later(case.facts.request.wrote.strftime(TIMES), -47)
        yield ticket_rows.line(reference, at, PROMISE)


def _attachments(case: ChangeCase, number: int, airline: Airline) -> Iterator[dict[str, Any]]:
    loss = case.loss
    for each in case.facts.documents if loss else ():
        day, who = airline.formats.day(each.day.isoformat()), case.customer.person.name
        assert loss is not None
        yield {
            "ticket": number,
            "at": each.sent.strftime(TIMES),
            "title": "Certificate of death",
            "body": f"{loss.name}, {loss.documented} of {who}, died on {day}.",
        }
