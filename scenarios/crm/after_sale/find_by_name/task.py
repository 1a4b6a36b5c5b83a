"""A caller's booking without a reference, to be found among bookings of one surname; it also gets
seats.

Each certain fact excludes a booking that has all other facts; uncertain facts may be false. In
three of twenty seeds no booking has all certain facts. Every fifth seed uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.crm.after_sale.find_by_name import _namesakes, _two_seats
from scenarios.crm.after_sale.find_by_name._namesakes import LISTED, WAYS, Caller, Office
from scenarios.crm.after_sale.find_by_name._request import (
    NAME,
    ORIGIN,
    WAY_TEXTS,
    Plan,
    Seats,
    worded,
)
from scenarios.crm.airline_desk import bookings, dates, desk, forms, service
from scenarios.crm.airline_desk.bookings import Held, Rows
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN, Drawn
from scenarios.crm.airline_desk.family import Task
from scenarios.crm.airline_desk.forms import Do, Instead
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.prices import BRAND_RULES
from sites.crm.airline_desk.model.records import CANCELLED
from sites.crm.airline_desk.model.world import new_world
from sites.crm.airline_desk.operations import people
from sites.crm.airline_desk.operations.changing import NOTES
from sites.crm.airline_desk.operations.people import Wanted
from sites.world import World

NOT_FOUND = "NOT_FOUND"
IMPOSSIBLE_IN, IMPOSSIBLE = 20, 3
"""The length of a round of seeds, and the number of seeds in it without a booking that has all
certain facts.
"""
WRONG = 0.5
"""The share of calls in which the fact of which the caller is uncertain is false."""
CORRECTED = 0.5
NOTED = 0.35
"""The share of bookings that already have a note."""
FILLERS, DESK = (3, 5), (26, 38)
"""The range of additional bookings under the surname, and of all bookings at the desk."""
HEADED = {OUTWARD: "out", RETURN: "home"}
GROWN, CHILD = 1, 2
"""The passenger numbers of the adult and the child."""


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("find_by_name", seed)
    possible = is_possible(seed)
    plans = filter(None, (_plan(rng, data, possible) for _ in range(1000)))
    plan, found = next((each, it) for each in plans if (it := _found(each, airline, data)))
    speaker = Speaker("find_by_name", kind_of(seed), rng)
    text, known = worded(plan, airline, data, speaker)
    return Drawn(text, _gold(plan, found, known, airline, data), {"phrasing": speaker.kind})


def is_possible(seed: int) -> bool:
    """Return whether the right booking exists, which is false for three of twenty seeds, the same
    on every airline.
    """
    return not desk.rare("find_by_name", seed, IMPOSSIBLE_IN, ("impossible",) * IMPOSSIBLE)


def _plan(rng: Random, data: CrmData, possible: bool) -> Plan | None:
    """Draw the contents of a request, or return None if its parts do not fit together."""
    case, bag_wrong = _corrected(rng, _namesakes.draw(rng, data))
    office = Office(rng, data, case)
    unsure = rng.choice((ORIGIN, NAME))
    is_wrong = rng.random() < WRONG
    first = office.first_name(case.facts["sex"]) if unsure == NAME else ""
    thinks = rng.choice(_namesakes.ON_PAGE)
    right = _namesakes.namesake(
        office, (), case.origins[unsure == ORIGIN and is_wrong], "" if is_wrong else first
    )
    seats = _seats(rng, right)
    if not seats:
        return None
    instead: dict[str, Held] = {}
    for kind in case.facts:
        named = kind == thinks and is_wrong
        origin = case.origins[0] if named else rng.choice(case.origins)
        other = _namesakes.namesake(office, (kind,), origin, first if named else "")
        if _namesakes.lacks(case, other) != {kind}:
            return None
        instead[kind] = other
    namesakes = [*([right] if possible else []), *instead.values(), *_others(rng, office)]
    strangers = range(rng.randint(*DESK) - len(namesakes))
    held = [*namesakes, *(_namesakes.stranger(office) for _ in strangers)]
    rng.shuffle(held)
    note, noted = rng.choice(NOTES), rng.random() < NOTED
    return Plan(
        case=case,
        target=right,
        instead=instead,
        namesakes=namesakes,
        held=held,
        customers=office.customers,
        notes=[*_notes(rng, held, right if noted else None, note)],
        unsure=(unsure, first or case.origins[0]),
        believed=instead[thinks].reference if is_wrong else "",
        seats=seats,
        bag_way=_bag_way(rng, right),
        bag_wrong=bag_wrong,
        note=note,
        noted=noted,
        possible=possible,
    )


def _corrected(rng: Random, case: Caller) -> tuple[Caller, bool]:
    """Return the caller, sometimes with a corrected statement, and whether the correction is about
    the bag.
    """
    if rng.random() > CORRECTED:
        return case, False
    kind = rng.choice(("age", "month", "bag"))
    return (case, True) if kind == "bag" else (_namesakes.corrected(rng, case, kind), False)


def _others(rng: Random, office: Office) -> Iterator[Held]:
    """Yield more bookings under the surname that lack several facts."""
    for _ in range(rng.randint(*FILLERS)):
        breaks = rng.sample([*office.case.facts], rng.randint(2, 3))
        yield _namesakes.namesake(office, breaks, rng.choice(office.case.origins))


def _seats(rng: Random, held: Held) -> tuple[Seats, ...]:
    """Draw wishes for seats on one flight of each direction, or return () if no wish fits."""
    found, before = [], 0
    for way, (offer, _) in held.ways.items():
        place = rng.randrange(len(offer.flights))
        wish = _two_seats.draw(rng, cabin(offer.flights[place]))
        if wish is None:
            return ()
        where, other = WAY_TEXTS[way], 0
        if len(offer.flights) > 1:
            where = f"on the {dates.COUNTED[place]} of the two flights {HEADED[way]}"
            other = before + 2 - place
        found.append(Seats(before + place + 1, where, wish, other))
        before += len(offer.flights)
    return tuple(found) if found[0].wish.shape != found[1].wish.shape else ()


def _bag_way(rng: Random, held: Held) -> str:
    """Draw a direction for the child's bag, whose fare includes bags if the booking has such a
    direction.
    """
    able = [way for way, (_, brand) in held.ways.items() if BRAND_RULES[brand].bags]
    return rng.choice(able or WAYS)


def _notes(
    rng: Random, held: Sequence[Held], noted: Held | None, code: str
) -> Iterator[dict[str, str]]:
    """Yield database rows of notes on bookings; the booking `noted` already has the requested
    note.
    """
    for each in held:
        codes = [one for one in NOTES if one != code] if each is not noted else [code]
        if each is noted or rng.random() < NOTED:
            written = {"code": rng.choice(codes), "day": each.bought[:10]}
            yield {"reference": each.reference, **written, "colleague": "Desk 2"}


# The gold ----------------------------------------------------------------------------------------


def _gold(
    plan: Plan, found: Found, known: Mapping[str, Any], airline: Airline, data: CrmData
) -> dict[str, Any]:
    dos = _to_do(plan) if plan.possible else []
    outcome = forms.outcome(airline.key, found.rows, data, dos)
    evidence = [*found.lists, *(["booking", each] for each in found.tour)]
    read, answered = len(outcome.changes), len(outcome.changes) + len(evidence)
    text = plan.target.reference if plan.possible else NOT_FOUND
    needs = {str(at): known["facts"] + known[str(at)] for at, _ in enumerate(dos)}
    needs |= {"find": known["find"], "answer": known["facts"]}
    return {
        **outcome.gold(dos),
        "rows": found.rows,
        "find": {each: {"name": plan.case.surname} for each in found.tour},
        "pages": found.pages,
        "tour": found.tour,
        "evidence": evidence,
        "steps": {
            service.READ: [*range(read, answered)],
            **outcome.steps,
            service.ANSWER: [answered],
        },
        "answer": {"kind": "text", "text": text},
        "text": text,
        "naive": _naive(plan),
        "needs": {about: [[each] for each in texts] for about, texts in needs.items()},
        "told": [[each] for texts in needs.values() for each in texts],
        "path": [],
    }


@dataclass(frozen=True)
class Found:
    """The database rows of a request, and the result of the search for the caller's surname.

    Attributes:
        lists: The result pages, as the journal records them.
        tour: The bookings that the list cannot exclude.
        pages: The result page of each booking in the tour.
    """

    rows: Rows
    lists: Sequence[list[str]]
    tour: Sequence[str]
    pages: Mapping[str, int]


def _found(plan: Plan, airline: Airline, data: CrmData) -> Found | None:
    """Return the result of a search for the surname, or None if it has only one page or nothing to
    open on the last one.
    """
    rows = bookings.rows(plan.held, plan.customers)
    rows["notes"] = [dict(each) for each in plan.notes]
    asked = people.wanted(data, {"name": plan.case.surname})
    listed = _list(airline, rows, data, asked)
    lacking = {each.reference: _namesakes.lacks(plan.case, each) for each in plan.namesakes}
    tour = [each for each in listed if not lacking[each] & {*LISTED}]
    pages = {each: listed.index(each) // people.PAGE + 1 for each in tour}
    count = -(-len(listed) // people.PAGE)
    if count == 1 or max(pages.values()) < count:
        return None
    lists = [["people", people.subject(asked, page, count)] for page in range(1, count + 1)]
    return Found(rows, lists, tour, pages)


def _list(airline: Airline, rows: Rows, data: CrmData, asked: Wanted) -> list[str]:
    """Return the references that the search for the surname shows, in order."""
    with new_world("", airline.key, rows) as world:
        return [each.booking.reference for each in people.search(world, data, asked)]


def _to_do(plan: Plan) -> list[Do]:
    """Return the forms that the request asks for, in its order."""
    reference = plan.target.reference
    bag = {f"bags-{plan.bag_way}.{CHILD}": str(_pieces(plan, plan.bag_way))}
    return [
        *(_seated(reference, each.flight, each.wish.codes) for each in plan.seats),
        Do("save-bags", (reference,), bag),
        *([] if plan.noted else [_note(reference, plan.note)]),
    ]


def _seated(reference: str, flight: int, codes: Sequence[str]) -> Do:
    values = {f"seat.{number}": code for number, code in enumerate(codes, start=GROWN)}
    return Do("save-seats", (reference, str(flight)), values)


def _note(reference: str, code: str) -> Do:
    return Do("add-note", (reference,), {"note-code": code})


def _pieces(plan: Plan, way: str) -> int:
    """Return the wanted number of the child's bags in a direction: one more than the fare
    includes.
    """
    _, brand = plan.target.ways[way]
    return BRAND_RULES[brand].bags + 1


# Results of overlooking something -----------------------------------------------------------------


def _naive(plan: Plan) -> dict[str, Any]:
    """Return the results of agents that overlook a single point, by label, each as [forms, answer,
    check that fails].
    """
    found: dict[str, Any] = {}
    for kind, other in plan.instead.items():
        found[f"overlooks {kind}"] = _on_other(plan, other)
        if kind in plan.case.wrong:
            found["before the correction"] = _on_other(plan, other)
        if other.reference == plan.believed:
            found["believes what is only thought"] = _on_other(plan, other)
    if plan.possible:
        found |= _misdone(plan)
    return found


def _on_other(plan: Plan, other: Held) -> list[Any]:
    """Return [forms, answer, check] of an agent that takes another booking for the right one: it
    gives the bag to that booking's child, or only answers if that booking is cancelled.
    """
    reference = other.reference
    if other.status == CANCELLED:
        return [[], reference, "answer"]
    child = len(other.passengers)
    bag = {f"bags-{plan.bag_way}.{child}": str(_pieces(plan, plan.bag_way))}
    return [
        [Do("save-bags", (reference,), bag).to_json()],
        reference,
        "nothing else",
    ]


def _misdone(plan: Plan) -> Iterator[tuple[str, list[Any]]]:
    """Yield near misses with the right booking but a wrong change to it, as label and [forms,
    answer, check].
    """
    reference, right = plan.target.reference, _to_do(plan)

    def instead(place: int, *dos: Do, fails: str) -> list[Any]:
        listed = [*right[:place], *dos, *right[place + 1 :]]
        return [[each.to_json() for each in listed], reference, fails]

    for at, each in enumerate(plan.seats):
        way = ("out", "home")[at]
        for label, codes in each.wish.instead.items():
            wrong = _seated(reference, each.flight, codes)
            yield f"seats {way}: overlooks {label}", instead(at, wrong, fails="seats")
        if each.other:
            yield f"seats {way}: all on the other flight", instead(at, fails="seats")
    place = len(plan.seats)
    for label, bags in _wrong_bags(plan).items():
        wrong = Do("save-bags", (reference,), bags)
        yield label, instead(place, wrong, fails="bags")
    if plan.noted:
        twice = [each.to_json() for each in [*right, _note(reference, plan.note)]]
        yield "the note twice", [twice, reference, "booking"]
    else:
        yield "no note", instead(len(right) - 1, fails="booking")
    yield "says that there is none", [[], NOT_FOUND, "answer"]
    yield "tells no reference", [[each.to_json() for each in right], "", "answer"]


def _wrong_bags(plan: Plan) -> dict[str, dict[str, str]]:
    """Return wrong values of the bag form, by the label of the mistake."""
    own, other = plan.bag_way, _namesakes.OTHER[plan.bag_way]
    keys = {way: f"bags-{way}.{CHILD}" for way in WAYS}
    pieces = {way: str(_pieces(plan, way)) for way in WAYS}
    label = "before the correction" if plan.bag_wrong else "a bag on the other way"
    found = {
        label: {keys[other]: pieces[other]},
        "a bag both ways": {keys[way]: pieces[way] for way in WAYS},
        "a bag for the other one": {f"bags-{own}.{GROWN}": str(int(pieces[own]) + 1)},
    }
    if pieces[own] != "1":
        found["what the fare includes is not counted"] = {keys[own]: "1"}
    return found


# Advice, solution and near misses -----------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of the expert's actions, including page turns of the list.

    After reading all bookings the expert returns to the list and opens the right booking from
    there, even if it was read last. If there is nothing to change, the return is the last step.
    """
    gold = scenario.gold
    tour, does = gold["tour"], bool(gold["errands"])
    opened = [*tour, gold["text"]] if does else tour
    turns = sum(gold["pages"][each] - 1 for each in opened)
    sought = FOUND if tour[-1] == gold["text"] else 0
    extra: int = turns + sought - does
    return service.length(scenario) + extra


FOUND = 4
"""The number of actions to find a booking: open the search, type the name, submit, open it."""


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    _read(scenario.gold["evidence"], world)
    forms.finish(world, data, scenario)
    return str(scenario.gold["text"])


def _read(evidence: Sequence[Sequence[str]], world: World) -> None:
    for screen, subject in evidence:
        desk.see(world, Place(screen, (subject,)))


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    gold = scenario.gold
    evidence = gold["evidence"]
    wrong = [
        Instead(label, [*map(forms.read, listed)], fails, answer)
        for label, (listed, answer, fails) in gold["naive"].items()
    ]
    misses = forms.near_misses(data, wrong, partial(_read, evidence))
    if gold["text"] == NOT_FOUND:
        lists = [each for each in evidence if each[0] == "people"]
        rest = [each for each in evidence if each not in lists]
        unseen = {
            "gives up unseen": [],
            "gives up after the list": lists,
            "gives up after the first page": [lists[0], *rest],
            "gives up before the last booking": evidence[:-1],
        }
        for label, seen in unseen.items():
            given_up = Instead(label, (), "evidence", NOT_FOUND)
            misses |= forms.near_misses(data, [given_up], partial(_read, seen))
    return misses


STEPS = (service.READ, "choose seats", "change bags", "add note", service.ANSWER)
TASK = Task(
    task="find_by_name",
    about="Find one of a surname's bookings by what a caller remembers, and give it seats.",
    STEPS=STEPS,
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=service.advise,
    length=length,
    ANSWER=AnswerSchema("text", "the reference of the booking, or NOT_FOUND where there is none"),
)
