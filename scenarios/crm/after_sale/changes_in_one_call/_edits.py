"""The edits of a call about two bookings of the same people: what each means in forms.

An edit holds what was said of it; what it comes to is read from the bookings and the cabins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from scenarios.crm.airline_desk.bookings import Held, Voucher
from scenarios.crm.airline_desk.forms import Errand
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.cabin import Cabin, Place, cabin
from sites.crm.base.timetable import Flight

FALLBACK, ECHO, SWAP = "fallback", "echo", "swap"
BAGS, SAME = "bags", "same"
NAME, BORN, NOTE, FEE = "name", "born", "note", "fee"
WAYS = ("outward", "return")
OTHER_BOOKING = "other"
"""The code of a birthday that is to be as on the other booking."""


@dataclass(frozen=True)
class Edit:
    """One wish. `trip` is 0 or 1, `who` and `other` are passengers' numbers.

    `value` is the seat that is wanted first, how many bags more than the fare includes, a last
    name, a birthday or an amount; `code` that of a note or a fee. `source` is the direction on the
    other booking that bags are copied from.
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
    """Two bookings of the same people. `checked` are the (passenger, direction) who are checked in
    on the first; `vouchers` and `card` pay fees, the voucher that is used up before the card."""

    trips: tuple[Held, Held]
    checked: Sequence[tuple[int, str]]
    vouchers: Sequence[Voucher]
    voucher: Voucher
    card: Mapping[str, str]
    edits: Sequence[Edit] = ()

    def flight(self, trip: int, way: str) -> Flight:
        return self.trips[trip].ways[way][0].flights[0]

    def seat(self, edit: Edit, who: int = 0) -> str:
        """Where somebody sits on the flight of an edit."""
        return self.trips[edit.trip].seats[who or edit.who, self.flight(edit.trip, edit.way).number]

    def free(self, trip: int, way: str) -> frozenset[str]:
        """The seats of a flight that anybody of the party could be given."""
        flight = self.flight(trip, way)
        held = {
            code for (_, number), code in self.trips[trip].seats.items() if number == flight.number
        }
        places = cabin(flight).places.values()
        return frozenset(each.code for each in places if each.free and each.code not in held)

    def included(self, trip: int, way: str) -> int:
        """Bags that the fare of a direction includes."""
        return prices.BRAND_RULES[self.trips[trip].ways[way][1]].bags

    def pieces(self, trip: int, who: int, way: str) -> int:
        """The bags of somebody when all is done."""
        for each in self.edits:
            if (each.kind, each.trip, each.who, each.way) == (BAGS, trip, who, way):
                return self.included(trip, way) + int(each.value)
        return self.trips[trip].bags.get((who, way), 0)

    def given(self, edit: Edit) -> str:
        """The seat of a wish with a fallback: the wanted one, else the free aisle seat without a
        charge in the nearest row behind it that has one; "" where there is none."""
        free = self.free(edit.trip, edit.way)
        if edit.value in free:
            return edit.value
        found = behind(cabin(self.flight(edit.trip, edit.way)), edit.value, free)
        return found[0].code if len(found) == 1 else ""

    # Forms

    def errands(self, edit: Edit) -> list[Errand]:
        """The forms of an edit, in turn."""
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
            return [Errand("note", (reference,), "add-note", {"note-code": edit.code})]
        return [self.fee(edit, self.voucher)]

    def seats(self, trip: int, way: str, seats: Mapping[int, str]) -> Errand:
        values = {f"seat.{number}": code for number, code in seats.items()}
        parts = (self.trips[trip].reference, self.place(way))
        return Errand("seats", parts, "save-seats", values)

    def bags(self, edit: Edit, pieces: int) -> Errand:
        values = {f"bags-{edit.way}.{edit.who}": str(pieces)}
        return Errand("bags", (self.trips[edit.trip].reference,), "save-bags", values)

    def name(self, edit: Edit) -> Iterator[Errand]:
        """The check-in of the passenger is undone, and made again under the new name."""
        ways = [way for who, way in self.checked if who == edit.who and edit.trip == 0]
        yield from (self.check_in(edit, way, "") for way in ways)
        yield self.person(edit, last_name=edit.value)
        yield from (self.check_in(edit, way, "yes") for way in ways)

    def check_in(self, edit: Edit, way: str, ticked: str) -> Errand:
        parts = (self.trips[edit.trip].reference, self.place(way))
        return Errand("checkin", parts, "save-checkin", {f"checked-in.{edit.who}": ticked})

    def person(self, edit: Edit, **changed: str) -> Errand:
        held = self.trips[edit.trip]
        who = replace(held.passengers[edit.who - 1].person, **changed)
        values = {name.replace("_", "-"): text for name, text in asdict(who).items()}
        return Errand("person", (held.reference, str(edit.who)), "save-person", values)

    def fee(self, edit: Edit, voucher: Voucher | None) -> Errand:
        """Paid by the voucher as far as it goes, and by the card."""
        amount = int(edit.value)
        first = min(voucher.balance, amount) if voucher else 0
        values = {
            "fee-kind": edit.code,
            "passenger": str(edit.who) if edit.who else "",
            "fee-amount": edit.value,
            **({"voucher": voucher.code, "voucher-amount": str(first)} if voucher else {}),
            **({"card-amount": str(amount - first), **self.card} if amount > first else {}),
        }
        return Errand("charge", (self.trips[edit.trip].reference,), "charge", values)

    def place(self, way: str) -> str:
        """Which flight of a booking a direction is; each has one."""
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
    """The other direction."""
    return WAYS[1 - WAYS.index(way)]


# The rows around a seat ---------------------------------------------------------------------------


def behind(plane: Cabin, wanted: str, free: frozenset[str]) -> list[Place]:
    """The free aisle seats without a charge in the nearest row behind that has any."""
    return _first(_aisle(_free(plane, free, _rows(plane, wanted))))


def in_front(plane: Cabin, wanted: str, free: frozenset[str]) -> list[Place]:
    """The same in the nearest row in front."""
    return _first(_aisle(_free(plane, free, _rows(plane, wanted, ahead=True))))


def behind_charged(plane: Cabin, wanted: str, free: frozenset[str]) -> list[Place]:
    """The same behind, where a charge does not matter."""
    return _first(_aisle([*_some(plane, free, row)] for row in _rows(plane, wanted)))


def behind_anywhere(plane: Cabin, wanted: str, free: frozenset[str]) -> list[Place]:
    """The free seats without a charge in the nearest row behind that has any, aisle or not."""
    return _first(_free(plane, free, _rows(plane, wanted)))


def _rows(plane: Cabin, wanted: str, *, ahead: bool = False) -> list[int]:
    """The rows behind a seat, or those in front of it, the nearest one first."""
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
