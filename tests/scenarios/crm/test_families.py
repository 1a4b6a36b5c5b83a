"""What the families draw: the sentence, the published details, the office, the plan."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date

import pytest

from scenarios import registry
from scenarios.crm.airline_desk import reference_solution, value_formats
from scenarios.crm.published_desk import _task
from scenarios.scenario import Scenario
from sites.crm import Knobs
from sites.crm.base import fields
from sites.crm.base.address import read
from sites.crm.base.world import knobs
from sites.crm.published_desk import operations
from tests.measuring import unmeasured

BARE = "_BARE"
AMBIGUOUS = "_AMBIGUOUS"
ROUTED = ("TASK_FIND_FLIGHT", "TASK_BOOK_FLIGHT", "TASK_UPDATE_FLIGHTS")


def is_call(scenario: Scenario) -> bool:
    return scenario.instruction.startswith(("Agent:", "Caller:"))


# The sentence ------------------------------------------------------------------------------------


def spelt(scenario: Scenario) -> list[tuple[str, ...]]:
    """For each value that the plan needs, the ways to write it."""
    flight = scenario.details.get("flight", {})
    needed = [tuple(scenario.gold["spellings"][flight[key]]) for key in ("from", "to") if flight]
    needed += [
        value_formats.of_date(flight[key]) for key in ("departure", "return") if key in flight
    ]
    needed += [value_formats.of_time(each) for each in scenario.gold.get("departs", {}).values()]
    for step in scenario.gold["plan"]:
        for field, value in step["fields"].items():
            needed.append(_ways(field, value))
    return [each for each in needed if each]


def _ways(field: str, value: str) -> tuple[str, ...]:
    ways = {
        "dob": value_formats.of_date,
        "gender": value_formats.of_gender,
        "card-number": value_formats.of_card,
        "expiry": value_formats.of_expiry,
    }
    plain = ("title", "first-name", "last-name", "cvc", "booking-reference", "confirm-reference")
    if field in ways:
        return tuple(ways[field](value))
    return (value,) if field in plain else ()


@pytest.mark.wide
@unmeasured()
def test_every_value_of_the_plan_is_told(scenarios):
    for scenario in scenarios:
        for ways in spelt(scenario):
            found = [each for each in ways if value_formats.occurs(each, scenario.instruction)]
            assert found, (scenario.instruction, ways)


@pytest.mark.wide
def test_one_way_is_said_and_a_return_is_not_denied(drawn):
    one_way_words = re.compile(r"one way|single journey|without a return", re.IGNORECASE)
    for name in ROUTED:
        for scenario in drawn[name]:
            one_way = "return" not in scenario.details["flight"]
            assert bool(one_way_words.search(scenario.instruction)) == one_way, scenario.instruction


def test_some_are_told_as_a_call(scenarios):
    assert 0.15 < sum(map(is_call, scenarios)) / len(scenarios) < 0.35
    for scenario in filter(is_call, scenarios):
        assert "Agent: " in scenario.instruction and "Caller: " in scenario.instruction


def test_the_sentences_have_many_shapes(scenarios):
    """Without what is drawn, at least ten openings are left, and two of calls."""
    openings = {
        " ".join(re.findall(r"[a-z']{2,}", each.instruction[:60])[:3]) for each in scenarios
    }
    assert len(openings) >= 10, openings


def test_the_codes_of_the_pages_are_not_told(scenarios):
    for scenario in scenarios:
        found = scenario.instruction
        chosen = [step for step in scenario.gold["plan"] if step["name"] == "select flights"]
        numbers = reference_solution.numbers(scenario).values() if chosen else ()
        assert not [each for each in numbers if each in found]
        assert scenario.id not in found


# What is published -------------------------------------------------------------------------------


def test_the_details_of_a_flight_have_the_published_shape(drawn):
    time = re.compile(r"(?:[0-9]|1[01]):[0-5][0-9][ap]m")
    for name in ROUTED:
        for scenario in drawn[name]:
            flight = dict(scenario.details["flight"])
            assert re.fullmatch("[A-Z]{3}", flight.pop("from"))
            assert re.fullmatch("[A-Z]{3}", flight.pop("to"))
            legs = ("outward", "return") if "return" in flight else ("outward",)
            assert date.fromisoformat(flight.pop("departure")) < date(2026, 12, 10)
            for leg in legs:
                assert time.fullmatch(flight.pop(f"{leg}-departure-time"))
                assert time.fullmatch(flight.pop(f"{leg}-arrival-time"))
            if len(legs) == 2:
                assert date.fromisoformat(flight.pop("return"))
            assert not flight


def test_the_flights_can_be_had_and_are_told_apart_by_their_time(drawn, data):
    for name in ("TASK_BOOK_FLIGHT", "TASK_UPDATE_FLIGHTS"):
        module = registry.family_modules()[name]
        for scenario in drawn[name][:40]:
            world, flight = module.world(scenario), scenario.details["flight"]
            route, departs = (flight["from"], flight["to"]), scenario.gold["departs"]["outward"]
            offers = operations.offers(world, data, *route, flight["departure"])
            [right] = [each for each in offers if each.departs == departs]
            assert right.seats and right.number == reference_solution.numbers(scenario)["outward"]


def test_trips_vary(drawn):
    for name in ROUTED:
        flights = [each.details["flight"] for each in drawn[name]]
        assert 0.5 < sum("return" in each for each in flights) / len(flights) < 0.8
        assert len({(each["from"], each["to"]) for each in flights}) > 0.75 * len(flights)
        assert len({each["departure"] for each in flights}) > 0.5 * len(flights)


def test_changes_of_passengers_vary_and_are_changes(drawn):
    seen: Counter[tuple[str, ...]] = Counter()
    for scenario in drawn["TASK_UPDATE_PASSENGER_DETAILS"]:
        changes, start = scenario.details["passenger"], scenario.details["start"]
        assert all(start[field] != value for field, value in changes.items())
        seen[tuple(changes)] += 1
    assert len(seen) >= 9 and {field for each in seen for field in each} == set(start)


def test_cards_are_good_for_the_desk(drawn):
    for scenario in drawn["TASK_BOOK_FLIGHT"]:
        card = scenario.details["payment"]
        assert fields.card_number(card["card-number"]) == card["card-number"]
        assert fields.expiry(card["expiry"]) == card["expiry"]
        assert fields.cvc(card["cvc"]) == card["cvc"]


# The office --------------------------------------------------------------------------------------


def test_the_office_has_other_bookings_a_namesake_and_a_cancelled_one(family, scenarios):
    for scenario in scenarios[:20]:
        made = operations.bookings(family.world(scenario))
        assert 8 <= len(made) <= 13 and len({each.reference for each in made}) == len(made)
        assert sum(each.cancelled for each in made) == 1
        names = Counter((each.passenger.first_name, each.passenger.last_name) for each in made)
        assert max(names.values()) >= 2
        own = scenario.gold["reference"]
        if own:
            [target] = [each for each in made if each.reference == own]
            assert not target.cancelled
            assert names[target.passenger.first_name, target.passenger.last_name] >= 2


def test_the_booking_stands_anywhere_among_the_others(drawn):
    places = [
        [row["reference"] for row in each.details["bookings"]].index(each.gold["reference"])
        for each in drawn["TASK_CANCEL_FLIGHT"]
    ]
    assert len(set(places)) >= 8


def test_knobs_vary_and_are_those_of_the_world(name, family, scenarios):
    kinds = [Knobs(**each.details["knobs"]) for each in scenarios]
    assert [knobs(family.world(each)) for each in scenarios[:20]] == kinds[:20]
    if name.endswith(BARE):
        assert set(kinds) == {Knobs(hidden_labels=True)}
        return
    assert not any(each.hidden_labels for each in kinds)
    ambiguous = name.endswith(AMBIGUOUS)
    assert {each.ambiguous for each in kinds} == {ambiguous}
    shuffled = sum(each.shuffle is not None for each in kinds) / len(kinds)
    assert shuffled == 1 if ambiguous else 0.12 < shuffled < 0.4
    assert 0.12 < sum(each.survey for each in kinds) / len(kinds) < 0.4
    assert {each.latency_ms for each in kinds} == {0, 20}


def test_a_bare_scenario_is_the_labelled_one_without_labels(drawn):
    bare = [name for name in drawn if name.endswith(BARE)]
    assert len(bare) == 5, "the five types that the paper evaluates"
    for name in bare:
        for hidden, labelled in zip(drawn[name], drawn[name.removesuffix(BARE)], strict=True):
            assert (hidden.instruction, hidden.gold) == (labelled.instruction, labelled.gold)
            assert hidden.details["bookings"] == labelled.details["bookings"]
            assert hidden.id != labelled.id and hidden.start == f"/?scenario={hidden.id}"


def test_an_ambiguous_scenario_is_the_labelled_one_without_names(drawn):
    ambiguous = [name for name in drawn if name.endswith(AMBIGUOUS)]
    assert len(ambiguous) == 6
    for name in ambiguous:
        for hidden, labelled in zip(drawn[name], drawn[name.removesuffix(AMBIGUOUS)], strict=True):
            assert (hidden.instruction, hidden.gold) == (labelled.instruction, labelled.gold)
            knobs_of = hidden.details["knobs"], labelled.details["knobs"]
            assert knobs_of[0] == {**knobs_of[1], "labels": "ambiguous", **_order(hidden)}
            rest = [{**each.details, "knobs": None} for each in (hidden, labelled)]
            assert rest[0] == rest[1] and hidden.id != labelled.id
    orders = [each.details["knobs"]["shuffle"] for each in drawn[ambiguous[0]]]
    assert len(set(orders)) > 0.95 * len(orders)


def _order(scenario: Scenario) -> dict[str, int]:
    return {"shuffle": scenario.details["knobs"]["shuffle"]}


# The plan ----------------------------------------------------------------------------------------


def test_the_plan_names_addresses_controls_and_only_fields_that_change(family, scenarios):
    for scenario in scenarios[:20]:
        for step in scenario.gold["plan"]:
            place = read(step["at"].replace("*", "1"))
            assert place is not None and step["name"] in family.STEPS
            assert place.reference in {"", "1", scenario.gold["reference"]}
        start = operations.bookings(family.world(scenario))
        target = next((b for b in start if b.reference == scenario.gold["reference"]), None)
        if scenario.gold["type"] == "update flights":
            wanted = reference_solution.wanted(scenario, "find flight")
            assert wanted["departure"] != target.outward.date
            assert ("return" in wanted) == (target.inbound is not None)


def test_the_length_counts_fields_buttons_and_ways(name, family, scenarios):
    for scenario in scenarios:
        plan, survey = scenario.gold["plan"], scenario.details["knobs"]["survey"]
        ways = {"find flight": 0, "book flight": 0, "update flights": 2}
        extra = ways.get(scenario.gold["type"], 1)
        least = sum(len(step["fields"]) for step in plan) + len(plan)
        reviews = len(plan) if name.endswith(AMBIGUOUS) else 0
        assert family.length(scenario) == least + survey + extra + reviews


@pytest.mark.parametrize("name", ["TASK_BOOK_FLIGHT"], indirect=True)
def test_a_scenario_is_json_and_comes_back(scenarios):
    made = json.loads(json.dumps(scenarios[0].to_json()))
    copy = Scenario(**{key: made[key] for key in made if key not in {"name", "id"}})
    assert copy == scenarios[0]
    assert _task.world(copy).digest() == _task.world(scenarios[0]).digest()
