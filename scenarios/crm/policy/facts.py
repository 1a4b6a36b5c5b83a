"""What the rules are applied to: all that is true of a booking and a request.

Times are of UTC, days are those of the place. Money is in whole dollars.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
"""The desk's clock."""
TODAY = NOW.date()

Tier = Literal["", "blue", "silver", "gold"]
Brand = Literal["light", "classic", "flex", "business"]
Kind = Literal["adult", "child", "infant"]
State = Literal["open", "flown", "missed"]
IdentityFact = Literal["born", "email", "card"]
DEATH = "death"
YEAR = 365
"""In days."""


@dataclass(frozen=True)
class Customer:
    """Whose booking it is; `home` is an airport's code, `agency` "" for who has none."""

    number: int
    born: date
    email: str
    home: str = ""
    tier: Tier = ""
    agency: str = ""


@dataclass(frozen=True)
class Segment:
    """One flight. `day` is the local day of departure; airports are codes. `missed` is one that
    left without the passengers."""

    direction: str
    flight: str
    origin: str
    destination: str
    day: date
    departs: datetime
    arrives: datetime
    brand: Brand
    state: State = "open"


@dataclass(frozen=True)
class Passenger:
    """`fares` are what was paid for each direction, by its name: the fare alone. `adult` is on
    whose lap an infant sits, `code` one of assistance ("W"), "" for none."""

    number: int
    kind: Kind
    born: date
    fares: Mapping[str, int]
    adult: int | None = None
    code: str = ""

    def age(self, day: date) -> int:
        """In years."""
        later = (day.month, day.day) < (self.born.month, self.born.day)
        return day.year - self.born.year - later


@dataclass(frozen=True)
class Payment:
    """`left` is what was not given back yet; `source` four digits or the voucher's code. The
    number is the place in time: the last payment has the highest."""

    number: int
    method: Literal["card", "voucher"]
    source: str
    left: int


@dataclass(frozen=True)
class Event:
    """What we did with a flight of the booking: `minutes` that it was moved by, earlier or later.
    `accepted`: the customer agreed to the new time."""

    flight: str
    day: date
    kind: Literal["cancelled", "moved"]
    minutes: int = 0
    cause: str = ""
    accepted: bool = False


@dataclass(frozen=True)
class Raised:
    """When all flights of a booking were raised to their present fare, and from which."""

    at: datetime
    brand: Brand


@dataclass(frozen=True)
class Booking:
    """`cover` was bought with it; `agency` sold it, "" for us. `balance` was charged and not paid;
    `claim` says that a claim is open, `raised` that the fare was raised after the purchase."""

    reference: str
    bought: datetime
    segments: tuple[Segment, ...]
    passengers: tuple[Passenger, ...]
    payments: tuple[Payment, ...]
    cover: bool = False
    agency: str = ""
    balance: int = 0
    claim: bool = False
    raised: Raised | None = None

    def directions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.direction for each in self.segments))

    def way(self, direction: str) -> tuple[Segment, ...]:
        return tuple(each for each in self.segments if each.direction == direction)

    @property
    def paid(self) -> int:
        """All that can be given back."""
        return sum(each.left for each in self.payments)


@dataclass(frozen=True)
class Document:
    """An attachment: why somebody cannot travel (`cause`, a word of the cover), or that a relative
    died (`cause` is `DEATH`, `relative` who it was). `day` is the day of its matter."""

    cause: str
    day: date
    sent: datetime
    relative: str = ""


@dataclass(frozen=True)
class Permission:
    """A note that somebody else may change the booking, of a day."""

    day: date


@dataclass(frozen=True)
class Sender:
    """Who writes: the customer, somebody else, or an agency by its name. `given` are the facts
    about the customer that were told, and right."""

    who: Literal["customer", "other", "agency"] = "customer"
    given: frozenset[IdentityFact] = frozenset(("born", "email"))
    agency: str = ""
    permission: Permission | None = None


@dataclass(frozen=True)
class Change:
    """Other flights for a direction. `fares` are what the whole party would pay for it, by the
    fares that have seats for them; `old_fare` is what they paid for theirs."""

    direction: str
    segments: tuple[Segment, ...]
    fares: Mapping[Brand, int]
    old_fare: int


@dataclass(frozen=True)
class Voucher:
    """`holder` is a customer's number. `extended`: it was before; `for_flights`: article 11 gave
    it."""

    code: str
    holder: int
    balance: int
    expires: date
    extended: bool = False
    for_flights: bool = False


@dataclass(frozen=True)
class NewName:
    """What the booking says and what is right, first and last name; `document` is one about a new
    surname. `passenger` is a number."""

    before: tuple[str, str]
    after: tuple[str, str]
    document: bool = False
    checked_in: bool = False
    passenger: int = 0


@dataclass(frozen=True)
class NewBags:
    """All pieces and sports items of a direction that there shall be, by passenger, and what was
    paid for bags on it before."""

    direction: str
    pieces: Mapping[int, int]
    sports: Mapping[int, int] = field(default_factory=dict)
    paid: int = 0


@dataclass(frozen=True)
class Receipt:
    """What somebody bought for a bag that was lost; `passenger` is 0 where it is somebody else, or
    where there is no receipt."""

    passenger: int
    day: date
    amount: int


@dataclass(frozen=True)
class Alternative:
    """Other flights for a direction, and how many seats there are in each fare."""

    segments: tuple[Segment, ...]
    seats: Mapping[Brand, int]
    partner: bool = False


@dataclass(frozen=True)
class Unaccompanied:
    """A passenger flies a direction with `companions` only, by flight. `escorts` are booked on a
    flight already, `last` are the last flights of their day."""

    passenger: int
    direction: str
    companions: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    escorts: Mapping[str, int] = field(default_factory=dict)
    last: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SeatPlace:
    row: int
    is_exit: bool
    is_aisle: bool
    price: int


@dataclass(frozen=True)
class NewSeats:
    """Seats on a flight, by passenger."""

    flight: str
    places: Mapping[int, SeatPlace]


Wish = Literal[
    "refund",
    "other-source",
    "change",
    "sale",
    "times",
    "email",
    "reroute",
    "delay",
    "name",
    "alone",
    "lap",
    "seats",
    "bags",
    "lost-bag",
]
"""What is asked for: all money back, where it came from or elsewhere; other flights, by wish or
since we changed them; something that costs `price`; to be told the flights; a new e-mail address;
what a late flight is good for; another name; a child alone; a seat where an infant needs one;
seats; bags, and with receipts money for a bag that was lost, too; this money alone."""


@dataclass(frozen=True)
class Request:
    """`wrote` is when the customer first wrote about it. `free`: nothing is to be charged.
    `instead` are other changes in the order in which they are wished for, after `change`; `most` is
    what a change may cost by the mail, None where it says nothing.
    `alternatives` are all flights that there are, what is asked for first; `lap_fares` what a child
    pays on each flight. `vouchers` are those that shall pay, the rest is paid by card. `way_round`
    is what is proposed in case that the wish is not granted: to cancel and sell again, or to raise
    the fare first."""

    wish: Wish
    sender: Sender = field(default_factory=Sender)
    wrote: datetime = NOW
    change: Change | None = None
    name: NewName | None = None
    alternatives: tuple[Alternative, ...] = ()
    unaccompanied: Unaccompanied | None = None
    lap_fares: Mapping[str, int] = field(default_factory=dict)
    seats: NewSeats | None = None
    bags: tuple[NewBags, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    price: int = 0
    free: bool = False
    vouchers: tuple[Voucher, ...] = ()
    way_round: Literal["", "resell", "raise"] = ""
    instead: tuple[Change, ...] = ()
    most: int | None = None


@dataclass(frozen=True)
class Delay:
    """How much later than booked a direction arrives, in minutes, why, and on which day the
    customer was told. They wait at `airport` for so many minutes; `later_day`: the new departure
    is on a later day than the booked one."""

    direction: str
    minutes: int
    cause: str
    warned: date
    airport: str
    waiting: int
    later_day: bool = False


About = Literal[
    "bought",
    "moved",
    "cause",
    "relative",
    "tier",
    "cover",
    "fare",
    "arrived",
    "paid-up",
    "checked-in",
    "document",
    "letters",
    "grown",
]


@dataclass(frozen=True)
class Claim:
    """What the customer says: when it was bought, by how many minutes the first flight was moved,
    a cause of the cover or which relative died (with a document of today), a tier, whether there
    is a cover, the fare of all flights, on which day they arrived without a bag, that nothing is
    to be paid yet; of a name whether its passenger is checked in, that a document about it is
    attached, and how many letters are wrong; who is grown on all flights, by number. `holds`:
    whether it is so."""

    about: About
    value: Any
    holds: bool = False


@dataclass(frozen=True)
class Facts:
    """All that the rules look at, and the claims, at which they do not look. `bag_lost` is the day
    on which somebody arrived without a bag; `now` is the time at which it is decided."""

    customer: Customer
    booking: Booking
    request: Request
    events: tuple[Event, ...] = ()
    documents: tuple[Document, ...] = ()
    claims: tuple[Claim, ...] = ()
    delay: Delay | None = None
    bag_lost: date | None = None
    now: datetime = NOW

    @property
    def today(self) -> date:
        return self.now.date()

    def event(self, segment: Segment) -> Event | None:
        """What happened to a flight of the booking."""
        wanted = segment.flight, segment.day
        return next((each for each in self.events if (each.flight, each.day) == wanted), None)

    def believed(self) -> Facts:
        """What would be true, were all the claims."""
        found = self
        for claim in self.claims:
            found = _BELIEVERS[claim.about](found, claim.value)
        return found


# What is believed --------------------------------------------------------------------------------


def _bought(facts: Facts, value: datetime) -> Facts:
    return replace(facts, booking=replace(facts.booking, bought=value))


def _moved(facts: Facts, value: int) -> Facts:
    first = facts.booking.segments[0]
    event = Event(first.flight, first.day, "moved", value)
    others = tuple(each for each in facts.events if each.flight != first.flight)
    return replace(facts, events=(event, *others))


def _cause(facts: Facts, value: str) -> Facts:
    sent = min(each.departs for each in facts.booking.segments) - timedelta(1)
    document = Document(value, TODAY, sent)
    return replace(facts, documents=(*facts.documents, document))


def _relative(facts: Facts, value: str) -> Facts:
    change = facts.request.change
    first = facts.booking.way(change.direction) if change else facts.booking.segments
    document = Document(DEATH, first[0].day, NOW, value)
    return replace(facts, documents=(*facts.documents, document))


def _tier(facts: Facts, value: Tier) -> Facts:
    return replace(facts, customer=replace(facts.customer, tier=value))


def _cover(facts: Facts, value: bool) -> Facts:
    return replace(facts, booking=replace(facts.booking, cover=value))


def _fare(facts: Facts, value: Brand) -> Facts:
    segments = tuple(replace(each, brand=value) for each in facts.booking.segments)
    return replace(facts, booking=replace(facts.booking, segments=segments))


def _arrived(facts: Facts, value: date) -> Facts:
    return replace(facts, bag_lost=value)


def _paid_up(facts: Facts, value: bool) -> Facts:
    return replace(facts, booking=replace(facts.booking, balance=0))


def _checked_in(facts: Facts, value: bool) -> Facts:
    return _named(facts, checked_in=value)


def _document(facts: Facts, value: bool) -> Facts:
    return _named(facts, document=value)


def _letters(facts: Facts, value: int) -> Facts:
    """So few that nothing has to be paid."""
    name = facts.request.name
    return _named(facts, before=name.after) if name else facts


def _grown(facts: Facts, value: int) -> Facts:
    """Two years older."""
    people = tuple(
        replace(each, born=each.born - timedelta(2 * YEAR)) if each.number == value else each
        for each in facts.booking.passengers
    )
    return replace(facts, booking=replace(facts.booking, passengers=people))


def _named(facts: Facts, **changed: Any) -> Facts:
    name = facts.request.name
    if name is None:
        return facts
    return replace(facts, request=replace(facts.request, name=replace(name, **changed)))


_BELIEVERS: Mapping[About, Callable[[Facts, Any], Facts]] = {
    "bought": _bought,
    "moved": _moved,
    "cause": _cause,
    "relative": _relative,
    "tier": _tier,
    "cover": _cover,
    "fare": _fare,
    "arrived": _arrived,
    "paid-up": _paid_up,
    "checked-in": _checked_in,
    "document": _document,
    "letters": _letters,
    "grown": _grown,
}
