"""What a parent writes about children who fly without one, and the rows that a desk has of it."""

from __future__ import annotations

from random import Random

from scenarios.crm import _bookings, _party, _ticket_seats, _ticket_wishes
from scenarios.crm._bookings import Rows
from scenarios.crm._children_case import ChildrenCase
from scenarios.crm._decoys import decoys
from scenarios.crm._phrasings import Speaker
from scenarios.crm._refund_mail import card_values, fact_sentence
from scenarios.crm._whole_desk import OUTWARD
from scenarios.crm.policy.facts import Claim
from sites.crm import CrmData

SAD, DIGRESS = 0.3, 0.4
"""The shares of the letters with something sad, and with something that does not matter."""
SUBJECTS = ("Our children", "Children alone", "Escorts", "About our booking", "The little ones")
WAYS = {True: "way out", False: "way home"}


# The mail ----------------------------------------------------------------------------------------


def body(case: ChildrenCase, data: CrmData, speaker: Speaker) -> str:
    """The letter: the children, an infant, seats, what is claimed, and who writes."""
    rng = speaker.rng
    first = speaker.say("ask", reference=case.held.reference)
    names = {each.number: each.person.first_name for each in case.held.passengers}
    listed = _party.enumerated([names[each] for each in case.children])
    ways = _party.enumerated([f"the {WAYS[each == OUTWARD]}" for each in case.ways])
    others = [speaker.say("alone", children=listed, ways=ways)]
    others += [speaker.say("seat-for", infant=names[case.baby])] if case.baby else []
    others += _ticket_seats.sentences(case.held, case.seats, speaker)
    others += [_claimed(case, claim, speaker) for claim in case.wishes[0].claims]
    if case.wishes[0].request.free:
        others.append(speaker.say("free"))
    if rng.random() < SAD:
        others.append(speaker.say("sad"))
    if rng.random() < DIGRESS:
        others.append(speaker.say("digress", **decoys(rng, data)))
    rng.shuffle(others)
    facts = [fact_sentence(case, fact, speaker) for fact in case.given if fact != "email"]
    facts.append(speaker.say("pay", **card_values(case, rng)))
    sign = speaker.say("sign", name=case.customer.person.name)
    return "\n".join([" ".join([first, *others]), " ".join(facts), sign])


def _claimed(case: ChildrenCase, claim: Claim, speaker: Speaker) -> str:
    if claim.about == "paid-up":
        return speaker.say("paid-up")
    oldest = case.held.passengers[0].person.first_name
    return speaker.say("grown", name=oldest, years=case.edition.adult_age)


# The rows ----------------------------------------------------------------------------------------


def rows(case: ChildrenCase, number: int, text: str, speaker: Speaker) -> Rows:
    """All that the desk has of the case, under the ticket's number."""
    found = _ticket_wishes.rows(case, number, text, speaker, SUBJECTS)
    found["escorts"] = [
        {
            "reference": _bookings.reference(
                Random(f"{case.held.reference}/{each.number}/{at}"), set()
            ),
            "passenger": 1,
            "flight": each.number,
            "date": each.date,
        }
        for each in case.held.flights
        for at in range(case.escorts[each.number])
    ]
    return found
