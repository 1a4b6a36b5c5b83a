"""Modify flights: find the booking, press Modify, search for other flights, select, save."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm import _advice, _draw, _gold, _task, _telling
from scenarios.crm._advice import Desk
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData, operations
from sites.crm.address import Place
from sites.crm.records import Booking
from sites.world import World

SITE = "crm"
STEPS = ("find booking", "start modifying", "find flight", "select flights")
ANSWER: AnswerSchema | None = None

OTHER_ROUTE = 0.3
"""So often the booking goes to another place."""

world = _task.world


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_UPDATE_FLIGHTS", seed)
    old = _draw.trip(rng, data)
    target, trip = _draw.booking(rng, data, old), _another_trip(old, data, rng)
    own = target.reference
    drawn = _task.Drawn(
        telling=_tell(target, trip, data, rng),
        details={"booking-reference": own, "flight": _task.published_flight(trip)},
        gold={
            "type": "update flights",
            "reference": own,
            "plan": [
                _task.find_booking(own),
                _task.press("start modifying", own, "modify-booking"),
                _task.find_flight(trip, instead=old, reference=own),
                _task.select_flights(trip, f"/bookings/{own}/flights/*", "save-changes"),
            ],
            "departs": _task.departs(trip),
            "booking": _task.flight_columns(trip),
            "spellings": _task.airport_spellings(trip, data),
        },
        target=target,
    )
    return _task.scenario("TASK_UPDATE_FLIGHTS", seed, drawn, data, rng)


def _another_trip(old: _draw.Trip, data: CrmData, rng: Random) -> _draw.Trip:
    """On other days, sometimes to another place, with a way back if there was one."""
    origin, target = old.outward.origin, old.outward.destination
    if rng.random() < OTHER_ROUTE:
        target = rng.choice([code for code in data.airports if code not in {origin, target}])
    days = {each.date for each in old.flights}
    return _draw.trip(
        rng, data, route=(origin, target), returning=old.inbound is not None, avoid=days
    )


def _tell(target: Booking, trip: _draw.Trip, data: CrmData, rng: Random) -> str:
    parts = {
        **_task.spelt_booking(target),
        "trip": _telling.trip(_task.spelt_trip(trip, data, rng), rng),
        "choice": _telling.choice(_task.spelt_times(trip, rng), rng),
    }
    return _telling.tell("update flights", parts, rng)


def length(scenario: Scenario) -> int:
    """With the way to the bookings and the tab of the flights."""
    return _task.length(scenario, ways=2)


def advise(scenario: Scenario, observation: Observation) -> Advice:
    ways = {
        "find": _advice.find,
        "booking": _at_booking,
        "modify": _advice.press("start modifying", "tab-flights"),
        "modify-search": _advice.search_instead,
        "modify-results": _advice.select("save-changes"),
    }
    return _advice.advise(scenario, observation, ways, _advice.to_bookings)


def _at_booking(desk: Desk) -> Advice:
    if desk.fits() and _advice.shows_flights(desk):
        return Advice("select flights", answer="")
    return _advice.press("start modifying", "modify-booking")(desk)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    trip, flights = _gold.trip_values(scenario), _gold.numbers(scenario)
    _gold.modify_flights(world, data, scenario.gold["reference"], trip, flights)
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], _gold.another(scenario)
    right = _gold.trip_values(scenario), _gold.numbers(scenario)
    modify = _gold.modify_flights
    misses = {
        "another passenger's booking": _gold.miss(modify, "flights", data, other, *right),
        "a second booking": _gold.miss(
            _modify_both, "nothing else changed", data, (own, other), right
        ),
        "not saved": _gold.miss(_choose, "flights", data, own, *right),
        "cancelled as well": _gold.miss(_modify_cancel, "rest of the booking", data, own, right),
    }
    for label, choice in (
        ("another flight", _gold.other_flights(data, *right)),
        ("right flight on the wrong day", _gold.on_another_day(data, *right)),
    ):
        if choice is not None:
            misses[label] = _gold.miss(modify, "flights", data, own, *choice)
    return misses


Forms = tuple[Mapping[str, str], Mapping[str, str]]


def _modify_both(world: World, data: CrmData, references: tuple[str, str], forms: Forms) -> None:
    for reference in references:
        _gold.modify_flights(world, data, reference, *forms)


def _modify_cancel(world: World, data: CrmData, reference: str, forms: Forms) -> None:
    _gold.modify_flights(world, data, reference, *forms)
    _gold.cancel(world, reference)


def _choose(
    world: World, data: CrmData, reference: str, trip: Mapping[str, str], flights: Mapping[str, str]
) -> None:
    """Everything but the last click."""
    _gold.find(world, reference)
    operations.start_modify(world, reference)
    number = _gold.search(world, data, trip, reference).number
    _gold.typed(world, Place("modify-results", f"{reference}/{number}"), flights)
