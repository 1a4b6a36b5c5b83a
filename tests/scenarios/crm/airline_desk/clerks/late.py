"""What became of a flight of a booking: what was done with it, why, and since when it is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from scenarios.crm.policy.engine import counting
from scenarios.crm.policy.facts import Booking, Delay, Event, Facts, Request, Segment
from scenarios.crm.tickets.disruption.letter import CAUSE_WORDS
from sites.crm.airline_desk.handbook.edition import Edition
from tests.scenarios.crm.airline_desk.clerk import Unreadable
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts

NOTICES = ("Letter to the customer: ", "Customer told on the phone: ")
CAME_BACK = "This letter came back"
MINUTE = 60


@dataclass(frozen=True)
class Disturbed:
    """A direction of a booking with a flight that is off or late; `warned` is the day since which
    the customer knows."""

    own: tuple[Segment, ...]
    event: Event
    warned: date

    @property
    def way(self) -> str:
        return self.own[0].direction

    def delay(self, new: Sequence[Segment]) -> Delay | None:
        """How late they are with these flights, or with their own that was moved; None where
        nothing takes them there, or they agreed to the new time."""
        minutes = waiting = self.event.minutes
        if new:
            minutes = int((new[-1].arrives - self.own[-1].arrives).total_seconds()) // MINUTE
            waiting = int((new[0].departs - self.own[0].departs).total_seconds()) // MINUTE
        elif self.event.kind == "cancelled" or self.event.accepted:
            return None
        return Delay(
            direction=self.way,
            minutes=max(0, minutes),
            cause=self.event.cause,
            warned=self.warned,
            airport=self.own[0].origin,
            waiting=max(0, waiting),
            later_day=bool(new) and new[0].day > self.own[0].day,
        )


def disturbed(case: TicketFacts, flight: str, day: date) -> Disturbed:
    """The direction with this flight. Raises `Unreadable`."""
    events = [each for each in case.events if (each.flight, each.day) == (flight, day)]
    ways = [each.direction for each in case.booking.segments if each.flight == flight]
    notices = list(_notices(case, flight))
    if len(events) != 1 or len(ways) != 1 or not notices:
        raise Unreadable(f"what happened to {flight}")
    causes = {word: key for key, word in CAUSE_WORDS.items()}
    event = replace(events[0], cause=causes[events[0].cause])
    return Disturbed(case.booking.way(ways[0]), event, notices[0])


def _notices(case: TicketFacts, flight: str) -> Iterator[date]:
    """On which days the customer was told of it; by letters that did not come back."""
    entries = case.about.history
    for at, (when, text) in enumerate(entries):
        after = entries[at + 1][1] if at + 1 < len(entries) else ""
        if text.startswith(NOTICES) and flight in text and not after.startswith(CAME_BACK):
            yield when.date()


def limit(edition: Edition, booking: Booking) -> int:
    """What may be given on a ticket that is about a booking."""
    nobody = Facts(None, booking, Request("delay"))  # type: ignore[arg-type]
    numbers = tuple(each.number for each in counting(edition, nobody))
    return edition.with_bulletins(numbers).limit
