"""What a customer writes who wants other flights, and the rows that a desk has of the case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenarios.crm.after_sale.move_one_leg.moving import WAY_WORDS
from scenarios.crm.airline_desk import bookings
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.phrasings import Speaker
from scenarios.crm.tickets import customers, filed_rows, ticket_forms, times
from scenarios.crm.tickets.change.case import ChangeCase
from scenarios.crm.tickets.change.order import NAMED, NEAR
from scenarios.crm.tickets.third_party.case import EMAIL
from scenarios.crm.tickets.ticket import Desk
from scenarios.crm.tickets.times import TIMES
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.operations.correspondent import Expected, Script
from sites.crm.base.timetable import clock24

SAD = 0.6
"""The share of the letters that are sad: of those that want it for nothing, and half of it of
those that are refused."""
PROMISE = "Customer called. Told that the change of flights costs nothing."
SUBJECTS = ("Other flights", "Our journey", "Another day", "Please change", "About my booking")


# The mail ----------------------------------------------------------------------------------------


def body(case: ChangeCase, data: CrmData, airline: Airline, speaker: Speaker) -> str:
    """The letter: what is wished for and how much it may cost, what is claimed, who writes."""
    rng, who = speaker.rng, case.customer.person
    others = [*_claimed(case, airline, speaker), *_proposed(case, airline, speaker)]
    if case.facts.request.free:
        others.append(speaker.say("free"))
    if case.promised:
        others.append(speaker.say("promised"))
    if rng.random() < {"in part": SAD, "refused": SAD / 2}.get(case.decision.outcome, 0):
        others.append(speaker.say("sad"))
    if rng.random() < 0.4:
        others.append(speaker.say("digress", **decoys(rng, data)))
    rng.shuffle(others)
    facts = [customers.fact_sentence(case, each, speaker) for each in case.given if each != "email"]
    money = [speaker.say("charge", **customers.card_values(case, rng))]
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


def filed(case: ChangeCase, desk: Desk) -> Rows:
    """All that the desk has of the case, under the ticket's number."""
    held, facts, number, airline = case.held, case.facts, desk.number, desk.airline
    text, rng = body(case, desk.data, airline, desk.speaker), desk.speaker.rng
    vouchers = [case.voucher] if case.voucher else []
    found = bookings.rows([held, case.other], [case.customer], vouchers)
    own = [each for each in found["payments"] if each["reference"] == held.reference]
    for minute, row in enumerate(own):
        row["at"] = times.later(held.bought, minute)
    raised = facts.booking.raised
    if raised:
        own[-1]["at"] = raised.at.strftime(TIMES)
    wrote = facts.request.wrote.strftime(TIMES)
    found["history"] = [*_history(case, airline)]
    claim = [filed_rows.note(held.reference, "claim")] if facts.booking.claim else []
    found["notes"] = claim
    found["coupons"] = [
        {
            "reference": held.reference,
            "flight": each.flight,
            "date": each.day.isoformat(),
            "state": each.state,
            "accepted": 0,
        }
        for each in facts.booking.segments
        if each.state != "open"
    ]
    found["terms"] = [{"reference": held.reference, "balance": facts.booking.balance}]
    found["identities"] = [{"customer": case.customer.number, "digits": held.card}]
    about = sorted((held.reference, case.other.reference))
    found |= ticket_forms.filed(
        number,
        case.customer.number,
        about,
        opened=wrote,
        subject=rng.choice(SUBJECTS),
        priority=rng.choice(("high", "normal", "normal", "low")),
        address=customers.address(case),
        body=text,
    )
    found["attachments"] = [*_attachments(case, number, airline)]
    found["scripts"] = [{"ticket": number, "script": script().to_json()}]
    return found


def script() -> Script:
    """The customer takes any flights and any charge for what is open: nobody learns the right
    amounts by offering."""
    takes = Expected("flights"), Expected("fee"), Expected("refund")
    return Script(takes, "Yes, please do it like that.")


def _history(case: ChangeCase, airline: Airline) -> Iterator[dict[str, Any]]:
    reference, raised = case.held.reference, case.facts.booking.raised
    yield filed_rows.line(reference, case.held.bought, "Sold")
    if raised:
        names = [airline.word(f"brand-{each}") for each in (raised.brand, case.base.own[1])]
        text = f"All flights raised from {names[0]} to {names[1]}, difference paid by card"
        yield filed_rows.line(reference, raised.at.strftime(TIMES), text)
    if case.promised:
        at = times.later(case.facts.request.wrote.strftime(TIMES), -47)
        yield filed_rows.line(reference, at, PROMISE)


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
