"""Book a flight: search, select the flights, save the passenger, pay."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

from scenarios.crm.airline_desk import sampling, value_formats
from scenarios.crm.airline_desk.reference_solution import (
    Values,
    book,
    miss,
    moved,
    numbers,
    other_card,
    prepare,
    trip_values,
    typed,
    wrong_flights,
)
from scenarios.crm.published_desk import _advice, _instructions, _task
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.base.address import Place
from sites.crm.base.records import Passenger
from sites.world import World

SITE = "crm"
STEPS = ("find flight", "select flights", "fill passenger", "fill payment")

world = _task.world
published = _task.published
length = _task.length


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_BOOK_FLIGHT", seed)
    trip, who, card = sampling.trip(rng, data), sampling.passenger(rng, data), sampling.card(rng)
    at = "/flights/*"
    drawn = _task.Drawn(
        parts=_parts(trip, who, card, data, rng),
        plan=[
            _task.find_flight(trip),
            _task.select_flights(trip, at, "confirm-flights"),
            _task.step("fill passenger", f"{at}/passenger", "save-passenger", who.values()),
            _task.step("fill payment", f"{at}/payment", "book-flight", card),
        ],
        details={
            "flight": _task.published_flight(trip),
            "passenger": who.values(),
            "payment": card,
        },
        gold={
            "departs": _task.departs(trip),
            "booking": {
                **_task.passenger_columns(who.values()),
                **_task.flight_columns(trip),
                "card": card["card-number"][-4:],
            },
            "spellings": _task.airport_spellings(trip, data),
        },
    )
    return _task.scenario("TASK_BOOK_FLIGHT", seed, drawn, data, rng)


def _parts(
    trip: sampling.Trip, who: Passenger, card: Mapping[str, str], data: CrmData, rng: Random
) -> dict[str, str]:
    """Return the values that fill the placeholders of the instruction, by placeholder."""
    route = _task.spelt_trip(trip, data, rng)
    numbers = {
        "card-number": rng.choice(value_formats.of_card(card["card-number"])),
        "expiry": rng.choice(value_formats.of_expiry(card["expiry"])),
        "cvc": card["cvc"],
    }
    return {
        "trip": _instructions.trip(route, rng),
        "choice": _instructions.choice(_task.spelt_times(trip, rng), rng),
        "person": _instructions.person(_task.spelt_person(who, rng), rng),
        "card": _instructions.card(numbers, rng),
    }


WAYS = {
    "flights": _advice.search,
    "results": _advice.select("confirm-flights"),
    "passenger": _advice.passenger,
    "payment": _advice.payment,
    "receipt": _advice.receipt,
}
advise = partial(_advice.advise, ways=WAYS, start=_advice.to_search)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    book(world, data, *_forms(scenario))
    return ""


Forms = tuple[dict[str, str], dict[str, str], dict[str, str], dict[str, str]]


def _forms(scenario: Scenario) -> Forms:
    """Return the values to enter on the four screens: search, flights, passenger and payment."""
    who, card = scenario.details["passenger"], scenario.details["payment"]
    return trip_values(scenario), numbers(scenario), dict(who), dict(card)


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    trip, flights, who, card = forms = _forms(scenario)
    stranger = {**who, "first-name": f"{who['first-name']}a", "dob": "1971-02-03"}
    other_born = {**who, "dob": moved(who["dob"], 1)}
    wrong = {**card, "card-number": other_card(card["card-number"])}
    misses = {
        "another passenger": miss("passenger", (book, data, trip, flights, stranger, card)),
        "a wrong field": miss("passenger", (book, data, trip, flights, other_born, card)),
        "wrong card": miss("payment", (book, data, trip, flights, who, wrong)),
        "second booking": miss("one booking", (book, data, *forms), (book, data, *forms)),
        "not paid": miss("one booking", (_prepare, data, *forms)),
    }
    for label, choice in wrong_flights(data, trip, flights).items():
        misses[label] = miss("flights", (book, data, *choice, who, card))
    return misses


def _prepare(
    world: World, data: CrmData, trip: Values, flights: Values, who: Values, card: Values
) -> None:
    """Fill in all screens of the booking, but leave out the last click, so that nothing is
    booked.
    """
    number = prepare(world, data, trip, flights, who)
    typed(world, Place("payment", str(number)), card)
