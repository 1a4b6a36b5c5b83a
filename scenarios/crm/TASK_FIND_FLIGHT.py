"""Find flights: search for a one-way or return trip and leave the results on the screen."""

from __future__ import annotations

from collections.abc import Mapping

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm import _advice, _instructions, _reference_solution, _sampling, _task
from scenarios.crm._advice import CrmView
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.address import Place
from sites.crm.journal import open_page
from sites.world import World

SITE = "crm"
STEPS = ("find flight",)
ANSWER: AnswerSchema | None = None

world = _task.world


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_FIND_FLIGHT", seed)
    trip = _sampling.trip(rng, data)
    spelt = _task.spelt_trip(trip, data, rng)
    parts = {**spelt, "trip": _instructions.trip(spelt, rng), "back": _instructions.way_back(spelt)}
    drawn = _task.Drawn(
        instruction=_instructions.write("find flight", parts, rng),
        details={"flight": _task.published_flight(trip)},
        gold={
            "type": "find flight",
            "reference": "",
            "plan": [_task.find_flight(trip)],
            "spellings": _task.airport_spellings(trip, data),
        },
    )
    return _task.scenario("TASK_FIND_FLIGHT", seed, drawn, data, rng)


def length(scenario: Scenario) -> int:
    return _task.length(scenario)


def advise(scenario: Scenario, observation: Observation) -> Advice:
    ways = {"flights": _advice.search, "results": _look}
    return _advice.advise(scenario, observation, ways, _advice.to_search)


def _look(view: CrmView) -> Advice:
    if _advice.found(view):
        return Advice("find flight", answer="")
    return _advice.to_search(view)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    _reference_solution.search(world, data, _reference_solution.trip_values(scenario))
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    right = _reference_solution.trip_values(scenario)
    another_day = {**right, "departure": _reference_solution.moved(right["departure"], -1)}
    turned = {**right, "from": right["to"], "to": right["from"]}
    misses = {
        "wrong day": _reference_solution.miss(
            _reference_solution.search, "last search", data, another_day
        ),
        "wrong direction": _reference_solution.miss(
            _reference_solution.search, "last search", data, turned
        ),
        "searched again": _reference_solution.miss(
            _search_both, "last search", data, right, turned
        ),
        "left the results": _reference_solution.miss(_leave, "shown at the end", data, right),
        "not searched": _reference_solution.miss(
            _reference_solution.typed, "last search", Place("flights"), right
        ),
    }
    if right["trip-type"] == "return":
        single = {**right, "trip-type": "one-way"}
        misses["one way only"] = _reference_solution.miss(
            _reference_solution.search, "last search", data, single
        )
    return misses


def _search_both(
    world: World, data: CrmData, first: Mapping[str, str], second: Mapping[str, str]
) -> None:
    _reference_solution.search(world, data, first)
    _reference_solution.search(world, data, second)


def _leave(world: World, data: CrmData, values: Mapping[str, str]) -> None:
    _reference_solution.search(world, data, values)
    open_page(world, Place("find"))
