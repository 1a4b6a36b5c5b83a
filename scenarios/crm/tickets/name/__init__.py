"""Work on a ticket about names: correct wrong names, but refuse to replace a passenger, by the
desk's handbook.

Letters are counted over both names, a new surname needs a document of this passenger, and a
checked-in passenger is checked out and in again. Seats of the same mail come after what is owed. If
the mail asks for seats too, an open claim blocks the whole ticket. Three claims of five are true.
Of twenty tickets, seven are granted, eight are granted in part, three are refused and two are
passed on. One seed of five uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from scenarios.crm.airline_desk import Do
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import CorrectName
from scenarios.crm.tickets import (
    CLAIMED,
    CLOSED,
    DONE,
    IN_PART,
    NOTHING,
    REFUSED,
    STEPS,
    Ticket,
    charged,
    collected,
    permitting,
    seats,
)
from scenarios.crm.tickets.name import case as name_case
from scenarios.crm.tickets.name import letter
from scenarios.crm.tickets.name.case import NameCase
from scenarios.crm.tickets.wishes import Wishes

# Forms -------------------------------------------------------------------------------------------


def _forms(case: NameCase, number: int, decision: Decision) -> list[Do]:
    """Return the forms of a decision in order: what is owed, the fee for names, the names,
    seats.
    """
    names = [each for each in decision.changes if isinstance(each, CorrectName)]
    fee = sum(each.fee for each in names)
    back_in = [each.passenger for each in names if each.checked_in]
    return [
        *collected(case, number, decision),
        *charged(case, number, "name", fee, "name"),
        *_corrected(case, [each.passenger for each in names], back_in),
        *seats.forms(case, number, case.seats, decision),
    ]


def _corrected(case: NameCase, numbers: list[int], back_in: list[int]) -> Iterator[Do]:
    """Yield the forms that check passengers out, correct their names, and check the passengers in
    `back_in` in again.
    """
    yield from _checked(case, numbers, "")
    new = {each.number: each.after for each in case.matters}
    for one in case.held.passengers:
        if one.number in numbers:
            first, last = new[one.number]
            who = replace(one.person, first_name=first, last_name=last)
            values = {name.replace("_", "-"): text for name, text in asdict(who).items()}
            parts = (case.held.reference, str(one.number))
            yield Do("save-person", parts, values)
    yield from _checked(case, back_in, "yes")


def _checked(case: NameCase, numbers: list[int], tick: str) -> Iterator[Do]:
    for place, listed in case.checkins.items():
        values = {f"checked-in.{each}": tick for each in numbers if each in listed}
        if values:
            yield Do("save-checkin", (case.held.reference, str(place)), values)


def _misdone(case: NameCase, number: int) -> Iterator[tuple[str, list[Do]]]:
    """Yield wrong ends, each with a label and its forms: the highest fee for each name, all names
    corrected, or a balance collected although nothing requires it.
    """
    decision = case.decision
    names = [each for each in decision.changes if isinstance(each, CorrectName)]
    fee = max((each.fee for each in names), default=0)
    dear = [replace(each, fee=fee) for each in names]
    others = [each for each in decision.changes if each not in names]
    if fee and dear != names:
        wrong = replace(decision, changes=(*others, *dear))
        yield "the fee for all names", _forms(case, number, wrong)
    asked = [CorrectName(case.is_checked_in(each.number), each.number) for each in case.matters]
    if len(asked) > len(names):
        fees = {each.passenger: each.fee for each in names}
        every = [replace(each, fee=fees.get(each.passenger, 0)) for each in asked]
        wrong = replace(decision, changes=(*others, *every))
        yield "all names corrected", _forms(case, number, wrong)
    balance = case.wishes[0].booking.balance
    if balance and not case.seats:
        owed = charged(case, number, "balance", balance)
        yield "what is owed, though nothing waits for it", [*owed, *_forms(case, number, decision)]


WISHES = Wishes(
    procedures=("P1", "P4", "24", "14", "P12", "19", "P7", "P14", "21", "P10", "P5", "P6", "25"),
    first=({"control": "charge", "recorded": {"fee": "seats"}},),
    forms=_forms,
    slips=name_case.slips,
    misdone=_misdone,
)
TICKET = Ticket(
    name="ticket_name",
    about="Work on a ticket about wrong names, and now and then seats, by the desk's handbook;"
    " close it.",
    steps=(
        *STEPS[:-1],
        "check in",
        "change passengers",
        "choose seats",
        "read",
        CLOSED,
    ),
    deck=(*(DONE,) * 7, *(IN_PART,) * 8, REFUSED, NOTHING, NOTHING, CLAIMED, CLAIMED),
    start=6247,
    draw=name_case.draw,
    rows=letter.filed,
    right=WISHES.decisions.right,
    naive=WISHES.decisions.as_asked,
    wrong=WISHES.decisions.misses,
    articles=WISHES.articles,
    safety=permitting(("charge", "save-person", "save-checkin", "save-seats", "add-note")),
    references=lambda case: [case.held.reference],
    more=WISHES.order,
)
FAMILIES = TICKET.families()
