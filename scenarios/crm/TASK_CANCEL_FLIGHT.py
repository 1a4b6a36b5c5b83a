"""Cancel a booking: find it, press Cancel, type the reference again to confirm."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm import _advice, _instructions, _sampling, _task
from scenarios.crm._advice import CrmView
from scenarios.crm._reference_solution import another, cancel, find, miss, typed
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData, operations
from sites.crm.address import Place
from sites.world import World

SITE = "crm"
STEPS = ("find booking", "start cancelling", "confirm cancelling")
ANSWER: AnswerSchema | None = None

world = _task.world
length = partial(_task.length, ways=1)


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_CANCEL_FLIGHT", seed)
    target = _sampling.booking(rng, data)
    own = target.reference
    at = f"/bookings/{own}"
    confirmed = {"confirm-reference": own}
    drawn = _task.Drawn(
        instruction=_instructions.write("cancel flight", _task.spelt_booking(target), rng),
        details={"booking-reference": own},
        gold={
            "type": "cancel flight",
            "reference": own,
            "plan": [
                _task.find_booking(own),
                _task.press("start cancelling", own, "cancel-booking"),
                _task.step("confirm cancelling", f"{at}/cancel", "confirm-cancel", confirmed),
            ],
        },
        target=target,
    )
    return _task.scenario("TASK_CANCEL_FLIGHT", seed, drawn, data, rng)


def advise(scenario: Scenario, observation: Observation) -> Advice:
    ways = {"find": _advice.find, "booking": _at_booking, "cancel": _advice.confirm}
    return _advice.advise(scenario, observation, ways, _advice.to_bookings)


def _at_booking(view: CrmView) -> Advice:
    if view.fits() and "Status Cancelled" in view.screen.text:
        return Advice("confirm cancelling", answer="")
    return _advice.press("start cancelling", "cancel-booking")(view)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    cancel(world, scenario.gold["reference"])
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], another(scenario)
    asked = (find, own), (operations.start_cancel, own)
    confirmed = (typed, Place("cancel", own), {"confirm-reference": own})
    return {
        "another passenger's booking": miss("booking cancelled", (cancel, other)),
        "a second booking": miss("nothing else changed", (cancel, own), (cancel, other)),
        "not confirmed": miss("booking cancelled", *asked, confirmed),
    }
