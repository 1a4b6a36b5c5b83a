"""Modify flights: find the booking, press Modify, search for other flights, select, save."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

from scenarios.crm.airline_desk import sampling
from scenarios.crm.airline_desk.reference_solution import (
    Values,
    another,
    cancel,
    find,
    miss,
    modify_flights,
    numbers,
    search,
    trip_values,
    typed,
    wrong_flights,
)
from scenarios.crm.published_desk import _advice, _instructions, _task
from scenarios.crm.published_desk._advice import CrmView
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.base.address import Place
from sites.crm.base.records import Booking
from sites.crm.published_desk import operations
from sites.world import World

SITE = "crm"
STEPS = ("find booking", "start modifying", "find flight", "select flights")

OTHER_ROUTE = 0.3
"""The probability that the new flights go to another airport."""

world = _task.world
published = _task.published
length = partial(_task.length, ways=2)
"""The function that counts the expert's actions, with two extra: opening the bookings and the
flights tab.
"""


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_UPDATE_FLIGHTS", seed)
    old = sampling.trip(rng, data)
    target, trip = sampling.booking(rng, data, old), _another_trip(old, data, rng)
    own = target.reference
    drawn = _task.Drawn(
        parts=_parts(target, trip, data, rng),
        plan=[
            _task.find_booking(own),
            _task.press("start modifying", own, "modify-booking"),
            _task.find_flight(trip, instead=old, reference=own),
            _task.select_flights(trip, f"/bookings/{own}/flights/*", "save-changes"),
        ],
        details={"flight": _task.published_flight(trip)},
        gold={
            "departs": _task.departs(trip),
            "booking": _task.flight_columns(trip),
            "spellings": _task.airport_spellings(trip, data),
        },
        target=target,
    )
    return _task.scenario("TASK_UPDATE_FLIGHTS", seed, drawn, data, rng)


def _another_trip(old: sampling.Trip, data: CrmData, rng: Random) -> sampling.Trip:
    """Draw a trip on other days, sometimes to another airport, as a return trip if it was one."""
    origin, target = old.outward.origin, old.outward.destination
    if rng.random() < OTHER_ROUTE:
        target = rng.choice([code for code in data.airports if code not in {origin, target}])
    back, days = old.inbound is not None, {each.date for each in old.flights}
    return sampling.trip(rng, data, route=(origin, target), returning=back, avoid=days)


def _parts(target: Booking, trip: sampling.Trip, data: CrmData, rng: Random) -> dict[str, str]:
    """Return the values that fill the placeholders of the instruction, by placeholder."""
    return {
        **_task.spelt_booking(target),
        "trip": _instructions.trip(_task.spelt_trip(trip, data, rng), rng),
        "choice": _instructions.choice(_task.spelt_times(trip, rng), rng),
    }


def _is_moved(view: CrmView) -> bool:
    """Return whether the screen shows the task's booking with the wanted flights."""
    return view.fits() and _advice.shows_flights(view)


_PRESS = _advice.press("start modifying", "modify-booking")
WAYS = {
    "find": _advice.find,
    "booking": _advice.done("select flights", _is_moved, _PRESS),
    "modify": _advice.press("start modifying", "tab-flights"),
    "modify-search": _advice.search_instead,
    "modify-results": _advice.select("save-changes"),
}
advise = partial(_advice.advise, ways=WAYS, start=_advice.to_bookings)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    trip, flights = trip_values(scenario), numbers(scenario)
    modify_flights(world, data, scenario.gold["reference"], trip, flights)
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], another(scenario)
    right = trip_values(scenario), numbers(scenario)
    solved, second = (modify_flights, data, own, *right), (modify_flights, data, other, *right)
    misses = {
        "another passenger's booking": miss("flights", second),
        "a second booking": miss("nothing else changed", solved, second),
        "not saved": miss("flights", (_choose, data, own, *right)),
        "cancelled as well": miss("rest of the booking", solved, (cancel, own)),
    }
    for label, choice in wrong_flights(data, *right).items():
        misses[label] = miss("flights", (modify_flights, data, own, *choice))
    return misses


def _choose(world: World, data: CrmData, reference: str, trip: Values, flights: Values) -> None:
    """Do everything to move the booking but the last click, so that the new flights are not
    saved.
    """
    find(world, reference)
    operations.start_modify(world, reference)
    number = search(world, data, trip, reference).number
    typed(world, Place("modify-results", f"{reference}/{number}"), flights)
