"""Bookings of people with the same surname; exactly one booking has all facts of which the caller
is certain.

For each fact, another booking lacks only that fact, so the agent must check every fact.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any

from scenarios.crm.airline_desk import bookings
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN
from scenarios.crm.airline_desk.parties import age
from sites.crm import CrmData
from sites.crm.airline_desk.model.records import CANCELLED, CONFIRMED, Passenger, Person
from sites.crm.airline_desk.operations.people import is_called
from sites.crm.base.clock import TODAY
from sites.crm.base.network import BRANDS, Offer

LISTED = ("to", "pair", "month", "force", "sex", "nights")
"""The kinds of facts that a list of bookings shows; a child's first name shows its sex."""
ON_PAGE = ("age", "fare", "bought", "luggage", "stops")
"""The kinds of facts that only the page of a booking shows."""
WITH_NIGHTS = 0.5
"""The share of calls in which the caller knows the number of nights; the other kinds of facts are
always known.
"""
WAYS = OUTWARD, RETURN
OTHER = {OUTWARD: RETURN, RETURN: OUTWARD}
SOLD_FROM, SOLD_TO = date(2025, 8, 4), date(2026, 1, 10)
"""The first and the last day on which bookings were made."""
CLEAR_DAYS = 5
"""The fewest days that a booking's date may be away from a limit or birthday with which it is
compared.
"""
BY_OTHERS = 0.3
"""The share of bookings whose buyer is another person than the passengers."""
ANY_DAY = "2026-04-14"
"""A day on which a route's flights are looked up, to see whether any has a change of planes."""
FEW_SEATS = 3


@dataclass(frozen=True)
class Caller:
    """The caller and the facts that the caller states.

    Attributes:
        origins: The origin that the caller believes, and another airport.
        facts: The facts by kind: "to" an airport; "month" two months; "nights" the fewest nights;
            "age" and "sex" of the child; "fare" a direction and a brand; "bought" a side ("before",
            "after") and a day; "luggage" the only direction with a bag; "stops" the only direction
            with a change of planes; "pair" (an adult and a child) and "force" (confirmed) are True.
        wrong: The first, wrong statement of a fact that is corrected, by kind.
    """

    surname: str
    title: str
    gender: str
    origins: tuple[str, str]
    facts: Mapping[str, Any]
    wrong: Mapping[str, Any]


# Certain facts ------------------------------------------------------------------------------------


def draw(rng: Random, data: CrmData) -> Caller:
    """Draw a caller and the facts that the caller remembers; the routes have flights with and
    without a change of planes.
    """
    gender = rng.choice(("Female", "Male"))
    origins, to = _places(rng, data)
    month = rng.randint(2, 10)
    limit = SOLD_FROM + timedelta(rng.randint(45, 115))
    values: dict[str, Any] = {
        "to": to,
        "pair": True,
        "month": (f"2026-{month:02}", f"2026-{month + 1:02}"),
        "force": True,
        "nights": rng.randint(6, 10),
        "sex": rng.choice(("Female", "Male")),
        "age": rng.randint(4, 9),
        "fare": (rng.choice(WAYS), rng.choice(BRANDS[1:])),
        "bought": (rng.choice(("before", "after")), limit.isoformat()),
        "luggage": rng.choice(WAYS),
        "stops": rng.choice(WAYS),
    }
    if rng.random() > WITH_NIGHTS:
        del values["nights"]
    surname = rng.choice(data.people["last"])
    return Caller(surname, _title(gender), gender, origins, values, {})


def _title(gender: str) -> str:
    return {"Female": "Ms", "Male": "Mr"}[gender]


def _places(rng: Random, data: CrmData) -> tuple[tuple[str, str], str]:
    """Draw the codes of two origins and a destination, each the only airport of its city."""
    plain = bookings.plain_airports(data)
    while True:
        one, other, to = rng.sample(plain, 3)
        routes = [(one, to), (to, one), (other, to), (to, other)]
        if all(data.network.flies(*each) for each in routes) and all(
            any(offer.stops for offer in data.network.offers(*each, ANY_DAY)) for each in routes
        ):
            return (one, other), to


def corrected(rng: Random, case: Caller, kind: str) -> Caller:
    """Return the caller with a wrong first statement about the child's age ("age") or the month of
    travel ("month").
    """
    right = case.facts[kind]
    if kind == "age":
        return replace(case, wrong={kind: right + rng.choice((-1, 1))})
    first = int(right[0][5:])
    start = first + rng.choice((-1, 1)) if 2 < first < 10 else first + (1 if first < 10 else -1)
    return replace(case, wrong={kind: (f"2026-{start:02}", f"2026-{start + 1:02}")})


# Bookings ----------------------------------------------------------------------------------------


class Office:
    """A generator of bookings around a caller.

    No other name begins like the caller's surname, and no two people share a first name.
    """

    def __init__(self, rng: Random, data: CrmData, case: Caller) -> None:
        self.rng, self.data, self.case = rng, data, case
        self.taken: set[str] = set()
        self.customers: list[Customer] = []
        names = {
            key: [each for each in listed if not is_called(each, "", case.surname)]
            for key, listed in data.people.items()
        }
        self.lasts = names["last"]
        self.firsts = {gender: names[gender.lower()] for gender in ("Female", "Male")}
        for listed in self.firsts.values():
            rng.shuffle(listed)

    def first_name(self, gender: str) -> str:
        return self.firsts[gender].pop()

    def person(self, surname: str, gender: str, born: date) -> Person:
        first = self.first_name(gender)
        return Person(_title(gender), first, surname, gender, born.isoformat())

    def grown(self, surname: str, gender: str) -> Person:
        years = self.rng.randint(24, 60)
        return self.person(surname, gender, TODAY - timedelta(365 * years + 180))

    def stranger(self) -> Person:
        return self.grown(self.rng.choice(self.lasts), self.rng.choice(("Female", "Male")))

    def customer(self, who: Person) -> int:
        number = len(self.customers) + 1
        home = self.rng.choice(self.case.origins)
        tier = self.rng.choice(("", "", "Blue", "Silver", "Gold"))
        email = f"{who.first_name}.{who.last_name}@example.com".lower().replace(" ", "")
        self.customers.append(Customer(number, who, email, home, tier))
        return number

    def reference(self) -> str:
        return bookings.reference(self.rng, self.taken)

    def card(self) -> str:
        return f"{self.rng.randrange(1000, 10000)}"

    def bought(self, side: str = "", limit: str = "") -> str:
        """Draw a time of sale, before or after the day `limit` if a side is given."""
        first, last = SOLD_FROM, SOLD_TO
        if side == "before":
            last = date.fromisoformat(limit) - timedelta(CLEAR_DAYS)
        if side == "after":
            first = date.fromisoformat(limit) + timedelta(CLEAR_DAYS)
        day = first + timedelta(self.rng.randrange((last - first).days + 1))
        return f"{day} {self.rng.randint(8, 18):02}:{self.rng.randrange(0, 60, 5):02}"


def namesake(office: Office, breaks: Collection[str], origin: str, first: str = "") -> Held:
    """Draw a booking under the caller's surname.

    Args:
        breaks: The facts that the booking must lack; it has all others.
        origin: The airport of the outward flight.
        first: The child's first name; "" draws it.
    """
    tries = (_namesake(office, breaks, origin, first) for _ in range(100))
    return next(filter(None, tries))


def _namesake(office: Office, breaks: Collection[str], origin: str, first: str) -> Held | None:
    """Draw a booking as for `namesake`, in a single attempt; None if it has no flights."""
    rng, case = office.rng, office.case
    ends = (origin, case.facts["to"])
    if "to" in breaks:
        ends = ends[1], ends[0]
    out = _day(rng, case, "month" in breaks)
    home = out + timedelta(_nights(rng, case, "nights" in breaks))
    brands = _brands(rng, case, "fare" in breaks)
    changes = _changes(rng, case, "stops" in breaks)
    ways = {}
    for way, day in ((OUTWARD, out), (RETURN, home)):
        here, there = ends if way == OUTWARD else ends[::-1]
        offer = _offer(office, (here, there, day.isoformat()), brands[way], changes[way])
        if offer is None:
            return None
        ways[way] = offer, brands[way]
    people = _people(office, breaks, first)
    buyer = people[0].person
    if rng.random() < BY_OTHERS:
        buyer = office.stranger()
    return Held(
        office.reference(),
        office.customer(buyer),
        _bought(office, "bought" in breaks),
        ways,
        people,
        office.card(),
        bags={(1, way): 1 for way in _luggage(rng, case, "luggage" in breaks)},
        status=CANCELLED if "force" in breaks else CONFIRMED,
    )


def _day(rng: Random, case: Caller, otherwise: bool) -> date:
    """Draw the day of the outward flight, in a month that the caller did not name if
    `otherwise`.
    """
    first, last = (int(month[5:]) for month in case.facts["month"])
    months = [first, last]
    if otherwise:
        stated = [int(month[5:]) for month in case.wrong.get("month", ())]
        months = [each for each in stated if each not in months] or [
            each for each in (first - 1, last + 1) if 2 <= each <= 11
        ]
    return date(2026, rng.choice(months), rng.randint(1, 26))


def _nights(rng: Random, case: Caller, otherwise: bool) -> int:
    fewest = case.facts.get("nights", 4)
    return rng.randint(fewest - 4, fewest - 1) if otherwise else rng.randint(fewest, fewest + 7)


def _brands(rng: Random, case: Caller, otherwise: bool) -> dict[str, str]:
    """Draw the fares by direction. With `otherwise`, the fare that the caller remembers is in the
    other direction.
    """
    way, brand = case.facts["fare"]
    if not otherwise:
        return {way: brand, OTHER[way]: rng.choice(BRANDS)}
    others = [each for each in BRANDS if each != brand]
    return {way: rng.choice(others), OTHER[way]: brand}


def _changes(rng: Random, case: Caller, otherwise: bool) -> dict[str, int]:
    """Draw the number of changes of planes by direction; `otherwise` means not as the caller
    remembers.
    """
    way = case.facts["stops"]
    if not otherwise:
        return {way: 1, OTHER[way]: 0}
    return rng.choice(({way: 0, OTHER[way]: 1}, {way: 1, OTHER[way]: 1}))


def _luggage(rng: Random, case: Caller, otherwise: bool) -> Sequence[str]:
    """Draw the directions in which the adult has a bag; `otherwise` means not as the caller
    remembers.
    """
    way = case.facts["luggage"]
    return rng.choice((WAYS, (OTHER[way],))) if otherwise else (way,)


def _bought(office: Office, otherwise: bool) -> str:
    side, limit = office.case.facts["bought"]
    opposite = {"before": "after", "after": "before"}
    return office.bought(opposite[side] if otherwise else side, limit)


def _offer(office: Office, way: tuple[str, str, str], brand: str, changes: int) -> Offer | None:
    """Draw an offer with seats and this number of changes of planes, or return None."""
    network = office.data.network
    offers = (
        network.offers(*way)
        if changes
        else (Offer((each,), network.fares(each)) for each in network.on(*way))
    )
    able = [
        each for each in offers if each.fare(brand).seats >= FEW_SEATS and each.stops == changes
    ]
    return office.rng.choice(able) if able else None


def _people(office: Office, breaks: Collection[str], first: str) -> tuple[Passenger, ...]:
    """Draw the adult and the child of a booking, and a second adult if the fact "pair" must be
    false.
    """
    rng, case = office.rng, office.case
    grown = office.grown(case.surname, case.gender)
    sex = case.facts["sex"]
    if "sex" in breaks:
        sex = {"Female": "Male", "Male": "Female"}[sex]
    born = _birthday(rng, case, "age" in breaks)
    named = first or office.first_name(sex)
    child = Person(_title(sex), named, case.surname, sex, born.isoformat())
    people = [Passenger(1, "adult", grown), Passenger(2, "child", child)]
    if "pair" in breaks:
        third = Passenger(2, "adult", office.stranger())
        people = [people[0], third, replace(people[1], number=3)]
    return tuple(people)


def _birthday(rng: Random, case: Caller, otherwise: bool) -> date:
    """Draw a child's birthday, not close to today, for the age that the caller states; for another
    age if `otherwise`.
    """
    years = case.facts["age"]
    if otherwise:
        years = case.wrong.get("age", 0) or years + rng.choice((-2, -1, 1))
    return TODAY.replace(year=TODAY.year - years) - timedelta(rng.randint(CLEAR_DAYS, 350))


def stranger(office: Office) -> Held:
    """Draw a booking of people with other surnames."""
    rng, data = office.rng, office.data
    places = [*office.case.origins, office.case.facts["to"], *rng.sample(sorted(data.airports), 4)]
    while True:
        here, there = rng.sample(places, 2)
        day = date(2026, rng.randint(2, 11), rng.randint(1, 28)).isoformat()
        brand = rng.choice(BRANDS)
        offer = _offer(office, (here, there, day), brand, 0)
        if offer:
            break
    people = [office.stranger() for _ in range(rng.choice((1, 1, 2)))]
    return Held(
        office.reference(),
        office.customer(people[0]),
        office.bought(),
        {OUTWARD: (offer, brand)},
        tuple(Passenger(number, "adult", who) for number, who in enumerate(people, start=1)),
        office.card(),
        status=rng.choice((CONFIRMED, CONFIRMED, CONFIRMED, CANCELLED)),
    )


# Missing facts ------------------------------------------------------------------------------------


def lacks(case: Caller, held: Held) -> set[str]:
    """Return the kinds of the caller's facts that are not true of a booking."""
    facts = case.facts
    child = held.passengers[-1].person
    flights = {way: offer.flights for way, (offer, _) in held.ways.items()}
    days = {way: date.fromisoformat(flown[0].date) for way, flown in flights.items()}
    bags = [way for way in WAYS if held.bags.get((1, way))]
    way, brand = facts["fare"]
    side, limit = facts["bought"]
    has: dict[str, bool] = {
        "to": held.destination == facts["to"],
        "pair": [each.kind for each in held.passengers] == ["adult", "child"],
        "month": days[OUTWARD].isoformat()[:7] in facts["month"],
        "force": held.status == CONFIRMED,
        "nights": (days[RETURN] - days[OUTWARD]).days >= facts.get("nights", 0),
        "sex": child.gender == facts["sex"],
        "age": age(child.born, TODAY.isoformat()) == facts["age"],
        "fare": held.ways[way][1] == brand,
        "bought": (held.bought < limit) == (side == "before"),
        "luggage": bags == [facts["luggage"]],
        "stops": [way for way in WAYS if len(flights[way]) > 1] == [facts["stops"]],
    }
    return {kind for kind in facts if not has[kind]}
