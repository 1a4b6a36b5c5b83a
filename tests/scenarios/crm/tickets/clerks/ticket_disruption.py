"""The clerk works on a ticket of those whose flight is off or late, by pages and handbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from scenarios.crm.policy import Decision, without
from scenarios.crm.policy.decision import Compensate, Reroute
from scenarios.crm.policy.facts import Alternative, Facts, Request, Sender
from scenarios.crm.policy.ways import seated
from scenarios.crm.tickets.disruption.letter import WHY
from sites.crm.airline_desk.handbook.edition import Edition
from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks import booking, deeds, late, offers
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.late import Disturbed
from tests.scenarios.crm.airline_desk.clerks.offers import Listed
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import MONTHS, Reader
from tests.scenarios.crm.tickets.clerks.ticket_refund import SLOTS
from tests.scenarios.crm.tickets.clerks.ticket_third_party import EMAIL

FAMILY = "ticket_disruption"
NEEDED = ("today", "mails", "tables", "total", "offers", "articles")
DAYS = 3
"""So many days, the booked one first, have the flights that are looked at."""
LIMIT = "25"
_FLIGHT = r"[A-Z]{2}\d{4}"
OWN_SLOTS = {
    **SLOTS,
    "flight": _FLIGHT,
    "flights": rf"{_FLIGHT}(?: and {_FLIGHT})*",
    "day": rf"(?:on )?\d{{1,2}} (?:{'|'.join(MONTHS)})",
    "why": "|".join(WHY.values()),
    "customer": r"[A-Z][\w'’. -]*?",
    "email": EMAIL,
}
DECIDING_NOTHING = ("digress", "sad", "money", "why", "told")
"""What decides nothing: the pages say what is so, and all ask for the money."""


@dataclass(frozen=True)
class Asked:
    """What the mail says: which flight is meant, whether others are wished for, and certain ones
    (numbers and day); who writes."""

    flight: str
    day: date
    others: bool
    certain: tuple[tuple[str, ...], date] | None
    email: str
    card: Mapping[str, str]
    sender: Sender


@dataclass(frozen=True)
class Part:
    """What is decided for a booking; `whole`: the flights are those that are asked for."""

    case: TicketFacts
    moved: Decision | None
    flights: Listed | None
    brand: str
    whole: bool
    paid: Decision

    @property
    def money(self) -> Compensate:
        found = [each for each in self.paid.changes if isinstance(each, Compensate)]
        return found[0] if found else Compensate(0, 0, 0)

    @property
    def given(self) -> int:
        return self.money.late + self.money.meals + self.money.hotel

    @property
    def ends(self) -> list[str]:
        if self.moved is None:
            return [self.paid.outcome]
        flown = ("done" if self.whole else "in part") if self.flights else "refused"
        return [flown, self.paid.outcome]

    @property
    def grounds(self) -> list[str]:
        return [*(self.moved.grounds if self.moved else ()), *self.paid.grounds]


def work(clerk: Clerk, request: str) -> str:
    desk, today = Tickets(clerk), clerk.today()
    number = Reader(FAMILY, OWN_SLOTS, request).take("work")["number"]
    book = Handbook(desk)
    edition, clocks = book.edition(), book.clocks()
    filed = _case.open_ticket(desk, number)
    cases = [TicketFacts(filed, booking.read(desk, each, clocks)) for each in filed.references]
    asked = read_mail(cases, today)
    parts = [_part(desk, edition, each, asked, clocks) for each in cases]
    mailbox = _mailbox(edition, cases[0], asked)
    settle(desk, number, edition, asked, parts, mailbox)
    return ""


def read_mail(cases: Sequence[TicketFacts], today: date) -> Asked:
    reader = cases[0].filed.reader(FAMILY, OWN_SLOTS)
    for act in DECIDING_NOTHING:
        list(reader.all(act))
    about = reader.find("off") or reader.take("moved")
    named = {about["reference"], *(each["reference"] for each in reader.all("second"))}
    if named != {each.booking.reference for each in cases}:
        raise Unreadable("the mail is about other bookings")
    wish = reader.find("certain")
    certain = (tuple(wish["flights"].split(" and ")), _day(wish["day"], today)) if wish else None
    is_any = reader.find("any") is not None
    email = (reader.find("mailbox") or {}).get("email", "")
    card = reader.find("owed") or {}
    sender = _sender(reader, cases[0])
    reader.take("sign")
    reader.end()
    day = _day(about["day"], today)
    return Asked(about["flight"], day, is_any or bool(wish), certain, email, card, sender)


def _day(text: str, today: date) -> date:
    return request_reader.day(f"on {text.removeprefix('on ')}", today)


def _sender(reader: Reader, case: TicketFacts) -> Sender:
    if reader.find("other") is None:
        return Sender(given=_case.given(reader, case))  # type: ignore[arg-type]
    acts = {"born": "their-born", "card": "their-digits", "email": "their-email"}
    given = frozenset(_case.proven(reader, case, acts))
    return Sender("other", given, permission=_case.permission(case))  # type: ignore[arg-type]


# A booking ---------------------------------------------------------------------------------------


def _part(
    desk: Tickets, edition: Edition, case: TicketFacts, asked: Asked, clocks: Mapping[str, float]
) -> Part:
    """Other flights first, then what being late with them comes to."""
    disturbed = late.disturbed(case, asked.flight, asked.day)
    facts = Facts(case.customer, case.booking, Request("delay", asked.sender), (disturbed.event,))
    moved = None
    flights: Listed | None = None
    brand, whole = "", False
    if asked.others:
        options = _options(desk, case, asked, disturbed, clocks)
        alternatives = tuple(_alternative(case, each) for each in options)
        wish = Request("reroute", asked.sender, alternatives=alternatives)
        moved = _decided(edition, replace(facts, request=wish))
        for each in moved.changes:
            if isinstance(each, Reroute):
                names = [tuple(one.flight for one in one.segments) for one in alternatives]
                flights, brand = options[names.index(each.flights)], each.brand
                whole = asked.certain in (None, (flights.numbers, flights.day))
    delay = disturbed.delay(flights.segments if flights else ())
    paid = _decided(edition, replace(facts, delay=delay))
    return Part(case, moved, flights, brand, whole, paid)


def _decided(edition: Edition, facts: Facts) -> Decision:
    """By the rules, the limit apart, which is one of the whole ticket."""
    return without((LIMIT,), edition, facts)


def _options(
    desk: Tickets,
    case: TicketFacts,
    asked: Asked,
    disturbed: Disturbed,
    clocks: Mapping[str, float],
) -> list[Listed]:
    """The flights from the booked time on, those that are asked for first."""
    own, event = disturbed.own, disturbed.event
    gone = {event.flight} if event.kind == "cancelled" else set()
    booked = tuple(each.flight for each in own)
    found = []
    for ahead in range(DAYS):
        day = own[0].day + timedelta(ahead)
        for each in offers.listed(desk, case.booking, disturbed.way, day, clocks):
            is_gone = not ahead and (gone & {*each.numbers} or each.numbers == booked)
            if not is_gone and each.segments[0].departs >= own[0].departs:
                found.append(each)
    return sorted(found, key=lambda each: (each.numbers, each.day) != asked.certain)


def _alternative(case: TicketFacts, option: Listed) -> Alternative:
    """With the day in the names of its flights: numbers come back daily."""
    segments = tuple(
        replace(each, flight=f"{each.flight} {option.day}") for each in option.segments
    )
    seats = dict.fromkeys(option.fares, len(seated(case.booking)))
    return Alternative(segments, seats)  # type: ignore[arg-type]


def _mailbox(edition: Edition, case: TicketFacts, asked: Asked) -> Decision | None:
    if not asked.email:
        return None
    return _decided(
        edition, Facts(case.customer, case.booking, Request("email", asked.sender), case.events)
    )


# The ticket --------------------------------------------------------------------------------------


def settle(
    desk: Tickets,
    number: str,
    edition: Edition,
    asked: Asked,
    parts: Sequence[Part],
    mailbox: Decision | None,
) -> None:
    """Offer, do and close what is decided, as article P11 has it."""
    ends = [each for part in parts for each in part.ends]
    grounds = [each for part in parts for each in part.grounds]
    if mailbox:
        ends.append(mailbox.outcome)
    amount = sum(each.given for each in parts)
    if amount > min(late.limit(edition, each.case.booking) for each in parts):
        desk.close(number, "passed-on", LIMIT, amount)
        return
    outcome = ends[0] if len({*ends}) == 1 else "in part"
    if outcome == "refused":
        desk.close(number, "refused", "24" if "24" in grounds else grounds[0], 0)
        return
    _do(desk, number, asked, parts, amount)
    if mailbox and mailbox.changes:
        desk.contact(number, asked.email)
    desk.close(number, deeds.OUTCOMES[outcome], grounds[0], amount)


def _do(desk: Tickets, number: str, asked: Asked, parts: Sequence[Part], amount: int) -> None:
    for part in parts:
        if part.moved:
            reference = part.case.booking.reference
            deeds.collect(desk, number, reference, part.moved, asked.card)
    for part in parts:
        if part.flights:
            deeds.agree(desk, number, "flights", 0, " ".join(part.flights.numbers))
    if amount:
        deeds.agree(desk, number, "compensation", amount)
    for part in parts:
        if part.flights:
            offers.take(desk, part.flights.fares[part.brand])
            desk.move(0, 0, {}, {})
        if part.given:
            desk.pay_out(part.case.booking.reference, vars(part.money))
