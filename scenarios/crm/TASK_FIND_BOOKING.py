"""Find a booking: type its reference and leave the booking on the screen."""

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
STEPS = ("find booking",)
ANSWER: AnswerSchema | None = None

world = _task.world


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_FIND_BOOKING", seed)
    target = _sampling.booking(rng, data)
    drawn = _task.Drawn(
        instruction=_instructions.write("find booking", _task.spelt_booking(target), rng),
        details={"booking-reference": target.reference},
        gold={
            "type": "find booking",
            "reference": target.reference,
            "plan": [_task.find_booking(target.reference)],
        },
        target=target,
    )
    return _task.scenario("TASK_FIND_BOOKING", seed, drawn, data, rng)


def length(scenario: Scenario) -> int:
    return _task.length(scenario, ways=1)


def advise(scenario: Scenario, observation: Observation) -> Advice:
    ways = {"find": _advice.find, "booking": _look}
    return _advice.advise(scenario, observation, ways, _advice.to_bookings)


def _look(view: CrmView) -> Advice:
    if view.fits():
        return Advice("find booking", answer="")
    return _advice.to_bookings(view)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    _reference_solution.find(world, scenario.gold["reference"])
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], _reference_solution.another(scenario)
    typed = {"booking-reference": own}
    return {
        "another passenger's booking": _reference_solution.miss(
            _reference_solution.find, "last search", other
        ),
        "looked at another one after": _reference_solution.miss(
            _find_both, "last search", own, other
        ),
        "left the booking": _reference_solution.miss(_leave, "shown at the end", own),
        "not searched": _reference_solution.miss(
            _reference_solution.typed, "last search", Place("find"), typed
        ),
        "cancelled it": _reference_solution.miss(
            _reference_solution.cancel, "nothing else changed", own
        ),
    }


def _find_both(world: World, first: str, second: str) -> None:
    _reference_solution.find(world, first)
    _reference_solution.find(world, second)


def _leave(world: World, reference: str) -> None:
    _reference_solution.find(world, reference)
    open_page(world, Place("flights"))
