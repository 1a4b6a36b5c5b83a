"""The scorer of the airline's desk, on worlds that were changed by the desk's own operations."""

from __future__ import annotations

import json
from random import Random

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios.crm.airline_desk import reference_solution
from scenarios.crm.published_desk import TASK_BOOK_FLIGHT, TASK_CANCEL_FLIGHT, TASK_FIND_FLIGHT
from sites.crm.base.address import Place
from sites.crm.base.forms import Invalid
from sites.crm.published_desk import operations
from sites.crm.published_desk.journal import click, draft, open_page
from tests.contracts.harness import scored
from tests.evaluators.scoring.desk import each_family, returning, scenario_of, score

# What goes wrong ---------------------------------------------------------------------------------


def test_cancelling_without_the_confirmation_is_at_most_two_thirds(data):
    scenario = scenario_of(TASK_CANCEL_FLIGHT, data)
    own = scenario.gold["reference"]

    def ask(world):
        reference_solution.find(world, own)
        operations.start_cancel(world, own)

    assert score(TASK_CANCEL_FLIGHT, scenario, ask).progress == pytest.approx(2 / 3, abs=1e-4)

    def refused(world):
        ask(world)
        with pytest.raises(Invalid):
            operations.cancel_booking(world, own, {"confirm-reference": "WRONG1"})

    made = score(TASK_CANCEL_FLIGHT, scenario, refused)
    assert not made.success and made.progress == pytest.approx(2 / 3, abs=1e-4)


def test_cancelling_another_booking_reaches_nothing(data):
    scenario = scenario_of(TASK_CANCEL_FLIGHT, data)
    other = reference_solution.another(scenario)
    made = score(
        TASK_CANCEL_FLIGHT, scenario, lambda world: reference_solution.cancel(world, other)
    )
    assert not made.success and made.progress == 0
    assert made.gold_action_recall == 0.2, "of the five gold actions Search was pressed"
    assert made.collateral == (f"booking {other} cancelled", f"confirm-cancel on {other}")


def test_booking_another_passenger_is_no_success_and_less_than_one(data):
    scenario = scenario_of(TASK_BOOK_FLIGHT, data)
    trip, flights, who, card = TASK_BOOK_FLIGHT._forms(scenario)
    stranger = {**who, "first-name": "Somebody", "last-name": "Else"}
    made = score(
        TASK_BOOK_FLIGHT,
        scenario,
        lambda world: reference_solution.book(world, data, trip, flights, stranger, card),
    )
    assert not made.success and made.progress == pytest.approx((3 + 0.8 * 3 / 5) / 4, abs=1e-4)


@pytest.mark.parametrize("field", ["expiry", "cvc"])
def test_a_payment_with_a_wrong_field_is_no_success(data, field):
    """The booking keeps the card's last digits only; the rest is scored by what was accepted."""
    scenario = scenario_of(TASK_BOOK_FLIGHT, data)
    trip, flights, who, card = TASK_BOOK_FLIGHT._forms(scenario)
    wrong = {**card, field: "12/36" if field == "expiry" else "0000"}
    ended = scored(
        TASK_BOOK_FLIGHT,
        scenario,
        lambda world: reference_solution.book(world, data, trip, flights, who, wrong) and "",
    )
    assert ended.held()["payment"] is False and not ended.score.success
    assert ended.score.progress < 1


def test_a_second_booking_halves_the_progress_and_a_third_leaves_a_third(data):
    scenario = scenario_of(TASK_BOOK_FLIGHT, data)
    twice = TASK_BOOK_FLIGHT.near_misses(scenario, data)["second booking"]
    made = score(TASK_BOOK_FLIGHT, scenario, twice.apply)
    assert not made.success and made.progress == 0.495 and len(made.collateral) == 1

    def thrice(world):
        twice.apply(world)
        TASK_BOOK_FLIGHT.solve(scenario, world, data)

    assert score(TASK_BOOK_FLIGHT, scenario, thrice).progress == 0.33


@each_family
def test_a_booking_that_nobody_asked_for_halves_the_progress(family, data):
    """Whatever the task is, also where it was done in full."""
    scenario, booked = scenario_of(family, data), scenario_of(TASK_BOOK_FLIGHT, data)

    def act(world):
        forms = TASK_BOOK_FLIGHT._forms(booked)
        reference_solution.book(world, data, *forms)
        family.solve(scenario, world, data)

    made = score(family, scenario, act)
    assert not made.success and made.progress == 0.495, made
    assert all(step.progress == 1 for step in made.steps)


def test_a_change_of_another_booking_that_is_undone_is_still_told(data):
    scenario = scenario_of(TASK_CANCEL_FLIGHT, data)
    own, other = scenario.gold["reference"], reference_solution.another(scenario)

    def act(world):
        kept = operations.booking(world, other).passenger.values()
        reference_solution.modify_passenger(world, other, {"last-name": "Meddled"})
        reference_solution.modify_passenger(world, other, kept)
        reference_solution.cancel(world, own)

    made = score(TASK_CANCEL_FLIGHT, scenario, act)
    assert not made.success and made.progress == 0.99
    assert made.collateral == (f"save-changes on {other}",) * 2


def test_saving_another_booking_as_it_is_changes_nothing(data):
    scenario = scenario_of(TASK_CANCEL_FLIGHT, data)
    own, other = scenario.gold["reference"], reference_solution.another(scenario)

    def act(world):
        reference_solution.modify_passenger(world, other, {})
        reference_solution.cancel(world, own)

    assert score(TASK_CANCEL_FLIGHT, scenario, act).success


def test_a_booking_is_none_of_the_business_of_who_only_searches(data):
    scenario = scenario_of(TASK_FIND_FLIGHT, data)
    trip = reference_solution.trip_values(scenario)

    def act(world):
        rows = data.flights(trip["from"], trip["to"], trip["departure"])
        flights = {"outward": next(each.number for each in rows if each.seats)}
        if trip["return"]:
            back = data.flights(trip["to"], trip["from"], trip["return"])
            flights["return"] = next(each.number for each in back if each.seats)
        who = {"title": "Mr", "first-name": "A", "last-name": "B", "gender": "Male"}
        card = {"card-number": "4111111111111111", "expiry": "09/30", "cvc": "123"}
        reference_solution.book(world, data, trip, flights, {**who, "dob": "1980-01-01"}, card)
        reference_solution.search(world, data, trip)

    made = score(TASK_FIND_FLIGHT, scenario, act)
    assert not made.success and made.progress == 0.495 and len(made.collateral) == 1


def test_a_return_that_nobody_asked_for_is_another_search(data):
    scenario = scenario_of(TASK_FIND_FLIGHT, data, lambda each: not returning(each))
    trip = reference_solution.trip_values(scenario)
    both = {
        **trip,
        "trip-type": "return",
        "return": reference_solution.moved(trip["departure"], 3),
    }
    ended = scored(
        TASK_FIND_FLIGHT,
        scenario,
        lambda world: reference_solution.search(world, data, both) and "",
    )
    assert ended.held()["last search"] is False and ended.score.progress < 1


def test_a_change_in_another_table_is_no_success(data):
    scenario = scenario_of(TASK_CANCEL_FLIGHT, data)
    world = TASK_CANCEL_FLIGHT.world(scenario)
    before = world.snapshot()
    TASK_CANCEL_FLIGHT.solve(scenario, world, data)
    after = {**world.snapshot(), "gifts": [{"id": 1}]}
    made = ScoringContext.of(scenario, before={**before, "gifts": []}).score(after)
    assert not made.success and made.collateral == ("gifts",) and made.progress == 0.99


# How values are compared -------------------------------------------------------------------------


def test_values_are_compared_in_the_sites_normal_forms(data):
    scenario = scenario_of(TASK_BOOK_FLIGHT, data, returning)
    trip, flights, who, card = TASK_BOOK_FLIGHT._forms(scenario)
    spelt = {
        **trip,
        "from": data.airports[trip["from"]].name.upper(),
        "departure": f"  {scenario.gold['plan'][0]['fields']['departure']} ",
    }
    person = {**who, "first-name": f" {who['first-name'].upper()} "}
    digits = card["card-number"]
    paid = {**card, "card-number": " ".join((digits[:4], digits[4:10], digits[10:]))}
    made = score(
        TASK_BOOK_FLIGHT,
        scenario,
        lambda world: reference_solution.book(world, data, spelt, flights, person, paid),
    )
    assert made.success and made.gold_action_recall == 1


def test_what_the_site_refuses_is_no_right_value(data):
    scenario = scenario_of(TASK_FIND_FLIGHT, data)
    texts = ("", "nowhere", "<b>", "x" * 10_000, "31 February 2026")

    def act(world):
        for text in texts:
            for field in ("from", "departure", "trip-type"):
                draft(world, Place("flights"), field, text)

    assert score(TASK_FIND_FLIGHT, scenario, act).progress == 0


# The other figures -------------------------------------------------------------------------------


@each_family
def test_the_solution_did_every_gold_action_and_nothing_none(family, data):
    scenario = scenario_of(family, data)
    assert (
        score(family, scenario, lambda w: family.solve(scenario, w, data)).gold_action_recall == 1
    )
    nothing = score(family, scenario, lambda world: None)
    assert nothing.gold_action_recall == 0 and nothing.actions == 0


def test_gold_actions_by_hand(data):
    """Five gold actions: type, Search, Cancel, type, Cancel; the first three were done."""
    scenario = scenario_of(TASK_CANCEL_FLIGHT, data)
    own = scenario.gold["reference"]

    def act(world):
        reference_solution.find(world, own)
        operations.start_cancel(world, own)

    assert score(TASK_CANCEL_FLIGHT, scenario, act).gold_action_recall == 0.6


def test_actions_are_counted_by_what_was_touched(data):
    """Keystrokes, the click into a field, a suggestion and the click on a radio are no extra."""
    scenario = scenario_of(TASK_FIND_FLIGHT, data)
    place, results = Place("flights"), Place("results", "1")

    def act(world):
        click(world, place, "from")
        for text in ("L", "Lo", "Lon"):
            draft(world, place, "from", text)
        click(world, place, "from-option-2")
        draft(world, place, "from", "London Heathrow (LHR)")
        click(world, place, "to")
        draft(world, place, "to", "JFK")
        click(world, place, "nav-bookings")
        click(world, results, "outward-2")
        draft(world, results, "outward", "LW1000")
        click(world, results, "outward-3")
        reference_solution.find(world, scenario.details["bookings"][0]["reference"])

    assert score(TASK_FIND_FLIGHT, scenario, act).actions == 4 + 2


@each_family
def test_any_journal_is_scored(family, data):
    """Entries in any order, of any field and about anything: a score, never an error."""
    scenario = scenario_of(family, data)
    for seed in range(20):
        rng = Random(seed)

        def act(world, rng=rng):
            for _ in range(12):
                place = Place(*rng.choice(PLACES))
                if rng.random() < 0.5:
                    draft(world, place, rng.choice(FIELDS), rng.choice(TEXTS))
                else:
                    rng.choice((open_page, lambda w, p: click(w, p, "to")))(world, place)

        made = score(family, scenario, act)
        assert not made.success and 0 <= made.progress < 0.8
        json.dumps(made.to_json(), allow_nan=False)


PLACES = (
    ("flights", ""),
    ("results", "7"),
    ("passenger", "1"),
    ("payment", "1"),
    ("find", ""),
    ("booking", "NOSUCH"),
    ("cancel", "NOSUCH"),
    ("modify", "NOSUCH"),
    ("modify-results", "NOSUCH/3"),
)
FIELDS = ("from", "departure", "return", "outward", "title", "dob", "cvc", "confirm-reference")
TEXTS = ("", "LHR", "2026-02-30", "\u202e", "🙂", "9" * 5000, "LW1000", "Dr")
