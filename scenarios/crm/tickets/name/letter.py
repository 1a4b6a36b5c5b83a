"""The letter about names, its attachments, and the database rows of the case."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from typing import Any

from scenarios.crm.airline_desk import Rows, Speaker
from scenarios.crm.airline_desk.dates import NUMBERS
from scenarios.crm.policy.facts import Claim
from scenarios.crm.tickets import TIMES, Filing, add_others, compose
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets import seats as ticket_seats
from scenarios.crm.tickets.name.case import NameCase
from scenarios.crm.tickets.name.matters import FIRST_TOO, MARRIED, OLD, OTHER, PERSON, Matter, Name
from scenarios.crm.tickets.wishes import TAKES
from sites.crm import CrmData

SUBJECTS = ("Names", "A name on our tickets", "Our tickets", "Wrong name", "About our booking")
ACTS = {MARRIED: "married", FIRST_TOO: "married", PERSON: "instead"}
"""The name of the letter's phrasing for each kind of name change that is not a mere wrong name."""


# The mail ----------------------------------------------------------------------------------------


def body(case: NameCase, data: CrmData, speaker: Speaker) -> str:
    """Return the letter: names, seats, claims, and identity facts."""
    seats = ticket_seats.sentences(case.held, case.seats, speaker)
    claims = dict.fromkeys(claim for each in case.wishes for claim in each.claims)
    claimed = (_claimed(case, claim, speaker) for claim in claims)
    sentences = chain(_names(case, speaker), seats, claimed)
    return compose(case, sentences, data, speaker, free=case.wishes[0].request.free)


def _names(case: NameCase, speaker: Speaker) -> Iterator[str]:
    for each in case.matters:
        act = ACTS.get(each.sort, "wrong")
        yield speaker.say(act, before=" ".join(each.before), after=" ".join(each.after))


def _claimed(case: NameCase, claim: Claim, speaker: Speaker) -> str:
    if claim.about == "checked-in":
        return speaker.say("not-in")
    about = next(
        matter
        for matter, each in zip(case.matters, case.wishes, strict=False)
        if claim in each.claims
    )
    name = " ".join(about.after)
    if claim.about == "document":
        return speaker.say("paper", name=name)
    letters = "one letter" if claim.value == 1 else f"{NUMBERS[claim.value]} letters"
    return speaker.say("few", name=name, letters=letters)


# The rows ----------------------------------------------------------------------------------------


def filed(case: NameCase, desk: Filing) -> Rows:
    """Return the database rows of a scenario: those of the ticket's case, and tickets of other
    customers.
    """
    text = body(case, desk.data, desk.speaker)
    found = ticket_rows.of_booking(case, case.wishes[0], desk, text, subjects=SUBJECTS, takes=TAKES)
    found["checkins"] = [
        {
            "reference": case.held.reference,
            "passenger": passenger,
            "flight": case.held.flights[place - 1].number,
            "date": case.held.flights[place - 1].date,
        }
        for place, listed in case.checkins.items()
        for passenger in listed
    ]
    wrote = case.wishes[0].request.wrote
    found["attachments"] = [
        {"ticket": desk.number, "at": wrote.strftime(TIMES), **_paper(case, each, desk)}
        for each in case.matters
        if each.paper
    ]
    return add_others(found, desk, SUBJECTS)


def _paper(case: NameCase, one: Matter, desk: Filing) -> dict[str, Any]:
    """Return the row of an attached marriage certificate: of this passenger, of another passenger,
    or with another surname.
    """
    wrote = case.wishes[0].request.wrote.date()
    day = desk.airline.formats.day(
        (wrote - timedelta(desk.speaker.rng.randint(30, 400))).isoformat()
    )
    before, after = _on_paper(case, one)
    text = (
        f"{' '.join(before)} was married on {day} and has since then been called {' '.join(after)}."
    )
    return {"title": "Certificate of marriage", "body": text}


def _on_paper(case: NameCase, one: Matter) -> tuple[Name, Name]:
    if one.paper == OTHER:
        who = case.customer.person
        return (who.first_name, one.before[1]), (who.first_name, one.after[1])
    if one.paper == OLD:
        spouse = case.customer.person.last_name
        other = spouse if spouse not in (one.before[1], one.after[1]) else f"{spouse}-Lane"
        return one.before, (one.after[0], other)
    return (one.after[0], one.before[1]), one.after
