"""The wording of a colleague's request about a caller without a reference: facts to find the
booking, and changes to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scenarios.crm.after_sale.find_by_name import _namesakes, _two_seats
from scenarios.crm.after_sale.find_by_name._namesakes import Caller
from scenarios.crm.after_sale.find_by_name._two_seats import Wish
from scenarios.crm.airline_desk import dates
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN
from scenarios.crm.airline_desk.value_formats import of_date
from scenarios.phrasings import Speaker
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.months import MONTHS

ORIGIN, NAME = "from", "called"
"""The facts of which the caller is uncertain: the origin of the trip, or the child's first name."""
WAY_TEXTS = {OUTWARD: "on the way out", RETURN: "on the way home"}


@dataclass(frozen=True)
class Seats:
    """A wish for two seats on a flight of the booking.

    Attributes:
        flight: The flight's position in the booking, from 1.
        where: The request's name for the flight.
        other: The position of the other flight in the same direction, or 0.
    """

    flight: int
    where: str
    wish: Wish
    other: int


@dataclass(frozen=True)
class Plan:
    """The contents of one seed's request about a caller.

    Attributes:
        instead: For each certain fact, a booking that lacks only this fact.
        namesakes: All bookings under the surname.
        held: All bookings of the desk.
        believed: A booking that matches the uncertain fact but lacks a certain fact, or "" if the
            uncertain fact is true of the right booking.
        bag_wrong: Whether the request first states the wrong direction for the child's bag.
    """

    case: Caller
    target: Held
    instead: Mapping[str, Held]
    namesakes: Sequence[Held]
    held: Sequence[Held]
    customers: Sequence[Customer]
    notes: Sequence[Mapping[str, str]]
    unsure: tuple[str, str]
    believed: str
    seats: tuple[Seats, ...]
    bag_way: str
    bag_wrong: bool
    note: str
    noted: bool
    possible: bool


def worded(
    plan: Plan, airline: Airline, data: CrmData, speaker: Speaker
) -> tuple[str, dict[str, list[str]]]:
    """Return the wording of the request.

    Returns:
        The text, and the wording of its facts: for "find" to find the booking, for "facts" to
            identify it, and for each form by its index.
    """
    rng, case = speaker.rng, plan.case
    words = _words(plan, airline, data)
    stated, now = dict(words), ""
    for kind, value in case.wrong.items():
        stated[kind] = _spelt(kind, value, airline, data)
        now = NOW[kind].format_map(words)
    if plan.bag_wrong:
        stated["bag"] = WAY_TEXTS[_namesakes.OTHER[plan.bag_way]]
        now = NOW["bag"].format_map(words)
    kinds = [*(each for each in case.facts if each != "sex"), plan.unsure[0]]
    rng.shuffle(kinds)
    facts = "; ".join(speaker.phrase(kind, **stated) for kind in kinds)
    seats = [{"where": each.where, "seats": _sitting(each.wish, words)} for each in plan.seats]
    parts = [
        speaker.say("ask", **stated),
        f"{facts[:1].upper()}{facts[1:]}.",
        speaker.say("certain"),
        speaker.say("look"),
        *(speaker.say("sit", **each) for each in seats),
        speaker.say("pack", **stated),
        speaker.say("note", **stated),
        speaker.say("tell"),
    ]
    if rng.random() < 0.5:
        parts.insert(rng.randint(1, len(parts)), speaker.say("digress", **decoys(rng, data)))
    if now:
        parts.append(speaker.say("correct", now=now))
    known = {
        "find": [case.surname, words["to"], words["month"]],
        "facts": [words[kind] for kind in case.facts if words.get(kind)],
        **{str(at): [each["seats"]] for at, each in enumerate(seats)},
        "2": [words["bag"]],
        "3": [words["note"]],
    }
    return " ".join(parts), known


NOW = {
    "age": "the {child} is {age} years old today",
    "month": "they fly out in {month}",
    "bag": "the {child}'s bag is for the flight {bag}",
}
"""The sentences that correct an earlier statement of the request, by the placeholder whose value
they correct.
"""


def _words(plan: Plan, airline: Airline, data: CrmData) -> dict[str, str]:
    """Return the request's wording of each fact about the booking and of each change to it, by
    placeholder.
    """
    case = plan.case
    unsure, thought = plan.unsure
    facts = {kind: _spelt(kind, value, airline, data) for kind, value in case.facts.items()}
    return {
        **facts,
        "child": {"Female": "girl", "Male": "boy"}[case.facts["sex"]],
        "their": {"Female": "her", "Male": "his"}[case.gender],
        "caller": f"{case.title} {case.surname}",
        unsure: data.airports[thought].city if unsure == ORIGIN else thought,
        "bag": WAY_TEXTS[plan.bag_way],
        "note": f"“{airline.word(f'note-{plan.note}')}”",
    }


def _spelt(kind: str, value: Any, airline: Airline, data: CrmData) -> str:
    """Return the request's wording of a fact about the booking, or "" for a fact without a
    value.
    """
    if kind == "to":
        return data.airports[value].city
    if kind == "month":
        return " or ".join(MONTHS[int(each[5:]) - 1] for each in value)
    if kind in ("nights", "age"):
        return dates.NUMBERS[value]
    if kind == "fare":
        way, brand = value
        return f"{airline.word(f'brand-{brand}')} {WAY_TEXTS[way]}"
    if kind == "bought":
        side, limit = value
        return f"{side} {of_date(limit)[1]}"
    return WAY_TEXTS[value] if kind in ("luggage", "stops") else ""


def _sitting(wish: Wish, words: Mapping[str, str]) -> str:
    """Return the words for how the adult and the child want to sit."""
    grown, child = words["caller"], f"the {words['child']}"
    shape = SITTING[wish.shape].format(grown=grown, child=child)
    side, row = wish.zone
    return f"{shape}, both in row {row} {ZONE[side]}, {COST[wish.cost]}, and {WHICH[wish.which]}"


SITTING = {
    "across": "the two aisle seats C and D of one row, {grown} on C and {child} on D",
    "across, exchanged": "the two aisle seats C and D of one row, {child} on C and {grown} on D",
    "window": "seats side by side, {child} at the window and {grown} in the middle",
    "aisle": "seats side by side, {grown} on the aisle and {child} in the middle",
    "behind": "two window seats on the same side, {child} one row in front of {grown}",
}
ZONE = {_two_seats.FROM: "or further back", _two_seats.UP_TO: "or further to the front"}
COST = {
    _two_seats.FREE: "without an extra charge",
    _two_seats.NO_EXIT: "not in an exit row though they may cost extra",
}
WHICH = {
    _two_seats.FRONT: "among such seats the ones nearest the front",
    _two_seats.BACK: "among such seats the ones nearest the back",
}
