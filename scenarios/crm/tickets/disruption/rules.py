"""What the handbook gives to those whose flight is disturbed, booking by booking and as a whole.

The rules are those of `policy`: of each booking other flights first, then what being late and
waiting come to with them. A `Mistake` is a way to read the case or the rules otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from typing import Any, Literal

from scenarios.crm.airline_desk import Customer, Held
from scenarios.crm.policy import Decision, counting, of_booking, seated, without
from scenarios.crm.policy.decision import Collect, Compensate, Reroute
from scenarios.crm.policy.facts import (
    Alternative,
    Booking,
    Delay,
    Event,
    Facts,
    IdentityFact,
    Request,
    Segment,
    Sender,
    Wish,
)
from sites.crm.airline_desk.handbook.edition import Edition

DONE, IN_PART, REFUSED, PASSED_ON = "done", "in part", "refused", "passed on"
LIMIT = "25"


@dataclass(frozen=True)
class Option:
    """Flights of a day that may be taken; `id` is the offer's, `offset` how many days after the
    booked one they leave. Their segments are named by number and day: numbers come back daily."""

    alternative: Alternative
    day: str
    id: str
    offset: int

    @property
    def segments(self) -> tuple[Segment, ...]:
        return self.alternative.segments

    @property
    def numbers(self) -> tuple[str, ...]:
        return tuple(each.flight for each in self.segments)


@dataclass(frozen=True)
class Stranded:
    """A booking on the disturbed flight. `options` leave at the booked time or later, `early` are
    all of these days. `informed` is the day since which the customer knows, `returned` that of a
    letter that came back."""

    held: Held
    booking: Booking
    way: str
    options: tuple[Option, ...]
    early: tuple[Option, ...]
    informed: date
    returned: date | None = None

    @property
    def seats(self) -> int:
        return len(seated(self.booking))

    def delay(self, new: Sequence[Segment], event: Event, cause: str = "") -> Delay:
        """How late they are with these flights; with none, by as much as the flight was moved."""
        own = self.booking.way(self.way)
        minutes = waiting = event.minutes
        is_later = False
        if new:
            minutes = round((new[-1].arrives - own[-1].arrives).total_seconds() / 60)
            waiting = round((new[0].departs - own[0].departs).total_seconds() / 60)
            is_later = new[0].day > own[0].day
        return Delay(
            direction=self.way,
            minutes=max(0, minutes),
            cause=cause or event.cause,
            warned=self.informed,
            airport=own[0].origin,
            waiting=max(0, waiting),
            later_day=is_later,
        )


@dataclass(frozen=True)
class Stated:
    """What the customer says: the cause, by its word of the handbook ("why"), or on which day they
    were told ("told"). `holds`: whether it is so."""

    about: Literal["why", "told"]
    value: Any
    holds: bool


@dataclass(frozen=True)
class DisruptionCase:
    """`wished` is what is said of other flights: nothing, any, or certain ones, the offer `asked`.
    `given` are the facts of identity that the mail gives, and whether each is right; `claim` what
    it says of the cause or of when they were told. `new_email` is "" where none is asked for."""

    edition: Edition
    customer: Customer
    stranded: tuple[Stranded, ...]
    event: Event
    wished: str
    asked: str
    sender: Sender
    given: Mapping[IdentityFact, bool]
    new_email: str
    claim: Stated
    wrote: datetime
    card: Mapping[str, str]

    @cached_property
    def decision(self) -> Settled:
        """What is right to do."""
        return settle(self)

    @property
    def outcome(self) -> str:
        return self.decision.outcome


@dataclass(frozen=True)
class Made:
    """What is done for a booking: what is charged first, the flights and their fare, and what is
    given for the time, meals and the hotel. `ends` are the outcomes of what was asked for."""

    collect: int = 0
    flights: Option | None = None
    brand: str = ""
    late: int = 0
    meals: int = 0
    hotel: int = 0
    ends: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()

    @property
    def given(self) -> int:
        return self.late + self.meals + self.hotel

    @property
    def money(self) -> tuple[int, int, int, int]:
        return self.collect, self.late, self.meals, self.hotel

    @property
    def flown(self) -> tuple[object, ...]:
        return (self.flights.day, self.flights.id, self.brand) if self.flights else ()


@dataclass(frozen=True)
class Settled:
    """What is done on a ticket; nothing where it is refused or passed on. `email`: the new address
    is written down."""

    made: Mapping[str, Made]
    email: bool
    outcome: str
    amount: int
    grounds: tuple[str, ...]

    def of(self, one: Stranded) -> Made:
        return self.made.get(one.held.reference, Made())

    @property
    def seen(self) -> tuple[object, ...]:
        """What somebody else would see of it."""
        acts = {name: (each.money, each.flown) for name, each in self.made.items()}
        done = frozenset((name, *each) for name, each in acts.items() if each != ((0,) * 4, ()))
        return done, self.email, self.outcome, self.amount


@dataclass(frozen=True)
class Mistake:
    """A way to go wrong. `dropped` are rules and bulletins that are not known. `options` picks
    from those of a booking what is looked at, `pick` takes one whatever the rules say, `delay` and
    `paid` change what being late is taken to be and what it is taken to give. `edition` and `event`
    are misread."""

    dropped: tuple[str, ...] = ()
    edition: Callable[[Edition], Edition] = lambda edition: edition
    event: Callable[[Event], Event] = lambda event: event
    options: Callable[[Stranded], Sequence[Option]] = lambda one: one.options
    seats: Callable[[Stranded], int] = lambda one: one.seats
    pick: Callable[[Sequence[Option]], Option] | None = None
    delay: Callable[[Stranded, Delay], Delay] = lambda _, delay: delay
    paid: Callable[[Stranded, Made], Made] = lambda _, made: made
    each_alone: bool = False
    email: bool | None = None


NO_MISTAKE = Mistake()


def settle(case: DisruptionCase, wrong: Mistake = NO_MISTAKE) -> Settled:
    """What is right to do, or what somebody does who is wrong in this way."""
    parts = {each.held.reference: _made(case, each, wrong) for each in case.stranded}
    writes = _writes_email(case, wrong)
    ends = [end for each in parts.values() for end in each.ends]
    ends += [DONE if writes else REFUSED] if case.new_email else []
    grounds = _in_order(each for one in parts.values() for each in one.grounds)
    if case.new_email:
        grounds = _in_order((*grounds, "24"))
    amount = sum(each.given for each in parts.values())
    limit = _limit(case, wrong)
    over = max(each.given for each in parts.values()) if wrong.each_alone else amount
    if limit is not None and over > limit:
        return Settled({}, False, PASSED_ON, amount, _in_order((LIMIT, *grounds)))
    outcome = ends[0] if len({*ends}) == 1 else IN_PART
    if outcome == REFUSED:
        return Settled({}, False, REFUSED, 0, _refusing(parts.values(), bool(case.new_email)))
    return Settled(parts, writes, outcome, amount, grounds)


def _in_order(numbers: Iterable[str]) -> tuple[str, ...]:
    """Rules before bulletins."""
    return tuple(sorted({*numbers}, key=lambda each: (not each.isdecimal(), int(each.lstrip("B")))))


def _refusing(parts: Iterable[Made], asks_address: bool) -> tuple[str, ...]:
    """By whom it is refused: by who may ask alone, where that is so; besides by that article, where
    it refuses a new address."""
    grounds = {each for one in parts for each in one.grounds}
    if "24" in grounds:
        return ("24",)
    return _in_order((*grounds, "24") if asks_address else grounds)


def facts(case: DisruptionCase, one: Stranded, wish: Wish, wrong: Mistake = NO_MISTAKE) -> Facts:
    """Those of a booking, with this wish."""
    return Facts(
        customer=of_booking.customer(case.customer),
        booking=one.booking,
        request=Request(wish, case.sender, wrote=case.wrote),
        events=(wrong.event(case.event),),
    )


def numbers_of(case: DisruptionCase) -> list[str]:
    """The bulletins that count for a booking of the ticket."""
    found: dict[str, None] = {}
    for each in case.stranded:
        found |= {one.number: None for one in counting(case.edition, facts(case, each, "delay"))}
    return [*found]


def _limit(case: DisruptionCase, wrong: Mistake) -> int | None:
    """The least of those of the bookings; None where nobody knows of one."""
    if LIMIT in wrong.dropped:
        return None
    edition = wrong.edition(case.edition)
    found = []
    for each in case.stranded:
        bulletins = counting(edition, facts(case, each, "delay"))
        kept = [one.number for one in bulletins if one.number not in wrong.dropped]
        found.append(edition.with_bulletins(tuple(kept)).limit)
    return min(found)


# A booking ---------------------------------------------------------------------------------------


def _made(case: DisruptionCase, one: Stranded, wrong: Mistake) -> Made:
    """Other flights, and what being late with them comes to."""
    moved = _moved(case, one, wrong) if case.wished else Made()
    event = wrong.event(case.event)
    new = moved.flights.segments if moved.flights else ()
    is_late = bool(new) or (event.kind == "moved" and not event.accepted)
    delay = wrong.delay(one, one.delay(new, event)) if is_late else None
    found = replace(facts(case, one, "delay", wrong), delay=delay)
    given = _decided(case, found, wrong)
    [act] = [each for each in given.changes if isinstance(each, Compensate)] or [
        Compensate(0, 0, 0)
    ]
    money = replace(moved, late=act.late, meals=act.meals, hotel=act.hotel)
    return replace(
        wrong.paid(one, money),
        ends=(*moved.ends, given.outcome),
        grounds=(*moved.grounds, *given.grounds),
    )


def _decided(case: DisruptionCase, found: Facts, wrong: Mistake) -> Decision:
    """By the rules, the limit apart, which is one of the whole ticket."""
    return without((*wrong.dropped, LIMIT), wrong.edition(case.edition), found)


def _moved(case: DisruptionCase, one: Stranded, wrong: Mistake) -> Made:
    """To other flights, where they are given."""
    options = [*wrong.options(one)]
    asked = [each for each in options if each.id == case.asked and case.wished == "certain"]
    options = [*asked, *(each for each in options if each not in asked)]
    options = [each for each in options if _fits(each, wrong.seats(one))]
    if wrong.pick and options:
        options = [wrong.pick(options)]
    alternatives = tuple(each.alternative for each in options)
    found = facts(case, one, "reroute", wrong)
    found = replace(found, request=replace(found.request, alternatives=alternatives))
    decision = _decided(case, found, wrong)
    acts = [each for each in decision.changes if isinstance(each, Reroute)]
    if not acts:
        return Made(ends=(REFUSED,), grounds=decision.grounds)
    taken = next(each for each in options if each.numbers == acts[0].flights)
    brand = acts[0].brand
    if taken.alternative.seats.get(brand, 0) < one.seats:  # type: ignore[call-overload]
        brand = next(name for name, seats in taken.alternative.seats.items() if seats >= one.seats)
    due = sum(each.amount for each in decision.changes if isinstance(each, Collect))
    is_asked = case.wished == "any" or taken.id == case.asked
    return Made(due, taken, brand, ends=(DONE if is_asked else IN_PART,), grounds=decision.grounds)


def _fits(option: Option, seats: int) -> bool:
    return any(number >= seats for number in option.alternative.seats.values())


# The new address ---------------------------------------------------------------------------------


def _writes_email(case: DisruptionCase, wrong: Mistake) -> bool:
    if not case.new_email:
        return False
    if wrong.email is not None:
        return wrong.email
    found = facts(case, case.stranded[0], "email", wrong)
    return bool(_decided(case, found, wrong).changes)
