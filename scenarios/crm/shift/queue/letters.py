"""The mails of a queue's tickets, and the database rows of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from scenarios.crm.airline_desk import Customer, Rows, Speaker, booking_rows
from scenarios.crm.policy.facts import IdentityFact
from scenarios.crm.shift.queue.case import (
    AGAIN,
    BY_ANOTHER,
    EARLIER,
    ELSEWHERE,
    FIRST,
    LATER,
    LAWYER,
    LOST,
    OTHER,
    SETTLED,
    QueueCase,
    Stay,
)
from scenarios.crm.tickets import TIMES, Filing, fact_sentence
from scenarios.crm.tickets import address as mail_address
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets.refund import letter as refund_mail
from scenarios.crm.tickets.refund.case import RefundCase
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

SUBJECTS: Mapping[str, tuple[str, ...]] = {
    AGAIN: ("My mail to you", "Money back", "About my booking", "Still waiting"),
    EARLIER: ("A new address", "My mailbox", "Small request", "About my booking"),
    LATER: ("About my booking", "Our trip", "Once more", "A question"),
    ELSEWHERE: ("A request", "Please help", "About my booking", "To your desk"),
}
THINGS = ("a grey scarf", "my reading glasses", "a child's jacket", "a tablet in a red sleeve")
RELATIVES = ("cousin", "neighbour", "friend", "colleague")
CANCELLED = "Cancelled, all of it paid back"


@dataclass(frozen=True)
class Wording:
    """The two samplers of phrasings of a queue: for refund letters, and for all other mails."""

    refund: Speaker
    own: Speaker


@dataclass(frozen=True)
class Letter:
    """A mail of a ticket: customer, booking, sender address and text."""

    customer: Customer
    reference: str
    address: str
    body: str


# All rows ----------------------------------------------------------------------------------------


def rows(case: QueueCase, desk: Filing) -> Rows:
    """Return all database rows of the queue. Refund bookings come first, because payments are
    numbered in the order of rows.
    """
    found: Rows = {}
    wording = Wording(refund_mail.refunding(desk.speaker), desk.speaker)
    for role in (FIRST, OTHER, EARLIER):
        asked = case.asks_back if role == EARLIER else role
        _add(found, _of_refund(case, asked, replace(desk, speaker=wording.refund)))
    for role, stay in case.stays.items():
        _add(found, _of_stay(stay, is_settled=role == SETTLED))
    paid = [each for each in found["payments"] if each["reference"] == case.reference(SETTLED)]
    found["refunds"] = [
        {
            "reference": each["reference"],
            "payment": found["payments"].index(each) + 1,
            "amount": each["amount"],
        }
        for each in paid
    ]
    for role, letter in _letters(case, desk.data, wording).items():
        _add(found, _filed(case, role, letter, wording.own.rng))
        _attach(found, case, role, desk.airline)
    return {**found, "tickets": [*_in_place(case, found["tickets"])]}


def _add(found: Rows, more: Rows) -> None:
    for table, listed in more.items():
        found.setdefault(table, []).extend(listed)


def _of_refund(case: QueueCase, role: str, desk: Filing) -> Rows:
    """Return the database rows of a booking, with the ticket that asks for its refund."""
    refund = case.refund_of(role)
    assert refund is not None
    facts = replace(refund.facts, documents=case.documents(role))
    shown = replace(refund, given=case.given[role], facts=facts)
    body = refund_mail.body(shown, desk.data, desk.speaker)
    found = refund_mail.rows(shown, replace(desk, number=case.filed[role].number), body)
    if role == LATER:
        found["messages"] = [{**each, "address": case.new_email} for each in found["messages"]]
    return found


def _of_stay(stay: Stay, *, is_settled: bool) -> Rows:
    held, customer = stay.held, stay.customer
    found = booking_rows([replace(held, status="cancelled") if is_settled else held], [customer])
    found["history"] = [ticket_rows.line(held.reference, held.bought, "Sold")]
    if is_settled:
        found["history"].append(ticket_rows.line(held.reference, "2026-01-14 16:25", CANCELLED))
    found["terms"] = [{"reference": held.reference}]
    found["identities"] = [{"customer": customer.number, "digits": held.card}]
    found["coupons"] = [
        {
            "reference": held.reference,
            "flight": each.number,
            "date": each.date,
            "state": stay.states[each.number],
        }
        for each in held.flights
        if each.number in stay.states
    ]
    return found


def _filed(case: QueueCase, role: str, letter: Letter, rng: Random) -> Rows:
    number = case.filed[role].number
    found = ticket_rows.filed(
        number,
        letter.customer.number,
        [letter.reference],
        opened=case.filed[role].opened.strftime(TIMES),
        subject=rng.choice(SUBJECTS.get(role, refund_mail.SUBJECTS)),
        priority="",
        address=letter.address,
        body=letter.body,
    )
    script = ticket_rows.script(*refund_mail.TAKES).to_json()
    return {**found, "scripts": [{"ticket": number, "script": script}]}


def _attach(found: Rows, case: QueueCase, role: str, airline: Airline) -> None:
    refund = case.refund_of(role)
    for document in case.documents(role) if refund else ():
        assert refund is not None
        number = case.filed[role].number
        found["attachments"].append(refund_mail.attachment(number, refund, document, airline))


def _in_place(case: QueueCase, tickets: Iterable[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    for row in sorted(tickets, key=lambda each: int(each["number"])):
        filed = case.filed[case.role_of(row["number"])]
        yield {**row, "priority": filed.priority, "arrives": filed.arrives}


# The mails ---------------------------------------------------------------------------------------


def _letters(case: QueueCase, data: CrmData, wording: Wording) -> dict[str, Letter]:
    """Return, by role, the mails of tickets except the three that first ask for a refund."""
    second = EARLIER if case.asks_back == LATER else LATER
    return {
        AGAIN: _repeated(case, data, wording),
        second: _of_pair(case, second, wording),
        SETTLED: _settled(case, wording),
        ELSEWHERE: _elsewhere(case, data, wording),
    }


def _repeated(case: QueueCase, data: CrmData, wording: Wording) -> Letter:
    refund = case.refunds[FIRST]
    reference = refund.held.reference
    if case.kinds.repeated != BY_ANOTHER:
        shown = replace(refund, given=case.given[AGAIN])
        address = mail_address(replace(refund, given=case.given[FIRST]))
        first = wording.own.say("again", reference=reference)
        body = _written(first, _facts(shown, wording), refund.customer.person.name, wording)
        return Letter(refund.customer, reference, address, body)
    who = wording.own.rng.choice(RELATIVES)
    name = f"{wording.own.rng.choice(data.people['female'])} {_surname(case, data, wording)}"
    first = wording.own.say(
        "another", customer=refund.customer.person.name, reference=reference, who=who
    )
    facts = _facts(replace(refund, given=case.given[AGAIN]), wording, of_customer=True)
    plain = "".join(each for each in name.lower().replace(" ", ".") if each.isascii())
    address = f"{plain.replace(chr(39), '')}@mail.example.org"
    return Letter(refund.customer, reference, address, _written(first, facts, name, wording))


def _surname(case: QueueCase, data: CrmData, wording: Wording) -> str:
    taken = case.refunds[FIRST].customer.person.last_name
    return wording.own.rng.choice([each for each in data.people["last"] if each != taken])


def _of_pair(case: QueueCase, role: str, wording: Wording) -> Letter:
    refund, given = case.refunds[EARLIER], case.given[role]
    reference, who = refund.held.reference, refund.customer
    if role == EARLIER:
        first = wording.own.say("mailbox", reference=reference, email=case.new_email)
    else:
        first = wording.own.say("keep", reference=reference)
    shown = replace(refund, given=given)
    body = _written(first, _facts(shown, wording), who.person.name, wording)
    return Letter(who, reference, mail_address(shown), body)


def _settled(case: QueueCase, wording: Wording) -> Letter:
    stay = case.stays[SETTLED]
    first = wording.refund.say("ask", reference=stay.held.reference)
    return Letter(
        stay.customer,
        stay.held.reference,
        stay.customer.email,
        _written(
            first, fact_sentence(stay, "born", wording.refund), stay.customer.person.name, wording
        ),
    )


def _elsewhere(case: QueueCase, data: CrmData, wording: Wording) -> Letter:
    stay, kind = case.stays[ELSEWHERE], case.kinds.elsewhere
    who, reference, rng = stay.customer.person, stay.held.reference, wording.own.rng
    slots: dict[str, object] = {"reference": reference}
    if kind == LAWYER:
        last = rng.choice([each for each in data.people["last"] if each != who.last_name])
        slots |= {"customer": who.name, "firm": f"{last} & Partners"}
        address = f"office@{''.join(filter(str.isalpha, last.lower()))}-law.example"
        first = wording.own.say(LAWYER, **slots)
        return Letter(stay.customer, reference, address, _written(first, "", last, wording))
    if kind == LOST:
        gone = [each for each in stay.held.flights if each.number in stay.states]
        slots |= {"flight": gone[-1].number, "thing": rng.choice(THINGS)}
    else:
        slots |= {"count": rng.randint(11, 24)}
    body = _written(
        wording.own.say(kind, **slots),
        fact_sentence(stay, "born", wording.refund),
        who.name,
        wording,
    )
    return Letter(stay.customer, reference, stay.customer.email, body)


def _written(first: str, facts: str, name: str, wording: Wording) -> str:
    sign = wording.refund.say("sign", name=name)
    return "\n".join(filter(None, (first, facts, sign)))


def _facts(named: RefundCase, wording: Wording, *, of_customer: bool = False) -> str:
    """Return sentences of a mail with the identity facts except the address; `of_customer` means
    that another person gives them.
    """
    texts = []
    for fact in named.given:
        if fact == "email":
            continue
        if of_customer:
            texts.append(_of_another(named, fact, wording))
        else:
            texts.append(fact_sentence(named, fact, wording.refund))
    return " ".join(texts)


def _of_another(named: RefundCase, fact: IdentityFact, wording: Wording) -> str:
    if fact == "card":
        return wording.own.say("digits", digits=named.held.card)
    return fact_sentence(named, fact, wording.own)
