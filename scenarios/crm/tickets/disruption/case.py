"""A case of a disrupted flight: its one or two bookings, the airline's messages, and the customer's
wishes.

The case is drawn at random until the handbook's rules decide it as required, and until enough
oversights and misreadings change the decision. Each number has a distance from its limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from random import Random
from typing import Literal

from scenarios.crm.airline_desk import OUTWARD, RETURN, Customer, Held, bookings, parties
from scenarios.crm.policy import of_booking
from scenarios.crm.policy.facts import NOW, TODAY, Alternative, Brand, Event, IdentityFact, Sender
from scenarios.crm.tickets import (
    CUSTOMER,
    DAY,
    DONE,
    FACTS,
    HOUR,
    IN_PART,
    NOTHING,
    PASSED_ON,
    REFUSED,
    TIMES,
    another_email,
    email,
)
from scenarios.crm.tickets.disruption.rules import (
    DisruptionCase,
    Made,
    Mistake,
    Option,
    Settled,
    Stated,
    Stranded,
    settle,
)
from scenarios.crm.tickets.disruption.wrong import left_out, misreadings
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.handbook.zones import zone
from sites.crm.base.network import Offer

DECK = (*(DONE,) * 7, *(IN_PART,) * 8, REFUSED, REFUSED, NOTHING, PASSED_ON, PASSED_ON)
LEAST_WRONG: Mapping[str, int] = {DONE: 6, IN_PART: 8, REFUSED: 1, NOTHING: 1, PASSED_ON: 4}
"""The least number of mistakes that must lead to another decision, by outcome of the ticket."""
SHARED, TWO = (DONE, IN_PART, PASSED_ON), 0.6
"""The outcomes of tickets that may be about two bookings, and the share of such tickets that
are.
"""
BASES, DRAWS = 2000, 8
"""The number of routes with bookings to draw until a case fits, and the number of cancellations or
delays to draw for each.
"""
DAYS = 3
"""The number of days, from the booked day on, whose flights may replace the disrupted one."""
CLEAR, CLEAR_MILES = 8, 20
"""The least distance between a number of the case and a limit of the handbook, in minutes and in
miles.
"""
PARTIES = (
    *(("adult",), ("adult", "infant"), ("adult", "child"), ("adult", "adult")),
    *(("adult", "adult", "infant"), ("adult", "child", "infant"), ("adult", "adult", "child")),
)
HIGH = 500
"""The limit in dollars of a handbook version from which every compensation is within a clerk's own
decision.
"""
FARES: tuple[Brand, ...] = ("light", "classic", "classic", "flex", "business")
CAUSES = ("weather", "traffic", "security", "technical", "crew", "strike", "computers")
AGENCIES = ("Globus Reisen", "Blue Anchor Travel", "Otto & Finch")


def draw(rng: Random, data: CrmData, outcome: str) -> DisruptionCase:
    """Draw a case whose ticket ends with this outcome."""
    number = 2 if outcome in SHARED and rng.random() < TWO else 1
    for _ in range(BASES):
        base = _base(rng, data, number, outcome)
        for _ in range(DRAWS if base else 0):
            assert base is not None
            case = _case(rng, data, base, outcome)
            if case and outcome == DONE:
                case = _asking_for_what_is_right(case)
            if case and _is_wanted(case, outcome):
                return case
    raise AssertionError(f"no case is {outcome}")


def _asking_for_what_is_right(case: DisruptionCase) -> DisruptionCase:
    """Return the case; a customer who names flights now names the flights that the rules give, if
    they are the same for all bookings.
    """
    right = settle(replace(case, wished="any" if case.wished else ""))
    taken = {each.flights.id for each in right.made.values() if each.flights}
    is_one = case.wished == "certain" and len(taken) == 1
    return replace(case, asked=taken.pop() if is_one else case.asked)


def sort_of(settled: Settled) -> str:
    """Return the outcome of the ticket, or `NOTHING` if it is refused for another reason than an
    unknown sender.
    """
    if settled.outcome == REFUSED and settled.grounds != ("24",):
        return NOTHING
    return settled.outcome


def _is_wanted(case: DisruptionCase, outcome: str) -> bool:
    right = settle(case)
    if sort_of(right) != outcome or not _is_clear(case):
        return False
    if outcome == IN_PART and not right.amount:
        return False
    return len(wrong_of(case, right)) >= LEAST_WRONG[outcome]


def wrong_of(case: DisruptionCase, right: Settled) -> dict[str, Settled]:
    """Return the decisions that possible mistakes lead to, by label; a decision is left out if its
    flights lack seats.
    """
    found = dict((*left_out(case, right), *misreadings(case, right)))
    return {label: each for label, each in found.items() if is_room(case, each)}


# The bookings ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Base:
    """Bookings whose flights in one direction are disrupted, and the flights that may replace
    these.

    Attributes:
        options: For each booking, the flights that leave at the booked time or later.
        early: For each booking, all flights of these days.
    """

    edition: Edition
    held: tuple[Held, ...]
    way: str
    day: date
    options: tuple[tuple[Option, ...], ...]
    early: tuple[tuple[Option, ...], ...]


def _base(rng: Random, data: CrmData, number: int, outcome: str) -> Base | None:
    """Draw a handbook version, a route and its bookings; None if a fare has no seats, or the next
    flights are too early for compensation.
    """
    edition = editions.draw(rng)
    while outcome == DONE and edition.limit < HIGH:
        edition = editions.draw(rng)
    is_home = rng.random() < 0.5
    day = TODAY + timedelta(rng.randint(1, 9))
    back = day - timedelta(rng.randint(12, 20)) if is_home else day + timedelta(rng.randint(4, 9))
    here, there = _ends(rng, data)
    routes = {OUTWARD: (here, there, day.isoformat()), RETURN: (there, here, back.isoformat())}
    way = OUTWARD
    if is_home:
        way = RETURN
        routes = {OUTWARD: (there, here, back.isoformat()), RETURN: (here, there, day.isoformat())}
    elif rng.random() < 0.4:
        del routes[RETURN]
    held = _held(rng, data, routes, way, number)
    if held is None:
        return None
    options, early = _options(data, held, way, day)
    base = Base(edition, held, way, day, options, early)
    return base if outcome not in SHARED or _is_late(data, base) else None


def _is_late(data: CrmData, base: Base) -> bool:
    """Return whether the next possible flights arrive late enough for compensation."""
    need = sum(each.seated for each in base.held[0].passengers)
    arrivals = [
        each.segments[-1].arrives
        for each in base.options[0]
        if any(number >= need for number in each.alternative.seats.values())
    ]
    last = base.held[0].ways[base.way][0].flights[-1]
    booked = of_booking.segment(data, base.way, last, "light").arrives
    return bool(arrivals) and min(arrivals) - booked >= base.edition.late_hours * HOUR


def _ends(rng: Random, data: CrmData) -> tuple[str, str]:
    plain = bookings.plain_airports(data)
    twins = [code for code in data.airports if code not in plain]
    here = rng.choice(twins if rng.random() < 0.3 else plain)
    city = data.airports[here].city
    return here, rng.choice([each for each in plain if data.airports[each].city != city])


def _held(
    rng: Random, data: CrmData, routes: Mapping[str, tuple[str, str, str]], way: str, number: int
) -> tuple[Held, ...] | None:
    """Draw bookings of the same flights in the disrupted direction, each with its own party and
    fare.
    """
    taken, card = set[str](), f"{rng.randrange(10_000):04}"
    days = [route[2] for route in routes.values()]
    offers = [
        each
        for each in data.network.offers(*routes[way])
        if number == 1
        or not each.stops  # two bookings that keep a flight would compete for its seats
    ]
    if not offers:
        return None
    shared, found, names = rng.choice(offers), list[Held](), set[str]()
    for at in range(number):
        brand = rng.choice(FARES)
        party = parties.draw(
            rng, data, rng.choice(PARTIES[:4] if number > 1 else PARTIES), days, turning=False
        )
        called = {each.person.name for each in party.passengers}
        need = len(party.seated)
        ways: dict[str, tuple[Offer, str]] = {}
        for each, route in routes.items():
            own = [one for one in data.network.offers(*route) if one.fare(brand).seats >= need]
            own = [shared] if each == way and shared in own else [] if each == way else own
            if not own or called & names:
                return None
            ways[each] = rng.choice(own), brand
        names |= called
        bought = datetime.fromisoformat(f"{days[0]} 00:00") - timedelta(rng.randint(40, 90))
        bought = min(bought, NOW.replace(tzinfo=None) - timedelta(22))
        bought += timedelta(minutes=rng.randint(400, 1200))
        found.append(
            Held(
                reference=bookings.reference(rng, taken),
                customer=CUSTOMER,
                bought=bought.strftime(TIMES),
                ways=ways,
                passengers=party.passengers,
                card=card,
                bags={(1, way): 1} if at == 0 and rng.random() < 0.3 else {},
            )
        )
    return tuple(found)


def _options(
    data: CrmData, held: tuple[Held, ...], way: str, day: date
) -> tuple[tuple[tuple[Option, ...], ...], tuple[tuple[Option, ...], ...]]:
    """Return the replacement flights as the desk lists them: for each booking, those that leave in
    time, and all.
    """
    booked = held[0].ways[way][0]
    listed = tuple(
        _option(data, way, offer, offset)
        for offset in range(DAYS)
        for offer in data.network.offers(
            booked.origin, booked.destination, (day + timedelta(offset)).isoformat()
        )
        if offset or offer.id != booked.id
    )
    first = of_booking.segment(data, way, booked.flights[0], "light").departs
    late = tuple(each for each in listed if each.segments[0].departs >= first)
    return (late,) * len(held), (listed,) * len(held)


def _option(data: CrmData, way: str, offer: Offer, offset: int) -> Option:
    segments = tuple(
        replace(of_booking.segment(data, way, each, "light"), flight=f"{each.number} {each.date}")
        for each in offer.flights
    )
    seats: dict[Brand, int] = {each.brand: each.seats for each in offer.fares}  # type: ignore[misc]
    return Option(Alternative(segments, seats), offer.date, offer.id, offset)


# Events ------------------------------------------------------------------------------------------

Wished = Literal["", "any", "certain"]


def _case(rng: Random, data: CrmData, base: Base, outcome: str) -> DisruptionCase | None:
    first = base.held[0]
    flights = first.ways[base.way][0].flights
    is_moved = len(flights) == 1 and len(base.held) == 1 and rng.random() < 0.4
    ours = [each for each in CAUSES if each not in base.edition.exempt]
    cause = rng.choice(ours if outcome == DONE else CAUSES)
    event = _event(rng, base, outcome, is_moved=is_moved)
    if event is None:
        return None
    event = replace(event, cause=cause)
    given = _given(rng, outcome)
    sender = Sender(
        who="other" if outcome == REFUSED and len(given) == len(FACTS) else "customer",
        given=frozenset(each for each, right in given.items() if right),
    )
    wished: Wished = rng.choice(("any", "any", "certain", "certain"))
    if event.kind == "moved":
        wished = rng.choice(("any", ""))
    asked = _asked(rng, base, event.flight) if wished == "certain" else ""
    agency = rng.choice(AGENCIES) if rng.random() < 0.15 else ""
    is_written = not agency and (outcome != DONE or all(map(given.get, FACTS)))
    new_email = (
        another_email(rng, email(first.passengers[0].person))
        if is_written and rng.random() < 0.35
        else ""
    )
    informed, returned = _informed(rng, base, is_late=outcome == DONE)
    stranded = tuple(
        replace(_stranded(rng, data, base, at, event, agency), informed=informed, returned=returned)
        for at, _ in enumerate(base.held)
    )
    wrote = NOW - rng.randint(1, 20) * HOUR
    if wrote.date() <= informed:
        wrote = NOW - rng.randint(1, 3) * HOUR
    claim = _claim(rng, base, stranded[0], cause)
    if claim is None:
        return None
    who = first.passengers[0].person
    tier = rng.choice(("", "Blue", "Silver", "Gold"))
    return DisruptionCase(
        edition=base.edition,
        customer=Customer(CUSTOMER, who, email(who), _home(rng, data, base), tier, ""),
        stranded=stranded,
        event=event,
        wished=wished,
        asked=asked,
        sender=sender,
        given=given,
        new_email=new_email,
        claim=claim,
        wrote=wrote,
        card=parties.card(rng),
    )


def _event(rng: Random, base: Base, outcome: str, *, is_moved: bool) -> Event | None:
    flights = base.held[0].ways[base.way][0].flights
    if not is_moved:
        flight = rng.choice(flights)
        return Event(flight.number, date.fromisoformat(flight.date), "cancelled")
    limit = rng.choice((base.edition.moved_minutes, base.edition.late_hours * 60))
    minutes = limit + rng.choice((-35, -25, -15, 15, 25, 40, 70))
    accepted = rng.random() < (0.5 if outcome == NOTHING else 0.1)
    flight = flights[0]
    if flight.departs + minutes >= 24 * 60 or minutes < 30:
        return None
    return Event(flight.number, base.day, "moved", minutes, accepted=accepted)


def _given(rng: Random, outcome: str) -> dict[IdentityFact, bool]:
    """Draw the customer's identity facts in the mail, each with whether it is right. At least two
    are right, except in a refused case, in which one is right or another person gives them all.
    """
    if outcome == REFUSED and rng.random() < 0.5:
        return dict.fromkeys(FACTS, True)
    given = rng.sample(FACTS, rng.choice((2, 3, 3)))
    wrong = 0
    if outcome == REFUSED:
        wrong = len(given) - 1
    elif len(given) == len(FACTS) and outcome != DONE and rng.random() < 0.35:
        wrong = 1
    return {each: at >= wrong for at, each in enumerate(given)}


def _asked(rng: Random, base: Base, gone: str) -> str:
    """Draw flights that the customer names and that have seats for everybody; "" if no such flights
    exist.
    """
    need = sum(sum(each.seated for each in one.passengers) for one in base.held)
    able = [
        each
        for each in _with_flights(base.options[0], gone)
        if each.offset <= 1 and any(number >= need for number in each.alternative.seats.values())
    ]
    return rng.choice(able[:6]).id if able else ""


def _stranded(
    rng: Random, data: CrmData, base: Base, at: int, event: Event, agency: str
) -> Stranded:
    held = base.held[at]
    gone = event.flight if event.kind == "cancelled" else ""
    booking = of_booking.booking(
        held,
        data,
        _flown(held, base.way),
        agency=agency,
        balance=rng.choice((15, 25, 35, 45)) if rng.random() < 0.3 else 0,
        first_payment=1 + at,
    )
    return Stranded(
        held=held,
        booking=booking,
        way=base.way,
        options=_with_flights(base.options[at], gone),
        early=_with_flights(base.early[at], gone),
        informed=TODAY,
    )


def _with_flights(options: tuple[Option, ...], gone: str) -> tuple[Option, ...]:
    """Return the flights without the cancelled flight of the booked day."""
    return tuple(each for each in options if each.offset or gone not in each.id.split("."))


def _flown(held: Held, way: str) -> dict[str, Literal["flown"]]:
    """Return the state "flown" of each outward flight by number; empty if the outward direction is
    disrupted.
    """
    if way == OUTWARD:
        return {}
    return {each.number: "flown" for each in held.ways[OUTWARD][0].flights}


def _informed(rng: Random, base: Base, *, is_late: bool) -> tuple[date, date | None]:
    """Draw the day on which the customer was informed, and the day of a letter that came back (None
    without one). With `is_late`, the customer was informed too late to lose the compensation.
    """
    limit, ahead = base.edition.warned_days, (base.day - TODAY).days
    days = [each for each in range(limit - 4, limit + 4 * (not is_late)) if ahead <= each]
    before = rng.choice(days if days and rng.random() < 0.6 else [ahead])
    informed = base.day - before * DAY
    if rng.random() < 0.4:
        return informed, informed - rng.randint(2, 4) * DAY
    return informed, None


def _claim(rng: Random, base: Base, first: Stranded, cause: str) -> Stated | None:
    """Draw the customer's statement about the cause or about the day of the airline's letter. Three
    of five are true. None if no false day is possible.
    """
    holds = rng.random() < 0.6
    if rng.random() < 0.5:
        others = [each for each in CAUSES if each != cause]
        return Stated("why", cause if holds else rng.choice(others), holds)
    days = [
        first.informed + each * DAY
        for each in (1, 2, 3, 4, 5)
        if first.informed + each * DAY < TODAY
    ]
    if holds or not days:
        return Stated("told", first.informed, True) if holds else None
    return Stated("told", rng.choice(days), False)


def _home(rng: Random, data: CrmData, base: Base) -> str:
    """Draw the customer's home airport: often in the city of the waiting passengers, sometimes
    another airport of that city.
    """
    here = base.held[0].ways[base.way][0].origin
    city = data.airports[here].city
    twins = [code for code, each in data.airports.items() if each.city == city and code != here]
    if twins and rng.random() < 0.5:
        return rng.choice(twins)
    if rng.random() < 0.3:
        return here
    return base.held[0].origin if rng.random() < 0.7 else rng.choice(sorted(data.airports))


# Distance from limits ----------------------------------------------------------------------------


def _is_clear(case: DisruptionCase) -> bool:
    """Return whether no number of the case is close to a limit of the handbook, and the decided
    flights have seats.
    """
    if case.wished == "certain" and not case.asked:
        return False
    unlimited = settle(case, Mistake(dropped=("25",)))
    clear = (_is_clear_of(case, each, unlimited.of(each)) for each in case.stranded)
    return all(clear) and is_room(case, unlimited)


def _is_clear_of(case: DisruptionCase, one: Stranded, made: Made) -> bool:
    edition = case.edition
    way = one.booking.way(one.way)
    miles = edition.miles[zone(way[0].origin)][zone(way[-1].destination)]
    if min(abs(miles - edition.near_miles), abs(miles - edition.far_miles)) < CLEAR_MILES:
        return False
    if made.flights is None:  # refused flights do not require the balance to be paid first
        return case.event.kind == "moved" and not (case.wished and one.booking.balance)
    delay = one.delay(made.flights.segments, case.event)
    if case.event.kind == "moved" and delay.minutes >= case.event.minutes:
        return False
    meal = edition.meal_hours * 60
    limits = [abs(delay.minutes - 60 * each) for each in (edition.late_hours, edition.half_hours)]
    limits += [delay.waiting % meal, meal - delay.waiting % meal]
    return delay.minutes > 0 and min(limits) >= CLEAR


def is_room(case: DisruptionCase, right: Settled) -> bool:
    """Return whether the bookings that take the same flights in the same fare all have seats."""
    taken: dict[tuple[str, str], int] = {}
    seats: dict[tuple[str, str], int] = {}
    for one in case.stranded:
        made = right.of(one)
        if made.flights is None:
            continue
        for segment in made.flights.segments:
            key = segment.flight, made.brand
            taken[key] = taken.get(key, 0) + one.seats
            seats[key] = made.flights.alternative.seats.get(made.brand, 0)  # type: ignore[call-overload]
    return all(number <= seats[key] for key, number in taken.items())
