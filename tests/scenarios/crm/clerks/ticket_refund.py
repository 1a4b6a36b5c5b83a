"""The clerk works on a ticket that asks for money back, by its pages and the handbook."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scenarios.crm.policy import Decision, decide
from scenarios.crm.policy.decision import Collect, Refund
from scenarios.crm.policy.facts import Facts, Request, Sender
from tests.scenarios.crm import request_reader
from tests.scenarios.crm.clerk import Clerk, Unreadable
from tests.scenarios.crm.clerks import _case
from tests.scenarios.crm.clerks._case import TicketFacts
from tests.scenarios.crm.clerks._handbook import Handbook
from tests.scenarios.crm.clerks._tickets import Tickets
from tests.scenarios.crm.request_reader import NotUnderstood, Reader

FAMILY = "ticket_refund"
NEEDED = ("mails", "tables", "total", "articles")
OUTCOMES = {"done": "done", "in part": "in-part", "refused": "refused", "passed on": "passed-on"}
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
    reader = Reader(FAMILY, SLOTS, " ".join(case.letter.text.split()))
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
    given = {*_case.proven(reader, case, {"born": "born", "card": "digits"})}
    given |= {"email"} if case.letter.address == case.customer.email else set()
    reader.take("sign")
    if reader.text:
        raise NotUnderstood(reader.text)
    sender = Sender(given=frozenset(given))  # type: ignore[arg-type]
    request = Request("refund", sender, wrote=case.letter.wrote)
    return Facts(case.customer, case.booking, request, case.events, case.documents), card


def settle(
    desk: Tickets, number: str, case: TicketFacts, decision: Decision, card: Mapping[str, str]
) -> None:
    """Offer, do and close what is decided."""
    reference = case.booking.reference
    refunds = {each.payment: each.amount for each in decision.changes if isinstance(each, Refund)}
    due = sum(each.amount for each in decision.changes if isinstance(each, Collect))
    if refunds:
        agree(desk, number, "refund", sum(refunds.values()))
    if due:
        agree(desk, number, "fee", due)
        desk.collect(reference, due, typed(card))
    if refunds:
        parts = [refunds.get(each.number, 0) for each in case.booking.payments if each.left]
        desk.give_back(reference, parts)
    desk.close(number, OUTCOMES[decision.outcome], decision.grounds[0], decision.amount)


def agree(desk: Tickets, number: str, what: str, amount: int) -> None:
    """Send an offer. Raises `Unreadable` where it is not agreed to."""
    desk.offer(number, what, amount)
    if desk.answers()[-1] != desk.word("answer-yes"):
        raise Unreadable(f"no to {what} {amount}")


def typed(card: Mapping[str, str]) -> dict[str, str]:
    """As the form takes it."""
    return {
        "card-number": re.sub(r"\D", "", card["card"]),
        "expiry": request_reader.expiry(card["expiry"]),
        "cvc": card["cvc"],
    }
