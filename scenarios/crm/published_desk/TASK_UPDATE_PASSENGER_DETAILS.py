"""Modify passenger details: find the booking, press Modify, change what is wrong, save."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

from scenarios.crm.airline_desk import sampling
from scenarios.crm.airline_desk.reference_solution import (
    another,
    cancel,
    find,
    miss,
    modify_passenger,
    typed,
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
STEPS = ("find booking", "start modifying", "change passenger")

_KINDS = (
    ("last-name",),
    ("first-name",),
    ("dob",),
    ("title",),
    ("title", "last-name"),
    ("first-name", "last-name"),
    ("last-name", "dob"),
    ("first-name", "dob"),
    ("title", "first-name", "gender"),
    ("title", "last-name", "dob"),
)
"""The groups of form fields that a task may ask to change together."""

world = _task.world
published = _task.published
length = partial(_task.length, ways=1)


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_UPDATE_PASSENGER_DETAILS", seed)
    target = sampling.booking(rng, data)
    own, changes = target.reference, _changes(target, data, rng)
    parts = {
        **_task.spelt_booking(target),
        "changes": _instructions.changes(_task.spelt_changes(changes, rng), rng),
    }
    drawn = _task.Drawn(
        parts=parts,
        plan=[
            _task.find_booking(own),
            _task.press("start modifying", own, "modify-booking"),
            _task.step("change passenger", f"/bookings/{own}/passenger", "save-changes", changes),
        ],
        details={"passenger": changes, "start": target.passenger.values()},
        gold={"booking": _task.passenger_columns(changes)},
        target=target,
    )
    return _task.scenario("TASK_UPDATE_PASSENGER_DETAILS", seed, drawn, data, rng)


def _changes(target: Booking, data: CrmData, rng: Random) -> dict[str, str]:
    """Draw new values of passenger fields that do not occur in the booking yet, by field."""
    kind = rng.choice(_KINDS)
    while True:
        new = sampling.changed(target.passenger, "gender" in kind, data, rng).values()
        changes = {field: new[field] for field in kind}
        if not sampling.holds(target, [*_task.secrets(changes)]) and changes.items().isdisjoint(
            target.passenger.values().items()
        ):
            return changes


def _is_changed(view: CrmView) -> bool:
    """Return whether the screen shows the task's booking with the wanted passenger details."""
    details = view.scenario.details
    return view.fits() and _advice.shows_person(view, {**details["start"], **details["passenger"]})


_PRESS = _advice.press("start modifying", "modify-booking")
WAYS = {
    "find": _advice.find,
    "booking": _advice.done("change passenger", _is_changed, _PRESS),
    "modify": _advice.change_passenger,
}
advise = partial(_advice.advise, ways=WAYS, start=_advice.to_bookings)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    modify_passenger(world, scenario.gold["reference"], scenario.details["passenger"])
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], another(scenario)
    changes, start = scenario.details["passenger"], scenario.details["start"]
    kept = next(field for field in ("last-name", "first-name", "dob") if field not in changes)
    besides = {**changes, kept: "1971-02-03" if kept == "dob" else f"{start[kept]}a"}
    solved, second = (modify_passenger, own, changes), (modify_passenger, other, changes)
    opened, unsaved = (operations.start_modify, own), (typed, Place("modify", own), changes)
    misses = {
        "another passenger's booking": miss("passenger", second),
        "another field changed": miss("rest of the booking", (modify_passenger, own, besides)),
        "a second booking": miss("nothing else changed", solved, second),
        "not saved": miss("passenger", (find, own), opened, unsaved),
        "cancelled as well": miss("rest of the booking", solved, (cancel, own)),
    }
    if len(changes) > 1:
        first = dict([next(iter(changes.items()))])
        misses["one change missing"] = miss("passenger", (modify_passenger, own, first))
    return misses
