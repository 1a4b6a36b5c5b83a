"""A case of children who fly without their parents: their company, their ages, and an infant.

The case is drawn at random until the handbook's rules decide it as required, and until enough rules
and oversights of a reader change the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from scenarios.crm.airline_desk import Customer, Held, parties
from scenarios.crm.policy import Decision, counting, decide_all, of_booking, without_all
from scenarios.crm.policy.decision import Escort
from scenarios.crm.policy.facts import NOW, TODAY, Claim, Facts, Unaccompanied
from scenarios.crm.tickets import (
    CLAIMED,
    CUSTOMER,
    DONE,
    HOUR,
    IN_PART,
    NOTHING,
    PASSED_ON,
    REFUSED,
    TIMES,
    BookingCase,
    base_booking,
    email,
    sort_of,
    with_parameters,
)
from scenarios.crm.tickets import seats as ticket_seats
from scenarios.crm.tickets import wishes as ticket_wishes
from scenarios.crm.tickets.base_booking import Base, Days
from scenarios.crm.tickets.seats import Seats
from scenarios.crm.tickets.wishes import differing, is_hard
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import CHANGED_CHILDREN, Edition
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.records import Passenger, Person

SEATED = ("adult",) * 3
"""The kinds of passengers for whom the fare must have seats."""
BABY = 2
"""The age in years at which a passenger needs a seat."""
DAYS = Days((2, 3, 4, 6, 9), (2, 3, 5, 8))
LEAST_RULES: Mapping[str, int] = {
    **dict.fromkeys((DONE, IN_PART, PASSED_ON), 2),
    **dict.fromkeys((REFUSED, NOTHING, CLAIMED), 1),
}
"""The least number of the handbook's rules and bulletins that must change the decision if left out,
by the kind of case (its wanted outcome).
"""
LEAST_SLIPS: Mapping[str, int] = {DONE: 2, IN_PART: 3, PASSED_ON: 1, NOTHING: 1}
"""The least number of a reader's oversights that must lead to another decision, by the kind of case
(its wanted outcome).
"""
NEAR = 0.8
"""The share of relevant birthdays that are a few days before or after the journey, among birthdays
outside of the journey.
"""
CONNECTION, LAST, OTHERS = "the connection", "the last flight", "the escorts of others"
NO_ESCORT = (CONNECTION, LAST, OTHERS)
"""The reasons to refuse an escort that a reader can overlook."""
REFUSING = 0.75
"""The share of partly granted cases in which a reason of `NO_ESCORT` refuses an escort."""
TURNING, OWING = 0.65, 0.7
BASES, DRAWS = 400, 40
"""The number of bookings to draw until a case fits, and the number of letters to draw for each
booking.
"""


@dataclass(frozen=True)
class ChildrenCase(BookingCase):
    """A case of children who fly without their parents.

    Attributes:
        ways: The directions in which the mail asks for escorts.
        children: The children for whom the mail asks for an escort.
        baby: The infant for whom a seat is wanted; 0 if none.
        escorts: The number of escorts that other bookings have, by flight.
        seats: Other seats that the mail asks for.
    """

    wishes: tuple[Facts, ...]
    ways: tuple[str, ...]
    children: tuple[int, ...]
    baby: int
    escorts: Mapping[str, int]
    seats: Seats | None


def draw(rng: Random, data: CrmData, kind: str, *, holds: bool) -> ChildrenCase:
    """Draw a case of a kind (its wanted outcome, such as refused), with a claim in the mail that is
    true if `holds`.
    """
    wanted = {*NO_ESCORT} if kind == IN_PART and rng.random() < REFUSING else set()
    for _ in range(BASES):
        edition = editions.draw(rng, CHANGED_CHILDREN)
        drawn = base_booking.journey(rng, data, edition, ("20", "25"), DAYS, SEATED)
        for _ in range(DRAWS if drawn else 0):
            assert drawn is not None
            case = _case(rng, data, edition, drawn, kind, holds=holds)
            if case and _is_wanted(case, kind) and (not wanted or wanted & {*slips(case)}):
                return case
    raise AssertionError(f"no case is {kind}")


def slips(case: ChildrenCase) -> dict[str, Decision]:
    """Return, by label, the wrong decisions of a reader who overlooks something in the handbook or
    the mail.
    """
    return differing(case, _slipping(case))


def _is_wanted(case: ChildrenCase, kind: str) -> bool:
    escorts = [each for each in case.decision.changes if isinstance(each, Escort)]
    if kind in (DONE, IN_PART) and not any(each.flights for each in escorts):
        return False
    return is_hard(case, kind, slips(case), LEAST_RULES, LEAST_SLIPS)


# Oversights of a reader --------------------------------------------------------------------------


def _slipping(case: ChildrenCase) -> Iterator[tuple[str, Edition, Sequence[Facts]]]:
    """Yield each oversight with the handbook version and the wishes as the reader sees them."""
    edition, wishes = case.edition, case.wishes
    holding = tuple(each.number for each in counting(edition, wishes[0]))
    settled = replace(edition.with_bulletins(holding), bulletins=())
    first = wishes[0].booking.segments[0].day
    yield "ages on the day itself", settled, [_on(each, TODAY) for each in wishes]
    yield "ages on each flight", settled, [_on(each, first) for each in wishes]
    yield "who is grown", with_parameters(edition, adult_age=12), wishes
    yield CONNECTION, with_parameters(edition, escort_connection=0), wishes
    yield LAST, edition, [_with_changes(each, last=frozenset()) for each in wishes]
    yield OTHERS, edition, [_with_changes(each, escorts={}) for each in wishes]
    without_lap = [each for each in wishes if each.request.wish != "lap"]
    yield "the infant's birthday", edition, without_lap or wishes


def _on(facts: Facts, day: date) -> Facts:
    """Return the facts as if all flights were on the same day."""
    segments = tuple(replace(each, day=day) for each in facts.booking.segments)
    return replace(facts, booking=replace(facts.booking, segments=segments))


def _with_changes(facts: Facts, **changed: object) -> Facts:
    child = facts.request.unaccompanied
    if child is None:
        return facts
    new = replace(child, **changed)  # type: ignore[arg-type]
    return replace(facts, request=replace(facts.request, unaccompanied=new))


# The case ----------------------------------------------------------------------------------------


def _case(
    rng: Random,
    data: CrmData,
    edition: Edition,
    trip: Base,
    kind: str,
    *,
    holds: bool,
) -> ChildrenCase | None:
    wrote = NOW - rng.randint(1, 20) * HOUR
    days = [offer.date for offer, _ in trip.ways.values()]
    people = _people(rng, data, edition, days)
    bought = base_booking.bought_before(rng, wrote)
    held = base_booking.held(rng, replace(trip, party=people), bought.strftime(TIMES))
    customer = _parent(rng, data, held)
    about = rng.choice(("grown", "paid-up"))
    owing = (not holds) if about == "paid-up" else rng.random() < OWING
    booking = of_booking.booking(
        held, data, balance=rng.choice((15, 25, 35, 45)) if owing else 0, claim=kind == CLAIMED
    )
    given, plain = ticket_wishes.asking(rng, kind, customer, booking, "alone", wrote)
    claim = _claim(edition, plain, about, holds=holds)
    if claim is None:
        return None
    plain = replace(plain, claims=(claim,))
    escorts = {each.number: rng.choice((0, 0, 1, 1, 2, 3)) for each in held.flights}
    ways = (
        tuple(trip.ways) if rng.random() < 0.75 and kind != NOTHING else (rng.choice([*trip.ways]),)
    )
    children = tuple(range(2, len(SEATED) + 1))
    baby = len(held.passengers) if kind != NOTHING and len(held.passengers) > len(SEATED) else 0
    seats = ticket_seats.draw(rng, held) if rng.random() < 0.4 and kind != NOTHING else None
    wishes = [*_alones(plain, data, held, ways, children, escorts)]
    wishes += [_lap(plain, held)] if baby else []
    wishes += [ticket_seats.wish(plain, held, seats)] if seats else []
    if sort_of(without_all((), edition, wishes)) != kind:
        return None
    return ChildrenCase(
        edition=edition,
        held=held,
        customer=customer,
        wishes=tuple(wishes),
        decision=decide_all(edition, wishes),
        given=given,
        card=parties.card(rng),
        ways=ways,
        children=children,
        baby=baby,
        escorts=escorts,
        seats=seats,
    )


def _alones(
    plain: Facts,
    data: CrmData,
    held: Held,
    ways: Sequence[str],
    children: Sequence[int],
    escorts: Mapping[str, int],
) -> Iterator[Facts]:
    """Yield the request to escort each child who flies alone, for each direction.

    Every passenger of the booking counts as being on all flights.
    """
    everybody = tuple(each.number for each in held.passengers)
    with_whom = dict.fromkeys((each.number for each in held.flights), everybody)
    last = frozenset(
        each.number
        for each in held.flights
        if not any(
            other.departs > each.departs
            for other in data.network.on(each.origin, each.destination, each.date)
        )
    )
    for way in ways:
        for number in children:
            child = Unaccompanied(number, way, with_whom, escorts, last)
            yield replace(plain, request=replace(plain.request, unaccompanied=child))


def _lap(plain: Facts, held: Held) -> Facts:
    """Return the wish for the infant's seat, which costs a child's fare in each direction that
    needs it.
    """
    fares = {
        offer.flights[-1].number: prices.fare(offer.fare(brand).price, "child")
        for offer, brand in held.ways.values()
    }
    return replace(plain, request=replace(plain.request, wish="lap", lap_fares=fares))


def _claim(edition: Edition, facts: Facts, about: str, *, holds: bool) -> Claim | None:
    if about == "paid-up":
        return Claim("paid-up", True, holds)
    oldest, first = facts.booking.passengers[0], facts.booking.segments[0]
    is_grown = oldest.age(first.day) >= edition.adult_age
    return Claim("grown", oldest.number, holds) if is_grown == holds else None


# People ------------------------------------------------------------------------------------------


def _people(rng: Random, data: CrmData, edition: Edition, days: Sequence[str]) -> parties.Party:
    """Draw the passengers: the oldest, who is almost grown up; a child who is almost old enough; a
    small child; and sometimes an infant who is almost two.
    """
    surname = rng.choice(data.people["last"])
    ages = [edition.adult_age, edition.alone_age, rng.randint(4, 8)]
    ages += [BABY] if rng.random() < 0.6 else []
    taken: set[str] = set()
    found = []
    for number, years in enumerate(ages, start=1):
        gender = rng.choice(("Female", "Male"))
        first = rng.choice([each for each in data.people[gender.lower()] if each not in taken])
        taken.add(first)
        born = _born(rng, years, days)
        title = {"Female": "Ms", "Male": "Mr"}[gender]
        who = Person(title, first, surname, gender, born.isoformat())
        kind = "infant" if years == BABY else _kind(born, days[0])
        found.append(Passenger(number, kind, who, 1 if years == BABY else None))
    return parties.Party(tuple(found), {})


def _kind(born: date, day: str) -> str:
    return "child" if parties.age(born.isoformat(), day) < 12 else "adult"


def _born(rng: Random, years: int, days: Sequence[str]) -> date:
    """Draw a date of birth, with the birthday within the journey, a few days outside of it, or far
    from it.
    """
    first, last = (date.fromisoformat(each) for each in (days[0], days[-1]))
    if rng.random() < TURNING:
        turned = first + timedelta(rng.randint(1, max(1, (last - first).days)))
    elif rng.random() < NEAR:
        turned = rng.choice(
            (first - timedelta(rng.randint(0, 3)), last + timedelta(rng.randint(1, 5)))
        )
    else:
        turned = first + timedelta(rng.randint(-200, 200))
    return _years_before(turned, years)


def _years_before(day: date, years: int) -> date:
    return (day if (day.month, day.day) != (2, 29) else day - timedelta(1)).replace(
        year=day.year - years
    )


def _parent(rng: Random, data: CrmData, held: Held) -> Customer:
    """Draw the parent, who writes the mail and does not travel."""
    taken = {each.person.first_name for each in held.passengers}
    gender = rng.choice(("Female", "Male"))
    first = rng.choice([each for each in data.people[gender.lower()] if each not in taken])
    born = (TODAY - timedelta(rng.randint(38 * 365, 52 * 365))).isoformat()
    title = {"Female": "Mrs", "Male": "Mr"}[gender]
    who = Person(title, first, held.passengers[0].person.last_name, gender, born)
    tier = rng.choice(("", "Blue", "Silver", "Gold"))
    return Customer(CUSTOMER, who, email(who), held.origin, tier)
