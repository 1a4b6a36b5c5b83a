"""A party that one person leaves: the passengers, their seats, and the payments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import product
from random import Random

from scenarios.crm.after_sale.split_party._minding import MINDING, PARTS, Sitting, drawn_seats, runs
from scenarios.crm.after_sale.split_party._money import FareRule
from scenarios.crm.airline_desk import bookings, dates
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.airline_desk.parties import YEARS, age, kind
from scenarios.crm.airline_desk.sampling import title
from sites.crm import CrmData
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.prices import BRAND_RULES
from sites.crm.airline_desk.model.records import DIRECTIONS, KINDS, Passenger, Person
from sites.crm.base.clock import TODAY
from sites.crm.base.network import BRANDS, Offer
from sites.crm.base.timetable import Flight

LEAVER, NAMESAKE, OTHER, TEEN, SMALL, TURNING, BABY = (
    *("leaver", "namesake", "other", "teen", "small", "turning", "baby"),
)
"""The roles of passengers: the person leaving; a namesake with the same initial; the person who
booked; a teenager; a small child; a child who turns twelve before the return; and the infant.
"""
LAYOUTS = 90
"""The number of seatings of the party to try on a flight."""
BOUGHT = "2025-12-02 09:40:00"


@dataclass(frozen=True)
class Group:
    """A booking with the passenger number of each role (such as the person leaving) and the seating
    on each flight.
    """

    held: Held
    numbers: Mapping[str, int]
    sittings: tuple[Sitting, ...]

    def who(self, role: str) -> Passenger:
        return next(each for each in self.held.passengers if each.number == self.numbers[role])

    @property
    def leaver(self) -> Passenger:
        return self.who(LEAVER)

    @property
    def moves(self) -> dict[int, dict[int, str]]:
        """The new seats of children left without an adult, by the flight's position from 1 and by
        passenger.
        """
        found = {}
        for place, each in enumerate(self.sittings, start=1):
            moved = each.moves(self.numbers[LEAVER])
            assert moved is not None, "a seating is drawn so that everybody finds a seat"
            found[place] = moved
        return {place: moved for place, moved in found.items() if moved}

    def moves_without(self, part: str) -> dict[int, dict[int, str]]:
        """Return the new seats of children if a part of the seating rule is ignored, as far as
        there are seats.
        """
        made = {
            place: each.moves(self.numbers[LEAVER], part) or {}
            for place, each in enumerate(self.sittings, start=1)
        }
        return {place: moved for place, moved in made.items() if moved}

    @property
    def bearing(self) -> frozenset[str]:
        """The parts of the seating rule without which the new seats on some flight would differ."""
        return frozenset().union(*(each.bearing(self.numbers[LEAVER]) for each in self.sittings))


# People ------------------------------------------------------------------------------------------


def people(rng: Random, data: CrmData, days: Sequence[str]) -> dict[str, Person]:
    """Draw the people of the party by role: six with a seat, and an infant.

    Args:
        days: The ISO dates of the first and the last travel day.
    """
    surname, second = rng.sample(data.people["last"], 2)
    leaver, namesake = _namesakes(rng, data)
    taken = {leaver[0], namesake[0]}
    letters = {leaver[0][0]}
    grown = [_born(rng, *YEARS["adult"]) for _ in range(3)]
    births = {
        TEEN: _born(rng, 13, 16),
        SMALL: _born(rng, 4, 8),
        TURNING: _turning(rng, days),
        BABY: (TODAY - timedelta(rng.randint(70, 330))).isoformat(),
    }
    made = {
        LEAVER: _person(rng, leaver, surname, grown[0], grown=True),
        NAMESAKE: _person(rng, namesake, surname, grown[1], grown=True),
    }
    for role, born in ((OTHER, grown[2]), *births.items()):
        gender = rng.choice(("Female", "Male"))
        names = data.people[gender.lower()]
        able = [each for each in names if each not in taken and each[0] not in letters]
        first = rng.choice(able)
        taken.add(first)
        own = second if role == OTHER else rng.choice((surname, second))
        made[role] = _person(rng, (first, gender), own, born, grown=role == OTHER)
    return made


def _namesakes(rng: Random, data: CrmData) -> list[tuple[str, str]]:
    """Draw two first names with the same initial, each with its gender."""
    named = [(each, sex) for sex in ("Female", "Male") for each in data.people[sex.lower()]]
    while True:
        one, other = rng.sample(named, 2)
        if one[0][0] == other[0][0] and one[0] != other[0]:
            return [one, other]


def _person(
    rng: Random, called: tuple[str, str], surname: str, born: str, *, grown: bool
) -> Person:
    first, gender = called
    own = title(rng, gender) if grown else {"Female": "Ms", "Male": "Mr"}[gender]
    return Person(own, first, surname, gender, born)


def _born(rng: Random, least: int, most: int) -> str:
    return (TODAY - timedelta(rng.randint(366 * least + 40, 365 * most))).isoformat()


def _turning(rng: Random, days: Sequence[str]) -> str:
    """Draw the birthday of a child who turns twelve during the trip, at least two days from either
    journey.
    """
    first, last = (date.fromisoformat(each) for each in days)
    turned = first + timedelta(rng.randint(3, (last - first).days - 2))
    return (
        (turned if (turned.month, turned.day) != (2, 29) else turned - timedelta(1))
        .replace(year=turned.year - 12)
        .isoformat()
    )


def passengers(
    rng: Random, made: Mapping[str, Person], days: Sequence[str]
) -> tuple[tuple[Passenger, ...], dict[str, int]]:
    """Number the passengers by kind, randomly within a kind; also return each role's number."""
    listed = [(kind(who.born, days), role, who) for role, who in made.items()]
    rng.shuffle(listed)
    listed.sort(key=lambda each: KINDS.index(each[0]))
    numbers = {role: number for number, (_, role, _) in enumerate(listed, start=1)}
    lap = numbers[LEAVER]
    party = tuple(
        Passenger(number, sort, who, lap if sort == "infant" else None)
        for number, (sort, _, who) in enumerate(listed, start=1)
    )
    return party, numbers


# Seats -------------------------------------------------------------------------------------------


def seated(
    rng: Random, party: Sequence[Passenger], numbers: Mapping[str, int], ways: Sequence[Offer]
) -> tuple[Sitting, ...] | None:
    """Draw seats on all three flights such that a child must move on two of them, or return None if
    none fit.

    Every part of the seating rule affects some flight.
    """
    flights = [(place, flight) for place, way in enumerate(ways) for flight in way.flights]
    back = [flight for place, flight in flights if place]
    quiet = rng.choice(back)
    found: list[list[Sitting]] = []
    for place, flight in flights:
        sort = "quiet" if flight is quiet else "back" if place else "out"
        own = [*_layouts(rng, party, numbers, flight, flights[0][1].date, sort)]
        if not own:
            return None
        found.append(own)
    leaver = numbers[LEAVER]
    options = [[*_kinds(own, leaver).items()] for own in found]
    able = [
        chosen
        for chosen in product(*options)
        if frozenset().union(*(parts for (parts, _), _ in chosen)) >= {*PARTS}
        and any(costs for (_, costs), _ in chosen)
    ]
    return tuple(each for _, each in rng.choice(able)) if able else None


def _kinds(own: Sequence[Sitting], leaver: int) -> dict[tuple[frozenset[str], bool], Sitting]:
    """Return a seating for each combination of the rule's parts that matter and whether the seat of
    the person leaving has a charge.
    """
    return {(each.bearing(leaver), _costs(each, leaver)): each for each in own}


def _costs(sitting: Sitting, number: int) -> bool:
    return sitting.cabin.places[sitting.seats[number]].price > 0


GROUPS: Mapping[str, tuple[tuple[tuple[str, ...], ...], ...]] = {
    "out": (
        ((SMALL, LEAVER, NAMESAKE), (TURNING, OTHER)),
        ((TEEN, SMALL, LEAVER), (TURNING, OTHER)),
        ((TEEN, TURNING, LEAVER), (SMALL, OTHER)),
        ((SMALL, LEAVER), (TURNING, OTHER)),
        ((TURNING, LEAVER), (SMALL, NAMESAKE)),
        ((SMALL, LEAVER), (TURNING, NAMESAKE)),
    ),
    "back": (
        ((SMALL, LEAVER, NAMESAKE),),
        ((SMALL, LEAVER, TURNING),),
        ((TEEN, SMALL, LEAVER),),
        ((SMALL, LEAVER),),
    ),
    "quiet": (((TURNING, LEAVER), (SMALL, OTHER)), ((TURNING, LEAVER), (SMALL, NAMESAKE))),
}
"""For each kind of flight, the groups of roles that sit next to each other, in seat order; all
other passengers sit apart.
"""
EVERYBODY = (LEAVER, NAMESAKE, OTHER, TEEN, SMALL, TURNING)


def _layouts(
    rng: Random,
    party: Sequence[Passenger],
    numbers: Mapping[str, int],
    flight: Flight,
    first: str,
    sort: str,
) -> Iterator[Sitting]:
    """Yield seatings of a flight in which every child sits next to an adult before the person
    leaves.

    When the person leaves, exactly one child has to move; on a "quiet" flight nobody has to.
    """
    places = cabin(flight)
    born = {each.number: each.person.born for each in party}
    ages = {number: age(day, flight.date) for number, day in born.items()}
    first_ages = {number: age(day, first) for number, day in born.items()}
    able = {length: runs(places, length) for length in (1, 2, 3)}
    for _ in range(LAYOUTS):
        groups = rng.choice(GROUPS[sort])
        rest = [
            (role,) for role in EVERYBODY if role not in {one for each in groups for one in each}
        ]
        rng.shuffle(rest)
        seats = drawn_seats(
            rng, able, [[numbers[role] for role in each] for each in (*groups, *rest)]
        )
        if seats is None:
            continue
        made = Sitting(places, seats, ages, first_ages)
        if _fits(made, numbers[LEAVER], sort):
            yield made


def _fits(made: Sitting, leaver: int, sort: str) -> bool:
    if made.unminded(made.seats):
        return False
    moved = made.moves(leaver)
    return moved is not None and len(moved) == (sort != "quiet")


# The booking -------------------------------------------------------------------------------------


def ways(rng: Random, data: CrmData, days: Sequence[str]) -> tuple[Offer, Offer] | None:
    """Draw a single flight in one direction and two flights in the other, or return None."""
    origin, destination = rng.sample(bookings.plain_airports(data), 2)
    stops = rng.choice(((0, 1), (1, 0)))
    found = []
    for there, day, number in (
        ((origin, destination), days[0], stops[0]),
        ((destination, origin), days[1], stops[1]),
    ):
        able = [each for each in data.network.offers(*there, day) if each.stops == number]
        if not able:
            return None
        found.append(rng.choice(able))
    return found[0], found[1]


def brands(
    rng: Random, offers: Sequence[Offer], rule: FareRule, seats: int
) -> tuple[str, str] | None:
    """Draw a fare for each direction so that the refund rule gives back different parts of them, or
    return None.
    """
    able = [
        (one, other)
        for one, other in product(BRANDS, BRANDS)
        if rule.sort(one) != rule.sort(other)
        and offers[0].fare(one).seats >= seats
        and offers[1].fare(other).seats >= seats
    ]
    return rng.choice(able) if able else None


def bags(
    rng: Random, numbers: Mapping[str, int], fares: Mapping[str, str]
) -> dict[tuple[int, str], int]:
    """Draw bags; the person leaving has a bag in each direction and at least one with a charge."""
    found = {}
    for way in DIRECTIONS:
        for role in (NAMESAKE, OTHER, TEEN, SMALL, TURNING):
            found[numbers[role], way] = rng.choice((0, 0, 1, 1, 2))
        found[numbers[LEAVER], way] = rng.randint(1, 2)
    costly = [way for way in DIRECTIONS if BRAND_RULES[fares[way]].bags < 2]
    way = rng.choice(costly)
    found[numbers[LEAVER], way] = BRAND_RULES[fares[way]].bags + 1
    return {key: pieces for key, pieces in found.items() if pieces}


def draw(rng: Random, data: CrmData, reference: str, rule: FareRule) -> Group | None:
    """Draw the booking before the person leaves, paid by a single card, or return None."""
    first = dates.FIRST + timedelta(rng.randrange(200))
    days = first.isoformat(), (first + timedelta(rng.randint(7, 16))).isoformat()
    offers = ways(rng, data, days)
    chosen = brands(rng, offers, rule, 6) if offers else None
    if offers is None or chosen is None:
        return None
    party, numbers = passengers(rng, people(rng, data, days), days)
    sittings = seated(rng, party, numbers, offers)
    if sittings is None:
        return None
    flights = [flight for each in offers for flight in each.flights]
    fares = dict(zip(DIRECTIONS, chosen, strict=True))
    held = Held(
        reference=reference,
        customer=1,
        bought=BOUGHT,
        ways=dict(zip(DIRECTIONS, zip(offers, chosen, strict=True), strict=True)),
        passengers=party,
        card="",
        seats={
            (number, flight.number): code
            for flight, each in zip(flights, sittings, strict=True)
            for number, code in each.seats.items()
        },
        bags=bags(rng, numbers, fares),
    )
    return Group(held, numbers, sittings)


def holders(group: Group) -> dict[str, int]:
    """Return the numbers of adults on whose lap the infant may go, by the request's words for
    them.
    """
    first = group.held.flights[0].date
    stay = [group.who(each) for each in (NAMESAKE, OTHER, TEEN)]
    grown = [each for each in stay if age(each.person.born, first) >= MINDING]
    oldest = min(stay, key=lambda each: each.person.born)
    youngest = max(grown, key=lambda each: each.person.born)
    return {OLDEST: oldest.number, YOUNGEST: youngest.number}


OLDEST = "the oldest of those who stay"
YOUNGEST = "the youngest of those who stay and are at least 18 on the day of the way out"


# Other bookings ----------------------------------------------------------------------------------


def customers(rng: Random, data: CrmData, group: Group) -> tuple[Customer, ...]:
    """Draw the customer who booked, and a customer with the same surname."""
    booked_by = group.who(OTHER).person
    names = [
        (each, sex)
        for sex in ("Female", "Male")
        for each in data.people[sex.lower()]
        if each != booked_by.first_name
    ]
    called = rng.choice(names)
    other = _person(rng, called, booked_by.last_name, _born(rng, *YEARS["adult"]), grown=True)
    homes = group.held.origin, rng.choice(sorted(data.airports))
    return tuple(
        Customer(number, who, f"{who.first_name}.{who.last_name}@example.com".lower(), home)
        for number, (who, home) in enumerate(zip((booked_by, other), homes, strict=True), start=1)
    )


def others(rng: Random, data: CrmData, group: Group, taken: set[str]) -> tuple[Held, ...] | None:
    """Draw three other bookings, or return None if flights are lacking.

    The same people fly elsewhere in the same month, and to the same place in another month. The
    third booking belongs to another customer.
    """
    first, last = (date.fromisoformat(group.held.ways[each][0].date) for each in DIRECTIONS)
    month = [first.replace(day=1) + timedelta(at) for at in range(27)]
    free = [day for day in month if day + timedelta(2) < first or day > last]
    free = [day for day in free if day.month == first.month]
    if not free:
        return None
    here, there = group.held.origin, group.held.destination
    elsewhere = [
        code for code in data.airports if data.airports[code].city != data.airports[there].city
    ]
    away = rng.choice([each for each in elsewhere if each != here])
    later = first + timedelta(rng.randint(65, 90))
    made = [
        _other(rng, data, group, (here, away), rng.choice(free)),
        _other(rng, data, group, (here, there), later),
        _other(rng, data, group, (here, rng.choice([away, there])), rng.choice(free)),
    ]
    if None in made:
        return None
    fresh = [replace(each, reference=bookings.reference(rng, taken)) for each in made if each]
    return (*fresh[:2], _of_another(fresh[2], group))


def _other(
    rng: Random, data: CrmData, group: Group, route: tuple[str, str], day: date
) -> Held | None:
    """Draw a return trip of three adults, or return None if no offer fits."""
    back = day + timedelta(2)
    brand = rng.choice(("classic", "flex"))
    try:
        found = {
            "outward": (bookings.offer(rng, data, (*route, day.isoformat()), brand, 3), brand),
            "return": (
                bookings.offer(rng, data, (*route[::-1], back.isoformat()), brand, 3),
                brand,
            ),
        }
    except IndexError:
        return None
    people = [group.who(each).person for each in (LEAVER, NAMESAKE, OTHER)]
    rng.shuffle(people)
    party = tuple(Passenger(number, "adult", who) for number, who in enumerate(people, start=1))
    return Held("", 1, BOUGHT, found, party, f"{rng.randrange(10000):04}")


def _of_another(held: Held, group: Group) -> Held:
    """Return the journey as a booking of the second customer, without the person who booked the
    first.
    """
    booked_by = group.who(OTHER).person
    party = tuple(each for each in held.passengers if each.person != booked_by)
    numbered = tuple(replace(each, number=at) for at, each in enumerate(party, start=1))
    return replace(held, customer=2, passengers=numbered)
