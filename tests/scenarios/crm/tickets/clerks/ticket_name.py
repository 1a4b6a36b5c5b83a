"""The clerk works on a ticket about wrong names and some seats, by its pages and the handbook."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import CorrectName
from scenarios.crm.policy.facts import Facts, NewName
from scenarios.crm.policy.several import decide_all
from tests.scenarios.crm.airline_desk.clerk import Clerk
from tests.scenarios.crm.airline_desk.clerks import case as _case
from tests.scenarios.crm.airline_desk.clerks import deeds, letter
from tests.scenarios.crm.airline_desk.clerks import seats as _seats
from tests.scenarios.crm.airline_desk.clerks.case import TicketFacts
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.letter import Rest
from tests.scenarios.crm.airline_desk.clerks.seats import NAME
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader

FAMILY = "ticket_name"
NEEDED = ("mails", "tables", "total", "articles")
OWN_SLOTS = {
    **letter.OWN_SLOTS,
    **dict.fromkeys(("before", "after"), NAME),
    "letters": r"\w+ letters?",
}
DECIDING_NOTHING = ("digress", "sad", "not-in", "paper", "few")
"""What decides nothing: the pages say what is so."""
ACTS = ("wrong", "married", "instead")
PAPER = rf"({NAME}) was married on .+ and has since then been called ({NAME})\."
Name = tuple[str, str]
CheckIns = Mapping[int, Sequence[int]]
"""The numbers of those who are checked in, by the places of their flights, from 0."""


def work(clerk: Clerk, request: str) -> str:
    desk = Tickets(clerk)
    number = Reader(FAMILY, OWN_SLOTS, request).take("work")["number"]
    book = Handbook(desk)
    edition = book.edition()
    case = _case.read(desk, number, book.clocks())
    reader = case.filed.reader(FAMILY, OWN_SLOTS)
    letter.begin(reader, case, DECIDING_NOTHING)
    checkins = _checkins(desk, case)
    names = sorted(_names(reader, case, checkins), key=lambda each: each.passenger)
    seats = _seats.wanted(desk, reader, case)
    rest = letter.end(reader, case, "name")
    wishes = [_wish(rest.facts, each) for each in names]
    wishes += [_seats.wish(rest.facts, seats)] if seats else []
    decision = decide_all(edition, wishes)
    _correct(desk, number, case, names, checkins, rest, decision)
    _seats.take(desk, number, case, seats, decision, rest.card)
    deeds.close(desk, number, decision)
    return ""


# What is so --------------------------------------------------------------------------------------


def _names(reader: Reader, case: TicketFacts, checkins: CheckIns) -> Iterator[NewName]:
    """The names of the mail, with the papers that are attached."""
    numbers = {name: at for at, name in case.about.names.items()}
    for act in ACTS:
        for each in reader.all(act):
            before, after = _split(each["before"]), _split(each["after"])
            who = numbers[each["before"]]
            is_in = any(who in listed for listed in checkins.values())
            yield NewName(before, after, _is_proven(case, before, after), is_in, who)


def _wish(plain: Facts, name: NewName) -> Facts:
    return replace(plain, request=replace(plain.request, name=name))


def _split(name: str) -> Name:
    first, last = name.split()
    return first, last


def _is_proven(case: TicketFacts, before: Name, after: Name) -> bool:
    """Whether a paper says that somebody of the right first name has the new surname now."""
    papers = (re.fullmatch(PAPER, text) for _, _, text in case.filed.attached)
    married = {(_split(each[1]), _split(each[2])) for each in papers if each}
    return ((after[0], before[1]), after) in married


def _checkins(desk: Tickets, case: TicketFacts) -> CheckIns:
    found = {}
    for place, _ in enumerate(case.booking.segments):
        _open_checkin(desk, case, place)
        boxes = desk.boxes("checked-in")
        found[place] = [at for at, name in case.about.names.items() if boxes[name].checked]
    return found


def _open_checkin(desk: Tickets, case: TicketFacts, place: int) -> None:
    desk.open(case.booking.reference)
    desk.go(desk.flights()[place].links[desk.word("open-checkin")])


# What is done ------------------------------------------------------------------------------------


def _correct(
    desk: Tickets,
    number: str,
    case: TicketFacts,
    names: Iterable[NewName],
    checkins: CheckIns,
    rest: Rest,
    decision: Decision,
) -> None:
    """What is owed and the fee; names, of those who are checked in between check-out and
    check-in."""
    reference = case.booking.reference
    deeds.collect(desk, number, reference, decision, rest.card)
    made = {each.passenger: each for each in decision.changes if isinstance(each, CorrectName)}
    fee = sum(each.fee for each in made.values())
    deeds.charge(desk, number, reference, "name", fee, rest.card)
    back = {who for who, each in made.items() if each.checked_in}
    _check(desk, case, checkins, back, "")
    for each in names:
        if each.passenger in made:
            _rename(desk, case, each)
    _check(desk, case, checkins, back, "yes")


def _rename(desk: Tickets, case: TicketFacts, name: NewName) -> None:
    desk.open(case.booking.reference)
    desk.go(desk.passengers()[name.passenger - 1].links[desk.word("change")])
    first, last = name.after
    entered = desk.visitor.text(desk.word("first-name"), first)
    desk.send("save-person", entered | desk.visitor.text(desk.word("last-name"), last))


def _check(
    desk: Tickets, case: TicketFacts, checkins: CheckIns, numbers: Collection[int], value: str
) -> None:
    """In ("yes") or out (""), by the names that they have by now."""
    names = desk.names(case.booking.reference)
    for place, listed in checkins.items():
        some = [names[each] for each in listed if each in numbers]
        if some:
            _open_checkin(desk, case, place)
            desk.tick("save-checkin", "checked-in", some, value)
