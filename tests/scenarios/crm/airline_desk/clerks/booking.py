"""What the clerk knows of a booking: its flights, passengers, payments and what was done with it,
out of its page and its history."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from scenarios.crm.policy.facts import (
    Booking,
    Event,
    Passenger,
    Payment,
    Raised,
    Segment,
)
from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import BRANDS, DIRECTIONS, KINDS, Unreadable
from tests.scenarios.crm.airline_desk.clerks.after_sale import TableRow
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets

NOTES = ("claim", "permission", "documents")
STATES = ("open", "flown", "missed")
WORDS = {"outward": "outward", "return": "inward"}
_LASTING = re.compile(r"(\d+) h (\d\d) min")
_CODE = re.compile(r"\(([A-Z]{3})\)")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?: [AP]M)?")
_CAUSE = re.compile(r"\((.+)\)$")
_DAYS_ON = re.compile(r"\(\D*(\d+)\D*\)")


@dataclass(frozen=True)
class BookingFacts:
    """A booking as its pages show it. `notes` are the days of notes by their codes, `flights` are
    number, day and time of the first flight of each direction, as the page writes them; `names` are
    those of the passengers by their numbers, `bags` pieces by direction and passenger, `vouchers`
    balance and last day by code, `history` what was done, and when."""

    booking: Booking
    events: tuple[Event, ...]
    notes: Mapping[str, date]
    flights: Mapping[str, tuple[str, str, str]]
    names: Mapping[int, str]
    bags: Mapping[tuple[str, int], int]
    vouchers: Mapping[str, tuple[int, date]]
    history: tuple[tuple[datetime, str], ...]

    @property
    def digits(self) -> frozenset[str]:
        """Those of the cards that paid it."""
        return frozenset(each.source for each in self.booking.payments if each.method == "card")


def read(desk: Tickets, reference: str, clocks: Mapping[str, float]) -> BookingFacts:
    """Of the booking with this reference, whose page is open then; `clocks` are the hours that
    those of the airports are ahead. Raises `Unreadable`."""
    return _Reading(desk, clocks).booking(reference)


def at(clocks: Mapping[str, float], airport: str, day: date, minutes: int) -> datetime:
    """A time of a local day."""
    local = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(minutes=minutes)
    return local - timedelta(hours=clocks[airport])


def lasting(text: str) -> int:
    """The minutes that a text names."""
    [(hours, minutes)] = _LASTING.findall(text)
    return int(hours) * 60 + int(minutes)


@dataclass(frozen=True)
class _Reading:
    desk: Tickets
    clocks: Mapping[str, float]

    def booking(self, reference: str) -> BookingFacts:
        desk = self.desk
        history = tuple(self._history(reference))
        desk.at("booking", reference)
        lines = [(self._way(each), each) for each in desk.flights()]
        notes = dict(self._notes())
        return BookingFacts(
            booking=self._booking(reference, lines, notes, history),
            events=tuple(filter(None, (self._event(each) for _, each in lines))),
            notes=notes,
            flights={way: self._first(each) for way, each in reversed(lines)},
            names={at: self._name(each) for at, each in self._people()},
            bags=dict(self._bags()),
            vouchers=dict(self._vouchers()),
            history=history,
        )

    def _booking(
        self,
        reference: str,
        lines: list[tuple[str, TableRow]],
        notes: Mapping[str, date],
        history: tuple[tuple[datetime, str], ...],
    ) -> Booking:
        desk, word = self.desk, self.desk.word
        head = desk.facts_under("booking")
        covered = {word("cover-yes"): True, word("cover-no"): False}
        paid = desk.lines(word("group-payments"))
        found = Booking(
            reference=reference,
            bought=desk.time(head[word("bought")]),
            segments=tuple(self._segment(*each) for each in lines),
            passengers=tuple(self._passengers()),
            payments=tuple(self._payment(at, each) for at, each in enumerate(paid, start=1)),
            cover=covered[head[word("cover")]],
            agency=head.get(word("agency"), ""),
            balance=desk.money(head.get(word("unpaid"), "")),
            claim="claim" in notes,
            raised=self._raised(history),
        )
        if not (found.segments and found.passengers and found.payments):
            raise Unreadable(f"booking {reference}")
        return found

    # Flights

    def _way(self, line: TableRow) -> str:
        return self._direction(line.cells[self.desk.word("direction")])

    def _direction(self, text: str) -> str:
        return next(each for each in DIRECTIONS if self.desk.word(WORDS[each]) == text)

    def _segment(self, way: str, line: TableRow) -> Segment:
        word = self.desk.word
        origin, destination = _CODE.findall(line.cells[word("route")])
        day = self._long_day(line.cells[word("date")])
        times, *more = line.cells[word("times")].split("; ")
        leaves, lands = map(request_reader.minutes, _CLOCK.findall(times))
        later = _DAYS_ON.search(times)
        lands += 24 * 60 * int(later[1]) if later else 0
        states = [each for each in STATES if word(f"coupon-{each}") in more]
        if len(states) != 1:
            raise Unreadable(f"whether {times} was flown")
        return Segment(
            direction=way,
            flight=line.cells[word("flight")].split()[0],
            origin=origin,
            destination=destination,
            day=day,
            departs=at(self.clocks, origin, day, leaves),
            arrives=at(self.clocks, destination, day, lands),
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
            cause = "".join(_CAUSE.findall(text))
            if text.startswith(word("flight-cancelled")):
                return Event(flight, day, "cancelled", 0, cause)
            if text.startswith(moved):
                return Event(flight, day, "moved", lasting(text), cause, accepted)
        return None

    def _first(self, line: TableRow) -> tuple[str, str, str]:
        cells, word = line.cells, self.desk.word
        time = _CLOCK.findall(cells[word("times")])[0]
        day = self._long_day(cells[word("date")]).isoformat()
        return cells[word("flight")].split()[0], day, time

    # Passengers

    def _people(self) -> Iterator[tuple[int, TableRow]]:
        return enumerate(self.desk.passengers(), start=1)

    def _name(self, line: TableRow) -> str:
        """Without the title."""
        return line.cells[self.desk.word("passenger")].partition(" ")[2]

    def _passengers(self) -> Iterator[Passenger]:
        desk, word = self.desk, self.desk.word
        kinds = {word(each): each for each in KINDS}
        numbers = {self._name(one): at for at, one in self._people()}
        paid = desk.lines(word("group-fares-paid"))
        for (at, one), fares in zip(self._people(), paid, strict=True):
            name, *own = fares.cells
            if not one.cells[word("passenger")].endswith(fares.cells[name]):
                raise Unreadable("whose fares these are")
            ways = dict.fromkeys(self._way(each) for each in desk.flights())
            kind, _, lap = one.cells[word("kind")].partition(", ")
            yield Passenger(
                number=at,
                kind=kinds[kind],  # type: ignore[arg-type]
                born=desk.day(one.cells[word("born")]),
                fares={
                    way: desk.money(fares.cells[each]) for way, each in zip(ways, own, strict=True)
                },
                adult=numbers[self._on_lap(lap)] if lap else None,
            )

    def _on_lap(self, text: str) -> str:
        """The name of who holds an infant."""
        start, _, end = self.desk.word("on-lap", name="|").partition("|")
        return text.removeprefix(start).removesuffix(end)

    def _bags(self) -> Iterator[tuple[tuple[str, int], int]]:
        word = self.desk.word
        start, middle, _ = word("bags-on", pieces="|", direction="|").split("|")
        for at, line in self._people():
            for text in line.cells[word("bags")].split("; "):
                pieces, found, way = text.removeprefix(start).partition(middle)
                if found:
                    yield (self._direction(way), at), int(pieces)

    # Money

    def _payment(self, at: int, line: TableRow) -> Payment:
        word = self.desk.word
        left = self.desk.money(line.cells[word("amount")])
        given = line.cells[word("group-refunds")]
        left -= 0 if given == "–" else self.desk.money(given)
        for method in ("card", "voucher"):
            start, _, end = word(f"by-{method}", source="|").partition("|")
            text = line.cells[word("source")]
            if text.startswith(start) and text.endswith(end):
                source = text.removeprefix(start).removesuffix(end)
                return Payment(at, method, source, left)  # type: ignore[arg-type]
        raise Unreadable(f"what {line.cells} was paid with")

    def _vouchers(self) -> Iterator[tuple[str, tuple[int, date]]]:
        desk, word = self.desk, self.desk.word
        for line in desk.lines(word("group-voucher")):
            last = line.cells[word("good-until")].removesuffix(f" ({word('ran-out')})")
            yield (
                line.cells[word("voucher")],
                (desk.money(line.cells[word("balance")]), desk.day(last)),
            )

    # What was done

    def _notes(self) -> Iterator[tuple[str, date]]:
        """Those that rules speak of, by their codes."""
        word = self.desk.word
        for line in self.desk.lines(word("group-notes")):
            for code in NOTES:
                if line.cells[word("note-code")] == word(f"note-{code}"):
                    yield code, self.desk.day(line.cells[word("written-on")])

    def _history(self, reference: str) -> Iterator[tuple[datetime, str]]:
        desk, word = self.desk, self.desk.word
        desk.at("history", reference)
        for line in desk.lines(word("title-history")):
            yield desk.time(line.cells[word("written-on")]), line.cells[word("entry")]

    def _raised(self, history: tuple[tuple[datetime, str], ...]) -> Raised | None:
        """When the fare was raised, and from which."""
        for at, entry in history:
            if found := re.match("All flights raised from (.+) to ", entry):
                return Raised(at, self._brand(found[1]))  # type: ignore[arg-type]
        return None

    # Values

    def _brand(self, text: str) -> str:
        return next(each for each in BRANDS if self.desk.word(f"brand-{each}") == text)

    def _long_day(self, text: str) -> date:
        """Of a day after its weekday."""
        return self.desk.day(text.partition(", ")[2])
