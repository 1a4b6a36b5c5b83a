"""Seats that a mail requests in addition to another wish, on one flight for one or two
passengers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from scenarios.crm.airline_desk import parties
from scenarios.crm.airline_desk.bookings import Held
from scenarios.crm.airline_desk.forms import Do
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import SetSeats
from scenarios.crm.policy.facts import Facts, NewSeats, SeatPlace
from scenarios.crm.tickets import customers
from scenarios.crm.tickets.customers import Known
from scenarios.phrasings import Speaker
from sites.crm.airline_desk.model.cabin import Place, cabin

AT_EXIT = 0.6
"""The share of seats in an exit row, which not every passenger may use."""


@dataclass(frozen=True)
class Seats:
    """Requested free seats with a price: `place` is the flight's position in the booking, `places`
    has the seat of each passenger.
    """

    place: int
    places: Mapping[int, Place]


def draw(rng: Random, held: Held) -> Seats | None:
    """Draw seats on one flight for one or two passengers; None if the plane has no suitable free
    seat.
    """
    at = rng.randrange(len(held.flights)) + 1
    is_exit = rng.random() < AT_EXIT
    every = cabin(held.flights[at - 1]).places.values()
    free = [each for each in every if each.free and each.price and each.exit == is_exit]
    seated = [each.number for each in held.passengers if each.seated]
    count = min(len(free), len(seated), rng.choice((1, 2, 2)))
    chosen = dict(zip(sorted(rng.sample(seated, count)), rng.sample(free, count), strict=True))
    return Seats(at, chosen) if chosen else None


def wish(plain: Facts, held: Held, seats: Seats) -> Facts:
    """Return the facts of a case with a wish for these seats instead."""
    places = {
        number: SeatPlace(each.row, each.exit, each.kind == "aisle", each.price)
        for number, each in seats.places.items()
    }
    new = NewSeats(held.flights[seats.place - 1].number, places)
    return replace(plain, request=replace(plain.request, wish="seats", seats=new))


def sentences(held: Held, seats: Seats | None, speaker: Speaker) -> Iterator[str]:
    """Yield the sentence of the mail that asks for the seats; nothing without seats."""
    if seats:
        names = {each.number: each.person.name for each in held.passengers}
        listed = [f"{each.code} for {names[number]}" for number, each in seats.places.items()]
        flight = held.flights[seats.place - 1].number
        yield speaker.say("seats", flight=flight, seats=parties.enumerated(listed))


def forms(case: Known, number: int, seats: Seats | None, decision: Decision) -> Sequence[Do]:
    """Return the forms for the seats that a decision grants: the offer, the seats and their
    price.
    """
    for each in decision.changes:
        if isinstance(each, SetSeats) and seats:
            offer, charge = customers.charged(case, number, "seats", each.price)
            values = {f"seat.{who}": place.code for who, place in seats.places.items()}
            parts = (case.held.reference, str(seats.place))
            return [offer, Do("save-seats", parts, values), charge]
    return []
