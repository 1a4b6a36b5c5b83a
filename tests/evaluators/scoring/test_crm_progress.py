"""Progress on the airline's desk, step by step, on worlds changed by the desk's operations."""

from __future__ import annotations

from functools import partial
from itertools import permutations

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios.crm.airline_desk import reference_solution
from scenarios.crm.published_desk import TASK_BOOK_FLIGHT, TASK_UPDATE_PASSENGER_DETAILS
from sites.crm.base.address import Place
from sites.crm.published_desk import operations
from sites.crm.published_desk.journal import draft, open_page
from tests.evaluators.scoring.desk import each_family, returning, scenario_of, score


def curve(family, scenario, deeds, data):
    """The progress after each of the deeds."""
    world = family.world(scenario)
    before, seen = world.snapshot(), []
    for deed in deeds:
        deed(world)
        seen.append(ScoringContext.of(scenario, before=before).score(world.snapshot()).progress)
    return seen


def drafts(place, values):
    """A deed for each field of a screen, opened before."""

    def write(world, field, text):
        open_page(world, place)
        draft(world, place, field, text)

    return [partial(write, field=field, text=text) for field, text in values.items()]


# The plan ----------------------------------------------------------------------------------------


@each_family
def test_the_plan_has_the_published_number_of_steps(family, data):
    wanted = {"find flight": 1, "book flight": 4, "find booking": 1, "cancel flight": 3}
    wanted |= {"update passenger details": 3, "update flights": 4}
    scenario = scenario_of(family, data)
    made = score(family, scenario, lambda world: None)
    assert len(made.steps) == wanted[scenario.gold["type"]] == len(family.STEPS)
    assert tuple(step.name for step in made.steps) == family.STEPS


def test_a_booking_by_hand(data):
    """Five fields and Search, two flights and Confirm, five fields and Save, three and Book."""
    scenario = scenario_of(TASK_BOOK_FLIGHT, data, returning)
    trip, flights, who, card = TASK_BOOK_FLIGHT._forms(scenario)
    searched, results = Place("flights"), Place("results", "1")
    deeds = [
        *drafts(searched, {key: trip[key] for key in ("from", "to", "departure", "return")}),
        lambda world: operations.search_flights(world, data, trip),
        *drafts(results, flights),
        lambda world: operations.confirm_flights(world, data, 1, flights),
        *drafts(Place("passenger", "1"), who),
        lambda world: operations.save_passenger(world, data, 1, who),
        *drafts(Place("payment", "1"), card),
        lambda world: operations.book(world, data, 1, card),
    ]
    fourth, third = 0.8 / 4 / 4, 0.8 / 4 / 3
    assert curve(TASK_BOOK_FLIGHT, scenario, deeds, data) == pytest.approx(
        [
            *(fourth, 2 * fourth, 3 * fourth, 4 * fourth, 0.25),
            *(0.25 + 0.1, 0.25 + 0.2, 0.5),
            *(0.5 + 0.04 * k for k in range(1, 6)),
            0.75,
            *(0.75 + third * k for k in range(1, 4)),
            1.0,
        ],
        abs=1e-4,
    )


def test_the_order_of_fields_in_a_step_does_not_matter(data):
    scenario = scenario_of(TASK_BOOK_FLIGHT, data, returning)
    trip, flights, who, card = TASK_BOOK_FLIGHT._forms(scenario)
    expected = None
    for order in list(permutations(who))[::11]:
        deeds = [
            lambda world: reference_solution.search(world, data, trip),
            lambda world: operations.confirm_flights(world, data, 1, flights),
            *drafts(Place("passenger", "1"), {field: who[field] for field in order}),
            lambda world: operations.save_passenger(world, data, 1, who),
            *drafts(Place("payment", "1"), dict(reversed(card.items()))),
            lambda world: operations.book(world, data, 1, card),
        ]
        seen = curve(TASK_BOOK_FLIGHT, scenario, deeds, data)
        expected = expected or seen
        assert seen == expected and seen[-1] == 1, order


@each_family
def test_progress_never_falls_on_the_way_of_the_solution(family, data):
    """The journal is cut after each entry; what the rows will be does not matter to progress."""
    for seed in range(5):
        scenario = family.generate(seed, data)
        world = family.world(scenario)
        before = world.snapshot()
        family.solve(scenario, world, data)
        after = world.snapshot()
        last = max(row["id"] for name in after if name.startswith("log_") for row in after[name])
        seen = [
            ScoringContext.of(scenario, before=before).score(_until(before, after, cut)).progress
            for cut in range(last)
        ]
        assert seen == sorted(seen) and seen[0] == 0, (scenario.name, seen)


def _until(before, after, cut):
    """The start world with the first entries of the journal."""
    return before | {
        name: rows if name == "log_journeys" else [row for row in rows if row["id"] <= cut]
        for name, rows in after.items()
        if name.startswith("log_")
    }


def test_a_wrong_draft_that_is_put_right_ends_at_one(data):
    scenario = scenario_of(
        TASK_UPDATE_PASSENGER_DETAILS, data, lambda s: "last-name" in s.details["passenger"]
    )
    own, changes = scenario.gold["reference"], scenario.details["passenger"]
    place = Place("modify", own)

    def act(world):
        reference_solution.find(world, own)
        operations.start_modify(world, own)
        draft(world, place, "last-name", "Wrong")
        draft(world, place, "last-name", changes["last-name"])
        start = operations.booking(world, own).passenger.values()
        operations.modify_passenger(world, own, {**start, **changes})

    made = score(TASK_UPDATE_PASSENGER_DETAILS, scenario, act)
    assert made.success and made.progress == 1 and not made.collateral


def test_a_wrong_save_that_is_put_right_ends_at_one(data):
    scenario = scenario_of(TASK_UPDATE_PASSENGER_DETAILS, data)
    own, changes = scenario.gold["reference"], scenario.details["passenger"]
    seen = []

    def act(world):
        before = world.snapshot()
        for saved in ({"dob": "1950-01-01"}, {"dob": scenario.details["start"]["dob"], **changes}):
            reference_solution.modify_passenger(world, own, saved)
            seen.append(ScoringContext.of(scenario, before=before).score(world.snapshot()))

    made = score(TASK_UPDATE_PASSENGER_DETAILS, scenario, act)
    assert not seen[0].success and seen[0].progress < 1
    assert made.success and made.progress == 1


def test_a_right_save_that_is_overwritten_counts_as_far_as_it_still_holds(data):
    scenario = scenario_of(
        TASK_UPDATE_PASSENGER_DETAILS, data, lambda s: len(s.details["passenger"]) == 2
    )
    own, changes = scenario.gold["reference"], scenario.details["passenger"]
    altered = dict(changes)
    field = next(each for each in changes if each != "title")
    altered[field] = "1950-01-01" if field == "dob" else "Wrong"

    def act(world):
        reference_solution.modify_passenger(world, own, changes)
        reference_solution.modify_passenger(world, own, altered)

    made = score(TASK_UPDATE_PASSENGER_DETAILS, scenario, act)
    assert not made.success and made.steps[-1].progress == 0.4


def test_leaving_and_loading_again_keeps_what_was_reached(data):
    scenario = scenario_of(TASK_BOOK_FLIGHT, data)
    trip, flights, who, _ = TASK_BOOK_FLIGHT._forms(scenario)

    def act(world):
        number = reference_solution.prepare(world, data, trip, flights, who)
        for place in (Place("payment", str(number)), Place("flights"), Place("find")):
            open_page(world, place)
            open_page(world, place)

    assert score(TASK_BOOK_FLIGHT, scenario, act).progress == 0.75


def test_a_search_for_something_else_takes_nothing_back_while_booking(data):
    scenario = scenario_of(TASK_BOOK_FLIGHT, data)
    trip, flights, who, card = TASK_BOOK_FLIGHT._forms(scenario)
    other = {**trip, "from": trip["to"], "to": trip["from"]}

    def act(world):
        reference_solution.search(world, data, trip)
        reference_solution.search(world, data, other)

    assert score(TASK_BOOK_FLIGHT, scenario, act).progress == 0.25

    def book(world):
        act(world)
        reference_solution.book(world, data, trip, flights, who, card)
        reference_solution.search(world, data, other)

    assert score(TASK_BOOK_FLIGHT, scenario, book).success


def test_a_right_flight_number_on_another_day_is_no_right_flight(data):
    def fits(scenario):
        trip, flights = (
            reference_solution.trip_values(scenario),
            reference_solution.numbers(scenario),
        )
        wrong = reference_solution.wrong_flights(data, trip, flights)
        return not returning(scenario) and wrong.get("right flight on the wrong day")

    scenario = scenario_of(TASK_BOOK_FLIGHT, data, fits)
    trip, flights = fits(scenario)
    world = TASK_BOOK_FLIGHT.world(scenario)
    before = world.snapshot()
    number = reference_solution.search(world, data, trip).number
    reference_solution.typed(world, Place("results", str(number)), flights)
    operations.confirm_flights(world, data, number, flights)
    made = ScoringContext.of(scenario, before=before).score(world.snapshot())
    assert made.steps[1].progress == 0 and made.steps[0].progress < 0.8
