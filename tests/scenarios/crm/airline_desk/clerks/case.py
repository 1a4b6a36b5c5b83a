"""What the clerk knows of a ticket: the mail, the customer and the bookings, out of their pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from scenarios.crm.policy.facts import DEATH, Booking, Customer, Document, Event, Permission, Tier
from scenarios.crm.tickets.change.case import RELATIONS
from scenarios.crm.tickets.refund.letter import PAPERS
from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Unreadable
from tests.scenarios.crm.airline_desk.clerks import booking as _booking
from tests.scenarios.crm.airline_desk.clerks.booking import BookingFacts
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader

CUSTOMER = 1
"""Nobody else's bookings are looked at."""
TIERS: tuple[Tier, ...] = ("blue", "silver", "gold")
BORN = r"[\w, ]+?"
LOSS = r".+, (?P<relative>[\w-]+) of .+, died on (?P<day>.+)\."


@dataclass(frozen=True)
class Letter:
    """A mail of the customer's: `wrote` by the desk's clock."""

    address: str
    wrote: datetime
    text: str


@dataclass(frozen=True)
class Filed:
    """A ticket: its first mail, what is attached (when, title, text), who the customer is, which
    bookings it is about, and the papers among what is attached."""

    letter: Letter
    attached: tuple[tuple[datetime, str, str], ...]
    customer: Customer
    references: tuple[str, ...]
    documents: tuple[Document, ...]

    def reader(self, family: str, slots: Mapping[str, str]) -> Reader:
        """Of the mail."""
        return Reader(family, slots, " ".join(self.letter.text.split()))


@dataclass(frozen=True)
class TicketFacts:
    """A ticket with a booking that it is about."""

    filed: Filed
    about: BookingFacts

    @property
    def letter(self) -> Letter:
        return self.filed.letter

    @property
    def customer(self) -> Customer:
        return self.filed.customer

    @property
    def documents(self) -> tuple[Document, ...]:
        return self.filed.documents

    @property
    def booking(self) -> Booking:
        return self.about.booking

    @property
    def events(self) -> tuple[Event, ...]:
        return self.about.events


def read(desk: Tickets, number: str, clocks: Mapping[str, float]) -> TicketFacts:
    """Of the ticket with this number, which is about one booking. Raises `Unreadable`."""
    filed = open_ticket(desk, number)
    if len(filed.references) != 1:
        raise Unreadable("which booking it is about")
    return TicketFacts(filed, _booking.read(desk, filed.references[0], clocks))


def open_ticket(desk: Tickets, number: str) -> Filed:
    """The ticket with this number. Raises `Unreadable`."""
    word = desk.word
    desk.at("ticket", number)
    attached = tuple(_attached(desk))
    known = desk.facts_under("group-known")
    return Filed(
        letter=letter(desk),
        attached=attached,
        customer=Customer(
            number=CUSTOMER,
            born=desk.day(known[word("born")]),
            email=known[word("email")],
            home=known.get(word("home"), ""),
            tier=tier(desk, known.get(word("tier"), "")),
            agency=known.get(word("agency"), ""),
        ),
        references=references(desk),
        documents=tuple(filter(None, (_document(desk, *each) for each in attached))),
    )


def references(desk: Tickets) -> tuple[str, ...]:
    """The bookings that the open ticket is about. Raises `Unreadable`."""
    about = desk.lines(desk.word("ticket-about"))
    if not about:
        raise Unreadable("what it is about")
    return tuple(each.cells[desk.word("reference")] for each in about)


def letter(desk: Tickets) -> Letter:
    """The first mail of the open ticket. Raises `Unreadable`."""
    mails = desk.thread("group-mail")
    if not mails:
        raise Unreadable("the mail")
    address, _, when = mails[0][0].partition(", ")
    return Letter(address, desk.time(when), mails[0][1])


def _attached(desk: Tickets) -> Iterator[tuple[datetime, str, str]]:
    for head, text in desk.thread("group-attachments"):
        *titles, day, clock = head.split(", ")
        yield desk.time(f"{day}, {clock}"), ", ".join(titles), text


def tier(desk: Tickets, text: str) -> Tier:
    """A tier by what it is called. Raises `Unreadable`."""
    named: dict[str, Tier] = {desk.word(f"tier-{each}"): each for each in TIERS}
    if text and text not in named:
        raise Unreadable(text)
    return named.get(text, "")


def _document(desk: Tickets, sent: datetime, title: str, text: str) -> Document | None:
    """A paper about a death, or why somebody cannot travel, of which the day decides nothing."""
    for cause, (named, body) in PAPERS.items():
        frame = request_reader.fill(re.escape(body).replace(r"\{", "{").replace(r"\}", "}"), _ANY)
        if title == named and re.fullmatch(frame, text):
            return Document(cause, sent.date(), sent)
    if loss := re.fullmatch(LOSS, text):
        relative = RELATIONS.get(loss["relative"], loss["relative"])
        return Document(DEATH, desk.day(loss["day"]), sent, relative)
    return None


_ANY = {"name": ".+", "day": ".+"}


# The mail ----------------------------------------------------------------------------------------


def given(reader: Reader, case: TicketFacts) -> frozenset[str]:
    """The facts of identity that are right: of the mail, and the address that it comes from."""
    found = {*proven(reader, case, {"born": "born", "card": "digits"})}
    return frozenset(found | {"email"} if case.letter.address == case.customer.email else found)


def proven(reader: Reader, case: TicketFacts, acts: Mapping[str, str]) -> Iterator[str]:
    """The facts of identity that the mail gives and that are right; `acts` by fact."""
    for fact, act in acts.items():
        values = reader.find(act)
        if values is not None and _is_right(case, fact, values):
            yield fact


def _is_right(case: TicketFacts, fact: str, values: Mapping[str, str]) -> bool:
    if fact == "born":
        return request_reader.born(values["born"]) == case.customer.born.isoformat()
    if fact == "email":
        return values["email"] == case.customer.email
    return values["digits"] in case.about.digits


def permission(case: TicketFacts) -> Permission | None:
    notes = case.about.notes
    return Permission(notes["permission"]) if "permission" in notes else None
