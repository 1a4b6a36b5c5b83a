"""A cancelled flight, the next two flights, and nine bookings, drawn so that each rule of the
request matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from random import Random

from scenarios.crm.after_sale.cancelled_flight._rebooking import (
    ADULT,
    BOUGHT,
    CHILD,
    GOLD,
    INFANT,
    ONWARD,
    SIZE,
    TEEN,
    TURNED,
    WHEELCHAIR,
    Affected,
    Later,
    Outcome,
    Rules,
    outcome,
    search,
)
from scenarios.crm.airline_desk import bookings as _bookings
from scenarios.crm.airline_desk import parties as _party
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.dates import moved
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN
from sites.crm import CrmData
from sites.crm.airline_desk.model.records import Passenger
from sites.crm.airline_desk.operations.day import CANCELLED
from sites.crm.base.airports import plain
from sites.crm.base.clock import TODAY
from sites.crm.base.network import BRANDS, HUBS, Fare, Offer
from sites.crm.base.timetable import Flight

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
"""The fewest minutes between a connection time and the minimum that the rules require."""
CAUSES = ("weather", "technical fault", "strike", "no crew", "closed airspace")
LEAST_WAITING, MOST_WAITING = 60, 400
"""The range of the planned waiting time at the hub, in minutes."""
MOST_SEATS = 7
"""The largest number of seats left in a fare of the later flights."""
LATE = "late"
COLLEAGUES = ("Maren", "Tomasz", "Ines", "Yusuf")
CORRECTED = 0.6
FLIES_ON, GOLDEN, WHEELED = 0.7, 0.35, 0.35
"""The shares of bookings with an onward flight (unless a rule forbids it), of customers with Gold
status, and of passengers with a wheelchair.
"""


@dataclass(frozen=True)
class Cancelled:
    """The cancelled flight, the next two flights, and the possible onward flights.

    Attributes:
        onward: Onward flights from the destination, by their minute of departure.
        brands: The two fares that bookings use.
        late: The delays of the next two flights, in minutes.
    """

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
    """The contents of one seed's request to rebook a cancelled flight.

    Attributes:
        namesake: A booking of a person with the same surname as in the booking that stays.
        corrected: The placeholder whose value the request corrects, or "".
        wrong: The rules as stated before the correction.
    """

    cancelled: Cancelled
    affected: Sequence[Affected]
    rules: Rules
    right: Outcome
    namesake: str
    corrected: str
    wrong: Rules


def plan(rng: Random, data: CrmData) -> Plan | None:
    """Draw the contents of a request, or return None if its parts do not fit together."""
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
    """Draw a flight to a hub and the next two flights, which have few seats left; None if the hub
    has no such flights.
    """
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
    """Return whether a departure is far enough from every minimum connection time."""
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
    """Draw a booking of the cancelled flight; a booking in `grounded` gets no onward flight."""
    reference = references[bought]
    roles = rng.choice(ROLES)
    flies_on = reference not in grounded and TURNED not in roles and rng.random() < FLIES_ON
    return Affected(
        reference=reference,
        bought=bought,
        brand=rng.choices(brands, (3, 2))[0],
        roles=roles,
        onward=rng.choice(times) if flies_on else None,
        gold=rng.random() < GOLDEN,
        wheelchair=rng.random() < WHEELED,
    )


def _mistake(
    rng: Random,
    affected: Sequence[Affected],
    flights: Sequence[Later],
    rules: Rules,
    namesake: str,
) -> tuple[str, Rules]:
    """Draw the placeholder whose value the request corrects ("" for none), and the rules before the
    correction.
    """
    right = outcome(affected, flights, rules)
    wrong = [("minutes", replace(rules, minutes=each)) for each in MINUTES]
    others = [("leave", replace(rules, left=frozenset((namesake,))))]
    others.append(("wait", replace(rules, waiting=1 - rules.waiting)))
    useful = [each for each in wrong if outcome(affected, flights, each[1]) != right][:1]
    return rng.choice(useful + others) if rng.random() < CORRECTED else ("", rules)


# The bookings ------------------------------------------------------------------------------------


def held(rng: Random, data: CrmData, plan: Plan) -> tuple[list[Held], list[Customer]]:
    """Draw the full bookings of the cancelled flight in the order of purchase, and the customers
    who bought them.
    """
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
    """Draw possible times of purchase last year; some days have two."""
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
    """Join two flights into one direction, adding their prices."""
    pairs = zip(data.network.fares(first), data.network.fares(second), strict=True)
    fares = (Fare(a.brand, a.price + b.price, min(a.seats, b.seats)) for a, b in pairs)
    return Offer((first, second), tuple(fares))


def _back(rng: Random, data: CrmData, off: Flight, day: str) -> Offer:
    """Draw a non-stop flight for the return direction."""
    return _direct(data, rng.choice(data.network.on(off.destination, off.origin, day)))


def _twelve(rng: Random, first: str) -> str:
    """Draw the birthday of a child who turned twelve after the trip began, as an ISO date."""
    days = (TODAY - date.fromisoformat(first)).days
    turned = TODAY if rng.random() < 0.5 else date.fromisoformat(moved(first, rng.randint(1, days)))
    return turned.replace(year=turned.year - 12).isoformat()


def _born(one: Passenger, born: str) -> Passenger:
    return replace(one, person=replace(one.person, born=born))


def _named_alike(plan: Plan, one: Held, all_of: Sequence[Held]) -> Held:
    """Return the booking; the namesake's booking gets the surname of the booking that stays."""
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


def rows(
    rng: Random, plan: Plan, bookings: Sequence[Held], customers: Sequence[Customer]
) -> _bookings.Rows:
    found = _bookings.rows(bookings, customers)
    off = plan.cancelled.flight
    events = [(off, CANCELLED, 0)]
    events += [
        (each, LATE, late)
        for each, late in zip(plan.cancelled.later, plan.cancelled.late, strict=True)
        if late
    ]
    found["flight_events"] = [
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
    found["notes"] = [
        {
            "reference": reference,
            "code": code,
            "day": moved(TODAY.isoformat(), -rng.randint(1, 12)),
            "colleague": rng.choice(COLLEAGUES),
        }
        for reference, code in codes
    ]
    return found
