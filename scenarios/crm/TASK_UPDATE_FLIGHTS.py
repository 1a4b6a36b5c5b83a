"""Modify flights: find the booking, press Modify, search for other flights, select, save."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm import _advice, _instructions, _reference_solution, _sampling, _task
from scenarios.crm._advice import CrmView
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
    old = _sampling.trip(rng, data)
    target, trip = _sampling.booking(rng, data, old), _another_trip(old, data, rng)
    own = target.reference
    drawn = _task.Drawn(
        instruction=_instruction(target, trip, data, rng),
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


def _another_trip(old: _sampling.Trip, data: CrmData, rng: Random) -> _sampling.Trip:
    """On other days, sometimes to another place, with a way back if there was one."""
    origin, target = old.outward.origin, old.outward.destination
    if rng.random() < OTHER_ROUTE:
        target = rng.choice([code for code in data.airports if code not in {origin, target}])
    days = {each.date for each in old.flights}
    return _sampling.trip(
        rng, data, route=(origin, target), returning=old.inbound is not None, avoid=days
    )


def _instruction(target: Booking, trip: _sampling.Trip, data: CrmData, rng: Random) -> str:
    parts = {
        **_task.spelt_booking(target),
        "trip": _instructions.trip(_task.spelt_trip(trip, data, rng), rng),
        "choice": _instructions.choice(_task.spelt_times(trip, rng), rng),
    }
    return _instructions.write("update flights", parts, rng)


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


def _at_booking(view: CrmView) -> Advice:
    if view.fits() and _advice.shows_flights(view):
        return Advice("select flights", answer="")
    return _advice.press("start modifying", "modify-booking")(view)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    trip, flights = _reference_solution.trip_values(scenario), _reference_solution.numbers(scenario)
    _reference_solution.modify_flights(world, data, scenario.gold["reference"], trip, flights)
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], _reference_solution.another(scenario)
    right = _reference_solution.trip_values(scenario), _reference_solution.numbers(scenario)
    modify = _reference_solution.modify_flights
    misses = {
        "another passenger's booking": _reference_solution.miss(
            modify, "flights", data, other, *right
        ),
        "a second booking": _reference_solution.miss(
            _modify_both, "nothing else changed", data, (own, other), right
        ),
        "not saved": _reference_solution.miss(_choose, "flights", data, own, *right),
        "cancelled as well": _reference_solution.miss(
            _modify_cancel, "rest of the booking", data, own, right
        ),
    }
    for label, choice in (
        ("another flight", _reference_solution.other_flights(data, *right)),
        ("right flight on the wrong day", _reference_solution.on_another_day(data, *right)),
    ):
        if choice is not None:
            misses[label] = _reference_solution.miss(modify, "flights", data, own, *choice)
    return misses


Forms = tuple[Mapping[str, str], Mapping[str, str]]


def _modify_both(world: World, data: CrmData, references: tuple[str, str], forms: Forms) -> None:
    for reference in references:
        _reference_solution.modify_flights(world, data, reference, *forms)


def _modify_cancel(world: World, data: CrmData, reference: str, forms: Forms) -> None:
    _reference_solution.modify_flights(world, data, reference, *forms)
    _reference_solution.cancel(world, reference)


def _choose(
    world: World, data: CrmData, reference: str, trip: Mapping[str, str], flights: Mapping[str, str]
) -> None:
    """Everything but the last click."""
    _reference_solution.find(world, reference)
    operations.start_modify(world, reference)
    number = _reference_solution.search(world, data, trip, reference).number
    _reference_solution.typed(world, Place("modify-results", f"{reference}/{number}"), flights)
