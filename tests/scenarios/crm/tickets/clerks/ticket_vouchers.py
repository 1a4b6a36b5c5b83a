"""The clerk works on a ticket about two bookings: money back on one, and bags on another that
vouchers pay, by its pages and the handbook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import ExtendVoucher, Pay, SetBags
from scenarios.crm.policy.facts import Facts, Request, Sender, Voucher
from scenarios.crm.policy.together import Both, decide_both
from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks import booking, case, deeds
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader
from tests.scenarios.crm.tickets.clerks import ticket_bags, ticket_refund

FAMILY = "ticket_vouchers"
NEEDED = ("mails", "tables", "total", "articles")
CODE = r"V\d+"
OWN_SLOTS = {
    **ticket_bags.OWN_SLOTS,
    "cancelled": ticket_refund.SLOTS["reference"],
    "codes": rf"{CODE}(?:, {CODE})*(?: and {CODE})?",
}
SOMEBODY_ELSE = 0
"""Whose number nobody knows."""
FOR_FLIGHTS = "Other flights by wish, new fare lower: voucher {code} of "
EXTENDED = "Voucher {code} extended until "


@dataclass(frozen=True)
class Asked:
    """What the mail says: which bookings it is about, which vouchers shall pay, and the card for
    the rest."""

    cancelled: TicketFacts
    kept: TicketFacts
    codes: tuple[str, ...]
    card: Mapping[str, str]


def work(clerk: Clerk, request: str) -> str:
    desk = Tickets(clerk)
    number = Reader(FAMILY, OWN_SLOTS, request).take("work")["number"]
    book = Handbook(desk)
    edition, clocks = book.edition(), book.clocks()
    filed = case.open_ticket(desk, number)
    cases = [TicketFacts(filed, booking.read(desk, each, clocks)) for each in filed.references]
    reader = filed.reader(FAMILY, OWN_SLOTS)
    asked = _asked(reader, {each.booking.reference: each for each in cases})
    back, bags = _facts(desk, reader, asked)
    settle(desk, number, asked, decide_both(edition, back, bags))
    return ""


# The mail ----------------------------------------------------------------------------------------


def _asked(reader: Reader, cases: Mapping[str, TicketFacts]) -> Asked:
    cancelled, kept = reader.take("ask")["cancelled"], reader.take("bags")["reference"]
    if {cancelled, kept} != {*cases}:
        raise Unreadable("the mail is about other bookings")
    codes = tuple(re.findall(CODE, reader.take("vouchers")["codes"]))
    card = reader.take("rest")
    list(reader.all("digress"))
    return Asked(cases[cancelled], cases[kept], codes, card)


def _facts(desk: Tickets, reader: Reader, asked: Asked) -> tuple[Facts, Facts]:
    """Those of the money back and of the bags, with what is left of the mail."""
    of_bags = Reader(ticket_bags.FAMILY, reader.slots, reader.text)
    wanted = ticket_bags.wanted(desk, of_bags, asked.kept)
    rest = Reader(ticket_refund.FAMILY, reader.slots, of_bags.text)
    for act in ticket_refund.DECIDING_NOTHING:
        list(rest.all(act))
    given = case.given(rest, asked.cancelled)
    rest.take("sign")
    rest.end()
    request = Request("refund", Sender(given=given), wrote=asked.kept.letter.wrote)  # type: ignore[arg-type]
    paying = replace(request, wish="bags", bags=wanted, vouchers=tuple(_vouchers(asked)))
    back, bags = (
        Facts(each.customer, each.booking, wish, each.events, each.documents)
        for each, wish in ((asked.cancelled, request), (asked.kept, paying))
    )
    return back, bags


def _vouchers(asked: Asked) -> Iterator[Voucher]:
    """As the bookings list them; one that is not there is somebody else's."""
    entries = [text for each in (asked.cancelled, asked.kept) for _, text in each.about.history]
    listed = asked.kept.about.vouchers
    for code in asked.codes:
        if code not in listed:
            yield Voucher(code, SOMEBODY_ELSE, 0, date.max)
            continue
        balance, last = listed[code]
        yield Voucher(
            code=code,
            holder=case.CUSTOMER,
            balance=balance,
            expires=last,
            extended=_tells(entries, EXTENDED, code),
            for_flights=_tells(entries, FOR_FLIGHTS, code),
        )


def _tells(entries: list[str], start: str, code: str) -> bool:
    return any(each.startswith(start.format(code=code)) for each in entries)


# What is done ------------------------------------------------------------------------------------


def settle(desk: Tickets, number: str, asked: Asked, both: Both) -> None:
    """Give back, sell and close what is decided: the money back comes first."""
    ticket_refund.give(desk, number, asked.cancelled, both.back, asked.card)
    _sell(desk, number, asked, both.paid)
    desk.close(number, deeds.OUTCOMES[both.outcome], both.grounds[0], both.amount)


def _sell(desk: Tickets, number: str, asked: Asked, decision: Decision) -> None:
    reference = asked.kept.booking.reference
    deeds.collect(desk, number, reference, decision, asked.card)
    for each in decision.changes:
        if isinstance(each, SetBags):
            ticket_bags.pack(desk, number, asked.kept, each)
    for each in decision.changes:
        if isinstance(each, ExtendVoucher):
            desk.extend(reference, each.code, each.until)
        elif isinstance(each, Pay) and each.voucher:
            desk.spend(reference, each.amount, each.voucher, "bags")
        elif isinstance(each, Pay):
            desk.collect(reference, each.amount, deeds.typed(asked.card), "bags")
