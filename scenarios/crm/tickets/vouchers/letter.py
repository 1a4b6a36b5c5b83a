"""The customer's letter about vouchers, and the database rows that this case adds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

from scenarios.crm.airline_desk import Rows, Speaker, booking_rows, enumerated
from scenarios.crm.policy import of_booking
from scenarios.crm.policy.facts import Voucher
from scenarios.crm.tickets import (
    TIMES,
    Filing,
    add_others,
    asides,
    card_words,
    fact_sentence,
)
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets.bags import letter
from scenarios.crm.tickets.bags.case import BagsCase
from scenarios.crm.tickets.refund import letter as refund_mail
from scenarios.crm.tickets.vouchers.case import AGAIN, FLIGHTS, FOREIGN, VoucherCase
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

SUBJECTS = ("Two bookings of mine", "Vouchers", "A trip less, and bags", "Money and vouchers")
FOR_FLIGHTS = "Other flights by wish, new fare lower: voucher {code} of {amount} given"
GIVEN = (
    "Long wait at the airport: voucher {code} of {amount} given",
    "Voucher {code} of {amount} bought as a gift",
    "Broken screen on board: voucher {code} of {amount} given",
)
"""Templates of entries in a booking's history about the origin of a voucher."""


# The mail ----------------------------------------------------------------------------------------


def body(case: VoucherCase, data: CrmData, speaker: Speaker) -> str:
    """Return the letter: the booking to cancel, the bags, and the vouchers that pay for them."""
    rng, back = speaker.rng, case.back
    of_money, of_bags = refund_mail.refunding(speaker), Speaker("ticket_bags", speaker.kind, rng)
    wanted = [*letter.wishes(case.bags, of_bags)]
    codes = enumerated([each.code for each in case.vouchers])
    wanted.append(speaker.say("vouchers", codes=codes))
    others = [refund_mail.claimed(back, each, of_money) for each in back.facts.claims]
    others += asides(speaker, data, mourner=of_money)
    rng.shuffle(others)
    facts = [fact_sentence(back, each, of_money) for each in back.given if each != "email"]
    facts.append(speaker.say("rest", **card_words(rng, back.card)))
    paragraphs = [
        [speaker.say("ask", cancelled=back.held.reference), *others],
        [speaker.say("bags", reference=case.bags.held.reference), *wanted],
        facts,
        [of_money.say("sign", name=case.back.customer.person.name)],
    ]
    return "\n".join(" ".join(each) for each in paragraphs)


# The rows ----------------------------------------------------------------------------------------


def filed(case: VoucherCase, desk: Filing) -> Rows:
    """Return the database rows of a scenario: those of the ticket's case, and tickets of other
    customers.
    """
    found = _rows(case, desk, body(case, desk.data, desk.speaker))
    asking = replace(desk, speaker=refund_mail.refunding(desk.speaker))
    return add_others(found, asking, refund_mail.SUBJECTS)


def _rows(case: VoucherCase, desk: Filing, text: str) -> Rows:
    """Return the database rows of a case with the mail `text`: both bookings, the ticket and the
    vouchers.
    """
    found, rng = refund_mail.rows(case.back, desk, text), desk.speaker.rng
    for table, more in _of_bags(case.bags, desk.number, desk.airline).items():
        found[table] = [*found.get(table, []), *more]
    found["tickets"] = [{**each, "subject": rng.choice(SUBJECTS)} for each in found["tickets"]]
    found["vouchers"] = [_row(each) for each in case.vouchers]
    entries = [*_entries(case, desk.airline, rng)]
    found["history"] = sorted([*found["history"], *entries], key=lambda each: str(each["at"]))
    return found


def _of_bags(bags: BagsCase, number: int, airline: Airline) -> Rows:
    """Return the database rows of the booking with the bags."""
    reference = bags.held.reference
    return {
        **booking_rows([bags.held]),
        "history": [*letter.history(bags, airline)],
        "terms": [{"reference": reference, "balance": bags.facts.booking.balance}],
        "ticket_bookings": [{"ticket": number, "reference": reference}],
    }


def _row(one: Voucher) -> dict[str, Any]:
    expires = one.expires.isoformat()
    named = {"code": one.code, "customer": one.holder}
    return {**named, "balance": one.balance, "expires": expires}


def _entries(case: VoucherCase, airline: Airline, rng: Random) -> Iterator[dict[str, Any]]:
    """Yield history entries about vouchers: their origin, and which voucher was extended."""
    bought = {each.reference: each.bought for each in (case.back.held, case.bags.held)}
    wrote = case.back.facts.request.wrote
    for each in case.vouchers:
        kind, reference = case.kinds[each.code], case.named_on[each.code]
        if kind == FOREIGN or each.code == case.spent:
            continue
        since = of_booking.time(bought[reference])
        at = since + (wrote - since) * rng.uniform(0.1, 0.5)
        money = airline.formats.money(each.balance + rng.choice((0, 10, 20, 45)))
        text = FOR_FLIGHTS if kind == FLIGHTS else rng.choice(GIVEN)
        entry = text.format(code=each.code, amount=money)
        yield ticket_rows.line(reference, at.strftime(TIMES), entry)
        if kind == AGAIN:
            until = airline.formats.day(each.expires.isoformat())
            later = (at + timedelta(minutes=30)).strftime(TIMES)
            yield ticket_rows.line(reference, later, f"Voucher {each.code} extended until {until}")
