"""Cancel a booking: find it, press Cancel, type the reference again to confirm."""

from __future__ import annotations

from collections.abc import Mapping

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm import _advice, _instructions, _reference_solution, _sampling, _task
from scenarios.crm._advice import CrmView
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData, operations
from sites.crm.address import Place
from sites.world import World

SITE = "crm"
STEPS = ("find booking", "start cancelling", "confirm cancelling")
ANSWER: AnswerSchema | None = None

world = _task.world


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


def length(scenario: Scenario) -> int:
    return _task.length(scenario, ways=1)


def advise(scenario: Scenario, observation: Observation) -> Advice:
    ways = {"find": _advice.find, "booking": _at_booking, "cancel": _advice.confirm}
    return _advice.advise(scenario, observation, ways, _advice.to_bookings)


def _at_booking(view: CrmView) -> Advice:
    if view.fits() and "Status Cancelled" in view.screen.text:
        return Advice("confirm cancelling", answer="")
    return _advice.press("start cancelling", "cancel-booking")(view)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    _reference_solution.cancel(world, scenario.gold["reference"])
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], _reference_solution.another(scenario)
    return {
        "another passenger's booking": _reference_solution.miss(
            _reference_solution.cancel, "booking cancelled", other
        ),
        "a second booking": _reference_solution.miss(
            _cancel_both, "nothing else changed", own, other
        ),
        "not confirmed": _reference_solution.miss(_ask, "booking cancelled", own),
    }


def _cancel_both(world: World, first: str, second: str) -> None:
    _reference_solution.cancel(world, first)
    _reference_solution.cancel(world, second)


def _ask(world: World, reference: str) -> None:
    """Everything but the last click."""
    _reference_solution.find(world, reference)
    operations.start_cancel(world, reference)
    _reference_solution.typed(world, Place("cancel", reference), {"confirm-reference": reference})
