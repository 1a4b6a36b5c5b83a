"""The letter of a parent about children who fly alone, and the database rows of the case."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from scenarios.crm.airline_desk import OUTWARD, Rows, Speaker, bookings, parties
from scenarios.crm.policy.facts import Claim
from scenarios.crm.tickets import Filing, add_others, compose, seats
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets.children.case import ChildrenCase
from scenarios.crm.tickets.wishes import TAKES
from sites.crm import CrmData

SUBJECTS = ("Our children", "Children alone", "Escorts", "About our booking", "The little ones")
WAYS = {True: "way out", False: "way home"}


# The mail ----------------------------------------------------------------------------------------


def body(case: ChildrenCase, data: CrmData, speaker: Speaker) -> str:
    """Return the letter: the children, an infant, seats, claims, and the signature."""
    asked = _asked(case, speaker)
    return compose(case, asked, data, speaker, free=case.wishes[0].request.free)


def _asked(case: ChildrenCase, speaker: Speaker) -> Iterator[str]:
    names = {each.number: each.person.first_name for each in case.held.passengers}
    listed = parties.enumerated([names[each] for each in case.children])
    ways = parties.enumerated([f"the {WAYS[each == OUTWARD]}" for each in case.ways])
    yield speaker.say("alone", children=listed, ways=ways)
    if case.baby:
        yield speaker.say("seat-for", infant=names[case.baby])
    yield from seats.sentences(case.held, case.seats, speaker)
    for claim in case.wishes[0].claims:
        yield _claimed(case, claim, speaker)


def _claimed(case: ChildrenCase, claim: Claim, speaker: Speaker) -> str:
    if claim.about == "paid-up":
        return speaker.say("paid-up")
    oldest = case.held.passengers[0].person.first_name
    return speaker.say("grown", name=oldest, years=case.edition.adult_age)


# The rows ----------------------------------------------------------------------------------------


def filed(case: ChildrenCase, desk: Filing) -> Rows:
    """Return the database rows of a scenario: those of the ticket's case, and tickets of other
    customers.
    """
    text = body(case, desk.data, desk.speaker)
    found = ticket_rows.of_booking(case, case.wishes[0], desk, text, subjects=SUBJECTS, takes=TAKES)
    found["escorts"] = [
        {
            "reference": bookings.reference(
                Random(f"{case.held.reference}/{each.number}/{at}"), set()
            ),
            "passenger": 1,
            "flight": each.number,
            "date": each.date,
        }
        for each in case.held.flights
        for at in range(case.escorts[each.number])
    ]
    return add_others(found, desk, SUBJECTS)
