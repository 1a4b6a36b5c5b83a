"""Turn the values that a family draws into a scenario: published details, and gold with a plan.

The gold holds

- `type`: the kind of task;
- `reference`: the reference of the booking that the task is about, or "";
- `plan`: a list of steps, each with its `name`, the address `at` which it is done (`*` stands for
  the number of a search), the `control` that commits it, and the wanted values of the `fields`
  that start with another value;
- `booking`: the columns that are added or changed;
- `departs`: departure times in minutes of the day, by group;
- `spellings`: the accepted spellings of the airports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from scenarios.crm.airline_desk import sampling, value_formats
from scenarios.crm.airline_desk.sampling import Trip
from scenarios.crm.published_desk import _instructions
from scenarios.scenario import Scenario, name, public_id
from sites.crm import CrmData, Knobs, new_world
from sites.crm.base.records import Booking, Passenger, booking_row, read_booking
from sites.world import World

SITE = "crm"
BARE = "_BARE"
"""The end of the names of families whose form fields have no labels."""
AMBIGUOUS = "_AMBIGUOUS"
"""The end of the names of families whose form fields have ambiguous labels."""
PUBLISHED = ("booking-reference", "flight", "passenger", "payment")
"""The entries of a scenario's `details` that the published interface also has: the values to enter
on the pages.
"""
SECRET = 7
"""The least length of a text that counts as a secret, which no page may show before it is entered.

Shorter texts of the gold may stand in the start database by chance.
"""

Step = dict[str, Any]


@dataclass(frozen=True)
class Drawn:
    """The values that a family draws for a scenario.

    Attributes:
        parts: The phrases of the instruction.
        plan: The steps of the plan.
        details: Published details that only some families have.
        gold: Gold entries that only some families have.
        target: The booking that the task is about, if there is one.
    """

    parts: _instructions.Parts
    plan: list[Step]
    details: Mapping[str, Any] = field(default_factory=dict)
    gold: Mapping[str, Any] = field(default_factory=dict)
    target: Booking | None = None


def rng(family: str, seed: int) -> Random:
    """Return the random generator of a family and seed."""
    return Random(f"{SITE}/{family}/{seed}")


def scenario(family: str, seed: int, drawn: Drawn, data: CrmData, rng: Random) -> Scenario:
    """Return the scenario of the drawn values, with a set of bookings and the difficulty knobs.

    Args:
        family: The name of the family.
        seed: The seed.
        drawn: The values that the family has drawn.
        data: The site's read-only data.
        rng: The random stream, as `rng` returned it and the family has used it.
    """
    kind = family.removeprefix("TASK_").replace("_", " ").lower()
    instruction = _instructions.write(kind, drawn.parts, rng)
    own = drawn.target.reference if drawn.target else ""
    gold = {"type": kind, "reference": own, "plan": drawn.plan, **drawn.gold}
    bookings = sampling.office(rng, data, drawn.target, [*secrets(gold)])
    return Scenario(
        site=SITE,
        family=family,
        seed=seed,
        instruction=instruction,
        start=_start(family, seed),
        details={
            **({"booking-reference": own} if own else {}),
            **drawn.details,
            "knobs": sampling.knobs(rng).to_json(),
            "bookings": [booking_row(each) for each in bookings],
            "data": data.digest,
        },
        gold=gold,
    )


def bare(made: Scenario) -> Scenario:
    """Return the same task on pages that hide their labels, without the other difficulties."""
    family = made.family + BARE
    details = {**made.details, "knobs": Knobs(hidden_labels=True).to_json()}
    return replace(made, family=family, start=_start(family, made.seed), details=details)


def ambiguous(made: Scenario) -> Scenario:
    """Return the same task with the same difficulties, on pages whose labels are ambiguous."""
    family = f"{made.family}{AMBIGUOUS}"
    order = rng(family, made.seed).randrange(1_000_000)
    knobs = replace(Knobs(**made.details["knobs"]), labels="ambiguous", shuffle=order)
    details = {**made.details, "knobs": knobs.to_json()}
    return replace(made, family=family, start=_start(family, made.seed), details=details)


def world(scenario: Scenario) -> World:
    """Return the visit's database (its world) before anything was done."""
    details = scenario.details
    bookings = [read_booking(row) for row in details["bookings"]]
    return new_world(scenario.id, bookings, Knobs(**details["knobs"]))


def published(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario's details that the published interface gives to agents: neither the
    desk's bookings nor the plan.
    """
    return {name: scenario.details[name] for name in PUBLISHED if name in scenario.details}


def length(scenario: Scenario, ways: int = 0) -> int:
    """Return the number of actions of the expert.

    It counts one action for each field and button of the plan and one for a survey.

    Args:
        scenario: The scenario.
        ways: Further actions that the family needs to move between pages.
    """
    plan = scenario.gold["plan"]
    survey = int(scenario.details["knobs"]["survey"])
    return sum(len(each["fields"]) + 1 for each in plan) + survey + ways


def _start(family: str, seed: int) -> str:
    """Return the address of the first page of a scenario."""
    return f"/?scenario={public_id(name(SITE, family, seed))}"


def secrets(value: Any) -> Iterator[str]:
    """Yield the texts of a gold that no page may show before they are entered."""
    if isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from secrets(each)
    elif isinstance(value, str) and len(value) >= SECRET:
        yield value


# The plan ----------------------------------------------------------------------------------------


def step(name: str, at: str, control: str, fields: Mapping[str, str]) -> Step:
    """Return a step of the gold's plan: its name, its page `at`, its button `control`, and the
    values of its fields.
    """
    return {"name": name, "at": at, "control": control, "fields": dict(fields)}


def find_flight(trip: Trip, instead: Trip | None = None, reference: str = "") -> Step:
    """Return the plan's step that searches for a trip.

    Args:
        trip: The wanted trip.
        instead: The trip that the form already holds; None for an empty form.
        reference: The booking that is to be changed, or "".
    """
    start = search_values(instead) if instead else {"trip-type": "return", "return": ""}
    fields = differing(search_values(trip), start)
    at = f"/bookings/{reference}/flights" if reference else "/flights"
    return step("find flight", at, "search-flights", fields)


def select_flights(trip: Trip, at: str, control: str) -> Step:
    """Return the plan's step that selects the flights; its fields are "<number> <date>" by
    direction.
    """
    groups = zip(("outward", "return"), trip.flights, strict=False)
    fields = {group: f"{flight.number} {flight.date}" for group, flight in groups}
    return step("select flights", at, control, fields)


def find_booking(reference: str) -> Step:
    """Return the plan's step that searches for a booking by its reference."""
    return step("find booking", "/bookings", "search-booking", {"booking-reference": reference})


def press(name: str, reference: str, control: str) -> Step:
    """Return the plan's step that presses a button on a booking's screen."""
    return step(name, f"/bookings/{reference}", control, {})


def differing(wanted: Mapping[str, str], start: Mapping[str, str]) -> dict[str, str]:
    """Return the wanted values, by field, that differ from the values at the start."""
    return {field: value for field, value in wanted.items() if start.get(field) != value}


def search_values(trip: Trip) -> dict[str, str]:
    """Return the values of the search form by the ids of its fields."""
    outward, inbound = trip.outward, trip.inbound
    return {
        "from": outward.origin,
        "to": outward.destination,
        "trip-type": "return" if inbound else "one-way",
        "departure": outward.date,
        "return": inbound.date if inbound else "",
    }


def departs(trip: Trip) -> dict[str, int]:
    """Return the departure times of a trip in minutes of the day, by direction."""
    groups = zip(("outward", "return"), trip.flights, strict=False)
    return {group: flight.departs for group, flight in groups}


def passenger_columns(values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of these passenger fields by column of the bookings table."""
    return {_COLUMNS.get(field, field): value for field, value in values.items()}


_COLUMNS = {"first-name": "first_name", "last-name": "last_name", "dob": "born"}


def flight_columns(trip: Trip) -> dict[str, Any]:
    """Return the values that the flights of a trip give to a booking, by column of the bookings
    table.
    """
    outward, inbound = trip.legs
    return {
        "outward_flight": outward.flight,
        "outward_date": outward.date,
        "return_flight": inbound.flight if inbound else None,
        "return_date": inbound.date if inbound else None,
        "price": sum(each.price for each in trip.flights),
    }


# Published details -------------------------------------------------------------------------------


def published_flight(trip: Trip) -> dict[str, str]:
    """Return `details.flight` of the published scenarios; one-way trips have no return."""
    outward, inbound = trip.outward, trip.inbound
    time = value_formats.published_time
    flight = {
        "from": outward.origin,
        "to": outward.destination,
        "departure": outward.date,
        "outward-departure-time": time(outward.departs),
        "outward-arrival-time": time(outward.arrives),
    }
    if inbound:
        flight["return"] = inbound.date
        flight["return-departure-time"] = time(inbound.departs)
        flight["return-arrival-time"] = time(inbound.arrives)
    return flight


def airport_spellings(trip: Trip, data: CrmData) -> dict[str, list[str]]:
    """Return the accepted spellings of both airports of a trip, by code."""
    codes = trip.outward.origin, trip.outward.destination
    return {code: list(value_formats.of_airport(code, data)) for code in codes}


# Spellings in the instruction --------------------------------------------------------------------


def spelt_trip(trip: Trip, data: CrmData, rng: Random) -> dict[str, str]:
    """Draw spellings of a trip's airports and dates, by the id of the search form's field."""
    values = differing(search_values(trip), {"return": ""})
    dates = rng.randrange(len(value_formats.of_date(trip.outward.date)))
    spelt = {}
    for place in ("from", "to"):
        spelt[place] = rng.choice(value_formats.of_airport(values[place], data))
    for day in ("departure", "return"):
        if day in values:
            spelt[day] = value_formats.of_date(values[day])[dates]
    return spelt


def spelt_times(trip: Trip, rng: Random) -> dict[str, str]:
    """Draw spellings of a trip's departure and arrival times, all in one style, by placeholder of
    the instruction.
    """
    style = rng.randrange(3)
    outward, inbound = trip.outward, trip.inbound
    spelt = {
        "out": value_formats.of_time(outward.departs)[style],
        "out-arrival": value_formats.of_time(outward.arrives)[style],
    }
    if inbound:
        spelt["back"] = value_formats.of_time(inbound.departs)[style]
        spelt["back-arrival"] = value_formats.of_time(inbound.arrives)[style]
    return spelt


def spelt_person(who: Passenger, rng: Random) -> dict[str, str]:
    """Draw spellings of a passenger's details, by placeholder of the instruction."""
    gender, person = value_formats.of_gender(who.gender)
    born = rng.choice(value_formats.of_date(who.born))
    return {**who.values(), "gender": gender, "person": person, "dob": born}


def spelt_changes(changes: Mapping[str, str], rng: Random) -> dict[str, str]:
    """Draw spellings of the wanted changes to a passenger, by the everyday names of the fields."""
    spelt = dict(changes)
    if "dob" in spelt:
        spelt["dob"] = rng.choice(value_formats.of_date(spelt["dob"]))
    if "gender" in spelt:
        spelt["gender"] = spelt["gender"].lower()
    return {_SPOKEN.get(field, field): text for field, text in spelt.items()}


_SPOKEN = {"first-name": "first name", "last-name": "last name", "dob": "date of birth"}


def spelt_booking(target: Booking) -> dict[str, str]:
    """Return the values of the instruction for a booking: its reference and its passenger's
    name.
    """
    who = target.passenger
    return {"ref": target.reference, "name": f"{who.first_name} {who.last_name}"}
