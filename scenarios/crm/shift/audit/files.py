"""The bookings that a colleague worked on, with the colleague's acts, drawn near the limits of the
handbook.

The bookings are of three kinds: a trip cancelled with a refund, a changed trip, and a trip that
began late. This module does not know which acts are right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from scenarios.crm.airline_desk import OUTWARD, RETURN, Customer, Held, new_reference, parties
from scenarios.crm.airline_desk import Voucher as HeldVoucher
from scenarios.crm.airline_desk.parties import ADULT, INFANT
from scenarios.crm.policy import of_booking
from scenarios.crm.policy.facts import (
    DEATH,
    NOW,
    Brand,
    Change,
    Delay,
    Document,
    Event,
    Facts,
    NewBags,
    NewName,
    Receipt,
    Request,
    State,
    Tier,
    Voucher,
)
from scenarios.crm.shift.audit.acts import Act, Kind
from scenarios.crm.tickets import DAY, HOUR, TIMES, base_booking, email
from scenarios.crm.tickets.disruption.letter import CAUSE_WORDS
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import HUBS, Bulletin, Edition
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.records import Passenger
from sites.crm.base.network import Offer
from sites.crm.base.timetable import Flight

MINUTE = timedelta(minutes=1)
YESTERDAY = NOW.date() - DAY
PARTIES = (
    (ADULT,),
    (ADULT, ADULT),
    (ADULT, ADULT, INFANT),
    (ADULT, "child"),
    (ADULT, ADULT, "child"),
)
TIERS: tuple[Tier, ...] = ("", "blue", "silver", "gold")
OTHER_RELATIVES = ("aunt", "cousin")
"""Relatives that no version of the handbook lists among the close relatives."""
CLAIM, DOCUMENTS = "claim", "documents"
"""The codes of two notes on bookings: an open claim, and documents that exist."""


@dataclass(frozen=True)
class FactLine:
    """A line of a booking's history that records a fact, not an act; `key` names the sentence,
    `slots` are its values.
    """

    at: datetime
    key: str
    slots: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class File:
    """A booking and the acts that a colleague did on it in a day.

    Attributes:
        held: The booking as it was sold.
        now: The booking after the acts.
        acts: The acts.
        lines: Other lines of the history.
        notes: Codes of notes.
        events: Changes by the airline.
        late: Delays.
        states: The states of flights.
        cover: Whether the booking is insured.
        vouchers: Vouchers of the customer.
    """

    held: Held
    now: Held
    customer: Customer
    acts: tuple[Act, ...]
    lines: tuple[FactLine, ...] = ()
    notes: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    late: tuple[Event, ...] = ()
    states: Mapping[str, State] = field(default_factory=dict)
    cover: bool = False
    vouchers: tuple[HeldVoucher, ...] = ()


@dataclass
class Office:
    """A source of random bookings for an audit. References and codes are unique, and every act has
    its own minute.
    """

    rng: Random
    data: CrmData
    edition: Edition
    taken: set[str] = field(default_factory=set)
    customers: int = 0
    minutes: list[int] = field(default_factory=list)

    def minute(self) -> datetime:
        """Return a time yesterday, in UTC, that no other act has."""
        start = datetime(YESTERDAY.year, YESTERDAY.month, YESTERDAY.day, 8, 10, tzinfo=UTC)
        self.minutes = self.minutes or self.rng.sample(range(560), 560)
        return start + self.minutes.pop() * MINUTE

    def way(self, bulletin: Bulletin | None = None, *, hub: bool = False) -> tuple[str, str]:
        """Draw the origin and destination of a route; a bulletin's airport, or with `hub` a hub, is
        one of the two.
        """
        here = bulletin.airport if bulletin else self.rng.choice(HUBS) if hub else ""
        return base_booking.ends(self.rng, self.data, here)

    def offers(
        self, ends: tuple[str, str], day: date, brand: str, seats: int, *, direct: bool = False
    ) -> list[Offer]:
        return [
            each
            for each in self.data.network.offers(*ends, day.isoformat())
            if each.fare(brand).seats >= seats and not (direct and each.stops)
        ]

    def people(self, composition: Sequence[str], days: Sequence[date]) -> tuple[Passenger, ...]:
        named = [each.isoformat() for each in days]
        return parties.draw(self.rng, self.data, composition, named, turning=False).passengers

    def held(
        self,
        ways: Mapping[str, tuple[Offer, str]],
        people: tuple[Passenger, ...],
        bought: datetime,
    ) -> Held:
        self.customers += 1
        return Held(
            reference=new_reference(self.rng, self.taken),
            customer=self.customers,
            bought=bought.strftime(TIMES),
            ways=ways,
            passengers=people,
            card=f"{self.rng.randrange(10_000):04}",
        )

    def customer(self, held: Held, tier: Tier) -> Customer:
        who = held.passengers[0].person
        assert held.customer is not None
        return Customer(held.customer, who, email(who), held.origin, tier.capitalize())

    def facts(self, held: Held, customer: Customer, now: datetime, **more: Any) -> Facts:
        """Return the facts at the time of an act; `booking` sets further fields of the booking."""
        booking = of_booking.booking(held, self.data, **more.pop("booking", {}))
        more.setdefault("request", Request("refund"))
        return Facts(of_booking.customer(customer), booking, now=now, **more)


# A trip that was cancelled -----------------------------------------------------------------------

REFUNDS = ("hours", "days", "moved", "moved", "infant", "cover", "missed")
"""Kinds of refunds, each near a limit of the handbook or with a fact that is easily overlooked."""


def refunded(
    office: Office, case: str, tier: Tier, bulletin: Bulletin | None = None
) -> File | None:
    """Draw a booking that the colleague cancelled because its customer asked for a full refund.

    Args:
        office: The source of random bookings.
        case: One of `REFUNDS`, or "" if a bulletin decides.
        tier: The customer's tier.
        bulletin: A bulletin that must apply.

    Returns:
        The booking with the refund, or None if the fares have no seats.
    """
    rng, edition, at = office.rng, office.edition, office.minute()
    if case == "missed":
        return _missed(office, at, tier)
    ahead = max(edition.second_thoughts_days + rng.randint(4, 40), 8)
    if case == "days":
        ahead = edition.second_thoughts_days + rng.choice((-2, -1, 0, 1))
    if bulletin:
        first = max(date.fromisoformat(bulletin.first), NOW.date() + 2 * DAY)
        ahead = (first - YESTERDAY).days + rng.randint(1, 20)
    ahead = max(2, ahead)
    brand: Brand = rng.choice(("light", "classic", "classic", "flex"))
    brand = "classic" if bulletin or case == "infant" else brand
    brand = rng.choice(("light", "classic")) if case in ("cover", "hours", "days") else brand
    party = (ADULT, ADULT, INFANT) if case == "infant" else rng.choice(PARTIES)
    ways = _both_ways(office, office.way(bulletin), YESTERDAY + ahead * DAY, brand, party)
    if ways is None:
        return None
    days = [date.fromisoformat(offer.date) for offer, _ in ways.values()]
    held = office.held(ways, office.people(party, days), _bought(office, case, at))
    customer = office.customer(held, tier)
    events = _moved(office, held) if case == "moved" or rng.random() < 0.15 else ()
    papers, lines = _ill(office, at) if case == "cover" else ((), ())
    facts = office.facts(
        held,
        customer,
        at,
        booking={"cover": case == "cover"},
        events=events,
        documents=papers,
        request=Request("refund", wrote=at),
    )
    act = Act("refund", at, facts, {})
    return File(held, held, customer, (act,), lines=lines, events=events, cover=facts.booking.cover)


def _both_ways(
    office: Office, ends: tuple[str, str], day: date, brand: str, party: Sequence[str]
) -> dict[str, tuple[Offer, str]] | None:
    rng, seats = office.rng, sum(each != INFANT for each in party)
    later = day + rng.randint(4, 12) * DAY
    out = office.offers(ends, day, brand, seats)
    back = office.offers(ends[::-1], later, brand, seats)
    if not out or not back:
        return None
    ways = {OUTWARD: (rng.choice(out), brand)}
    return ways | ({RETURN: (rng.choice(back), brand)} if rng.random() < 0.7 else {})


def _bought(office: Office, case: str, at: datetime) -> datetime:
    """Draw the time of purchase: near the time limit of article 1, or long ago."""
    rng, limit = office.rng, office.edition.second_thoughts_hours
    if case == "hours":
        return at - (limit + rng.choice((-9, -5, -2, 2, 4, 8))) * HOUR - rng.randint(5, 50) * MINUTE
    if case == "days":
        return at - rng.randint(2, limit - 2) * HOUR - rng.randint(5, 50) * MINUTE
    return at - rng.randint(6, 60) * DAY - rng.randint(0, 600) * MINUTE


def _moved(office: Office, held: Held) -> tuple[Event, ...]:
    """Draw a flight that the airline moved, by slightly less or more minutes than a refund
    requires.
    """
    rng, flight = office.rng, office.rng.choice(held.flights)
    minutes = office.edition.moved_minutes + rng.choice((-20, -10, -5, 0, 5, 15, 30))
    day = date.fromisoformat(flight.date)
    cause = rng.choice(("Technical fault", "New timetable"))
    return (Event(flight.number, day, "moved", minutes, cause, rng.random() < 0.35),)


def _ill(office: Office, at: datetime) -> tuple[tuple[Document, ...], tuple[FactLine, ...]]:
    """Draw a document, such as a doctor's certificate, that arrived before the act, and the line of
    the history that records it.
    """
    rng = office.rng
    cause = rng.choice(("illness", "injury", "jury", "job", "burglary"))
    sent = at - rng.randint(1, 3) * DAY - rng.randint(5, 90) * MINUTE
    day = sent.date() - rng.randint(0, 2) * DAY
    line = FactLine(sent, "paper", {"paper": cause, "day": day})
    return (Document(cause, day, sent),), (line,)


def _missed(office: Office, at: datetime, tier: Tier) -> File | None:
    """Draw a booking with a missed outward flight, about which the customer called before or after
    it left; None if the fares have no seats.
    """
    rng = office.rng
    brand: Brand = rng.choice(("classic", "flex"))
    party = rng.choice(PARTIES[:3])
    ends, day = office.way(hub=True), YESTERDAY - rng.randint(1, 4) * DAY
    seats = sum(each != INFANT for each in party)
    out = office.offers(ends, day, brand, seats, direct=True)
    back = office.offers(ends[::-1], day + rng.randint(9, 20) * DAY, brand, seats)
    if not out or not back:
        return None
    ways = {OUTWARD: (rng.choice(out), brand), RETURN: (rng.choice(back), brand)}
    days = [date.fromisoformat(offer.date) for offer, _ in ways.values()]
    held = office.held(ways, office.people(party, days), at - rng.randint(20, 60) * DAY)
    customer = office.customer(held, tier)
    flight = held.flights[0]
    states: dict[str, State] = {flight.number: "missed"}
    departs = of_booking.segment(office.data, OUTWARD, flight, brand).departs
    called = departs + rng.choice((-30, -22, -17, 3, 5)) * HOUR + rng.randint(1, 50) * MINUTE
    if called > at - HOUR:
        return None
    facts = office.facts(
        held,
        customer,
        at,
        booking={"states": states},
        request=Request("refund", wrote=called),
    )
    line = FactLine(called, "called", {"flight": flight})
    act = Act("refund", at, facts, {})
    return File(held, held, customer, (act,), lines=(line,), states=states)


# A trip that was changed -------------------------------------------------------------------------


def changed(
    office: Office, brand: Brand, tier: Tier, bulletin: Bulletin | None = None
) -> File | None:
    """Draw a booking whose outward journey was moved to another day.

    Args:
        office: The source of random bookings.
        brand: The fare of the booking.
        tier: The customer's tier.
        bulletin: A bulletin that must apply.

    Returns:
        The booking with the change, or None if the fares have no seats or the change costs too
            much.
    """
    rng, at = office.rng, office.minute()
    party = rng.choice(PARTIES[1:])
    day = NOW.date() + rng.randint(5, 40) * DAY
    if bulletin:
        first = max(date.fromisoformat(bulletin.first), NOW.date() + 4 * DAY)
        day = first + rng.randint(1, 15) * DAY
    ends, moved = office.way(bulletin, hub=True), day + rng.randint(1, 5) * DAY
    seats = sum(each != INFANT for each in party)
    found = [
        office.offers(ends, day, brand, seats, direct=True),
        office.offers(ends, moved, brand, seats, direct=True),
        office.offers(ends[::-1], day + rng.randint(9, 20) * DAY, brand, seats, direct=True),
    ]
    if not all(found):
        return None
    old, new, back = map(rng.choice, found)
    ways = {OUTWARD: (old, brand), RETURN: (back, brand)}
    days = [date.fromisoformat(each.date) for each in (old, back)]
    held = office.held(ways, office.people(party, days), at - rng.randint(8, 60) * DAY)
    costs = [_fares(each, brand, held) for each in (old, new)]
    if not 0 <= costs[1] - costs[0] <= office.edition.limit // 2:
        return None
    customer = office.customer(held, tier)
    papers, lines = _death(office, at, day) if rng.random() < DIED[brand] else ((), ())
    segments = tuple(of_booking.segment(office.data, OUTWARD, each, brand) for each in new.flights)
    change = Change(OUTWARD, segments, {brand: costs[1]}, costs[0])
    request = Request("change", change=change)
    facts = office.facts(held, customer, at, documents=papers, request=request)
    slots = {"old": old.flights[0], "new": new.flights[0], "costs": costs}
    now = replace(held, ways={**ways, OUTWARD: (new, brand)})
    return File(held, now, customer, (Act("change", at, facts, slots),), lines=lines)


DIED = {"light": 0.7, "classic": 0.25, "flex": 0.0}
"""The share of changes because of a relative's death, by the booking's fare."""


def _fares(offer: Offer, brand: str, held: Held) -> int:
    return prices.fares(offer.fare(brand).price, [each.kind for each in held.passengers])


def _death(
    office: Office, at: datetime, travel: date
) -> tuple[tuple[Document, ...], tuple[FactLine, ...]]:
    """Draw a relative's death near the handbook's limits of days and relatives: the document, and
    the line of the history that records it.
    """
    rng, edition = office.rng, office.edition
    latest = at.date() - 2 * DAY
    day = min(latest, travel - (edition.bereavement_days + rng.choice((-2, -1, 0, 1, 2))) * DAY)
    relative = rng.choice(edition.relatives)
    if rng.random() < 0.3:
        relative = rng.choice(OTHER_RELATIVES)
    sent = at - rng.randint(3, 30) * HOUR - rng.randint(1, 50) * MINUTE
    paper = Document(DEATH, day, sent, relative)
    return (paper,), (FactLine(sent, "death", {"relative": relative, "day": day}),)


# A trip that began late --------------------------------------------------------------------------


def late(office: Office, tier: Tier) -> File | None:
    """Draw a booking whose outward flight was late; None if the fares have no seats."""
    rng, edition, at = office.rng, office.edition, office.minute()
    brand: Brand = rng.choice(("light", "classic", "flex"))
    party = rng.choice(PARTIES)
    seats = sum(each != INFANT for each in party)
    ends, day = office.way(hub=True), YESTERDAY - rng.randint(3, 9) * DAY
    able = office.offers(ends, day, brand, seats, direct=True)
    limits = (edition.late_hours, edition.half_hours)
    minutes = 60 * rng.choice(limits) + rng.choice((-25, -10, 0, 10, 40))
    out = [each for each in able if _same_day(each.flights[0], minutes)]
    back = office.offers(ends[::-1], day + rng.randint(20, 40) * DAY, brand, seats, direct=True)
    if not out or not back:
        return None
    ways = {OUTWARD: (rng.choice(out), brand), RETURN: (rng.choice(back), brand)}
    days = [date.fromisoformat(offer.date) for offer, _ in ways.values()]
    held = office.held(ways, office.people(party, days), at - rng.randint(20, 70) * DAY)
    customer, flight = office.customer(held, tier), held.flights[0]
    cause = rng.choice([*CAUSE_WORDS])
    delay = Delay(OUTWARD, minutes, cause, day, flight.origin, minutes)
    states: dict[str, State] = {flight.number: "flown"}
    more = {"booking": {"states": states}, "delay": delay, "request": Request("delay")}
    act = Act("delay", at, office.facts(held, customer, at, **more), {"flight": flight})
    informed = datetime(day.year, day.month, day.day, 5, rng.randint(1, 50), tzinfo=UTC)
    line = FactLine(informed, "late", {"flight": flight, "minutes": minutes})
    event = Event(flight.number, day, "moved", minutes, CAUSE_WORDS[cause])
    return File(held, held, customer, (act,), lines=(line,), late=(event,), states=states)


def _same_day(flight: Flight, minutes: int) -> bool:
    """Return whether a flight leaves and arrives on its day even with this delay."""
    return flight.departs + minutes < 1440 and flight.arrives + minutes < 1440 and not flight.days


# More acts ---------------------------------------------------------------------------------------


def lost_bag(office: Office, file: File) -> Act:
    """Draw a payment to the customer for receipts, as an act of the colleague, after a bag did not
    arrive with the first flight.
    """
    rng, edition, at = office.rng, office.edition, office.minute()
    flight, day = file.held.flights[0], date.fromisoformat(file.held.flights[0].date)
    people = [each for each in file.held.passengers if each.seated][:2]
    receipts = []
    for one in people:
        for _ in range(rng.choice((1, 2))):
            after = rng.choice((0, edition.receipt_days, edition.receipt_days + 1))
            bought = min(day + after * DAY, YESTERDAY - DAY)
            amount = rng.randint(25, edition.receipt_most - 10)
            receipts.append(Receipt(one.number, bought, amount))
    facts = office.facts(
        file.held,
        file.customer,
        at,
        booking={"states": file.states},
        request=Request("lost-bag", receipts=tuple(receipts)),
        bag_lost=day,
    )
    return Act("lost-bag", at, facts, {"flight": flight, "receipts": receipts})


def bags(office: Office, file: File, *, claim: bool = False) -> Act:
    """Draw an act of the colleague that sells bags for the return of a booking without bags;
    `claim` means an open claim.
    """
    rng, at = office.rng, office.minute()
    seated = [each for each in file.held.passengers if each.seated]
    pieces = {each.number: rng.choice((0, 1, 1, 2, 3)) for each in seated}
    pieces[seated[0].number] = rng.choice((1, 2, 3))
    sports = {rng.choice(seated).number: 1} if rng.random() < 0.5 else {}
    wanted = NewBags(RETURN, pieces, sports)
    more = {"booking": {"states": file.states, "claim": claim}}
    request = Request("bags", bags=(wanted,))
    facts = office.facts(file.held, file.customer, at, request=request, **more)
    return Act("bags", at, facts, {"bags": wanted})


def name(office: Office, file: File, case: str, at: datetime | None = None, who: int = -1) -> Act:
    """Draw the correction of a passenger's name, as an act of the colleague.

    Args:
        office: The source of random bookings.
        file: The booking.
        case: The error: as many wrong letters as may be corrected (`in`), one more (`out`), first
            and last name exchanged (`swapped`), or another surname with a document (`married`) or
            without (`unproved`).
        at: The time of the act; drawn if None.
        who: The index of the passenger.
    """
    at = at or office.minute()
    person = file.held.passengers[who].person
    right = person.first_name, person.last_name
    proof = case == "married"
    wrong = NewName(_before(office, right, case), right, document=proof)
    request = Request("name", name=wrong)
    facts = office.facts(file.held, file.customer, at, request=request)
    return Act("name", at, facts, {"name": wrong})


def _before(office: Office, right: tuple[str, str], case: str) -> tuple[str, str]:
    first, last = right
    if case == "swapped":
        return last, first
    if case in ("married", "unproved"):
        others = [each for each in office.data.people["last"] if each[0] != last[0]]
        return first, office.rng.choice([each for each in others if abs(len(each) - 6) < 3])
    letters = office.edition.name_letters + (case == "out")
    apart = office.rng.randint(1, letters - 1)
    return _misspelt(office.rng, first, apart), _misspelt(office.rng, last, letters - apart)


def _misspelt(rng: Random, text: str, letters: int) -> str:
    """Return the text with this number of wrong letters; the first letter stays."""
    able = [at for at, each in enumerate(text) if at and each.isascii() and each.isalpha()]
    listed = list(text)
    for at in rng.sample(able, min(letters, len(able))):
        alike = "aeiou" if listed[at] in "aeiou" else "bdgklmnprstvz"
        listed[at] = rng.choice([each for each in alike if each != listed[at]])
    return "".join(listed)


def voucher(office: Office, file: File, days: int, code: str) -> tuple[Act, HeldVoucher]:
    """Draw the extension of an expired voucher by the days of article 23, and return this act with
    the voucher as it is now.

    Args:
        office: The source of random bookings.
        file: The booking.
        days: How many days before yesterday the voucher expired.
        code: The code of the voucher.
    """
    rng, at = office.rng, office.minute()
    ended = YESTERDAY - days * DAY
    until = ended + office.edition.extension_days * DAY
    assert file.held.customer is not None
    one = Voucher(code, file.held.customer, rng.choice((35, 48, 60, 75, 90, 115)), ended)
    price = one.balance + office.edition.card_least + 10
    request = Request("sale", price=price, vouchers=(one,))
    facts = office.facts(
        file.held, file.customer, at, booking={"states": file.states}, request=request
    )
    slots = {"voucher": one, "until": until}
    kept = HeldVoucher(code, one.holder, one.balance, until.isoformat())
    return Act("voucher", at, facts, slots, done=one.balance), kept


def before_refund(file: File) -> File:
    """Return the booking with its acts in order of time, the refund last."""
    acts = sorted(file.acts, key=lambda each: each.at)
    kinds: list[Kind] = [each.kind for each in acts]
    if "refund" not in kinds or kinds[-1] == "refund":
        return replace(file, acts=tuple(acts))
    times = [each.at for each in acts]
    acts.sort(key=lambda each: each.kind == "refund")
    return replace(
        file, acts=tuple(_moved_to(each, at) for each, at in zip(acts, times, strict=True))
    )


def _moved_to(act: Act, at: datetime) -> Act:
    return replace(act, at=at, facts=replace(act.facts, now=at))
