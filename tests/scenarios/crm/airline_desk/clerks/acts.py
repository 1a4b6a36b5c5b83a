"""What colleagues did with a booking: the lines of its history as acts, with what was so then."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from scenarios.crm.policy.facts import (
    DEATH,
    Booking,
    Change,
    Customer,
    Delay,
    Document,
    Facts,
    NewBags,
    NewName,
    Receipt,
    Request,
    Segment,
    Voucher,
)
from scenarios.crm.shift.audit.acts import Act, Kind
from scenarios.crm.shift.audit.rows import DEAD, PAPERS
from scenarios.crm.tickets.disruption.letter import CAUSE_WORDS
from sites.crm.airline_desk.handbook.edition import Edition
from tests.scenarios.crm.airline_desk.clerk import DIRECTIONS, MONEY, Unreadable
from tests.scenarios.crm.airline_desk.clerks import booking as _booking
from tests.scenarios.crm.airline_desk.clerks import case
from tests.scenarios.crm.airline_desk.clerks.booking import WORDS, BookingFacts
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.tickets.clerks import ticket_bags

_SUM, _FLIGHT, _NAME = f"(?:{MONEY.pattern})", r"[A-Z]{2}\d{4}", r"\w[\w'’-]+ \w[\w'’-]+"
_DAY = r"\d[\w/ ]+\d"
_DONE = f"(?P<done>{_SUM})"
SENTENCES: Mapping[Kind, str] = {
    "refund": f"Cancelled at the customer's wish, {_DONE} given back",
    "change": (
        rf"(?P<way>.+): at the customer's wish from (?P<old>{_FLIGHT}) of (?P<day>{_DAY})"
        rf" \((?P<was>{_SUM}) for all\) to {_FLIGHT} of {_DAY} \((?P<now>{_SUM}) for all, in the"
        rf" same fare\); {_DONE} taken for fee and difference"
    ),
    "name": f"Name corrected from (?P<before>{_NAME}) to (?P<after>{_NAME}); {_DONE} taken",
    "bags": f"(?P<way>.+): bags added, (?P<wants>.+); {_DONE} taken",
    "voucher": rf"Voucher (?P<code>V\d+), {_DONE}, extended from (?P<ended>{_DAY}) to {_DAY}",
    "delay": f"Given for the late (?P<flight>{_FLIGHT}) of {_DAY}, in all: {_DONE}",
    "lost-bag": (
        f"Bags lost on (?P<flight>{_FLIGHT}) of {_DAY}, found since; receipts of"
        f" (?P<receipts>.+); {_DONE} given"
    ),
}
"""The lines by which something was given, taken, changed or extended."""
PAPER = f"Document received: (.+), of ({_DAY})"
LOSS = f"Document received: death of the customer's (.+) on ({_DAY})"
STAYS_AWAY = f"Customer wrote that nobody comes to {_FLIGHT} of {_DAY}"
LATE = rf"Customer told that ({_FLIGHT}) of {_DAY} leaves (.+) late and arrives (.+) late"
_BAGS = re.compile(rf"({_NAME}) (?:(\d+) pieces?)?(?: and )?(1 sports item)?(?:, |$)")
_RECEIPT = re.compile(f"({_NAME}) ({_SUM}) of ({_DAY})")


@dataclass(frozen=True)
class HistoryLine:
    """`number` is its place, from 1; the time is of the desk's clock."""

    number: int
    at: datetime
    colleague: str
    text: str


@dataclass(frozen=True)
class File:
    """A booking as it is now, but for what went back; `paid` are the times of its payments,
    `causes` those of flights that were late."""

    about: BookingFacts
    customer: Customer
    lines: tuple[HistoryLine, ...]
    paid: tuple[datetime, ...]
    causes: Mapping[str, str]

    @property
    def booking(self) -> Booking:
        return self.about.booking


def read(desk: Tickets, reference: str, clocks: Mapping[str, float]) -> File:
    """Of the booking with this reference. Raises `Unreadable`."""
    word = desk.word
    about = _booking.read(desk, reference, clocks)
    head = desk.facts_under("booking")
    paid = [each.cells for each in desk.lines(word("group-payments"))]
    times = [each.cells for each in desk.flights()]
    payments = (
        replace(one, left=desk.money(each[word("amount")]))
        for one, each in zip(about.booking.payments, paid, strict=True)
    )
    return File(
        about=replace(about, booking=replace(about.booking, payments=tuple(payments))),
        customer=Customer(
            number=case.CUSTOMER,
            born=about.booking.passengers[0].born,
            email=head[word("email")],
            tier=case.tier(desk, head.get(word("tier"), "")),
        ),
        paid=tuple(desk.time(each[word("day-of-payment")]) for each in paid),
        causes=dict(_causes(desk, times)),
        lines=tuple(_lines(desk, reference)),
    )


def _causes(desk: Tickets, flights: list[Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    keys = {text: key for key, text in CAUSE_WORDS.items()}
    start, end = map(re.escape, desk.word("late-by", time="|").split("|"))
    for each in flights:
        if found := re.search(rf"{start}[^;]+{end} \(([^)]+)\)", each[desk.word("times")]):
            yield each[desk.word("flight")].split()[0], keys[found[1]]


def _lines(desk: Tickets, reference: str) -> Iterator[HistoryLine]:
    desk.at("history", reference)
    on, by, entry = map(desk.word, ("written-on", "colleague", "entry"))
    for number, line in enumerate(desk.lines(desk.word("title-history")), start=1):
        cells = line.cells
        yield HistoryLine(number, desk.time(cells[on]), cells[by], cells[entry])


# Acts --------------------------------------------------------------------------------------------


def act(
    desk: Tickets, edition: Edition, file: File, line: HistoryLine, clocks: Mapping[str, float]
) -> Act:
    """What a line says that was done. Raises `Unreadable` where it is no act."""
    for kind, sentence in SENTENCES.items():
        if found := re.fullmatch(sentence, line.text):
            then = _Then(desk, edition, file, line, clocks, found.groupdict())
            return Act(kind, line.at, then.facts(kind), {}, done=desk.money(found["done"]))
    raise Unreadable(line.text)


@dataclass(frozen=True)
class _Then:
    """What was so when a line was written; `values` are those of the line."""

    desk: Tickets
    edition: Edition
    file: File
    line: HistoryLine
    clocks: Mapping[str, float]
    values: Mapping[str, str]

    def facts(self, kind: Kind) -> Facts:
        requests: Mapping[Kind, Callable[[], Request]] = {
            "refund": lambda: Request("refund", wrote=self._wrote()),
            "change": lambda: Request("change", change=self._change()),
            "name": lambda: Request("name", name=self._name()),
            "bags": lambda: Request("bags", bags=(self._bags(),)),
            "voucher": self._extended,
            "delay": lambda: Request("delay"),
            "lost-bag": lambda: Request("lost-bag", receipts=tuple(self._receipts())),
        }
        return Facts(
            customer=self.file.customer,
            booking=self._booking(),
            request=requests[kind](),
            events=self.file.about.events,
            documents=tuple(self._documents()),
            delay=self._delay() if kind == "delay" else None,
            bag_lost=self._arrived() if kind == "lost-bag" else None,
            now=self.line.at,
        )

    def _direction(self, text: str) -> str:
        return next(each for each in DIRECTIONS if self.desk.word(WORDS[each]) == text)

    def _before(self) -> Iterator[HistoryLine]:
        return (each for each in self.file.lines if each.at < self.line.at)

    def _booking(self) -> Booking:
        """As the lines before left it."""
        found = self.file.booking
        for line in self.file.lines[self.line.number - 1 :]:
            if change := re.fullmatch(SENTENCES["change"], line.text):
                found = replace(found, segments=tuple(self._undone(found, change)))
        paid = zip(self.file.paid, found.payments, strict=True)
        return replace(found, payments=tuple(one for at, one in paid if at < self.line.at))

    def _undone(self, booking: Booking, change: re.Match[str]) -> Iterator[Segment]:
        """The flights before a change. The hour of the old one decides nothing: it was on another
        day."""
        way, day = self._direction(change["way"]), self.desk.day(change["day"])
        for each in booking.segments:
            if each.direction == way:
                ago = each.day - day
                old = replace(each, departs=each.departs - ago, arrives=each.arrives - ago)
                yield replace(old, flight=change["old"], day=day)
            else:
                yield each

    # Papers and mails

    def _documents(self) -> Iterator[Document]:
        causes = {text: key for key, text in PAPERS.items()}
        relatives = {text: key for key, text in DEAD.items()}
        for each in self._before():
            if found := re.fullmatch(PAPER, each.text):
                yield Document(causes[found[1]], self.desk.day(found[2]), each.at)
            elif found := re.fullmatch(LOSS, each.text):
                yield Document(DEATH, self.desk.day(found[2]), each.at, relatives[found[1]])

    def _wrote(self) -> datetime:
        """When they first wrote that they would not come; at the time of the act otherwise."""
        written = [each.at for each in self._before() if re.fullmatch(STAYS_AWAY, each.text)]
        return written[0] if written else self.line.at

    # Wishes

    def _change(self) -> Change:
        was, now = (self.desk.money(self.values[each]) for each in ("was", "now"))
        new = self.file.booking.way(self._direction(self.values["way"]))
        return Change(new[0].direction, new, {new[0].brand: now}, was)

    def _name(self) -> NewName:
        before, after = (self.values[each].split() for each in ("before", "after"))
        is_proved = "documents" in self.file.about.notes
        return NewName((before[0], before[1]), (after[0], after[1]), document=is_proved)

    def _bags(self) -> NewBags:
        found = _BAGS.findall(self.values["wants"])
        numbers = self._numbers()
        pieces = {numbers[name]: int(count or 0) for name, count, _ in found}
        sports = {numbers[name]: 1 for name, _, item in found if item}
        return NewBags(self._direction(self.values["way"]), pieces, sports)

    def _numbers(self) -> dict[str, int]:
        return {name: at for at, name in self.file.about.names.items()}

    def _extended(self) -> Request:
        """A sale that the voucher could pay."""
        code = self.values["code"]
        if code not in self.file.about.vouchers:
            raise Unreadable(f"whose voucher {code} is")
        worth = self.desk.money(self.values["done"])
        ended = self.desk.day(self.values["ended"])
        one = Voucher(code, case.CUSTOMER, worth, ended)
        return Request("sale", price=worth + self.edition.card_least, vouchers=(one,))

    def _receipts(self) -> Iterator[Receipt]:
        numbers = self._numbers()
        for name, amount, day in _RECEIPT.findall(self.values["receipts"]):
            yield Receipt(numbers[name], self.desk.day(day), self.desk.money(amount))

    # Late flights

    def _arrived(self) -> date:
        return ticket_bags.arrival(self.file.booking, self.values["flight"], self.clocks)

    def _delay(self) -> Delay:
        """How late it was by what the customer was told, and since when they knew it."""
        flight = self.values["flight"]
        [late] = [
            (each.at, found)
            for each in self._before()
            if (found := re.fullmatch(LATE, each.text)) and found[1] == flight
        ]
        waiting, minutes = (_booking.lasting(text) for text in late[1].groups()[1:])
        [segment] = [each for each in self.file.booking.segments if each.flight == flight]
        return Delay(
            direction=segment.direction,
            minutes=minutes,
            cause=self.file.causes[flight],
            warned=late[0].date(),
            airport=segment.origin,
            waiting=waiting,
        )
