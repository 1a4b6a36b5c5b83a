"""Find flights: search for a one-way or return trip and leave the results on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from scenarios.crm.airline_desk import sampling
from scenarios.crm.airline_desk.reference_solution import miss, moved, search, trip_values, typed
from scenarios.crm.published_desk import _advice, _instructions, _task
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.base.address import Place
from sites.crm.published_desk.journal import open_page
from sites.world import World

SITE = "crm"
STEPS = ("find flight",)

world = _task.world
published = _task.published
length = _task.length


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_FIND_FLIGHT", seed)
    trip = sampling.trip(rng, data)
    spelt = _task.spelt_trip(trip, data, rng)
    parts = {**spelt, "trip": _instructions.trip(spelt, rng), "back": _instructions.way_back(spelt)}
    drawn = _task.Drawn(
        parts=parts,
        plan=[_task.find_flight(trip)],
        details={"flight": _task.published_flight(trip)},
        gold={"spellings": _task.airport_spellings(trip, data)},
    )
    return _task.scenario("TASK_FIND_FLIGHT", seed, drawn, data, rng)


WAYS = {
    "flights": _advice.search,
    "results": _advice.done("find flight", _advice.found, _advice.to_search),
}
advise = partial(_advice.advise, ways=WAYS, start=_advice.to_search)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    search(world, data, trip_values(scenario))
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    right = trip_values(scenario)
    another_day = {**right, "departure": moved(right["departure"], -1)}
    turned = {**right, "from": right["to"], "to": right["from"]}
    searched, left = (search, data, right), (open_page, Place("find"))
    misses = {
        "wrong day": miss("last search", (search, data, another_day)),
        "wrong direction": miss("last search", (search, data, turned)),
        "searched again": miss("last search", searched, (search, data, turned)),
        "left the results": miss("shown at the end", searched, left),
        "not searched": miss("last search", (typed, Place("flights"), right)),
    }
    if right["trip-type"] == "return":
        single = {**right, "trip-type": "one-way"}
        misses["one way only"] = miss("last search", (search, data, single))
    return misses
