"""Cancel a booking: find it, press Cancel, type the reference again to confirm."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from scenarios.crm.airline_desk import sampling
from scenarios.crm.airline_desk.reference_solution import another, cancel, find, miss, typed
from scenarios.crm.published_desk import _advice, _task
from scenarios.crm.published_desk._advice import CrmView
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.base.address import Place
from sites.crm.published_desk import operations
from sites.world import World

SITE = "crm"
STEPS = ("find booking", "start cancelling", "confirm cancelling")

world = _task.world
published = _task.published
length = partial(_task.length, ways=1)


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_CANCEL_FLIGHT", seed)
    target = sampling.booking(rng, data)
    own = target.reference
    confirmed = {"confirm-reference": own}
    drawn = _task.Drawn(
        parts=_task.spelt_booking(target),
        plan=[
            _task.find_booking(own),
            _task.press("start cancelling", own, "cancel-booking"),
            _task.step(
                "confirm cancelling", f"/bookings/{own}/cancel", "confirm-cancel", confirmed
            ),
        ],
        target=target,
    )
    return _task.scenario("TASK_CANCEL_FLIGHT", seed, drawn, data, rng)


def _is_cancelled(view: CrmView) -> bool:
    """Return whether the screen shows the task's booking as cancelled."""
    return view.fits() and "Status Cancelled" in view.screen.text


_PRESS = _advice.press("start cancelling", "cancel-booking")
WAYS = {
    "find": _advice.find,
    "booking": _advice.done("confirm cancelling", _is_cancelled, _PRESS),
    "cancel": _advice.confirm,
}
advise = partial(_advice.advise, ways=WAYS, start=_advice.to_bookings)


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
