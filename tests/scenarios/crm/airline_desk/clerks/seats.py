"""Seats that a mail asks for besides something else: read, looked at on the map, and taken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import SetSeats
from scenarios.crm.policy.facts import Facts, NewSeats, SeatPlace
from tests.scenarios.crm.airline_desk.clerk import Unreadable
from tests.scenarios.crm.airline_desk.clerks import deeds
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader

NAME = r"[A-Z][\w'’-]+ [A-Z][\w'’-]+"
_ONE = rf"\d+[A-F] for {NAME}"
SLOT = rf"{_ONE}(?:(?:, | and ){_ONE})*"
"""Codes of seats, each with who is to have it."""
AISLE = "CD"


@dataclass(frozen=True)
class WantedSeats:
    """Codes by the numbers of the passengers, on the flight of a place from 0, and as the rules
    look at them."""

    place: int
    codes: Mapping[int, str]
    seats: NewSeats


def wanted(desk: Tickets, reader: Reader, case: TicketFacts) -> WantedSeats | None:
    """What the mail says of seats; None where it says nothing."""
    found = reader.find("seats")
    if found is None:
        return None
    numbers = {name: at for at, name in case.about.names.items()}
    listed = re.findall(rf"(\d+[A-F]) for ({NAME})", found["seats"])
    codes = {numbers[name]: code for code, name in listed}
    place = [each.flight for each in case.booking.segments].index(found["flight"])
    _open(desk, case, place)
    cabin = desk.clerk.sale.cabin()
    if not {*codes.values()} <= {*cabin}:
        raise Unreadable("seat map")
    places = {
        who: SeatPlace(cabin[code].row, cabin[code].exit, code[-1] in AISLE, cabin[code].price)
        for who, code in codes.items()
    }
    return WantedSeats(place, codes, NewSeats(found["flight"], places))


def wish(plain: Facts, seats: WantedSeats) -> Facts:
    """What is true of a wish for them."""
    return replace(plain, request=replace(plain.request, wish="seats", seats=seats.seats))


def take(
    desk: Tickets,
    number: str,
    case: TicketFacts,
    seats: WantedSeats | None,
    decision: Decision,
    card: Mapping[str, str],
) -> None:
    """Offer, reserve and charge seats, where that is decided."""
    for each in decision.changes:
        if isinstance(each, SetSeats) and seats:
            deeds.agree(desk, number, "fee", each.price)
            names = desk.names(case.booking.reference)
            _open(desk, case, seats.place)
            entered: dict[str, str] = {}
            for who, code in seats.codes.items():
                label = f"{desk.word('seat')} ({names[who]})"
                entered |= desk.visitor.text(label, code)
            desk.send("save-seats", entered)
            desk.collect(case.booking.reference, each.price, deeds.typed(card), "seats")


def _open(desk: Tickets, case: TicketFacts, place: int) -> None:
    desk.open(case.booking.reference)
    desk.go(desk.flights()[place].links[desk.word("seats")])
