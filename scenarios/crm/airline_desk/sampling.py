"""Draw the trips, people, cards and bookings of a CRM scenario."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from sites.crm import CrmData, Knobs
from sites.crm.base.clock import FIRST_DAY, LAST_DAY
from sites.crm.base.fields import check_digit
from sites.crm.base.records import CANCELLED, CONFIRMED, Booking, Leg, Passenger, booking_row, total
from sites.crm.base.timetable import Flight

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
SEATS = 2
"""The fewest seats that a flight must still have for the task to choose it."""
ONE_WAY = 0.35
SHORTEST, LONGEST = 2, 21
"""The fewest and the most days between the outward and the return flight."""
DOCTORS = 0.15
_TITLES = {"Female": ("Mrs", "Ms", "Dr"), "Male": ("Mr", "Dr")}
_BIRTHDAYS = date(1940, 1, 1), date(2005, 12, 31)


@dataclass(frozen=True)
class Trip:
    """A trip of an outward and a return flight; `inbound` is None for a one-way trip."""

    outward: Flight
    inbound: Flight | None

    @property
    def legs(self) -> tuple[Leg, Leg | None]:
        back = self.inbound
        return (
            Leg(self.outward.number, self.outward.date),
            Leg(back.number, back.date) if back else None,
        )

    @property
    def flights(self) -> tuple[Flight, ...]:
        return (self.outward, self.inbound) if self.inbound else (self.outward,)


def trip(
    rng: Random,
    data: CrmData,
    *,
    route: tuple[str, str] | None = None,
    returning: bool | None = None,
    avoid: Set[str] = frozenset(),
) -> Trip:
    """Draw a trip on flights that have seats left.

    Args:
        route: Origin and destination; None draws them.
        returning: Whether the trip has a return flight; None draws it.
        avoid: ISO dates on which no flight may be.
    """
    origin, target = route or rng.sample(sorted(data.airports), 2)
    back_too = rng.random() >= ONE_WAY if returning is None else returning
    while True:
        there = _day(rng, FIRST_DAY + timedelta(3), LAST_DAY - timedelta(LONGEST + 3))
        back = there + timedelta(rng.randint(SHORTEST, LONGEST))
        if avoid & {there.isoformat(), back.isoformat()}:
            continue
        outward = _open_flights(data, origin, target, there)
        inbound = _open_flights(data, target, origin, back)
        if outward and inbound:
            break
    return Trip(rng.choice(outward), rng.choice(inbound) if back_too else None)


def _day(rng: Random, first: date, last: date) -> date:
    return first + timedelta(rng.randrange((last - first).days + 1))


def _open_flights(data: CrmData, origin: str, target: str, day: date) -> list[Flight]:
    flights = data.flights(origin, target, day.isoformat())
    return [each for each in flights if each.seats >= SEATS]


def passenger(rng: Random, data: CrmData) -> Passenger:
    """Draw a passenger."""
    gender = rng.choice(("Female", "Male"))
    return Passenger(
        title=title(rng, gender),
        first_name=rng.choice(data.people[gender.lower()]),
        last_name=rng.choice(data.people["last"]),
        gender=gender,
        born=birthday(rng),
    )


def title(rng: Random, gender: str) -> str:
    """Draw a title that fits the gender."""
    *usual, doctor = _TITLES[gender]
    return doctor if rng.random() < DOCTORS else rng.choice(usual)


def birthday(rng: Random) -> str:
    return _day(rng, *_BIRTHDAYS).isoformat()


def card(rng: Random) -> dict[str, str]:
    """Draw a card that passes the Luhn test, as values of the payment screen's fields."""
    digits = rng.choice("45") + "".join(rng.choice("0123456789") for _ in range(14))
    return {
        "card-number": digits + check_digit(digits),
        "expiry": f"{rng.randint(1, 12):02}/{rng.randint(27, 32)}",
        "cvc": f"{rng.randrange(1000):03}",
    }


def reference(rng: Random) -> str:
    """Draw a booking reference: six characters with at least one letter and one digit."""
    while True:
        made = "".join(rng.choice(LETTERS) for _ in range(6))
        if any(map(str.isdigit, made)) and any(map(str.isalpha, made)):
            return made


def booking(rng: Random, data: CrmData, drawn: Trip | None = None) -> Booking:
    """Draw a confirmed booking for a trip; without `drawn` the trip is drawn too."""
    drawn = drawn or trip(rng, data)
    outward, inbound = drawn.legs
    return Booking(
        reference=reference(rng),
        status=CONFIRMED,
        passenger=passenger(rng, data),
        outward=outward,
        inbound=inbound,
        price=total(*drawn.flights),
        card=f"{rng.randrange(10000):04}",
    )


def changed(who: Passenger, gender_too: bool, data: CrmData, rng: Random) -> Passenger:
    """Draw new data for a passenger: a different person with a different title.

    Args:
        gender_too: Whether the person is of the other gender.
    """
    gender = who.gender
    if gender_too:
        gender = "Male" if gender == "Female" else "Female"
    new = passenger(rng, data)
    names = rng.choice(data.people[gender.lower()])
    titles = [each for each in _TITLES[gender] if each != who.title]
    return replace(new, title=rng.choice(titles), first_name=names, gender=gender)


def office(
    rng: Random, data: CrmData, target: Booking | None, secrets: Collection[str]
) -> tuple[Booking, ...]:
    """Draw all bookings of the desk: the task's booking, and others that contain no secret value.

    The passenger of the task's booking has a namesake, and one more booking is cancelled. Without
    such a booking, a random booking gets the namesake.

    Args:
        target: The booking that the task is about, or None.
        secrets: Texts that no other booking may contain.
    """
    others = _others(rng, data, secrets)
    made = [target or next(others)]
    made += [next(others) for _ in range(rng.randint(5, 9))]
    made.append(_namesake(rng, next(others), made[0], secrets))
    made.append(replace(next(others), status=CANCELLED))
    unique = list({each.reference: each for each in made}.values())
    rng.shuffle(unique)
    return tuple(unique)


def _others(rng: Random, data: CrmData, secrets: Collection[str]) -> Iterator[Booking]:
    while True:
        drawn = booking(rng, data)
        if not holds(drawn, secrets):
            yield drawn


def _namesake(rng: Random, drawn: Booking, one: Booking, secrets: Collection[str]) -> Booking:
    """Return a copy of the booking `drawn` whose passenger has the name of `one`'s passenger but
    another birthday.
    """
    while True:
        made = replace(drawn, passenger=replace(one.passenger, born=birthday(rng)))
        if made.passenger != one.passenger and not holds(made, secrets):
            return made


def holds(booking: Booking, secrets: Collection[str]) -> bool:
    """Return whether the booking contains one of the secret texts."""
    text = json.dumps(booking_row(booking), ensure_ascii=False)
    return any(secret in text for secret in secrets)


def knobs(rng: Random) -> Knobs:
    """Draw the options of the pages: often none, sometimes shuffled fields, a survey or latency."""
    return Knobs(
        shuffle=rng.randrange(1000) if rng.random() < 0.25 else None,
        survey=rng.random() < 0.25,
        latency_ms=20 if rng.random() < 0.1 else 0,
    )
