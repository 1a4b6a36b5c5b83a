"""The clerk works on a ticket that asks for money back, by its pages and the handbook."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.crm.policy import Decision, decide
from scenarios.crm.policy.facts import Facts, Request, Sender
from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks import deeds
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader

FAMILY = "ticket_refund"
NEEDED = ("mails", "tables", "total", "articles")
SLOTS = {
    **request_reader.SLOTS,
    "number": r"\d+",
    "reference": "[A-Z0-9]{6}",
    "born": _case.BORN,
    "digits": r"\d{4}",
    "when": r"(?:today|yesterday|on \d+ \w+) at \d\d:\d\d",
    "by": r"[\w ]+ (?:hours?|minutes?)",
    "why": r"[\w ]+",
    "name": ".+",
    "city": r"[\w ]+",
    "price": r"\d+",
}
DECIDING_NOTHING = ("sad", "digress", "bought", "moved", "cause", "cover")
"""What decides nothing: the pages say what is so."""


def work(clerk: Clerk, request: str) -> str:
    desk = Tickets(clerk)
    number = Reader(FAMILY, SLOTS, request).take("work")["number"]
    book = Handbook(desk)
    edition = book.edition()
    case = _case.read(desk, number, book.clocks())
    reader = case.filed.reader(FAMILY, SLOTS)
    facts, card = read_mail(reader, case)
    settle(desk, number, case, decide(edition, facts), card)
    return ""


def read_mail(reader: Reader, case: TicketFacts) -> tuple[Facts, Mapping[str, str]]:
    """The facts with what the mail says, and the card that it names."""
    for act in DECIDING_NOTHING:
        list(reader.all(act))
    if reader.take("ask")["reference"] != case.booking.reference:
        raise Unreadable("the mail is about another booking")
    card = reader.find("owed") or {}
    given = _case.given(reader, case)
    reader.take("sign")
    reader.end()
    sender = Sender(given=given)  # type: ignore[arg-type]
    request = Request("refund", sender, wrote=case.letter.wrote)
    return Facts(case.customer, case.booking, request, case.events, case.documents), card


def settle(
    desk: Tickets, number: str, case: TicketFacts, decision: Decision, card: Mapping[str, str]
) -> None:
    """Offer, do and close what is decided."""
    give(desk, number, case, decision, card)
    deeds.close(desk, number, decision)


def give(
    desk: Tickets, number: str, case: TicketFacts, decision: Decision, card: Mapping[str, str]
) -> None:
    """Give back what is decided, after an offer and what was not paid yet."""
    reference = case.booking.reference
    back = sum(deeds.refunds(decision).values())
    if back:
        deeds.agree(desk, number, "refund", back)
    deeds.collect(desk, number, reference, decision, card)
    if back:
        deeds.give_back(desk, case, decision)
