"""The edits (changes to bookings) that a caller asks for, and the forms that carry them out.

An edit holds only the spoken wish; the bookings and cabins determine the values of the forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from scenarios.crm.airline_desk.bookings import Held, Voucher
from scenarios.crm.airline_desk.forms import Do
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.cabin import Cabin, Place, cabin
from sites.crm.base.timetable import Flight

FALLBACK, ECHO, SWAP = "fallback", "echo", "swap"
BAGS, SAME = "bags", "same"
NAME, BORN, NOTE, FEE = "name", "born", "note", "fee"
WAYS = ("outward", "return")
OTHER_BOOKING = "other"
"""The code that says that a birthday must be made equal to the one in the other booking."""


@dataclass(frozen=True)
class Edit:
    """A change to a booking that the caller asks for.

    Attributes:
        trip: The index of the booking, 0 or 1.
        who: The passenger's number.
        other: Another passenger's number.
        value: The preferred seat, the number of bags beyond the fare, a name, a birthday or an
            amount.
        code: The code of a note or fee.
        source: The direction of the other booking from which bags are copied.
    """

    kind: str
    trip: int
    who: int = 0
    way: str = ""
    value: str = ""
    other: int = 0
    code: str = ""
    source: str = ""


@dataclass(frozen=True)
class Call:
    """A call about two bookings of the same people.

    Attributes:
        checked: The (passenger, direction) pairs that are checked in on the first booking.
        voucher: The voucher to use up before the card pays the rest of a fee.
    """

    trips: tuple[Held, Held]
    checked: Sequence[tuple[int, str]]
    vouchers: Sequence[Voucher]
    voucher: Voucher
    card: Mapping[str, str]
    edits: Sequence[Edit] = ()

    def flight(self, trip: int, way: str) -> Flight:
        return self.trips[trip].ways[way][0].flights[0]

    def seat(self, edit: Edit, who: int = 0) -> str:
        """Return the seat code of a passenger on the flight that an edit is about; by default of
        the edit's passenger.
        """
        return self.trips[edit.trip].seats[who or edit.who, self.flight(edit.trip, edit.way).number]

    def free(self, trip: int, way: str) -> frozenset[str]:
        """Return the codes of the seats on a flight that are free and that no passenger of the
        party has.
        """
        flight = self.flight(trip, way)
        held = {
            code for (_, number), code in self.trips[trip].seats.items() if number == flight.number
        }
        places = cabin(flight).places.values()
        return frozenset(each.code for each in places if each.free and each.code not in held)

    def included(self, trip: int, way: str) -> int:
        """Return how many bags the fare of a direction includes."""
        return prices.BRAND_RULES[self.trips[trip].ways[way][1]].bags

    def pieces(self, trip: int, who: int, way: str) -> int:
        """Return a passenger's number of bags after all edits."""
        for each in self.edits:
            if (each.kind, each.trip, each.who, each.way) == (BAGS, trip, who, way):
                return self.included(trip, way) + int(each.value)
        return self.trips[trip].bags.get((who, way), 0)

    def given(self, edit: Edit) -> str:
        """Return the seat code that a wish with a fallback leads to.

        Returns:
            The preferred seat if it is free. Otherwise the free aisle seat without a charge in the
                nearest row behind it that has such a seat, or "" if there is not exactly one.
        """
        free = self.free(edit.trip, edit.way)
        if edit.value in free:
            return edit.value
        found = behind(cabin(self.flight(edit.trip, edit.way)), edit.value, free)
        return found[0].code if len(found) == 1 else ""

    # Forms

    def do(self, edit: Edit) -> list[Do]:
        """Return the forms that carry out an edit of a booking, in order."""
        reference = self.trips[edit.trip].reference
        if edit.kind in (FALLBACK, ECHO, SWAP):
            return [self.seats(edit.trip, edit.way, self._seated(edit))]
        if edit.kind in (BAGS, SAME):
            return [self.bags(edit, self._packed(edit))]
        if edit.kind == NAME:
            return [*self.name(edit)]
        if edit.kind == BORN:
            return [self.person(edit, born=edit.value)]
        if edit.kind == NOTE:
            return [Do("add-note", (reference,), {"note-code": edit.code})]
        return [self.fee(edit, self.voucher)]

    def seats(self, trip: int, way: str, seats: Mapping[int, str]) -> Do:
        values = {f"seat.{number}": code for number, code in seats.items()}
        parts = (self.trips[trip].reference, self.place(way))
        return Do("save-seats", parts, values)

    def bags(self, edit: Edit, pieces: int) -> Do:
        values = {f"bags-{edit.way}.{edit.who}": str(pieces)}
        return Do("save-bags", (self.trips[edit.trip].reference,), values)

    def name(self, edit: Edit) -> Iterator[Do]:
        """Yield the forms that change a name: undo the check-ins, rename, and check in again."""
        ways = [way for who, way in self.checked if who == edit.who and edit.trip == 0]
        yield from (self.check_in(edit, way, "") for way in ways)
        yield self.person(edit, last_name=edit.value)
        yield from (self.check_in(edit, way, "yes") for way in ways)

    def check_in(self, edit: Edit, way: str, ticked: str) -> Do:
        parts = (self.trips[edit.trip].reference, self.place(way))
        return Do("save-checkin", parts, {f"checked-in.{edit.who}": ticked})

    def person(self, edit: Edit, **changed: str) -> Do:
        held = self.trips[edit.trip]
        who = replace(held.passengers[edit.who - 1].person, **changed)
        values = {name.replace("_", "-"): text for name, text in asdict(who).items()}
        return Do("save-person", (held.reference, str(edit.who)), values)

    def fee(self, edit: Edit, voucher: Voucher | None) -> Do:
        """Return the form that charges a fee; the voucher pays first, the card pays the rest."""
        amount = int(edit.value)
        first = min(voucher.balance, amount) if voucher else 0
        values = {
            "fee-kind": edit.code,
            "passenger": str(edit.who) if edit.who else "",
            "fee-amount": edit.value,
            **({"voucher": voucher.code, "voucher-amount": str(first)} if voucher else {}),
            **({"card-amount": str(amount - first), **self.card} if amount > first else {}),
        }
        return Do("charge", (self.trips[edit.trip].reference,), values)

    def place(self, way: str) -> str:
        """Return the position of a direction's only flight in its booking, "1" or "2"."""
        return str(WAYS.index(way) + 1)

    def _seated(self, edit: Edit) -> dict[int, str]:
        if edit.kind == SWAP:
            return {edit.who: self.seat(edit, edit.other), edit.other: self.seat(edit)}
        first = next((each for each in self.edits if each.kind == FALLBACK), edit)
        return {edit.who: self.given(edit if edit.kind == FALLBACK else first)}

    def _packed(self, edit: Edit) -> int:
        if edit.kind == SAME:
            return self.pieces(1 - edit.trip, edit.who, edit.source)
        return self.included(edit.trip, edit.way) + int(edit.value)


def other_way(way: str) -> str:
    """Return the other direction."""
    return WAYS[1 - WAYS.index(way)]


# The rows around a seat ---------------------------------------------------------------------------


def behind(plane: Cabin, wanted: str, free: frozenset[str]) -> list[Place]:
    """Return the seats that replace a preferred seat that is taken.

    Args:
        wanted: The preferred seat.
        free: The seats that the party can have.

    Returns:
        The free aisle seats without a charge in the nearest row behind that has such a seat.
    """
    return _first(_aisle(_free(plane, free, _rows(plane, wanted))))


def in_front(plane: Cabin, wanted: str, free: frozenset[str]) -> list[Place]:
    """Return a wrong fallback: seats as `behind` returns them, but from the nearest row in
    front.
    """
    return _first(_aisle(_free(plane, free, _rows(plane, wanted, ahead=True))))


def behind_charged(plane: Cabin, wanted: str, free: frozenset[str]) -> list[Place]:
    """Return a wrong fallback: seats as `behind` returns them, but also those with a charge."""
    return _first(_aisle([*_some(plane, free, row)] for row in _rows(plane, wanted)))


def behind_anywhere(plane: Cabin, wanted: str, free: frozenset[str]) -> list[Place]:
    """Return a wrong fallback: seats as `behind` returns them, but also those not on the aisle."""
    return _first(_free(plane, free, _rows(plane, wanted)))


def _rows(plane: Cabin, wanted: str, *, ahead: bool = False) -> list[int]:
    """Return the numbers of the rows behind a seat, or in front of it, the nearest row first."""
    own = plane.places[wanted].row
    return (
        [row for row in plane.rows[::-1] if row < own]
        if ahead
        else list(range(own + 1, plane.rows[-1] + 1))
    )


def _some(plane: Cabin, free: frozenset[str], row: int) -> Iterator[Place]:
    return (each for each in plane.row(row) if each.code in free)


def _free(plane: Cabin, free: frozenset[str], rows: Iterable[int]) -> Iterator[list[Place]]:
    return ([each for each in _some(plane, free, row) if not each.price] for row in rows)


def _aisle(rows: Iterable[list[Place]]) -> Iterator[list[Place]]:
    return ([each for each in row if each.kind == "aisle"] for row in rows)


def _first(rows: Iterable[list[Place]]) -> list[Place]:
    return next(filter(None, rows), [])
