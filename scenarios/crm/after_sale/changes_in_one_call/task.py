"""Six to eight changes to two bookings, as a customer and an agent discuss them on the telephone.

Both bookings have the same passengers. The customer corrects two edits, the first of these twice.
One seat has a fallback. A name can only be corrected after its check-in is undone. Every fifth seed
uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any

from scenarios.crm.after_sale.changes_in_one_call import _bookings as call_bookings
from scenarios.crm.after_sale.changes_in_one_call import _edits as call_edits
from scenarios.crm.after_sale.changes_in_one_call import _misses, _talk
from scenarios.crm.after_sale.changes_in_one_call._edits import (
    BAGS,
    BORN,
    ECHO,
    FALLBACK,
    FEE,
    NAME,
    NOTE,
    OTHER_BOOKING,
    SAME,
    SWAP,
    WAYS,
    Call,
    Edit,
    other_way,
)
from scenarios.crm.after_sale.changes_in_one_call._talk import Talk
from scenarios.crm.airline_desk import bookings, desk, forms, parties, service
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import Task
from scenarios.crm.airline_desk.forms import Do, Instead
from scenarios.crm.airline_desk.parties import ADULT, CHILD, TEEN, Party
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.records import Passenger
from sites.world import World

COMPOSITIONS = (
    (ADULT, ADULT, CHILD, TEEN),
    (ADULT, ADULT, ADULT, CHILD),
    (ADULT, ADULT, CHILD, CHILD),
)
OTHERS = (ECHO, SWAP, BAGS, SAME, BORN, NOTE, FEE)
"""The kinds of edits that some calls have; every call also has a seat with a fallback and a changed
name.
"""
FEWEST, MOST = 6, 8
FREE = 0.3
"""The share of calls in which the preferred seat is free."""
SPEAKER = 1
"""The number of the passenger who speaks on the telephone."""
FEES = tuple(_talk.FEES)
NOTED = tuple(_talk.NEEDS)
VOWELS = "aeiou"


@dataclass(frozen=True)
class Plan:
    """The contents of one seed's telephone call.

    Attributes:
        before: Wrong edits that the call corrects, by the right edit's index.
        dropped: An edit that the customer takes back, or None.
    """

    call: Call
    people: tuple[Passenger, ...]
    others: tuple[Held, ...]
    customers: tuple[Customer, ...]
    before: Mapping[int, Sequence[Edit]]
    dropped: Edit | None


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("changes_in_one_call", seed)
    plan = next(filter(None, (_plan(rng, data) for _ in range(5000))))
    speaker = Speaker("changes_in_one_call", kind_of(seed), rng)
    talk = Talk(plan.call, plan.people, data, speaker)
    text = talk.text(plan.before, plan.dropped)
    return Drawn(text, _gold(plan, talk, airline, data), {"phrasing": speaker.kind})


def _plan(rng: Random, data: CrmData) -> Plan | None:
    """Draw the contents of a call, or return None if its parts do not fit together."""
    home, here, there = rng.sample(bookings.plain_airports(data), 3)
    out, back, later, last = call_bookings.days_of_travel(rng)
    party = parties.draw(rng, data, rng.choice(COMPOSITIONS), (out, last), turning=False)
    people, taken = party.passengers, set[str]()
    one = call_bookings.trip(rng, data, people, (home, here, out, back), taken)
    two = call_bookings.trip(rng, data, people, (home, there, later, last), taken)
    if one is None or two is None:
        return None
    call = call_bookings.call_about(rng, (one, two))
    edits = _edits(rng, call, party)
    if edits is None:
        return None
    call = _with_wrong(rng, replace(call, edits=edits), party)
    taken_back = _taken_back(rng, call)
    others = call_bookings.look_alikes(rng, data, two, taken)
    if taken_back is None or others is None:
        return None
    dropped = _dropped(rng, call)
    return Plan(call, people, *others, taken_back, dropped)


# Edits -------------------------------------------------------------------------------------------


def _edits(rng: Random, call: Call, party: Party) -> tuple[Edit, ...] | None:
    """Draw edits of different kinds, or return None if they do not fit together."""
    kinds = rng.sample(OTHERS, rng.randint(FEWEST, MOST) - 2)
    people = [each.number for each in party.passengers if each.number != SPEAKER]
    first = _fallback(rng, call, echoed=ECHO in kinds)
    if first is None:
        return None
    named, born = rng.sample(people, 2)
    spelt = party.passengers[named - 1].person.last_name
    made = {FALLBACK: first, NAME: Edit(NAME, 0, named, value=spelt)}
    one, two = rng.sample(people, 2)
    trip, way, three = rng.randrange(2), rng.choice(WAYS), rng.choice(people)
    made[ECHO] = Edit(ECHO, first.trip, rng.choice(people), other_way(first.way))
    made[SWAP] = Edit(SWAP, 1 - first.trip, one, rng.choice(WAYS), other=two)
    made[BAGS] = Edit(BAGS, trip, three, way, str(rng.randint(1, 2)))
    made[SAME] = Edit(SAME, 1 - trip, three, rng.choice(WAYS), source=way)
    made[BORN] = _born(rng, born, party)
    made[NOTE] = Edit(NOTE, rng.randrange(2), rng.choice(people), code=rng.choice(NOTED))
    amount, code = rng.randint(25, 55), rng.choice(FEES)
    made[FEE] = Edit(FEE, rng.randrange(2), rng.choice(people), value=str(amount), code=code)
    made = {kind: made[kind] for kind in (FALLBACK, NAME, *kinds)}
    edits = tuple(made.values())
    return edits if _fit(replace(call, edits=edits)) else None


def _born(rng: Random, who: int, party: Party) -> Edit:
    code = OTHER_BOOKING if rng.random() < 0.4 else ""
    return Edit(BORN, rng.randrange(2), who, value=party.passengers[who - 1].person.born, code=code)


def _fit(call: Call) -> bool:
    """Return whether each edit of the call changes something, and both bookings are changed."""
    by_trip = [sum(each.trip == trip for each in call.edits) for trip in (0, 1)]
    for each in call.edits:
        held = call.trips[each.trip]
        if each.kind in (BAGS, SAME):
            [pieces] = call.do(each)[0].values.values()
            now = held.bags.get((each.who, each.way), 0)
            included = call.included(each.trip, each.way)
            if (
                int(pieces) in (0, now)
                or int(pieces) > prices.MOST_BAGS
                or (each.kind == BAGS and not included)
            ):
                return False
    return min(by_trip) > 1


def _fallback(rng: Random, call: Call, *, echoed: bool) -> Edit | None:
    """Draw a preferred seat such that ignoring any condition of the fallback gives another seat;
    None if there is none.
    """
    is_free = rng.random() < FREE
    found = [
        edit
        for trip in (0, 1)
        for way in WAYS
        for edit in _fallbacks(call, trip, way)
        if (edit.value in call.free(trip, way)) == is_free
        and (not echoed or call.given(edit) in call.free(trip, other_way(way)))
    ]
    tempting = [
        each for each in found if echoed and each.value in call.free(each.trip, other_way(each.way))
    ]
    return rng.choice(tempting or found) if found else None


def _fallbacks(call: Call, trip: int, way: str) -> Iterator[Edit]:
    free, plane = call.free(trip, way), cabin(call.flight(trip, way))
    held = call.trips[trip].seats.values()
    for code, place in plane.places.items():
        if place.kind != "aisle" or place.price or code in held:
            continue
        right = call_edits.behind(plane, code, free)
        others = [look(plane, code, free) for look in _misses.WRONG_ROWS.values()]
        if len(right) == 1 and all(each and each[0] != right[0] for each in others):
            yield Edit(FALLBACK, trip, SPEAKER, way, code)


def _with_wrong(rng: Random, call: Call, party: Party) -> Call:
    """Return the call with wrong names and birthdays in its bookings, which its edits will
    correct.
    """
    trips = list(call.trips)
    for each in call.edits:
        if each.kind == NAME:
            changed = {"last_name": _misspelt(rng, each.value)}
        elif each.kind == BORN:
            changed = {"born": _other_birthday(rng, each.value)}
        else:
            continue
        trips[each.trip] = _with_person(trips[each.trip], each.who, changed)
    one, two = trips
    return replace(call, trips=(one, two))


def _with_person(held: Held, number: int, changed: Mapping[str, str]) -> Held:
    people = list(held.passengers)
    one = people[number - 1]
    people[number - 1] = replace(one, person=replace(one.person, **changed))
    return replace(held, passengers=tuple(people))


def _misspelt(rng: Random, name: str) -> str:
    """Return the name with one letter changed, but not the first."""
    places = [at for at, letter in enumerate(name) if at and letter.isascii() and letter.islower()]
    at = rng.choice(places)
    letters = VOWELS if name[at] in VOWELS else "bdfgklmnprstvz"
    return name[:at] + rng.choice([each for each in letters if each != name[at]]) + name[at + 1 :]


def _other_birthday(rng: Random, iso: str) -> str:
    moved = rng.choice([each for each in range(-25, 26) if each])
    return (date.fromisoformat(iso) + timedelta(moved)).isoformat()


# Corrected statements -----------------------------------------------------------------------------


def _taken_back(rng: Random, call: Call) -> dict[int, list[Edit]] | None:
    """Draw the wrong edits that the customer states first, by index: two for one edit and one for
    another edit; None if impossible.
    """
    wrong = {at: [*_variants(rng, call, each)] for at, each in enumerate(call.edits)}
    twice = [at for at, found in wrong.items() if len(found) > 1]
    if not twice:
        return None
    first = rng.choice(twice)
    others = [at for at, found in wrong.items() if found and at != first]
    if not others:
        return None
    second = rng.choice(others)
    return {first: rng.sample(wrong[first], 2), second: [rng.choice(wrong[second])]}


def _variants(rng: Random, call: Call, edit: Edit) -> Iterator[Edit]:
    """Yield wrong variants of an edit that the customer may state first, each with a different
    result.
    """
    people = [each for each in (2, 3, 4) if each != edit.who]
    if edit.kind == FALLBACK:
        yield from _other_wanted(call, edit)
    elif edit.kind == NAME:
        named = call.trips[0].passengers[edit.who - 1].person.last_name
        spellings = {_misspelt(rng, edit.value) for _ in range(4)} - {named}
        yield from (replace(edit, value=each) for each in sorted(spellings))
    elif edit.kind == BORN and not edit.code:
        now = call.trips[edit.trip].passengers[edit.who - 1].person.born
        days = {_other_birthday(rng, edit.value) for _ in range(3)} - {now}
        yield from (replace(edit, value=each) for each in sorted(days))
    elif edit.kind == BAGS:
        counts = [each for each in "123" if each != edit.value]
        most = 4 - call.included(edit.trip, edit.way)
        yield from (replace(edit, value=each) for each in counts if int(each) <= most)
    elif edit.kind == ECHO:
        yield from (replace(edit, who=each) for each in people)
    elif edit.kind == SWAP:
        third = next(each for each in people if each != edit.other)
        yield replace(edit, other=third)
    elif edit.kind == NOTE:
        yield replace(edit, trip=1 - edit.trip)


def _other_wanted(call: Call, edit: Edit) -> Iterator[Edit]:
    """Yield variants of a seat edit whose preferred seat leads to a different seat."""
    for each in _fallbacks(call, edit.trip, edit.way):
        if call.given(each) not in {call.given(edit), ""}:
            yield each


def _dropped(rng: Random, call: Call) -> Edit | None:
    """Draw a note that the customer asks for and takes back, or return None."""
    if rng.random() < 0.3:
        return None
    noted = {each.code for each in call.edits if each.kind == NOTE}
    code = rng.choice([each for each in NOTED if each not in noted])
    return Edit(NOTE, rng.randrange(2), rng.choice((2, 3, 4)), code=code)


# The gold ----------------------------------------------------------------------------------------


def _gold(plan: Plan, talk: Talk, airline: Airline, data: CrmData) -> dict[str, Any]:
    call = plan.call
    listed = sorted(range(len(call.edits)), key=lambda at: call.edits[at].trip)
    edits = [call.edits[at] for at in listed]
    parts = [call.do(each) for each in edits]
    dos = [each for part in parts for each in part]
    rows = _rows(plan)
    misses = _misses.misses(call, edits, plan.before, plan.dropped)
    needs = [talk.needs(edit) for edit, part in zip(edits, parts, strict=True) for _ in part]
    one, two = (each.reference for each in call.trips)
    month = call.trips[1].flights[0].date[:7]
    surname = plan.people[0].person.last_name
    return {
        **forms.outcome(airline.key, rows, data, dos).gold(dos),
        "rows": rows,
        "find": {one: {"booking-reference": one}, two: {"name": surname, "month": month}},
        "needs": {
            "find": [[one], [surname], [talk.month]],
            **{str(at): each for at, each in enumerate(needs)},
        },
        "parts": [len(part) for part in parts],
        "misses": [
            {
                "label": each.name,
                "fails": each.fails,
                "part": at,
                "errands": [do.to_json() for do in each.do],
            }
            for at, each in misses
        ],
    }


def _rows(plan: Plan) -> dict[str, list[dict[str, Any]]]:
    call = plan.call
    rows = bookings.rows((*call.trips, *plan.others), plan.customers, call.vouchers)
    first = call.trips[0]
    rows["checkins"] = [
        {
            "reference": first.reference,
            "passenger": who,
            "flight": call.flight(0, way).number,
            "date": call.flight(0, way).date,
        }
        for who, way in call.checked
    ]
    return rows


# Solution and near misses ------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    forms.finish(world, data, scenario)
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    misses = scenario.gold["misses"]
    return forms.near_misses(
        data, (Instead(each["label"], _otherwise(scenario, each), each["fails"]) for each in misses)
    )


def _otherwise(scenario: Scenario, miss: Mapping[str, Any]) -> list[Do]:
    """Return the scenario's forms with one edit replaced by a mistake, or with an additional
    edit.
    """
    dos = iter(forms.to_do(scenario))
    parts = [[next(dos) for _ in range(size)] for size in scenario.gold["parts"]]
    instead = [forms.read(each) for each in miss["errands"]]
    if miss["part"] < 0:
        parts.append(instead)
    else:
        parts[miss["part"]] = instead
    return [each for part in parts for each in part]


TASK = Task(
    task="changes_in_one_call",
    about="Change two bookings as a telephone call asks for it, with corrections and a fallback.",
    STEPS=(
        *("find booking", "choose seats", "change bags", "change passengers", "check in"),
        *("add note", "settle money", "answer"),
    ),
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=service.advise,
    length=service.silent_length,
)
