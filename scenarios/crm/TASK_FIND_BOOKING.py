"""Find a booking: type its reference and leave the booking on the screen."""

from __future__ import annotations

from collections.abc import Mapping

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm import _advice, _draw, _gold, _task, _telling
from scenarios.crm._advice import Desk
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
    target = _draw.booking(rng, data)
    drawn = _task.Drawn(
        telling=_telling.tell("find booking", _task.spelt_booking(target), rng),
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


def _look(desk: Desk) -> Advice:
    if desk.fits():
        return Advice("find booking", answer="")
    return _advice.to_bookings(desk)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    _gold.find(world, scenario.gold["reference"])
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], _gold.another(scenario)
    typed = {"booking-reference": own}
    return {
        "another passenger's booking": _gold.miss(_gold.find, "last search", other),
        "looked at another one after": _gold.miss(_find_both, "last search", own, other),
        "left the booking": _gold.miss(_leave, "shown at the end", own),
        "not searched": _gold.miss(_gold.typed, "last search", Place("find"), typed),
        "cancelled it": _gold.miss(_gold.cancel, "nothing else changed", own),
    }


def _find_both(world: World, first: str, second: str) -> None:
    _gold.find(world, first)
    _gold.find(world, second)


def _leave(world: World, reference: str) -> None:
    _gold.find(world, reference)
    open_page(world, Place("flights"))
