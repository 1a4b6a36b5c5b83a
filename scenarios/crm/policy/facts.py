"""What the rules are applied to: all that is true of a booking and a request.

Times are of UTC, days are those of the place. Money is in whole dollars.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

NOW = datetime(2026, 1, 15, 12)
"""The desk's clock."""
TODAY = NOW.date()

Tier = Literal["", "blue", "silver", "gold"]
Brand = Literal["light", "classic", "flex", "business"]
Kind = Literal["adult", "child", "infant"]
State = Literal["open", "flown", "missed"]
IdentityFact = Literal["born", "email", "card"]


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
    """`fares` are what was paid for each direction, by its name: the fare alone."""

    number: int
    kind: Kind
    born: date
    fares: Mapping[str, int]


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
class Booking:
    """`cover` was bought with it; `agency` sold it, "" for us. `balance` was charged and not paid;
    `claim` says that a claim is open."""

    reference: str
    bought: datetime
    segments: tuple[Segment, ...]
    passengers: tuple[Passenger, ...]
    payments: tuple[Payment, ...]
    cover: bool = False
    agency: str = ""
    balance: int = 0
    claim: bool = False
    name_faulty: bool = False

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
    died (`cause` is death, `relative` who it was). `day` is the day of its matter."""

    cause: str
    day: date
    sent: datetime
    relative: str = ""


@dataclass(frozen=True)
class Permission:
    """A note that somebody else may change the booking, of a day."""

    day: date


@dataclass(frozen=True)
class Asker:
    """Who writes: the customer, somebody else, or an agency by its name. `given` are the facts
    about the customer that were told, and right."""

    who: Literal["customer", "other", "agency"] = "customer"
    given: frozenset[IdentityFact] = frozenset(("born", "email"))
    agency: str = ""
    permission: Permission | None = None


@dataclass(frozen=True)
class Change:
    """Other flights for a direction. `fare` is what the whole party pays for it in `brand`, which
    is the present brand or the next one that is open; `old_fare` what they paid for theirs."""

    direction: str
    segments: tuple[Segment, ...]
    brand: Brand
    fare: int
    old_fare: int


Wish = Literal["refund", "change", "times", "email", "other-source"]
"""What is asked for: all money back, other flights, to be told the flights, a new e-mail address,
or all money back to something else than it was paid with."""


@dataclass(frozen=True)
class Request:
    """`way_round` is what is proposed in case that the wish is not granted: to cancel and sell
    again, or to raise the fare first. `wrote` is when the customer first wrote about it."""

    wish: Wish
    asker: Asker = field(default_factory=Asker)
    wrote: datetime = NOW
    change: Change | None = None
    way_round: Literal["", "resell", "raise"] = ""


@dataclass(frozen=True)
class Claim:
    """What the customer says of a fact, by its name in `BELIEVED`; `holds`: whether it is so."""

    about: str
    said: Any
    holds: bool = False


@dataclass(frozen=True)
class Facts:
    """`confirmed`: the customer was sent an offer and said yes to it."""

    customer: Customer
    booking: Booking
    request: Request
    events: tuple[Event, ...] = ()
    documents: tuple[Document, ...] = ()
    claims: tuple[Claim, ...] = ()

    def event(self, segment: Segment) -> Event | None:
        """What happened to a flight of the booking."""
        wanted = segment.flight, segment.day
        return next((each for each in self.events if (each.flight, each.day) == wanted), None)
