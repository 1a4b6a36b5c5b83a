"""The facts that the rules are applied to: everything that is true of a booking and a request.

Times are in UTC. Days are local. Amounts are whole dollars.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
"""The present time of every task at the airline desk."""
TODAY = NOW.date()

Tier = Literal["", "blue", "silver", "gold"]
Brand = Literal["light", "classic", "flex", "business"]
Kind = Literal["adult", "child", "infant"]
State = Literal["open", "flown", "missed"]
IdentityFact = Literal["born", "email", "card"]
DEATH = "death"
YEAR = 365
"""Length of a year in days."""


@dataclass(frozen=True)
class Customer:
    """The customer who holds a booking, as far as the rules look at it.

    Attributes:
        number: The customer number.
        born: The date of birth.
        email: The e-mail address.
        home: The code of the home airport.
        tier: The frequent flyer tier, "" for none.
        agency: The customer's travel agency, "" for none.
    """

    number: int
    born: date
    email: str
    home: str = ""
    tier: Tier = ""
    agency: str = ""


@dataclass(frozen=True)
class Segment:
    """One flight of a booking.

    Attributes:
        direction: "outward" or "return".
        flight: The flight number.
        origin: An airport code.
        destination: An airport code.
        day: The local day of departure.
        departs: UTC.
        arrives: UTC.
        brand: The fare brand.
        state: "missed" means that the flight left without the passengers.
    """

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
    """A passenger of a booking.

    Attributes:
        number: The number within the booking.
        kind: Adult, child or infant.
        born: The date of birth.
        fares: The fare paid for each direction, in dollars, without extras.
        adult: The number of the adult on whose lap an infant sits.
        code: The code of the assistance that the passenger needs, "" for none. "W" requires an
            aisle seat near the front.
    """

    number: int
    kind: Kind
    born: date
    fares: Mapping[str, int]
    adult: int | None = None
    code: str = ""

    def age(self, day: date) -> int:
        """Return the age on a day, in years."""
        later = (day.month, day.day) < (self.born.month, self.born.day)
        return day.year - self.born.year - later


@dataclass(frozen=True)
class Payment:
    """A payment for a booking.

    Attributes:
        number: The position in time; the latest payment has the highest number.
        method: Card or voucher.
        source: The last four digits of the card, or the code of the voucher.
        left: Dollars that were not given back yet.
    """

    number: int
    method: Literal["card", "voucher"]
    source: str
    left: int


@dataclass(frozen=True)
class Event:
    """A change that the airline made to a flight of the booking.

    Attributes:
        flight: The flight number.
        day: The local day of departure.
        kind: Whether the flight was cancelled or moved.
        minutes: By how many minutes it was moved, earlier or later.
        cause: The reason, a word of the handbook.
        accepted: Whether the customer agreed to the new time.
    """

    flight: str
    day: date
    kind: Literal["cancelled", "moved"]
    minutes: int = 0
    cause: str = ""
    accepted: bool = False


@dataclass(frozen=True)
class Raised:
    """An upgrade: all flights of a booking were raised to the brand that they have now.

    Attributes:
        at: The time of the upgrade.
        brand: The brand before.
    """

    at: datetime
    brand: Brand


@dataclass(frozen=True)
class Booking:
    """A booking, as far as the rules look at it.

    Attributes:
        reference: The booking reference.
        bought: The time of the purchase.
        segments: The flights.
        passengers: The passengers.
        payments: The payments.
        cover: Whether travel insurance was bought with it.
        agency: The agency that sold it, "" if the airline did.
        balance: Dollars that were charged but are not paid.
        claim: Whether a claim is open.
        raised: The upgrade after the purchase, if there was any.
    """

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
        """Return the directions of the booking, in order."""
        return tuple(dict.fromkeys(each.direction for each in self.segments))

    def way(self, direction: str) -> tuple[Segment, ...]:
        """Return the flights of a direction."""
        return tuple(each for each in self.segments if each.direction == direction)

    @property
    def paid(self) -> int:
        """The dollars that were paid for the booking and not given back yet."""
        return sum(each.left for each in self.payments)


@dataclass(frozen=True)
class Document:
    """An attachment that proves why somebody cannot travel, or that a relative died.

    Attributes:
        cause: A cause that the insurance knows, or `DEATH`.
        day: The day of the event.
        sent: When the customer sent it.
        relative: The relative who died, "" for other causes.
    """

    cause: str
    day: date
    sent: datetime
    relative: str = ""


@dataclass(frozen=True)
class Permission:
    """A note, dated `day`, that another person may change the booking."""

    day: date


@dataclass(frozen=True)
class Sender:
    """The author of the request.

    Attributes:
        who: The customer, another person or an agency.
        given: The facts about the customer that the sender stated correctly.
        agency: The name of the agency.
        permission: The customer's permission for this person.
    """

    who: Literal["customer", "other", "agency"] = "customer"
    given: frozenset[IdentityFact] = frozenset(("born", "email"))
    agency: str = ""
    permission: Permission | None = None


@dataclass(frozen=True)
class Change:
    """Other flights that are wanted for a direction.

    Attributes:
        direction: "outward" or "return".
        segments: The new flights.
        fares: The price for the whole party by brand, for the brands with enough seats.
        old_fare: The price that the party paid for its flights.
    """

    direction: str
    segments: tuple[Segment, ...]
    fares: Mapping[Brand, int]
    old_fare: int


@dataclass(frozen=True)
class Voucher:
    """A voucher that the request names for payment.

    Attributes:
        code: Its code.
        holder: The number of the customer who holds it.
        balance: Dollars.
        expires: Its last day.
        extended: Whether it was extended before.
        for_flights: Whether it was issued under article 11, so that it pays for flights only.
    """

    code: str
    holder: int
    balance: int
    expires: date
    extended: bool = False
    for_flights: bool = False


@dataclass(frozen=True)
class NewName:
    """A correction of a name.

    Attributes:
        before: First and last name as the booking has them.
        after: The correct first and last name.
        document: Whether a document about a new surname is attached.
        checked_in: Whether the passenger is checked in.
        passenger: The number of the passenger.
    """

    before: tuple[str, str]
    after: tuple[str, str]
    document: bool = False
    checked_in: bool = False
    passenger: int = 0


@dataclass(frozen=True)
class NewBags:
    """The bags that are wanted for a direction.

    Attributes:
        direction: "outward" or "return".
        pieces: The total number of ordinary bags by passenger.
        sports: The total number of sports items by passenger.
        paid: Dollars already paid for bags on this direction.
    """

    direction: str
    pieces: Mapping[int, int]
    sports: Mapping[int, int] = field(default_factory=dict)
    paid: int = 0


@dataclass(frozen=True)
class Receipt:
    """A receipt for something bought because a bag was lost.

    Attributes:
        passenger: The number of the passenger; 0 if it is not a passenger's or there is no receipt.
        day: The day of the purchase.
        amount: Dollars.
    """

    passenger: int
    day: date
    amount: int


@dataclass(frozen=True)
class Alternative:
    """Other flights that the airline can offer for a direction.

    Attributes:
        segments: The flights.
        seats: The number of free seats by brand.
        partner: Whether a partner airline operates them.
    """

    segments: tuple[Segment, ...]
    seats: Mapping[Brand, int]
    partner: bool = False


@dataclass(frozen=True)
class Unaccompanied:
    """A child that flies a direction without an adult on some flights.

    Attributes:
        passenger: The number of the child.
        direction: "outward" or "return".
        companions: The passengers who fly with the child, by flight.
        escorts: The number of escorts that are already booked, by flight.
        last: The flights that are the last ones of their day.
    """

    passenger: int
    direction: str
    companions: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    escorts: Mapping[str, int] = field(default_factory=dict)
    last: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SeatPlace:
    """A seat in the cabin, with its price in dollars."""

    row: int
    is_exit: bool
    is_aisle: bool
    price: int


@dataclass(frozen=True)
class NewSeats:
    """The seats that are wanted on a flight, by passenger."""

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
"""The kind of a request.

"refund" and "other-source": all money back, to the original payments or elsewhere. "change": other
flights by choice; "reroute": other flights because the airline changed the booked ones. "sale":
something that costs `price`. "times": to be told the flights. "email": a new e-mail address.
"delay": compensation for a late flight. "name": a name correction. "alone": a child that flies
alone. "lap": a seat for an infant who needs one. "seats": certain seats. "bags": bags, and also
money for a lost bag if there are receipts. "lost-bag": only that money.
"""


@dataclass(frozen=True)
class Request:
    """A customer's request on a ticket, as far as the rules look at it.

    Attributes:
        wish: Its kind.
        sender: Its author.
        wrote: When the customer first wrote about it.
        change: The change of flights that is wanted most.
        name: The wanted name.
        alternatives: All flights that are available, the wanted ones first.
        unaccompanied: The child that flies alone.
        lap_fares: The fare of a child by flight.
        seats: The wanted seats.
        bags: The wanted bags.
        receipts: Receipts for a lost bag.
        price: Dollars, for a sale.
        free: Whether the sender wants to pay nothing.
        vouchers: The vouchers that shall pay. A card pays the rest.
        way_round: The workaround that the sender proposes if the wish is not granted: to cancel and
            sell again, or to raise the fare first.
        instead: Further acceptable changes after `change`, in order of preference.
        most: The maximum price of a change in dollars; None if the mail names none.
    """

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
    """A late flight.

    Attributes:
        direction: "outward" or "return".
        minutes: How many minutes later than booked the direction arrives.
        cause: The reason.
        warned: The day on which the customer was told.
        airport: Where the passengers wait.
        waiting: Minutes of waiting.
        later_day: Whether the new departure is on a later day than the booked one.
    """

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
    """A statement of the customer, which may be false. No rule looks at it.

    Attributes:
        about: Its topic: the time of purchase; by how many minutes the first flight was moved; a
            cause that the insurance covers or the relative who died (each with a document of
            today); a tier; whether there is insurance; the brand of all flights; the day of arrival
            without a bag; that nothing is left to pay. For a name: whether its passenger is checked
            in, that a document is attached, how many letters are wrong. "grown": the number of a
            passenger who is older.
        value: The value that the customer states.
        holds: Whether the statement is true.
    """

    about: About
    value: Any
    holds: bool = False


@dataclass(frozen=True)
class Facts:
    """Everything that the rules look at, and the claims, which they ignore.

    Attributes:
        customer: The holder of the booking.
        booking: The booking.
        request: The request.
        events: Changes that the airline made to flights of the booking.
        documents: Attachments.
        claims: Statements of the customer.
        delay: The late flight.
        bag_lost: The day on which a passenger arrived without a bag.
        now: The time of the decision.
    """

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
        """The day of the decision."""
        return self.now.date()

    def event(self, segment: Segment) -> Event | None:
        """Return the change that the airline made to a flight of the booking, if there was any."""
        wanted = segment.flight, segment.day
        return next((each for each in self.events if (each.flight, each.day) == wanted), None)

    def believed(self) -> Facts:
        """Return the facts as they would be if all claims were true."""
        found = self
        for claim in self.claims:
            found = _BELIEVERS[claim.about](found, claim.value)
        return found


# Claims taken as true ----------------------------------------------------------------------------


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
    """Return the facts as if the requested name needed no correction, so that nothing has to be
    paid.
    """
    name = facts.request.name
    return _named(facts, before=name.after) if name else facts


def _grown(facts: Facts, value: int) -> Facts:
    """Return the facts as if the passenger with this number were two years older."""
    people = tuple(
        replace(each, born=each.born - timedelta(2 * YEAR)) if each.number == value else each
        for each in facts.booking.passengers
    )
    return replace(facts, booking=replace(facts.booking, passengers=people))


def _named(facts: Facts, **changed: Any) -> Facts:
    """Return the facts with some fields of the requested name changed."""
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
