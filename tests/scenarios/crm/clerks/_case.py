"""What the clerk knows of a ticket: the mail, the customer and the booking, out of their pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from scenarios.crm._refund_mail import PAPERS
from scenarios.crm.policy.facts import (
    Booking,
    Customer,
    Document,
    Event,
    Passenger,
    Payment,
    Permission,
    Raised,
    Segment,
)
from tests.scenarios.crm import request_reader
from tests.scenarios.crm.clerk import BRANDS, DIRECTIONS, KINDS, Unreadable
from tests.scenarios.crm.clerks._after_sale import TableRow
from tests.scenarios.crm.clerks._tickets import Tickets
from tests.scenarios.crm.request_reader import Reader

TIERS = ("blue", "silver", "gold")
STATES = ("open", "flown", "missed")
WORDS = {"outward": "outward", "return": "inward"}
BORN = r"[\w, ]+?"
_TIME = re.compile(r"(.+), (\d{1,2}:\d{2}(?: [AP]M)?)")
_LASTING = re.compile(r"(\d+) h (\d\d) min")
_CODE = re.compile(r"\(([A-Z]{3})\)")


@dataclass(frozen=True)
class Letter:
    """A mail of the customer's: `wrote` by the desk's clock."""

    address: str
    wrote: datetime
    text: str


@dataclass(frozen=True)
class TicketFacts:
    """A ticket with its booking. `digits` are those of cards that the customer is known by, `notes`
    the days of notes by their codes; `flights` are number, day and time of the first flight of each
    direction, as the page writes them."""

    letter: Letter
    attached: tuple[tuple[datetime, str, str], ...]
    customer: Customer
    booking: Booking
    events: tuple[Event, ...]
    digits: frozenset[str]
    notes: Mapping[str, date]
    flights: Mapping[str, tuple[str, str, str]]

    @property
    def documents(self) -> tuple[Document, ...]:
        return tuple(filter(None, (_document(*each) for each in self.attached)))


def read(desk: Tickets, number: str, clocks: Mapping[str, float]) -> TicketFacts:
    """Of the ticket with this number. Raises `Unreadable`."""
    return _Reading(desk, clocks).case(number)


@dataclass(frozen=True)
class _Reading:
    desk: Tickets
    clocks: Mapping[str, float]

    def case(self, number: str) -> TicketFacts:
        desk, word = self.desk, self.desk.word
        desk.at("ticket", number)
        letter, attached = self._letter(), tuple(self._attached())
        known = desk.facts_under("group-known")
        about = [each.cells[word("reference")] for each in desk.lines(word("ticket-about"))]
        if len(about) != 1:
            raise Unreadable("which booking it is about")
        desk.at("booking", about[0])
        lines = [(self._way(each), each) for each in desk.flights()]
        paid = desk.lines(word("group-payments"))
        customer = Customer(
            number=1,
            born=self._day(known[word("born")]),
            email=known[word("email")],
            home=known.get(word("home"), ""),
            tier=self._tier(known.get(word("tier"), "")),
            agency=known.get(word("agency"), ""),
        )
        booking = self._booking(about[0], lines, paid)
        events = tuple(filter(None, (self._event(each) for _, each in lines)))
        cards = {each.source for each in booking.payments if each.method == "card"}
        notes = dict(self._notes())
        flights = {way: self._first(each) for way, each in reversed(lines)}
        return TicketFacts(
            letter, attached, customer, booking, events, frozenset(cards), notes, flights
        )

    # The ticket

    def _letter(self) -> Letter:
        mails = self.desk.thread("group-mail")
        if not mails:
            raise Unreadable("the mail")
        address, _, when = mails[0][0].partition(", ")
        return Letter(address, self._time(when), mails[0][1])

    def _attached(self) -> Iterator[tuple[datetime, str, str]]:
        for head, text in self.desk.thread("group-attachments"):
            title, _, when = head.partition(", ")
            yield self._time(when), title, text

    def _tier(self, text: str) -> str:
        named = {self.desk.word(f"tier-{each}"): each for each in TIERS}
        if text and text not in named:
            raise Unreadable(text)
        return named.get(text, "")

    # The booking

    def _booking(
        self, reference: str, lines: list[tuple[str, TableRow]], paid: list[TableRow]
    ) -> Booking:
        desk, word = self.desk, self.desk.word
        head = desk.facts_under("booking")
        covered = {word("cover-yes"): True, word("cover-no"): False}
        found = Booking(
            reference=reference,
            bought=self._time(head[word("bought")]),
            segments=tuple(self._segment(*each) for each in lines),
            passengers=tuple(self._passengers()),
            payments=tuple(self._payment(at, each) for at, each in enumerate(paid, start=1)),
            cover=covered[head[word("cover")]],
            agency=head.get(word("agency"), ""),
            balance=self._money(head.get(word("unpaid"), "")),
            claim="claim" in dict(self._notes()),
        )
        if not (found.segments and found.passengers and found.payments):
            raise Unreadable(f"booking {reference}")
        raised = self._raised(reference)
        desk.at("booking", reference)
        return replace(found, raised=raised)

    def _way(self, line: TableRow) -> str:
        text = line.cells[self.desk.word("direction")]
        return next(each for each in DIRECTIONS if self.desk.word(WORDS[each]) == text)

    def _segment(self, way: str, line: TableRow) -> Segment:
        word = self.desk.word
        origin, destination = _CODE.findall(line.cells[word("route")])
        day = self._long_day(line.cells[word("date")])
        times, *more = line.cells[word("times")].split("; ")
        leaves = request_reader.minutes(re.findall(r"\d{1,2}:\d{2}(?: [AP]M)?", times)[0])
        local = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(minutes=leaves)
        departs = local - timedelta(hours=self.clocks[origin])
        states = [each for each in STATES if word(f"coupon-{each}") in more]
        if len(states) != 1:
            raise Unreadable(f"whether {times} was flown")
        return Segment(
            direction=way,
            flight=line.cells[word("flight")].split()[0],
            origin=origin,
            destination=destination,
            day=day,
            departs=departs,
            arrives=departs,
            brand=self._brand(line.cells[word("fare")]),  # type: ignore[arg-type]
            state=states[0],  # type: ignore[arg-type]
        )

    def _event(self, line: TableRow) -> Event | None:
        """What the desk did with the flight."""
        word = self.desk.word
        _, *more = line.cells[word("times")].split("; ")
        flight = line.cells[word("flight")].split()[0]
        day = self._long_day(line.cells[word("date")])
        moved, _, _ = word("moved-by", time="|").partition("|")
        accepted = word("time-accepted") in more
        for text in more:
            if text.startswith(word("flight-cancelled")):
                return Event(flight, day, "cancelled")
            if text.startswith(moved):
                [(hours, minutes)] = _LASTING.findall(text)
                return Event(flight, day, "moved", int(hours) * 60 + int(minutes), "", accepted)
        return None

    def _first(self, line: TableRow) -> tuple[str, str, str]:
        cells, word = line.cells, self.desk.word
        time = re.findall(r"\d{1,2}:\d{2}(?: [AP]M)?", cells[word("times")])[0]
        day = self._long_day(cells[word("date")]).isoformat()
        return cells[word("flight")].split()[0], day, time

    def _passengers(self) -> Iterator[Passenger]:
        desk, word = self.desk, self.desk.word
        kinds = {word(each): each for each in KINDS}
        paid = desk.lines(word("group-fares-paid"))
        people = desk.passengers()
        for at, (one, fares) in enumerate(zip(people, paid, strict=True), start=1):
            name, *own = fares.cells
            if not one.cells[word("passenger")].endswith(fares.cells[name]):
                raise Unreadable("whose fares these are")
            ways = dict.fromkeys(self._way(each) for each in desk.flights())
            yield Passenger(
                number=at,
                kind=kinds[one.cells[word("kind")].split(",")[0]],  # type: ignore[arg-type]
                born=self._day(one.cells[word("born")]),
                fares={
                    way: self._money(fares.cells[each]) for way, each in zip(ways, own, strict=True)
                },
            )

    def _payment(self, at: int, line: TableRow) -> Payment:
        word = self.desk.word
        left = self._money(line.cells[word("amount")])
        given = line.cells[word("group-refunds")]
        left -= 0 if given == "–" else self._money(given)
        for method in ("card", "voucher"):
            start, _, end = word(f"by-{method}", source="|").partition("|")
            text = line.cells[word("source")]
            if text.startswith(start) and text.endswith(end):
                source = text.removeprefix(start).removesuffix(end)
                return Payment(at, method, source, left)  # type: ignore[arg-type]
        raise Unreadable(f"what {line.cells} was paid with")

    def _notes(self) -> Iterator[tuple[str, date]]:
        """Those that rules speak of, by their codes."""
        word = self.desk.word
        for line in self.desk.lines(word("group-notes")):
            for code in ("claim", "permission"):
                if line.cells[word("note-code")] == word(f"note-{code}"):
                    yield code, self._day(line.cells[word("written-on")])

    def _raised(self, reference: str) -> Raised | None:
        """When the fare was raised, and from which, by the history of the booking."""
        desk, word = self.desk, self.desk.word
        desk.at("history", reference)
        for line in desk.lines(word("title-history")):
            found = re.match("All flights raised from (.+) to ", line.cells[word("entry")])
            if found:
                at = self._time(line.cells[word("written-on")])
                return Raised(at, self._brand(found[1]))  # type: ignore[arg-type]
        return None

    # Values

    def _brand(self, text: str) -> str:
        return next(each for each in BRANDS if self.desk.word(f"brand-{each}") == text)

    def _money(self, text: str) -> int:
        return self.desk.formats.read_money(text) if text else 0

    def _day(self, text: str) -> date:
        return date.fromisoformat(self.desk.formats.read_day(text))

    def _long_day(self, text: str) -> date:
        """Of a day after its weekday."""
        return self._day(text.partition(", ")[2])

    def _time(self, text: str) -> datetime:
        """Of the desk's clock; a remark in brackets may follow."""
        found = _TIME.match(text)
        if found is None:
            raise Unreadable(text)
        day, minutes = self._day(found[1]), request_reader.minutes(found[2])
        return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(minutes=minutes)


def _document(sent: datetime, title: str, text: str) -> Document | None:
    """A paper about why somebody cannot travel; its day decides nothing."""
    for cause, (named, body) in PAPERS.items():
        frame = request_reader.fill(re.escape(body).replace(r"\{", "{").replace(r"\}", "}"), _ANY)
        if title == named and re.fullmatch(frame, text):
            return Document(cause, sent.date(), sent)
    return None


_ANY = {"name": ".+", "day": ".+"}


# The mail ----------------------------------------------------------------------------------------


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
    return values["digits"] in case.digits


def permission(case: TicketFacts) -> Permission | None:
    return Permission(case.notes["permission"]) if "permission" in case.notes else None
