"""Work on a ticket about children who fly without their parents, by the desk's handbook.

Whether a child needs an escort depends on everybody's age on the day of each flight. Whether an
escort is possible depends on the connection, on the last flight of the day and on the escorts of
other bookings. An infant who turns two needs a seat, and other seats in the same mail have rules of
their own. Three claims of five are true. Of twenty tickets, seven are granted, eight are granted in
part, two are refused and three are passed on. One seed of five uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scenarios.crm.airline_desk import Do
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import Escort, SellSeats
from scenarios.crm.tickets import (
    CLAIMED,
    CLOSED,
    DONE,
    IN_PART,
    NOTHING,
    PASSED_ON,
    REFUSED,
    STEPS,
    Ticket,
    charged,
    collected,
    permitting,
    seats,
)
from scenarios.crm.tickets.children import case as children_case
from scenarios.crm.tickets.children import letter
from scenarios.crm.tickets.children.case import ChildrenCase
from scenarios.crm.tickets.wishes import Wishes

# Forms -------------------------------------------------------------------------------------------


def _forms(case: ChildrenCase, number: int, decision: Decision) -> list[Do]:
    """Return the forms of a decision in order: what is owed, escorts, the infant's seat, other
    seats.
    """
    escorts = [each for each in decision.changes if isinstance(each, Escort)]
    sold = sum(each.price for each in decision.changes if isinstance(each, SellSeats))
    return [
        *collected(case, number, decision),
        *charged(case, number, "service", sum(each.price for each in escorts)),
        *_escorted(case, escorts),
        *charged(case, number, "seats", sold, passenger=str(case.baby)),
        *seats.forms(case, number, case.seats, decision),
    ]


def _escorted(case: ChildrenCase, escorts: list[Escort]) -> Iterator[Do]:
    """Yield a form for each flight on which a child gets an escort."""
    for place, flight in enumerate(case.held.flights, start=1):
        who = [each.passenger for each in escorts if flight.number in each.flights]
        if who:
            parts = (case.held.reference, str(place))
            values = {f"escort.{each}": "yes" for each in who}
            yield Do("save-escort", parts, values)


def _misdone(case: ChildrenCase, number: int) -> Iterator[tuple[str, list[Do]]]:
    """Yield wrong ends, each with a label and its forms: an escort on every flight, or a single fee
    for all children.
    """
    decision = case.decision
    escorts = [each for each in decision.changes if isinstance(each, Escort)]
    others = [each for each in decision.changes if each not in escorts]
    flights = {way: [each.number for each in case.held.ways[way][0].flights] for way in case.ways}
    every = tuple(number for listed in flights.values() for number in listed)
    fee = case.edition.escort_fee
    asked = [Escort(every, child, fee * len(every)) for child in case.children]
    wrong = replace(decision, changes=(*others, *asked))
    yield "an escort on all flights", _forms(case, number, wrong)
    if len([each for each in escorts if each.price]) > 1:
        first, *rest = sorted(escorts, key=lambda each: -each.price)
        once = [first, *(replace(each, price=0) for each in rest)]
        wrong = replace(decision, changes=(*others, *once))
        yield "one fee for all children", _forms(case, number, wrong)


WISHES = Wishes(
    procedures=("P1", "P4", "24", "14", "P14", "20", "21", "P10", "P5", "P6", "25"),
    first=tuple({"control": "charge", "recorded": {"fee": kind}} for kind in ("service", "seats")),
    forms=_forms,
    slips=children_case.slips,
    misdone=_misdone,
)
TICKET = Ticket(
    name="ticket_children",
    about="Work on a ticket about children who fly without their parents, by the desk's handbook.",
    steps=(*STEPS[:-1], "escort", "choose seats", "read", CLOSED),
    deck=(*(DONE,) * 7, *(IN_PART,) * 8, REFUSED, NOTHING, PASSED_ON, PASSED_ON, CLAIMED),
    start=7529,
    draw=children_case.draw,
    rows=letter.filed,
    right=WISHES.decisions.right,
    naive=WISHES.decisions.as_asked,
    wrong=WISHES.decisions.misses,
    articles=WISHES.articles,
    safety=permitting(("charge", "save-escort", "save-seats", "add-note")),
    references=lambda case: [case.held.reference],
    more=WISHES.order,
)
FAMILIES = TICKET.families()
