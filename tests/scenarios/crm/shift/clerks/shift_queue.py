"""The clerk works through a queue of tickets, by its pages and the handbook, until none is open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import SetEmail, Tell
from scenarios.crm.policy.facts import Facts, Request, Sender
from scenarios.crm.policy.queue import (
    ARTICLE,
    BEFORE,
    SHOWN,
    TABLE,
    WITHDRAWN,
    Waiting,
    decide_queue,
    in_turn,
)
from sites.crm.airline_desk.handbook.edition import Edition
from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks import deeds
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader
from tests.scenarios.crm.tickets.clerks import ticket_refund
from tests.scenarios.crm.tickets.clerks.ticket_third_party import EMAIL

FAMILY = "shift_queue"
NEEDED = ("mails", "tables", "total", "articles")
_NAME = r"[A-Z][\w'’. -]*?"
OWN_SLOTS = {
    **ticket_refund.SLOTS,
    "customer": _NAME,
    "who": "[a-z]+",
    "email": EMAIL,
    "thing": r"[\w' ]+?",
    "firm": r"[A-Z][\w'’. -]* & Partners",
    "count": r"\d+",
}
REFUND, AGAIN, ANOTHER, MAILBOX, KEEP = "refund", "again", "another", "mailbox", "keep"
OFFICES = {"lost": "lost property", "lawyer": "legal office", "group": "groups desk"}
"""Who decides what some mails are about, as table T7 calls them."""
ACTS = (AGAIN, ANOTHER, MAILBOX, KEEP, *OFFICES)
SETTLED = "Cancelled, all of it paid back"


@dataclass(frozen=True)
class Mail:
    """What a ticket asks for: `act` is one of the acts, or money back; `email` an address that is
    to be written down."""

    number: str
    opened: datetime
    priority: str
    case: TicketFacts
    act: str
    facts: Facts
    card: Mapping[str, str]
    email: str = ""

    @property
    def reference(self) -> str:
        return self.case.booking.reference


def work(clerk: Clerk, request: str) -> str:
    desk = Tickets(clerk)
    Reader(FAMILY, OWN_SLOTS, request).take("work")
    book = Handbook(desk)
    edition, clocks = book.edition(), book.clocks()
    book.text(ARTICLE)
    offices = {act for act, office in OFFICES.items() if office in book.text(TABLE)}
    mails: dict[str, Mail] = {}
    while numbers := _open(desk):
        for each in numbers:
            if each not in mails:
                mails[each] = _mail(desk, each, clocks)
        decided = _decisions(edition, [*mails.values()], offices)
        number = next(each for each in decided if each in numbers)
        _do(desk, mails, mails[number], decided[number])
    return ""


def _open(desk: Tickets) -> list[str]:
    """The numbers of the tickets that wait."""
    desk.at("tickets")
    number, status, waits = map(desk.word, ("ticket-number", "status", "ticket-open"))
    listed = [each.cells for each in desk.lines()]
    return [each[number] for each in listed if each[status] == waits]


def _decisions(edition: Edition, mails: Sequence[Mail], offices: set[str]) -> dict[str, Decision]:
    """What becomes of each ticket, in their turn."""
    waiting = [_waiting(each, mails, offices) for each in mails]
    found = decide_queue(edition, waiting)
    return {str(each.number): found[each.number] for each in in_turn(waiting)}


# What waits --------------------------------------------------------------------------------------


def _mail(desk: Tickets, number: str, clocks: Mapping[str, float]) -> Mail:
    """A ticket, read with its booking."""
    desk.at("ticket", number)
    about = desk.facts_under("group-ticket")
    marks = {desk.word(f"priority-{each}"): each for each in SHOWN}
    opened, priority = desk.time(about[desk.word("opened-on")]), marks[about[desk.word("priority")]]
    case = _case.read(desk, number, clocks)
    reader = case.filed.reader(FAMILY, OWN_SLOTS)
    acts = {act: values for act in ACTS if (values := reader.find(act)) is not None}
    card: Mapping[str, str] = {}
    if not acts:
        facts, card = ticket_refund.read_mail(_as_refund(reader), case)
        return Mail(number, opened, priority, case, REFUND, facts, card)
    [(act, values)] = acts.items()
    if values["reference"] != case.booking.reference:
        raise Unreadable("the mail is about another booking")
    request = _request(reader, case, act)
    facts = Facts(case.customer, case.booking, request, case.events, case.documents)
    return Mail(number, opened, priority, case, act, facts, card, values.get("email", ""))


def _as_refund(reader: Reader) -> Reader:
    """Of the same text, by the words of those who want their money back."""
    return Reader(ticket_refund.FAMILY, reader.slots, reader.text)


def _request(reader: Reader, case: TicketFacts, act: str) -> Request:
    if act == ANOTHER:
        given = frozenset(_case.proven(reader, case, {"born": "born", "card": "digits"}))
        sender = Sender("other", given, permission=_case.permission(case))  # type: ignore[arg-type]
    rest = _as_refund(reader)
    if act != ANOTHER:
        sender = Sender(given=_case.given(rest, case))  # type: ignore[arg-type]
    rest.take("sign")
    rest.end()
    wish = {MAILBOX: "email", KEEP: "times"}.get(act, "refund")
    return Request(wish, sender, wrote=case.letter.wrote)  # type: ignore[arg-type]


def _waiting(one: Mail, mails: Iterable[Mail], offices: set[str]) -> Waiting:
    """The ticket with what others say of it."""
    found = Waiting(int(one.number), one.opened, one.priority, one.facts)
    others = [each for each in mails if each.reference == one.reference and each is not one]
    older = [int(each.number) for each in others if each.act == REFUND and each.opened < one.opened]
    if one.act in offices:
        return replace(found, kept=(TABLE, WITHDRAWN))
    if any(text.startswith(SETTLED) for _, text in one.case.about.history):
        return replace(found, kept=(BEFORE, WITHDRAWN))
    if one.act == AGAIN:
        return replace(found, same_as=older[0])
    if one.act == KEEP:
        return replace(found, takes_back=older[0])
    known = [int(each.number) for each in others if each.email == one.case.letter.address]
    return replace(found, knows_by=known[0]) if known else found


# What is done ------------------------------------------------------------------------------------


def _do(desk: Tickets, mails: Mapping[str, Mail], one: Mail, decision: Decision) -> None:
    """Do what is decided, and close the ticket."""
    if one.act == AGAIN:
        [first] = [
            each.number
            for each in mails.values()
            if each.act == REFUND and each.reference == one.reference
        ]
        desk.link(one.number, first)
    for each in decision.changes:
        if isinstance(each, SetEmail):
            desk.contact(one.number, one.email)
        elif isinstance(each, Tell):
            flight, day, time = one.case.about.flights["outward"]
            desk.reply(one.number, one.case.customer.email, flight, day, time)
    if deeds.refunds(decision):
        ticket_refund.settle(desk, one.number, one.case, decision, one.card)
    else:
        outcome = deeds.OUTCOMES[decision.outcome]
        desk.close(one.number, outcome, decision.grounds[0], decision.amount)
