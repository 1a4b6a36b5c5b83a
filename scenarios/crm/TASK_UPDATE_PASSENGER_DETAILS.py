"""Modify passenger details: find the booking, press Modify, change what is wrong, save."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm import _advice, _instructions, _reference_solution, _sampling, _task
from scenarios.crm._advice import CrmView
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData, operations
from sites.crm.address import Place
from sites.crm.records import Booking
from sites.world import World

SITE = "crm"
STEPS = ("find booking", "start modifying", "change passenger")
ANSWER: AnswerSchema | None = None

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
"""What can be wrong with a passenger at once."""

world = _task.world


def generate(seed: int, data: CrmData) -> Scenario:
    rng = _task.rng("TASK_UPDATE_PASSENGER_DETAILS", seed)
    target = _sampling.booking(rng, data)
    own, changes = target.reference, _changes(target, data, rng)
    at = f"/bookings/{own}"
    parts = {
        **_task.spelt_booking(target),
        "changes": _instructions.changes(_task.spelt_changes(changes, rng), rng),
    }
    drawn = _task.Drawn(
        instruction=_instructions.write("update passenger details", parts, rng),
        details={
            "booking-reference": own,
            "passenger": changes,
            "start": target.passenger.values(),
        },
        gold={
            "type": "update passenger details",
            "reference": own,
            "plan": [
                _task.find_booking(own),
                _task.press("start modifying", own, "modify-booking"),
                _task.step("change passenger", f"{at}/passenger", "save-changes", changes),
            ],
            "booking": _task.passenger_columns(changes),
        },
        target=target,
    )
    return _task.scenario("TASK_UPDATE_PASSENGER_DETAILS", seed, drawn, data, rng)


def _changes(target: Booking, data: CrmData, rng: Random) -> dict[str, str]:
    """New values, none of which stands in the booking."""
    kind = rng.choice(_KINDS)
    while True:
        new = _sampling.changed(target.passenger, "gender" in kind, data, rng).values()
        changes = {field: new[field] for field in kind}
        if not _sampling.holds(target, [*_task.secrets(changes)]) and changes.items().isdisjoint(
            target.passenger.values().items()
        ):
            return changes


def length(scenario: Scenario) -> int:
    return _task.length(scenario, ways=1)


def advise(scenario: Scenario, observation: Observation) -> Advice:
    ways = {"find": _advice.find, "booking": _at_booking, "modify": _advice.change_passenger}
    return _advice.advise(scenario, observation, ways, _advice.to_bookings)


def _at_booking(view: CrmView) -> Advice:
    details = view.scenario.details
    if view.fits() and _advice.shows_person(view, {**details["start"], **details["passenger"]}):
        return Advice("change passenger", answer="")
    return _advice.press("start modifying", "modify-booking")(view)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    _reference_solution.modify_passenger(
        world, scenario.gold["reference"], scenario.details["passenger"]
    )
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    own, other = scenario.gold["reference"], _reference_solution.another(scenario)
    changes, start = scenario.details["passenger"], scenario.details["start"]
    kept = next(field for field in ("last-name", "first-name", "dob") if field not in changes)
    besides = {**changes, kept: "1971-02-03" if kept == "dob" else f"{start[kept]}a"}
    modify = _reference_solution.modify_passenger
    misses = {
        "another passenger's booking": _reference_solution.miss(
            modify, "passenger", other, changes
        ),
        "another field changed": _reference_solution.miss(
            modify, "rest of the booking", own, besides
        ),
        "a second booking": _reference_solution.miss(
            _modify_both, "nothing else changed", own, other, changes
        ),
        "not saved": _reference_solution.miss(_type, "passenger", own, changes),
        "cancelled as well": _reference_solution.miss(
            _modify_cancel, "rest of the booking", own, changes
        ),
    }
    if len(changes) > 1:
        first = dict([next(iter(changes.items()))])
        misses["one change missing"] = _reference_solution.miss(modify, "passenger", own, first)
    return misses


def _modify_both(world: World, first: str, second: str, changes: Mapping[str, str]) -> None:
    _reference_solution.modify_passenger(world, first, changes)
    _reference_solution.modify_passenger(world, second, changes)


def _modify_cancel(world: World, reference: str, changes: Mapping[str, str]) -> None:
    _reference_solution.modify_passenger(world, reference, changes)
    _reference_solution.cancel(world, reference)


def _type(world: World, reference: str, changes: Mapping[str, str]) -> None:
    """Everything but the last click."""
    _reference_solution.find(world, reference)
    operations.start_modify(world, reference)
    _reference_solution.typed(world, Place("modify", reference), changes)
