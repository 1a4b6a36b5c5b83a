"""Move the bookings of a cancelled flight to the next two, in a stated order, or let them wait.

Each rule of the request decides something: without it another assignment would be right. One seed
of five is phrased in words held out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, Click, Observation
from scenarios.crm import _bookings, _errands, _party, _service
from scenarios.crm import _whole_desk as desk
from scenarios.crm._bookings import Customer, Held
from scenarios.crm._dates import moved
from scenarios.crm._decoys import decoys
from scenarios.crm._errands import Errand
from scenarios.crm._family import Task, on_all
from scenarios.crm._phrasings import Speaker
from scenarios.crm._rebooking import (
    ADULT,
    BOUGHT,
    CHILD,
    GOLD,
    INFANT,
    MOVE,
    ONWARD,
    REFERENCE,
    SIZE,
    TEEN,
    TURNED,
    WAIT,
    WHEELCHAIR,
    Affected,
    Later,
    Outcome,
    Rules,
    misread,
    outcome,
    search,
)
from scenarios.crm._service import ANSWER, READ, Service
from scenarios.crm._whole_desk import OUTWARD, RETURN, Drawn
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airports import plain
from sites.crm.clock import TODAY
from sites.crm.forms import Invalid
from sites.crm.reservations import journal
from sites.crm.reservations.airline import Airline, airlines
from sites.crm.reservations.network import BRANDS, HUBS, Fare, Offer
from sites.crm.reservations.operations.day import CANCELLED
from sites.crm.reservations.place import Place
from sites.crm.reservations.records import Passenger
from sites.crm.timetable import Flight
from sites.world import World

TOMORROW = moved(TODAY.isoformat(), 1)
BOOKINGS = 9
ROLES: Sequence[tuple[str, ...]] = (
    *((ADULT,), (ADULT, TEEN), (ADULT, ADULT, ADULT)),
    *((ADULT, CHILD), (ADULT, ADULT, CHILD), (ADULT, CHILD, CHILD), (ADULT, TURNED)),
    *((ADULT, ADULT, TURNED), (ADULT, INFANT), (ADULT, ADULT, INFANT), (ADULT, TURNED, INFANT)),
)
MINUTES = (45, 50, 55, 65, 70, 75, 80)
LEAST_LATE, MOST_LATE = 25, 75
CLEAR = 5
"""No connection is so near to what is needed for it, in minutes."""
CAUSES = ("weather", "technical fault", "strike", "no crew", "closed airspace")
LEAST_WAITING, MOST_WAITING = 60, 400
"""Minutes that were planned at the hub."""
MOST_SEATS = 7
"""So many seats are left at most in a fare that is used."""
CORRECTED = 0.6
FIND = "find flight"


@dataclass(frozen=True)
class Cancelled:
    """The flight that is off, the next two, and what leaves from where they arrive, by minute."""

    flight: Flight
    later: tuple[Flight, Flight]
    onward: Mapping[int, Flight]
    brands: tuple[str, ...]
    late: tuple[int, int]

    def flights(self, data: CrmData) -> list[Later]:
        return [
            Later(each.arrives, late, {fare.brand: fare.seats for fare in data.network.fares(each)})
            for each, late in zip(self.later, self.late, strict=True)
        ]


@dataclass(frozen=True)
class Plan:
    """What one seed asks for. `wrong` are the rules of a first version that is corrected, if it
    is; `namesake` is a booking of somebody with the surname of the one that stays."""

    cancelled: Cancelled
    affected: Sequence[Affected]
    rules: Rules
    right: Outcome
    namesake: str
    corrected: str
    wrong: Rules


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("cancelled_flight", seed)
    plan = next(filter(None, (_plan(rng, data) for _ in range(5000))))
    held, customers = _held(rng, data, plan)
    speaker = Speaker.of("cancelled_flight", seed, rng)
    text, needs = _request(plan, _names(held, customers), airline, data, speaker)
    return Drawn(
        text, _gold(rng, plan, held, customers, airline, data) | needs, {"phrasing": speaker.kind}
    )


def _plan(rng: Random, data: CrmData) -> Plan | None:
    """One draw; None where something does not fit."""
    cancelled = _cancelled(rng, data)
    if cancelled is None:
        return None
    taken: set[str] = set()
    references = [_bookings.reference(rng, taken) for _ in range(BOOKINGS)]
    stays, namesake, *pair = rng.sample(references, 4)
    groups = [ONWARD, CHILD, rng.choice((GOLD, WHEELCHAIR))]
    rng.shuffle(groups)
    rules = Rules(
        groups=tuple(groups),
        within=rng.choice((BOUGHT, SIZE)),
        minutes=rng.choice(MINUTES),
        waiting=rng.randrange(2),
        left=frozenset((stays,)),
        together=frozenset(pair),
    )
    flights = cancelled.flights(data)
    times = [each for each in cancelled.onward if _is_clear(each, flights, rules.minutes)]
    grounded = frozenset((stays, *pair))
    if len(times) < 8:
        return None
    make = partial(_one, rng, cancelled.brands, times, references, grounded)
    affected = search(rng, BOOKINGS, make, flights, rules)
    if affected is None:
        return None
    right = outcome(affected, flights, rules)
    corrected, wrong = _mistake(rng, affected, flights, rules, namesake)
    return Plan(cancelled, affected, rules, right, namesake, corrected, wrong)


def _cancelled(rng: Random, data: CrmData) -> Cancelled | None:
    """A flight to a hub with two soon after it that have few seats left."""
    hub = rng.choice(HUBS)
    origin = rng.choice([each for each in data.airports if each != hub])
    flights = data.network.on(origin, hub, TOMORROW)
    if len(flights) < 3:
        return None
    at = rng.randrange(len(flights) - 2)
    off, first, second = flights[at : at + 3]
    if any(each.days for each in (off, first, second)) or second.arrives - off.arrives > 300:
        return None
    fares = [data.network.fares(each) for each in (first, second)]
    brands = [
        brand
        for brand, *seats in zip(
            BRANDS, *([fare.seats for fare in each] for each in fares), strict=True
        )
        if all(1 <= each <= MOST_SEATS for each in seats)
    ]
    room = second.departs - first.departs - 10
    if len(brands) < 2 or room < LEAST_LATE or first.departs - off.departs < 20:
        return None
    late = rng.randrange(LEAST_LATE, min(room, MOST_LATE) + 1, 5), 0
    onward = {}
    for to in rng.sample(sorted(data.airports), 24):
        for each in data.network.on(hub, to, TOMORROW) if to not in (hub, origin) else ():
            if LEAST_WAITING <= each.departs - off.arrives <= MOST_WAITING:
                onward[each.departs] = each
    return Cancelled(off, (first, second), onward, tuple(rng.sample(brands, 2)), late)


def _is_clear(departs: int, flights: Sequence[Later], minutes: int) -> bool:
    """Whether a connection is not near to what is needed."""
    limits = (
        each.arrives + late + needed
        for each in flights
        for late in (0, each.late)
        for needed in (0, minutes)
    )
    return all(abs(departs - limit) >= CLEAR for limit in limits)


def _one(
    rng: Random,
    brands: Sequence[str],
    times: Sequence[int],
    references: Sequence[str],
    grounded: frozenset[str],
    bought: int,
) -> Affected:
    """A booking as it might be; those that are `grounded` do not fly on."""
    reference = references[bought]
    roles = rng.choice(ROLES)
    flies_on = reference not in grounded and TURNED not in roles and rng.random() < 0.4
    return Affected(
        reference=reference,
        bought=bought,
        brand=rng.choices(brands, (3, 2))[0],
        roles=roles,
        onward=rng.choice(times) if flies_on else None,
        gold=rng.random() < 0.3,
        wheelchair=rng.random() < 0.25,
    )


def _mistake(
    rng: Random,
    affected: Sequence[Affected],
    flights: Sequence[Later],
    rules: Rules,
    namesake: str,
) -> tuple[str, Rules]:
    """What is corrected, "" for nothing, and the rules before that."""
    right = outcome(affected, flights, rules)
    wrong = [("minutes", replace(rules, minutes=each)) for each in MINUTES]
    others = [("leave", replace(rules, left=frozenset((namesake,))))]
    others.append(("wait", replace(rules, waiting=1 - rules.waiting)))
    useful = [each for each in wrong if outcome(affected, flights, each[1]) != right][:1]
    return rng.choice(useful + others) if rng.random() < CORRECTED else ("", rules)


# The bookings ------------------------------------------------------------------------------------


def _held(rng: Random, data: CrmData, plan: Plan) -> tuple[list[Held], list[Customer]]:
    """The bookings with their people, in the order of purchase, and who bought them."""
    while True:
        made = [_booking(rng, data, plan, each) for each in plan.affected]
        parties = [_named_alike(plan, one, made) for one in made]
        names = [each.person.name for one in parties for each in one.passengers]
        if len({*names}) == len(names):
            break
    customers = [
        Customer(
            each.customer or 0,
            each.passengers[0].person,
            _email(each.passengers[0].person.name),
            plan.cancelled.flight.origin,
            "Gold" if one.gold else rng.choice(("", "Blue", "Silver")),
        )
        for each, one in zip(parties, plan.affected, strict=True)
    ]
    times = sorted(rng.sample(_hours(rng), BOOKINGS))
    return [replace(each, bought=at) for each, at in zip(parties, times, strict=True)], customers


def _hours(rng: Random) -> list[str]:
    """When bookings may have been made: days of last year, of which some saw two."""
    days = [moved(TODAY.isoformat(), -rng.randint(20, 120)) for _ in range(BOOKINGS - 2)]
    return sorted(
        {f"{each} {rng.randint(8, 18):02}:{rng.randint(0, 59):02}:00" for each in days * 2}
    )


def _email(name: str) -> str:
    first, *_, last = plain(name).split()
    return f"{first}.{last}@example.com".replace("'", "").replace("’", "")


def _booking(rng: Random, data: CrmData, plan: Plan, one: Affected) -> Held:
    off = plan.cancelled.flight
    now = _direct(data, off), one.brand
    way = RETURN if TURNED in one.roles else rng.choice((OUTWARD, RETURN, ""))
    first = last = TOMORROW
    if one.onward is not None:
        ways = {OUTWARD: (_through(data, off, plan.cancelled.onward[one.onward]), one.brand)}
    elif way == RETURN:
        first = moved(TODAY.isoformat(), -rng.randint(5, 11))
        ways = {OUTWARD: (_back(rng, data, off, first), one.brand), RETURN: now}
    elif way == OUTWARD:
        last = moved(TODAY.isoformat(), rng.randint(4, 15))
        ways = {OUTWARD: now, RETURN: (_back(rng, data, off, last), one.brand)}
    else:
        ways = {OUTWARD: now}
    roles = [CHILD if each == TURNED else each for each in one.roles]
    party = _party.draw(rng, data, roles, (first, last), turning=False)
    people = party.passengers
    if TURNED in one.roles:
        born = _twelve(rng, first)
        people = tuple(_born(each, born) if each.kind == "child" else each for each in people)
    return Held(one.reference, one.bought + 1, "", ways, people, f"{rng.randrange(10000):04}")


def _direct(data: CrmData, flight: Flight) -> Offer:
    return Offer((flight,), data.network.fares(flight))


def _through(data: CrmData, first: Flight, second: Flight) -> Offer:
    """Two flights as one direction; prices are added."""
    pairs = zip(data.network.fares(first), data.network.fares(second), strict=True)
    fares = (Fare(a.brand, a.price + b.price, min(a.seats, b.seats)) for a, b in pairs)
    return Offer((first, second), tuple(fares))


def _back(rng: Random, data: CrmData, off: Flight, day: str) -> Offer:
    """A flight of the other direction."""
    return _direct(data, rng.choice(data.network.on(off.destination, off.origin, day)))


def _twelve(rng: Random, first: str) -> str:
    """A birthday of somebody who became twelve after the trip began."""
    days = (TODAY - date.fromisoformat(first)).days
    turned = TODAY if rng.random() < 0.5 else date.fromisoformat(moved(first, rng.randint(1, days)))
    return turned.replace(year=turned.year - 12).isoformat()


def _born(one: Passenger, born: str) -> Passenger:
    return replace(one, person=replace(one.person, born=born))


def _named_alike(plan: Plan, one: Held, all_of: Sequence[Held]) -> Held:
    """The booking with the surname of the one that stays, where it is to share it."""
    if one.reference != plan.namesake:
        return one
    [stays] = [each for each in all_of if each.reference in plan.rules.left]
    own, name = (each.passengers[0].person.last_name for each in (one, stays))
    people = tuple(
        replace(each, person=replace(each.person, last_name=name))
        if each.person.last_name == own
        else each
        for each in one.passengers
    )
    return replace(one, passengers=people)


def _rows(
    rng: Random, plan: Plan, held: Sequence[Held], customers: Sequence[Customer]
) -> _bookings.Rows:
    rows = _bookings.rows(held, customers)
    off = plan.cancelled.flight
    events = [(off, CANCELLED, 0)]
    events += [
        (each, LATE, late)
        for each, late in zip(plan.cancelled.later, plan.cancelled.late, strict=True)
        if late
    ]
    rows["flight_events"] = [
        {
            "flight": each.number,
            "date": each.date,
            "kind": kind,
            "cause": rng.choice(CAUSES),
            "minutes": minutes,
        }
        for each, kind, minutes in events
    ]
    codes = [
        (each.reference, code)
        for each in plan.affected
        for code, is_so in (("wheelchair", each.wheelchair), ("meal", rng.random() < 0.2))
        if is_so
    ]
    rows["notes"] = [
        {
            "reference": reference,
            "code": code,
            "day": moved(TODAY.isoformat(), -rng.randint(1, 12)),
            "colleague": rng.choice(COLLEAGUES),
        }
        for reference, code in codes
    ]
    return rows


LATE = "late"
COLLEAGUES = ("Maren", "Tomasz", "Ines", "Yusuf")


# The gold ----------------------------------------------------------------------------------------


def _gold(
    rng: Random,
    plan: Plan,
    held: Sequence[Held],
    customers: Sequence[Customer],
    airline: Airline,
    data: CrmData,
) -> dict[str, Any]:
    rows = _rows(rng, plan, held, customers)
    places = {each.reference: _place(each, plan.cancelled.flight) for each in held}
    listed = _listed(plan, plan.right, places)
    done = _errands.outcome(airline.key, rows, data, listed)
    first = listed[0].reference
    read = [
        each.reference for each in plan.affected if each.reference not in {first, *plan.rules.left}
    ]
    tour = [*read, first]
    number = plan.cancelled.flight.number
    evidence = [["flight", f"{number} {TOMORROW} 1/1"], *(["booking", each] for each in tour)]
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
    """Which of the flights of a booking is off, from 1."""
    numbers = [(each.number, each.date) for each in held.flights]
    return str(numbers.index((off.number, off.date)) + 1)


def _listed(plan: Plan, found: Outcome, places: Mapping[str, str]) -> list[Errand]:
    later = [each.number for each in plan.cancelled.later]
    return [
        Errand("rebook", (reference, places[reference]), control, {"to-flight": later[at]})
        for reference, (control, at) in found.items()
    ]


def _misses(plan: Plan, data: CrmData) -> Iterator[tuple[str, Outcome]]:
    """What would be done with one rule forgotten or mistaken, where that is something else."""
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
    """The check that a wrong outcome fails."""
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
"""What a correction says of a thing, by what it is about."""


def _names(held: Sequence[Held], customers: Sequence[Customer]) -> dict[str, str]:
    """The name of who bought each booking."""
    found = {each.number: each.person.name for each in customers}
    return {each.reference: found[each.customer or 0] for each in held}


def _request(
    plan: Plan, names: Mapping[str, str], airline: Airline, data: CrmData, speaker: Speaker
) -> tuple[str, dict[str, Any]]:
    """The text, and what of it has to be known."""
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
    """Values as the request spells them."""
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
    """The city, or the airport where the city has another."""
    airport = data.airports[code]
    cities = [each.city for each in data.airports.values()]
    return airport.city if cities.count(airport.city) == 1 else airport.name


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    at = Service(scenario, observation)
    done = at.done
    if not done and at.unread:
        return _open(at, at.unread, at.unread)
    if done == len(at.errands):
        return Advice(ANSWER, answer="")
    each = at.errands[done]
    if (at.page.screen, at.page.parts) in (("booking", each.parts[:1]), ("rebook", each.parts)):
        return _service.errand(at, done)
    return _open(at, each.reference, at.airline.word("open-rebook"))


def _open(at: Service, reference: str, named: str) -> Advice:
    """Follow the link of a booking in the passenger list, or go there."""
    if (at.page.screen, at.page.parts) != ("flight", (at.scenario.gold["number"], TOMORROW)):
        return _to_list(at)
    own = (each for each in at.observation.elements)
    for each in own:
        if each.name == reference:
            link = each if named == reference else next(one for one in own if one.name == named)
            return Advice(READ, (Click(link.id),))
    return Advice(READ)


def _to_list(at: Service) -> Advice:
    """Go to the passenger list by the nearest link, else by the search."""
    page, airline, gold = at.page, at.airline, at.scenario.gold
    needs = at.needs("find")
    for number in (gold["number"], *gold["later"]):
        link = page.element(airline.id("open-flight", number), number)
        if link:
            return Advice(FIND, (Click(link.id),), needs=needs)
    if page.screen != "people":
        return Advice(FIND, page.press("find-people"), needs=needs)
    link = page.element(airline.id("open-booking", gold["tour"][0]), gold["tour"][0])
    if link:
        return Advice(FIND, (Click(link.id),), needs=needs)
    filling = page.fill({"flight": gold["number"]})
    return Advice(FIND, (*(filling or ()), *page.press("search-people")), needs=needs)


def length(scenario: Scenario) -> int:
    """The search; each booking and the way back; a link, a choice and a button for each errand."""
    gold = scenario.gold
    before = [each["control"] for each in gold["errands"][:-1]]
    back = sum(2 if control == MOVE else 1 for control in before)
    return 3 + 2 * len(gold["tour"]) - 1 + 3 * len(gold["errands"]) + back + 1


# Solution and near misses ------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    """What is left to do; nothing more once a form is refused."""
    _read(scenario, world)
    for each in _errands.errands_of(scenario):
        if not _stands(world, each):
            try:
                _errands.do(world, data, [each])
            except Invalid:
                break
    return ""


def _stands(world: World, each: Errand) -> bool:
    """Whether the booking is on the flight, or on its list, already."""
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
    return {
        label: NearMiss(partial(_wrongly, scenario, data, listed), fails)
        for label, (fails, listed) in scenario.gold["misses"].items()
    }


def _wrongly(
    scenario: Scenario, data: CrmData, listed: Sequence[Mapping[str, Any]], world: World
) -> str:
    _read(scenario, world)
    _errands.do(world, data, map(_errands.read, listed))
    return ""


TASK = Task(
    name="cancelled_flight",
    about="Move the bookings of a cancelled flight to the next two by stated rules.",
    steps=(FIND, READ, "change flights", "waiting list"),
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=advise,
    length=length,
)
FAMILIES = on_all(TASK)
