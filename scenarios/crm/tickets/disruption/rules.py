"""The handbook's decision for passengers of a disrupted flight, for each booking and for the
ticket.

The rules are those of `policy`: first other flights for each booking, then the compensation for
delay and waiting with these flights. A `Mistake` changes how the case or the rules are read.
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
from scenarios.crm.tickets import DONE, IN_PART, PASSED_ON, REFUSED
from sites.crm.airline_desk.handbook.edition import Edition

LIMIT = "25"


@dataclass(frozen=True)
class Option:
    """Flights of a day that may replace the disrupted ones.

    Attributes:
        alternative: The flights. Each is named by number and day, because numbers repeat daily.
        day: The ISO date.
        id: The id of the offer.
        offset: The number of days after the booked day.
    """

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
    """A booking whose flight is cancelled or delayed.

    Attributes:
        options: The flights that leave at the booked time or later.
        early: All flights of these days.
        informed: The day on which the customer was informed.
        returned: The day of a letter that came back; None without one.
    """

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
        """Return the delay with these flights; without flights, the delay of the moved flight.

        Args:
            new: The new flights.
            event: The disruption.
            cause: The cause; "" means the event's.
        """
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
    """A statement of the customer's mail about the cause ("why") or the day of the airline's letter
    ("told"). `holds` says whether it is true.
    """

    about: Literal["why", "told"]
    value: Any
    holds: bool


@dataclass(frozen=True)
class DisruptionCase:
    """A case of a disrupted flight.

    Attributes:
        wished: The wish for other flights: "" for none, "any", or "certain" for the offer `asked`.
        given: The identity facts of the mail, and whether each is right.
        new_email: The wished e-mail address; "" if none.
        claim: The statement about the cause or the day of the letter.
    """

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
        """The right decision."""
        return settle(self)

    @property
    def outcome(self) -> str:
        return self.decision.outcome

    @property
    def held(self) -> Held:
        """The first booking."""
        return self.stranded[0].held


@dataclass(frozen=True)
class Made:
    """The decision for a single booking of the ticket.

    Attributes:
        collect: The unpaid amount to collect first, in dollars.
        flights: The new flights.
        brand: The fare of the new flights.
        late: Compensation for the delay, in dollars.
        meals: Money for meals.
        hotel: Money for hotel and taxi.
        ends: The outcome of each wish.
        grounds: The articles that justify the decision.
    """

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
    """The decision for a whole ticket, with a part for each booking; nothing is done if it is
    refused or passed on. `email` says whether the new address is saved.
    """

    made: Mapping[str, Made]
    email: bool
    outcome: str
    amount: int
    grounds: tuple[str, ...]

    def of(self, one: Stranded) -> Made:
        return self.made.get(one.held.reference, Made())

    @property
    def seen(self) -> tuple[object, ...]:
        """The visible effect of the decision (payments, flights, outcome, amount), with which two
        decisions are compared.
        """
        acts = {name: (each.money, each.flown) for name, each in self.made.items()}
        done = frozenset((name, *each) for name, each in acts.items() if each != ((0,) * 4, ()))
        return done, self.email, self.outcome, self.amount


@dataclass(frozen=True)
class Mistake:
    """A way to misread a case or the rules, which leads to a wrong decision.

    Attributes:
        dropped: Rules and bulletins that are unknown.
        edition: Misreads the handbook.
        event: Misreads the disruption.
        options: Returns the considered flights of a booking.
        seats: Returns the number of seats that a booking needs.
        pick: Chooses flights regardless of the rules.
        delay: Misreads the delay.
        paid: Changes the decision about a booking.
        each_alone: Whether the limit is applied to each booking instead of the ticket.
        email: Whether the new address is saved; None follows the rules.
    """

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
    """Return the right decision, or the decision of an agent that makes a mistake.

    Args:
        case: The case.
        wrong: The mistake.
    """
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
    """Return the articles in order, rules before bulletins."""
    return tuple(sorted({*numbers}, key=lambda each: (not each.isdecimal(), int(each.lstrip("B")))))


def _refusing(parts: Iterable[Made], asks_address: bool) -> tuple[str, ...]:
    """Return the articles that justify a refusal: only 24 if the sender is unknown; also 24 if a
    change of e-mail is refused.
    """
    grounds = {each for one in parts for each in one.grounds}
    if "24" in grounds:
        return ("24",)
    return _in_order((*grounds, "24") if asks_address else grounds)


def facts(case: DisruptionCase, one: Stranded, wish: Wish, wrong: Mistake = NO_MISTAKE) -> Facts:
    """Return the facts of a booking with a wish, as the rules see them.

    Args:
        case: The case.
        one: The booking.
        wish: The wish.
        wrong: The mistake of the reader; it may misread the event.
    """
    return Facts(
        customer=of_booking.customer(case.customer),
        booking=one.booking,
        request=Request(wish, case.sender, wrote=case.wrote),
        events=(wrong.event(case.event),),
    )


def numbers_of(case: DisruptionCase) -> list[str]:
    """Return the numbers of the handbook's bulletins that apply to any booking of the ticket."""
    found: dict[str, None] = {}
    for each in case.stranded:
        found |= {one.number: None for one in counting(case.edition, facts(case, each, "delay"))}
    return [*found]


def _limit(case: DisruptionCase, wrong: Mistake) -> int | None:
    """Return the lowest limit of a clerk's own decision, in dollars, over the ticket's bookings;
    None if the reader does not know the limit.
    """
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
    """Return the decision for a booking: other flights, and the compensation with them."""
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
    """Return the decision by the rules of the handbook, except for the limit in dollars, which
    applies to the whole ticket.
    """
    return without((*wrong.dropped, LIMIT), wrong.edition(case.edition), found)


def _moved(case: DisruptionCase, one: Stranded, wrong: Mistake) -> Made:
    """Return the decision about other flights for a booking, as read with this mistake."""
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
