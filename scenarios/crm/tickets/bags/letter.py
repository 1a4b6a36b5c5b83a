"""The letter about bags, the receipts, and the database rows of the case."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain
from random import Random
from typing import Any

from scenarios.crm.airline_desk import OUTWARD, Rows, Speaker, dates, parties
from scenarios.crm.policy.facts import Claim, Receipt
from scenarios.crm.tickets import TIMES, Filing, add_others, compose
from scenarios.crm.tickets import rows as ticket_rows
from scenarios.crm.tickets.bags import case as bags_case
from scenarios.crm.tickets.bags.case import BagsCase
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

WAYS = {True: "way out", False: "way home"}
HISTORY_WAYS = {True: "outward", False: "inward"}
SUBJECTS = ("Bags", "Our luggage", "Luggage on our trip", "About our suitcases", "Bags and more")
TAKES = ("fee", "compensation")
CASES = ("case", "suitcase", "bag")
ITEMS = {
    "bicycle": "a bicycle",
    "skis": "a pair of skis",
    "golf clubs": "a set of golf clubs",
    "surfboard": "a surfboard",
}
NUMBERS = ("no", "one", "two", "three", "four")
SHOPS = ("Linden & Co.", "Harbour Stores", "Corner Shop 24", "Fontana", "Old Mill Outfitters")
BOUGHT = ((30, "toothbrush, soap and a towel"), (60, "two shirts"), (999, "a warm jacket"))
"""Purchases by the amount in dollars that they cost less than."""


# The mail ----------------------------------------------------------------------------------------


def body(case: BagsCase, data: CrmData, airline: Airline, speaker: Speaker) -> str:
    """Return the letter: wishes, claims, and identity facts."""
    claimed = (_claimed(claim, airline, speaker) for claim in case.facts.claims)
    sentences = chain(wishes(case, speaker), _lost(case, airline, speaker), claimed)
    return compose(case, sentences, data, speaker, free=case.facts.request.free)


def wishes(case: BagsCase, speaker: Speaker) -> Iterator[str]:
    """Yield a sentence for each direction of the journey, with the bags that the mail wants
    there.
    """
    case_of = speaker.rng.choice(CASES)
    for wanted in case.facts.request.bags:
        way = wanted.direction
        parts = []
        for each in case.held.passengers:
            count = case.added.get((way, each.number), 0)
            count += case.old(way, each.number) if case.in_all else 0
            item = case.sports.get((way, each.number), "")
            named = [f"{NUMBERS[count]} {case_of}{'s' * (count > 1)}"] if count else []
            named += [ITEMS[item]] if item else []
            if named:
                parts.append(f"{' and '.join(named)} for {each.person.first_name}")
        act = "all" if case.in_all else "more"
        yield speaker.say(act, way=WAYS[way == OUTWARD], wants=parties.enumerated(parts))


def _lost(case: BagsCase, airline: Airline, speaker: Speaker) -> Iterator[str]:
    if not case.facts.request.receipts:
        return
    more = case.amount_without_receipt
    further = f" {speaker.say('told', amount=airline.formats.money(more))}" if more else ""
    yield speaker.say("lost") + further


def _claimed(claim: Claim, airline: Airline, speaker: Speaker) -> str:
    if claim.about == "tier":
        return speaker.say("tier", tier=airline.word(f"tier-{claim.value}"))
    if claim.about == "arrived":
        return speaker.say("arrived", day=dates.plain(claim.value))
    return speaker.say("paid-up")


# The rows ----------------------------------------------------------------------------------------


def filed(case: BagsCase, desk: Filing) -> Rows:
    """Return the database rows of a scenario: those of the ticket's case, and tickets of other
    customers.
    """
    held, facts, airline = case.held, case.facts, desk.airline
    text = body(case, desk.data, airline, desk.speaker)
    found = ticket_rows.of_booking(case, facts, desk, text, subjects=SUBJECTS, takes=TAKES)
    found["history"] = [*history(case, airline)]
    found["coupons"] = [*ticket_rows.coupons(held.reference, facts.booking.segments)]
    wrote = facts.request.wrote.strftime(TIMES)
    found["attachments"] = [
        {"ticket": desk.number, "at": wrote, **each}
        for each in _attached(case, airline, desk.speaker.rng)
    ]
    return add_others(found, desk, SUBJECTS)


def history(case: BagsCase, airline: Airline) -> Iterator[dict[str, Any]]:
    """Yield the entries of the booking's history: its sale, the payments for bags by direction, and
    the report of lost bags.
    """
    held = case.held
    yield ticket_rows.line(held.reference, held.bought, "Sold")
    at = (datetime.fromisoformat(held.bought) + timedelta(minutes=3)).strftime(TIMES)
    for way, (_, brand) in held.ways.items():
        old = {number: count for (number, named), count in held.bags.items() if named == way}
        named = airline.word(HISTORY_WAYS[way == OUTWARD])
        money = airline.formats.money(bags_case.paid(brand, old))
        text = f"{airline.word('cost-bags')}, {named}: {sum(old.values())} booked, {money} paid"
        yield ticket_rows.line(held.reference, at, text)
    if case.facts.bag_lost:
        last = [each for each in case.facts.booking.segments if each.direction == OUTWARD][-1]
        landed = (last.arrives + timedelta(minutes=50)).strftime(TIMES)
        text = f"Bags not on the belt after {last.flight}, report of their loss taken"
        yield ticket_rows.line(held.reference, landed, text)


def _attached(case: BagsCase, airline: Airline, rng: Random) -> Iterator[dict[str, str]]:
    """Yield the receipts attached to the mail; an amount that is claimed without a receipt gets
    none.
    """
    for each in case.facts.request.receipts:
        if not each.passenger and each.amount == case.amount_without_receipt:
            continue
        shop = rng.choice(SHOPS)
        yield {"title": f"Receipt, {shop}", "body": _receipt(case, each, airline)}


def _receipt(case: BagsCase, one: Receipt, airline: Airline) -> str:
    names = {each.number: each.person.name for each in case.held.passengers}
    what = next(text for most, text in BOUGHT if one.amount < most)
    day, money = airline.formats.day(one.day.isoformat()), airline.formats.money(one.amount)
    return f"{day}: {what}. {money}, in the name of {names.get(one.passenger, case.stranger)}."
