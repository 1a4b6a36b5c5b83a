"""The wording of `split_party` requests, and the facts that the advice needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.crm.after_sale.split_party._group import NAMESAKE
from scenarios.crm.after_sale.split_party._money import ANY_CHANGE, FREE_CHANGE
from scenarios.crm.after_sale.split_party._plan import Plan
from scenarios.crm.airline_desk import value_formats
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.phrasings import Speaker
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.months import MONTHS

CORRECTED, DIGRESSING = 0.4, 0.5
WAYS = {"outward": "on the way out", "return": "on the way home"}
NAMED_PARTS = {2: "half", 3: "a third", 4: "a quarter"}


def request(
    plan: Plan, airline: Airline, data: CrmData, speaker: Speaker
) -> tuple[str, dict[str, list[list[str]]], dict[str, dict[str, str]]]:
    """Return the request, the facts that the advice needs for each form, and the search that finds
    the booking.
    """
    rng = speaker.rng
    words = _words(plan, airline, data, speaker)
    stated, now = dict(words), ""
    if rng.random() < CORRECTED:
        stated["taker"] = plan.group.who(plan.mistaken_taker).person.first_name
        now = f"it is {words['taker']} who takes that bag"
    given = rng.random() < 0.5
    opening = speaker.say("given" if given else "find", **stated)
    acts = ["baby", "share", "extras", "sources", "seating", "bag", "charge", "note"]
    parts = [speaker.say(act, **stated) for act in acts]
    first, last = parts[:4], parts[4:]
    text = [opening, speaker.say("leaves", **stated), *first, *last]
    if rng.random() < DIGRESSING:
        text.insert(rng.randint(1, len(text)), speaker.say("digress", **decoys(rng, data)))
    if now:
        text.append(speaker.say("correct", now=now))
    month = plan.held.flights[0].date[:7]
    named = {"name": plan.customers[0].person.last_name, "month": month}
    reference = plan.held.reference
    find = {reference: {"booking-reference": reference} if given else named}
    known = ("reference",) if given else ("name", "month", "city")
    return " ".join(text), _needs(plan, words, known), find


def _words(plan: Plan, airline: Airline, data: CrmData, speaker: Speaker) -> dict[str, str]:
    """Return the request's wording of each value, by placeholder of the phrasings."""
    rng, person = speaker.rng, plan.group.leaver.person
    other = plan.group.who(NAMESAKE).person
    booked_by = plan.customers[0].person
    sources = [
        f"the voucher {source}" if method == "voucher" else f"the card ending in {source}"
        for method, source, _ in plan.held.payments()
    ]
    first, second, rest = (sources[at] for at in plan.order)
    changing = CHANGES[speaker.kind][plan.rule.changes]
    kept = "bags" if plan.back == "seats" else "seats"
    return {
        "reference": plan.held.reference,
        "name": f"{booked_by.title} {booked_by.name}",
        "month": MONTHS[int(plan.held.flights[0].date[5:7]) - 1],
        "city": data.airports[plan.held.destination].city,
        "initial": f"{person.first_name[0]}. {person.last_name}",
        "which": "elder" if person.born < other.born else "younger",
        "holder": plan.lap,
        "share": SHARE[speaker.kind].format(part=NAMED_PARTS[plan.rule.part], changing=changing),
        "back": plan.back,
        "kept": kept,
        "first": first,
        "second": second,
        "rest": rest,
        "seating": SEATING[speaker.kind],
        "where": WAYS[plan.way],
        "where_first": WAYS[plan.way].capitalize(),
        "taker": plan.group.who(plan.taker).person.first_name,
        **value_formats.card_words(rng, plan.card),
        "fee": airline.word("fee-bags"),
        "note": airline.word(f"note-{plan.note}"),
    }


SHARE = {
    "open": (
        "each direction counts on its own; all of its fare where that fare gives all money back,"
        " {part} of it where it does not but {changing}, nothing otherwise; round down to whole"
        " dollars"
    ),
    "held-out": (
        "look at the two directions one by one; a fare whose money is all returned is repaid whole,"
        " another one by {part} if {changing}, any other not at all; cents are dropped"
    ),
}
CHANGES = {
    "open": {
        FREE_CHANGE: "changes of it cost nothing",
        ANY_CHANGE: "it can be changed, for a fee or without one",
    },
    "held-out": {
        FREE_CHANGE: "it is changed free of charge",
        ANY_CHANGE: "it allows changes, be they free or not",
    },
}
SEATING = {
    "open": (
        "nobody with a seat of their own who is under 12 on the day of a flight may sit there"
        " without somebody of the booking who is 18 or older on that day right beside them, that"
        " is, on the next letter in the same row, and C and D are not beside each other, for the"
        " aisle is between them; where that is no longer so, move that child on that flight, and"
        " nobody else, to the free seat nearest the front that is beside such a person and costs"
        " nothing extra, of two in a row to the earlier letter; the seat that has just become free"
        " counts as free"
    ),
    "held-out": (
        "each traveller with a seat who has not turned 12 by the date of a flight needs a fellow"
        " traveller of this booking aged at least 18 on the date of it in the adjoining seat, that"
        " is, the neighbouring letter of their row without the aisle (between C and D) in the"
        " middle; if somebody lacks one on some flight, only that young traveller changes places"
        " there, to the foremost free seat without a surcharge that adjoins such a grown-up, in a"
        " tie the letter that comes first; the place that was given up is to be had, too"
    ),
}


def _needs(
    plan: Plan, words: Mapping[str, str], known: Sequence[str]
) -> dict[str, list[list[str]]]:
    """Return the accepted spellings of the facts that an agent must know, for "find" and for each
    form by its index.
    """
    remove = ("initial", "which", "holder", "share", "back", "kept", "first", "second", "rest")
    acts = [remove, *([("seating",)] * len(plan.group.moves)), ("taker", "where")]
    if plan.fee:
        acts.append(("card", "expiry", "cvc"))
    acts.append(("note",))
    return {
        "find": [[words[each]] for each in known],
        **{str(at): [[words[each]] for each in act] for at, act in enumerate(acts)},
    }
