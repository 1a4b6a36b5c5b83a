"""Find a booking: type its reference and leave the booking on the screen."""

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
from sites.crm.published_desk.journal import open_page
from sites.world import World

SITE = "crm"
STEPS = ("find booking",)

world = _task.world
published = _task.published
length = partial(_task.length, ways=1)


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_FIND_BOOKING", seed)
    target = sampling.booking(rng, data)
    drawn = _task.Drawn(
        parts=_task.spelt_booking(target),
        plan=[_task.find_booking(target.reference)],
        target=target,
    )
    return _task.scenario("TASK_FIND_BOOKING", seed, drawn, data, rng)


WAYS = {
    "find": _advice.find,
    "booking": _advice.done("find booking", CrmView.fits, _advice.to_bookings),
}
advise = partial(_advice.advise, ways=WAYS, start=_advice.to_bookings)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    find(world, scenario.gold["reference"])
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], another(scenario)
    unsent = (typed, Place("find"), {"booking-reference": own})
    return {
        "another passenger's booking": miss("last search", (find, other)),
        "looked at another one after": miss("last search", (find, own), (find, other)),
        "left the booking": miss("shown at the end", (find, own), (open_page, Place("flights"))),
        "not searched": miss("last search", unsent),
        "cancelled it": miss("nothing else changed", (cancel, own)),
    }
