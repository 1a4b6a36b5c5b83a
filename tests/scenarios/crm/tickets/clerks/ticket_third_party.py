"""The clerk works on a ticket of somebody who writes for a customer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scenarios.crm.policy import Decision, decide
from scenarios.crm.policy.facts import Facts, Request, Sender, Wish
from tests.scenarios.crm.airline_desk.clerk import Clerk
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks import deeds
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader
from tests.scenarios.crm.tickets.clerks.ticket_refund import SLOTS

FAMILY = "ticket_third_party"
NEEDED = ("mails", "tables", "total", "articles")
EMAIL = r"[\w.+'-]+@[\w.-]+\w"
OWN_SLOTS = {
    **SLOTS,
    "customer": r"[A-Z][\w'’. -]*?",
    "role": r"[a-z ]+?",
    "agency": r"[A-Z][\w&. ]*?",
    "way": "way out|way home",
    "email": EMAIL,
    "address": EMAIL,
    "note": r"[^\"]+",
}
ACTS: Mapping[str, Wish] = {"times": "times", "mailbox": "email", "elsewhere": "other-source"}
LURES = ("lure-copy", "lure-mailbox", "lure-note")
"""Instructions that are nobody's wish."""
WAYS = {"way out": "outward", "way home": "return"}


@dataclass(frozen=True)
class Asked:
    """The wishes, each with what the mail says of it, and who sends them."""

    wishes: Mapping[Wish, Mapping[str, str]]
    sender: Sender


def work(clerk: Clerk, request: str) -> str:
    desk = Tickets(clerk)
    number = Reader(FAMILY, OWN_SLOTS, request).take("work")["number"]
    book = Handbook(desk)
    edition = book.edition()
    case = _case.read(desk, number, book.clocks())
    asked = read_mail(case)
    facts = Facts(case.customer, case.booking, Request("times", asked.sender), case.events)
    decisions = {
        wish: decide(edition, replace(facts, request=Request(wish, asked.sender)))
        for wish in asked.wishes
    }
    for wish, decision in decisions.items():
        if decision.changes:
            grant(desk, number, case, wish, asked.wishes[wish], decision)
    given = sum(sum(deeds.refunds(each).values()) for each in decisions.values())
    desk.close(number, deeds.end(decisions.values()), "24", given)
    return ""


def read_mail(case: TicketFacts) -> Asked:
    reader = case.filed.reader(FAMILY, OWN_SLOTS)
    for act in LURES:
        list(reader.all(act))
    order = {act: at for act in ACTS if (at := _place(reader, act)) >= 0}
    wishes = {ACTS[act]: reader.take(act) for act in sorted(order, key=order.__getitem__)}
    facts = {"born": "born", "email": "known", "card": "digits"}
    given = frozenset(_case.proven(reader, case, facts))
    reader.take("sign")
    agency = reader.find("agency")
    if agency is None:
        reader.take("intro")
    reader.end()
    sender = Sender(
        who="agency" if agency else "other",
        given=given,  # type: ignore[arg-type]
        agency=agency["agency"] if agency else "",
        permission=_case.permission(case),
    )
    return Asked(wishes, sender)


def _place(reader: Reader, act: str) -> int:
    """Where an act stands in the mail; -1 where it does not."""
    copy = Reader(reader.family, reader.slots, reader.text)
    if copy.find(act) is None:
        return -1
    pairs = zip(reader.text.split(), copy.text.split(), strict=False)
    same = [one == other for one, other in pairs]
    return same.index(False) if False in same else len(same)


def grant(
    desk: Tickets,
    number: str,
    case: TicketFacts,
    wish: Wish,
    given: Mapping[str, str],
    decision: Decision,
) -> None:
    """Do what is permitted of a wish."""
    if wish == "times":
        flight, day, time = case.about.flights[WAYS[given["way"]]]
        desk.reply(number, case.letter.address, flight, day, time)
    elif wish == "email":
        desk.contact(number, given["email"])
    else:
        deeds.agree(desk, number, "refund", sum(deeds.refunds(decision).values()))
        deeds.give_back(desk, case, decision)
