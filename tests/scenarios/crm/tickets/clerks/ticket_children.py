"""The clerk works on a ticket about children without parents, by its pages and the handbook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import Escort, SellSeats
from scenarios.crm.policy.facts import Facts, Unaccompanied
from scenarios.crm.policy.several import decide_all
from tests.scenarios.crm.after_sale.clerks.move_one_leg import WAYS
from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks import deeds, letter
from tests.scenarios.crm.airline_desk.clerks import seats as _seats
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.letter import Rest
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader, minutes

FAMILY = "ticket_children"
NEEDED = ("mails", "tables", "total", "articles")
_FIRST = r"[A-Z][\w'’-]+"
_WAY = "the way (?:out|home)"
OWN_SLOTS = {
    **letter.OWN_SLOTS,
    "name": rf"{_seats.NAME}|{_FIRST}",
    "infant": _FIRST,
    "children": rf"{_FIRST}(?:(?:, | and ){_FIRST})*",
    "ways": rf"{_WAY}(?: and {_WAY})?",
    "years": r"\d+",
}
DECIDING_NOTHING = ("digress", "sad", "grown", "paid-up")
"""What decides nothing: the pages say what is so."""
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?: [AP]M)?")


@dataclass(frozen=True)
class Flights:
    """How many escorts of others are on the flights of a booking, and which are the last of the
    day on their route."""

    escorts: Mapping[str, int]
    last: frozenset[str]


def work(clerk: Clerk, request: str) -> str:
    desk = Tickets(clerk)
    number = Reader(FAMILY, OWN_SLOTS, request).take("work")["number"]
    book = Handbook(desk)
    edition = book.edition()
    case = _case.read(desk, number, book.clocks())
    reader = case.filed.reader(FAMILY, OWN_SLOTS)
    letter.begin(reader, case, DECIDING_NOTHING)
    asked = reader.take("alone")
    baby = (reader.find("seat-for") or {}).get("infant", "")
    seats = _seats.wanted(desk, reader, case)
    rest = letter.end(reader, case, "alone")
    wishes = [*_escorts(rest.facts, _flights(desk, case), asked, case)]
    wishes += [_lap(rest.facts)] if baby else []
    wishes += [_seats.wish(rest.facts, seats)] if seats else []
    decision = decide_all(edition, wishes)
    deeds.collect(desk, number, case.booking.reference, decision, rest.card)
    _escort(desk, number, case, rest, decision)
    _sell(desk, number, case, rest, decision, baby)
    _seats.take(desk, number, case, seats, decision, rest.card)
    deeds.close(desk, number, decision)
    return ""


# What is so --------------------------------------------------------------------------------------


def _flights(desk: Tickets, case: TicketFacts) -> Flights:
    """By the pages of the flights."""
    word, escorts, last = desk.word, {}, []
    for place, each in enumerate(case.booking.segments):
        desk.open(case.booking.reference)
        desk.go(desk.flights()[place].links[word("flight")])
        facts = desk.facts_under("flight")
        escorts[each.flight] = int(facts[word("escorts-booked")])
        leaves = _leaves(" ".join(facts.values()))
        others = desk.lines(word("other-flights"))
        if all(_leaves(other.cells[word("times")]) < leaves for other in others):
            last.append(each.flight)
    return Flights(escorts, frozenset(last))


def _leaves(text: str) -> int:
    """The first time of a text."""
    return minutes(_CLOCK.findall(text)[0])


def _escorts(
    plain: Facts, flights: Flights, asked: Mapping[str, str], case: TicketFacts
) -> Iterator[Facts]:
    """A wish of each child and each direction; everybody of the booking is on all flights."""
    booking = case.booking
    everybody = tuple(each.number for each in booking.passengers)
    with_whom = dict.fromkeys((each.flight for each in booking.segments), everybody)
    children = [_number(case, each) for each in re.split(", | and ", asked["children"])]
    ways = {WAYS[each.removeprefix("the ")] for each in asked["ways"].casefold().split(" and ")}
    for way in booking.directions():
        for child in children if way in ways else ():
            wish = Unaccompanied(child, way, with_whom, flights.escorts, flights.last)
            yield replace(plain, request=replace(plain.request, unaccompanied=wish))


def _number(case: TicketFacts, first: str) -> int:
    """Of the passenger of this first name."""
    return next(at for at, name in case.about.names.items() if name.startswith(f"{first} "))


def _lap(plain: Facts) -> Facts:
    """A seat for the infant, at what a child pays, once for each direction."""
    booking = plain.booking
    children = [each for each in booking.passengers if each.kind == "child"]
    if not children:
        raise Unreadable("what a child pays")
    ends = {way: booking.way(way)[-1].flight for way in booking.directions()}
    fares = {flight: children[0].fares[way] for way, flight in ends.items()}
    return replace(plain, request=replace(plain.request, wish="lap", lap_fares=fares))


# What is done ------------------------------------------------------------------------------------


def _escort(desk: Tickets, number: str, case: TicketFacts, rest: Rest, decision: Decision) -> None:
    """The fee, and an escort on each flight for those who get one."""
    made = [each for each in decision.changes if isinstance(each, Escort)]
    fee = sum(each.price for each in made)
    deeds.charge(desk, number, case.booking.reference, "service", fee, rest.card)
    for place, flight in enumerate(case.booking.segments):
        who = [case.about.names[each.passenger] for each in made if flight.flight in each.flights]
        if who:
            desk.open(case.booking.reference)
            desk.go(desk.flights()[place].links[desk.word("open-escort")])
            desk.tick("save-escort", "escort", who)


def _sell(
    desk: Tickets, number: str, case: TicketFacts, rest: Rest, decision: Decision, baby: str
) -> None:
    """The seat of an infant, whose name the fee has."""
    price = sum(each.price for each in decision.changes if isinstance(each, SellSeats))
    if price:
        name = case.about.names[_number(case, baby)]
        deeds.charge(desk, number, case.booking.reference, "seats", price, rest.card, name)
