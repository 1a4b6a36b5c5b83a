"""What customers write on the tickets of a queue, and the rows that a desk has of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from scenarios.crm import _bookings, _refund_mail, ticket_refund
from scenarios.crm import _value_formats as formats
from scenarios.crm._bookings import Customer, Rows
from scenarios.crm._phrasings import Speaker
from scenarios.crm._queue_case import (
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
from scenarios.crm._refund_case import TIMES, RefundCase
from scenarios.crm.policy.facts import IdentityFact
from sites.crm import CrmData
from sites.crm.reservations.airline import Airline

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
class Voices:
    """Who puts acts into words: those of a letter for money back, and all others."""

    refund: Speaker
    own: Speaker

    @classmethod
    def of(cls, name: str, seed: int, rng: Random) -> Voices:
        own = Speaker.of(name, seed, rng)
        return cls(replace(own, family=ticket_refund.NAME), own)


@dataclass(frozen=True)
class Letter:
    """A mail of a ticket: of whom, about what, and from where."""

    customer: Customer
    reference: str
    address: str
    body: str


# All rows ----------------------------------------------------------------------------------------


def rows(case: QueueCase, data: CrmData, airline: Airline, voices: Voices) -> Rows:
    """Those of the bookings for which money is asked back come first: payments are numbered in
    the order of their rows."""
    found: Rows = {}
    for role in (FIRST, OTHER, EARLIER):
        asked = case.asks_back if role == EARLIER else role
        _add(found, _of_refund(case, asked, data, airline, voices))
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
    for role, letter in _letters(case, data, voices).items():
        _add(found, _filed(case, role, letter, voices))
        _attach(found, case, role, airline)
    return {**found, "tickets": [*_in_place(case, found["tickets"])]}


def _add(found: Rows, more: Rows) -> None:
    for table, listed in more.items():
        found.setdefault(table, []).extend(listed)


def _of_refund(case: QueueCase, role: str, data: CrmData, airline: Airline, voices: Voices) -> Rows:
    """The rows of a booking, with the ticket that asks for the money."""
    refund = case.refund_of(role)
    assert refund is not None
    shown = replace(
        refund,
        given=case.given[role],
        facts=replace(refund.facts, documents=case.documents(role)),
    )
    body = _refund_mail.body(shown, data, voices.refund)
    found = _refund_mail.rows(shown, case.filed[role].number, body, airline, voices.refund)
    if role == LATER:
        found["messages"] = [{**each, "address": case.new_email} for each in found["messages"]]
    return found


def _of_stay(stay: Stay, *, is_settled: bool) -> Rows:
    held, customer = stay.held, stay.customer
    found = _bookings.rows([replace(held, status="cancelled") if is_settled else held], [customer])
    found["history"] = [_refund_mail.line(held.reference, held.bought, "Sold")]
    if is_settled:
        found["history"].append(_refund_mail.line(held.reference, "2026-01-14 16:25", CANCELLED))
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


def _filed(case: QueueCase, role: str, letter: Letter, voices: Voices) -> Rows:
    number, at = case.filed[role].number, _time(case, role)
    subjects = SUBJECTS.get(role, _refund_mail.SUBJECTS)
    return {
        "tickets": [
            {
                "number": number,
                "customer": letter.customer.number,
                "subject": voices.own.rng.choice(subjects),
                "opened": at,
            }
        ],
        "ticket_bookings": [{"ticket": number, "reference": letter.reference}],
        "messages": [
            {
                "ticket": number,
                "at": at,
                "sender": "customer",
                "address": letter.address,
                "body": letter.body,
            }
        ],
        "scripts": [{"ticket": number, "script": _refund_mail.script().to_json()}],
    }


def _attach(found: Rows, case: QueueCase, role: str, airline: Airline) -> None:
    refund = case.refund_of(role)
    for document in case.documents(role) if refund else ():
        assert refund is not None
        number = case.filed[role].number
        found["attachments"].append(_refund_mail.attachment(number, refund, document, airline))


def _in_place(case: QueueCase, tickets: Iterable[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    for row in sorted(tickets, key=lambda each: int(each["number"])):
        filed = case.filed[case.role_of(row["number"])]
        yield {**row, "priority": filed.priority, "arrives": filed.arrives}


def _time(case: QueueCase, role: str) -> str:
    return case.filed[role].opened.strftime(TIMES)


# The mails ---------------------------------------------------------------------------------------


def _letters(case: QueueCase, data: CrmData, voices: Voices) -> dict[str, Letter]:
    """Those besides the three that ask for money back first."""
    second = EARLIER if case.asks_back == LATER else LATER
    return {
        AGAIN: _again(case, data, voices),
        second: _of_pair(case, second, voices),
        SETTLED: _settled(case, voices),
        ELSEWHERE: _elsewhere(case, data, voices),
    }


def _again(case: QueueCase, data: CrmData, voices: Voices) -> Letter:
    refund = case.refunds[FIRST]
    reference = refund.held.reference
    if case.kinds.again != BY_ANOTHER:
        shown = replace(refund, given=case.given[AGAIN])
        address = _refund_mail.address(replace(refund, given=case.given[FIRST]))
        first = voices.own.say("again", reference=reference)
        body = _written(first, _facts(shown, voices), refund.customer.person.name, voices)
        return Letter(refund.customer, reference, address, body)
    who = voices.own.rng.choice(RELATIVES)
    name = f"{voices.own.rng.choice(data.people['female'])} {_surname(case, data, voices)}"
    first = voices.own.say(
        "another", customer=refund.customer.person.name, reference=reference, who=who
    )
    facts = _facts(replace(refund, given=case.given[AGAIN]), voices, of_customer=True)
    plain = "".join(each for each in name.lower().replace(" ", ".") if each.isascii())
    address = f"{plain.replace(chr(39), '')}@mail.example.org"
    return Letter(refund.customer, reference, address, _written(first, facts, name, voices))


def _surname(case: QueueCase, data: CrmData, voices: Voices) -> str:
    taken = case.refunds[FIRST].customer.person.last_name
    return voices.own.rng.choice([each for each in data.people["last"] if each != taken])


def _of_pair(case: QueueCase, role: str, voices: Voices) -> Letter:
    refund, given = case.refunds[EARLIER], case.given[role]
    reference, who = refund.held.reference, refund.customer
    if role == EARLIER:
        first = voices.own.say("mailbox", reference=reference, email=case.new_email)
    else:
        first = voices.own.say("keep", reference=reference)
    shown = replace(refund, given=given)
    body = _written(first, _facts(shown, voices), who.person.name, voices)
    return Letter(who, reference, _refund_mail.address(shown), body)


def _settled(case: QueueCase, voices: Voices) -> Letter:
    stay = case.stays[SETTLED]
    first = voices.refund.say("ask", reference=stay.held.reference)
    return Letter(
        stay.customer,
        stay.held.reference,
        stay.customer.email,
        _written(first, _born(stay, voices), stay.customer.person.name, voices),
    )


def _elsewhere(case: QueueCase, data: CrmData, voices: Voices) -> Letter:
    stay, kind = case.stays[ELSEWHERE], case.kinds.elsewhere
    who, reference, rng = stay.customer.person, stay.held.reference, voices.own.rng
    slots: dict[str, object] = {"reference": reference}
    if kind == LAWYER:
        last = rng.choice([each for each in data.people["last"] if each != who.last_name])
        slots |= {"customer": who.name, "firm": f"{last} & Partners"}
        address = f"office@{''.join(filter(str.isalpha, last.lower()))}-law.example"
        first = voices.own.say(LAWYER, **slots)
        return Letter(stay.customer, reference, address, _written(first, "", last, voices))
    if kind == LOST:
        gone = [each for each in stay.held.flights if each.number in stay.states]
        slots |= {"flight": gone[-1].number, "thing": rng.choice(THINGS)}
    else:
        slots |= {"count": rng.randint(11, 24)}
    body = _written(voices.own.say(kind, **slots), _born(stay, voices), who.name, voices)
    return Letter(stay.customer, reference, stay.customer.email, body)


def _written(first: str, facts: str, name: str, voices: Voices) -> str:
    sign = voices.refund.say("sign", name=name)
    return "\n".join(filter(None, (first, facts, sign)))


def _born(stay: Stay, voices: Voices) -> str:
    spelt = formats.of_date(stay.customer.person.born)[1:5]
    return voices.refund.say("born", born=voices.own.rng.choice(spelt))


def _facts(named: RefundCase, voices: Voices, *, of_customer: bool = False) -> str:
    """What is told of the facts of identity but the address; `of_customer` by somebody else."""
    texts = []
    for fact in named.given:
        if fact == "email":
            continue
        if of_customer:
            texts.append(_of_another(named, fact, voices))
        else:
            texts.append(_refund_mail.identity(named, fact, voices.refund))
    return " ".join(texts)


def _of_another(named: RefundCase, fact: IdentityFact, voices: Voices) -> str:
    if fact == "card":
        return voices.own.say("digits", digits=named.held.card)
    spelt = formats.of_date(named.customer.person.born)[1:5]
    return voices.own.say("born", born=voices.own.rng.choice(spelt))
