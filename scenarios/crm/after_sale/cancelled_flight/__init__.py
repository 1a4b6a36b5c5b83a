"""A cancelled flight: the agent moves its bookings to the next two flights or to a waiting list.

The request states the order and the rules. Each rule decides something: without it another
assignment would be right. Every fifth seed uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, Click, Observation
from scenarios.crm.after_sale.cancelled_flight import _grounded
from scenarios.crm.after_sale.cancelled_flight._grounded import TOMORROW, Plan
from scenarios.crm.after_sale.cancelled_flight._rebooking import (
    BOUGHT,
    CHILD,
    GOLD,
    MOVE,
    ONWARD,
    REFERENCE,
    SIZE,
    WAIT,
    WHEELCHAIR,
    Outcome,
    Rules,
    misread,
    outcome,
)
from scenarios.crm.airline_desk import bookings, desk, forms, service
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import Task, on_all
from scenarios.crm.airline_desk.forms import Do, Instead
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.crm.airline_desk.service import ANSWER, FIND, READ, Service
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model import journal
from sites.crm.airline_desk.model.airline import Airline, airlines
from sites.crm.airline_desk.model.place import Place
from sites.crm.base.forms import Invalid
from sites.crm.base.timetable import Flight
from sites.world import World

# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("cancelled_flight", seed)
    plan = next(filter(None, (_grounded.plan(rng, data) for _ in range(5000))))
    held, customers = _grounded.held(rng, data, plan)
    speaker = Speaker("cancelled_flight", kind_of(seed), rng)
    text, needs = _request(plan, _names(held, customers), airline, data, speaker)
    return Drawn(
        text, _gold(rng, plan, held, customers, airline, data) | needs, {"phrasing": speaker.kind}
    )


# The gold ----------------------------------------------------------------------------------------


def _gold(
    rng: Random,
    plan: Plan,
    held: Sequence[Held],
    customers: Sequence[Customer],
    airline: Airline,
    data: CrmData,
) -> dict[str, Any]:
    rows = _grounded.rows(rng, plan, held, customers)
    places = {each.reference: _place(each, plan.cancelled.flight) for each in held}
    listed = _listed(plan, plan.right, places)
    done = forms.outcome(airline.key, rows, data, listed)
    first = listed[0].reference
    read = [
        each.reference for each in plan.affected if each.reference not in {first, *plan.rules.left}
    ]
    tour = [*read, first]
    number = plan.cancelled.flight.number
    settled = [each for each in tour if each in plan.right]  # of others the list tells all
    evidence = [["flight", f"{number} {TOMORROW} 1/1"], *(["booking", each] for each in settled)]
    start = len(done.changes)
    found = {FIND: [start], READ: [*range(start + 1, start + len(evidence))]}
    return {
        "rows": rows,
        **done.gold(listed),
        "number": number,
        "later": [each.number for each in plan.cancelled.later],
        "tour": tour,
        "evidence": evidence,
        "steps": {**found, **done.steps},
        "misses": {
            label: [
                _fails(plan.right, wrong),
                [each.to_json() for each in _listed(plan, wrong, places)],
            ]
            for label, wrong in _misses(plan, data)
        },
    }


def _place(held: Held, off: Flight) -> str:
    """Return the position of the cancelled flight in a booking, from "1"."""
    numbers = [(each.number, each.date) for each in held.flights]
    return str(numbers.index((off.number, off.date)) + 1)


def _listed(plan: Plan, found: Outcome, places: Mapping[str, str]) -> list[Do]:
    later = [each.number for each in plan.cancelled.later]
    return [
        Do(control, (reference, places[reference]), {"to-flight": later[at]})
        for reference, (control, at) in found.items()
    ]


def _misses(plan: Plan, data: CrmData) -> Iterator[tuple[str, Outcome]]:
    """Yield the assignments of bookings to flights that one mistaken rule produces, with a label,
    if they differ from the right one.
    """
    rules, flights = plan.rules, plan.cancelled.flights(data)
    others = {
        "the one that stays moved": replace(rules, left=frozenset()),
        "somebody of that name stays": replace(rules, left=frozenset((plan.namesake,))),
        "in the order of the list": replace(rules, groups=(), within=BOUGHT),
        "by reference": replace(rules, within=REFERENCE),
        "groups from the last on": replace(rules, groups=rules.groups[::-1]),
        "not corrected": plan.wrong,
    }
    for label, wrong in {**dict(misread(rules)), **others}.items():
        found = outcome(plan.affected, flights, wrong)
        if {*found.items()} != {*plan.right.items()}:
            yield label, found


def _fails(right: Outcome, wrong: Outcome) -> str:
    """Return the name of the check that a wrong assignment of bookings to flights fails."""
    own = {reference: way for reference, way in wrong.items() if reference in right}
    moves = [
        {reference: at for reference, (control, at) in each.items() if control == MOVE}
        for each in (right, own)
    ]
    if moves[0] != moves[1]:
        return "flights"
    return "booking" if own != right else "nothing else"


# The request -------------------------------------------------------------------------------------

GROUPS = {
    ONWARD: "bookings with an onward flight",
    CHILD: "bookings with a child who is under 12 on that day (babies are children too)",
    GOLD: "bookings whose customer has the tier “{tier}”",
    WHEELCHAIR: "bookings with the note “{note}”",
}
WITHIN = {
    BOUGHT: "whoever bought first comes first",
    SIZE: "whoever needs more seats comes first, and at the same number whoever bought first",
}
LISTS = (
    "the first of the two",
    "the second of the two (of the first for those whose onward flight the second would miss)",
)
NOW = {
    "minutes": "whoever flies on needs at least {minutes} minutes",
    "leave": "it is the booking of {stays} that stays as it is",
    "wait": "the waiting list is that of {list}",
}
"""The sentences that correct an earlier statement of the request, by the placeholder whose value
they correct.
"""


def _names(held: Sequence[Held], customers: Sequence[Customer]) -> dict[str, str]:
    """Return the name of each booking's buyer, by reference."""
    found = {each.number: each.person.name for each in customers}
    return {each.reference: found[each.customer or 0] for each in held}


def _request(
    plan: Plan, names: Mapping[str, str], airline: Airline, data: CrmData, speaker: Speaker
) -> tuple[str, dict[str, Any]]:
    """Write the request; return it with the facts that the advice depends on."""
    rng, words = speaker.rng, _words(plan, plan.rules, names, airline, data)
    stated = _words(plan, plan.wrong, names, airline, data)
    rules = [speaker.say(act, **stated) for act in ("skip", "connect", "full", "leave", "together")]
    rng.shuffle(rules)
    parts = [speaker.say(act, **stated) for act in ("ask", "move", "order")] + rules
    if rng.random() < 0.5:
        parts.insert(rng.randint(3, len(parts)), speaker.say("digress", **decoys(rng, data)))
    if plan.corrected:
        parts.append(speaker.say("correct", now=NOW[plan.corrected].format_map(words)))
    known = ("groups", "within", "minutes", "stays", "one", "other")
    needs = {str(at): [[words[key]] for key in (*known, "list")] for at, _ in enumerate(plan.right)}
    return " ".join(parts), {"needs": {"find": [[words["flight"]]], **needs}}


def _words(
    plan: Plan, rules: Rules, names: Mapping[str, str], airline: Airline, data: CrmData
) -> dict[str, str]:
    """Return the request's wording of each value, by placeholder of the phrasings."""
    off = plan.cancelled.flight
    own = {"tier": airline.word("tier-gold"), "note": airline.word("note-wheelchair")}
    [stays] = rules.left
    one, other = (
        names[each.reference] for each in plan.affected if each.reference in rules.together
    )
    return {
        "flight": off.number,
        "origin": _called(off.origin, data),
        "destination": _called(off.destination, data),
        "groups": ", then ".join(GROUPS[each].format(**own) for each in rules.groups),
        "within": WITHIN[rules.within],
        "minutes": str(rules.minutes),
        "list": LISTS[rules.waiting],
        "stays": names[stays],
        "one": one,
        "other": other,
    }


def _called(code: str, data: CrmData) -> str:
    """Return the city of an airport, or the airport's name if the city has several airports."""
    airport = data.airports[code]
    return airport.city if code in bookings.plain_airports(data) else airport.name


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    at = Service(scenario, observation)
    done = at.done
    if not done and at.unread:
        return _open(at, at.unread, at.unread, READ)
    if done == len(at.to_do):
        return Advice(ANSWER, answer="")
    each = at.to_do[done]
    if at.page.place in (each.home, each.place):
        return service.towards(at, done)
    return _open(at, each.reference, at.airline.word("open-rebook"), each.step)


def _open(at: Service, reference: str, named: str, step: str) -> Advice:
    """Return the advice to follow a link in a booking's line of the passenger list, or else to go
    to that list.
    """
    if at.page.place != Place("flight", (at.scenario.gold["number"], TOMORROW)):
        return _to_list(at, FIND if step == READ else step)
    own = iter(at.observation.elements)
    line = next((each for each in own if each.name == reference), None)
    link = line if named == reference else next((each for each in own if each.name == named), None)
    return Advice(step, (Click(link.id),) if link else ())


def _to_list(at: Service, step: str) -> Advice:
    """Return the advice to go to the passenger list by the nearest link, or else by the search."""
    page, airline, gold = at.page, at.airline, at.scenario.gold
    needs = at.needs("find")
    for number in (gold["number"], *gold["later"]):
        link = page.element(airline.id("open-flight", number), number)
        if link:
            return Advice(step, (Click(link.id),), needs=needs)
    if page.screen != "people":
        return Advice(step, page.press("find-people"), needs=needs)
    link = page.element(airline.id("open-booking", gold["tour"][0]), gold["tour"][0])
    if link:
        return Advice(step, (Click(link.id),), needs=needs)
    filling = page.fill({"flight": gold["number"]})
    return Advice(step, (*(filling or ()), *page.press("search-people")), needs=needs)


def length(scenario: Scenario) -> int:
    """Return the number of the expert's actions: the search, bookings with the way back, and three
    for each form.
    """
    gold = scenario.gold
    before = [each["control"] for each in gold["errands"][:-1]]
    back = sum(2 if control == MOVE else 1 for control in before)
    return 3 + 2 * len(gold["tour"]) - 1 + 3 * len(gold["errands"]) + back + 1


# Solution and near misses ------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    """Submit the forms that are not done yet, and stop at the first form that the site refuses."""
    _read(scenario, world)
    for each in forms.to_do(scenario):
        if not _stands(world, each):
            try:
                forms.do(world, data, [each])
            except Invalid:
                break
    return ""


def _stands(world: World, each: Do) -> bool:
    """Return whether the booking is already on the form's flight or on its waiting list."""
    table = {MOVE: "segments", WAIT: "waiting"}[each.control]
    query = f"SELECT 1 FROM {table} WHERE reference = ? AND flight = ? AND date = ?"  # noqa: S608 (own names)
    return bool(world.read(query, (each.reference, each.values["to-flight"], TOMORROW)))


def _read(scenario: Scenario, world: World) -> None:
    """Open the passenger list and the bookings."""
    [_, subject], *bookings = scenario.gold["evidence"]
    address = airlines()[world.about["airline"]].address(
        "flight", scenario.gold["number"], TOMORROW
    )
    journal.open_page(world, Place("flight", (subject,)), address)
    for screen, reference in bookings:
        desk.see(world, Place(screen, (reference,)))


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    wrong = (
        Instead(label, [*map(forms.read, listed)], fails)
        for label, (fails, listed) in scenario.gold["misses"].items()
    )
    return forms.near_misses(data, wrong, partial(_read, scenario))


TASK = Task(
    task="cancelled_flight",
    about="Move the bookings of a cancelled flight to the next two by stated rules.",
    STEPS=(FIND, READ, "change flights", "waiting list"),
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=advise,
    length=length,
)
FAMILIES = on_all(TASK)
