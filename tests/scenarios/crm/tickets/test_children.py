"""What `ticket_children` draws: ages that turn, escorts of others, what waits or is too much."""

from __future__ import annotations

import pytest

from scenarios import registry
from scenarios.crm.airline_desk import forms
from scenarios.crm.tickets import children
from scenarios.scenario import Scenario
from sites.crm.airline_desk.operations import escorts, looking
from tests.drawing import drawn, missed
from tests.measuring import DEEP

SEEDS = range(200) if DEEP else (0, 1, 2, 4, 18)
FAMILY = registry.family("ticket_children")


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return [drawn("ticket_children", seed) for seed in SEEDS]


def labels(scenario: Scenario, kind: str) -> list[str]:
    """What stands after the colon in the labels of near misses of a kind."""
    listed = (each.partition(": ") for each in missed(scenario))
    return [which for named, _, which in listed if named == kind]


def controls(scenario: Scenario) -> list[str]:
    return [each["control"] for each in scenario.gold["errands"]]


def test_what_is_done_hangs_on_two_rules_and_two_things_to_see_at_least(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] in ("done", "in-part"):
            assert len(labels(scenario, "rule left out")) >= 2, scenario.name
            assert len(labels(scenario, "overlooked")) >= 2, scenario.name
            assert "save-escort" in controls(scenario)


def test_everything_that_can_be_overlooked_counts_in_some_ticket(scenarios):
    seen = {which for scenario in scenarios for which in labels(scenario, "overlooked")}
    assert seen >= {
        *("ages on the day itself", "ages on each flight", "who is grown"),
        *("the escorts of others", "the infant's birthday"),
    }
    rules = {which for scenario in scenarios for which in labels(scenario, "rule left out")}
    assert rules >= {"14", "20", "21", "25"} and any(each.startswith("B") for each in rules)


def test_three_claims_of_five_hold():
    for start in range(0, 100, 5):
        assert sum(map(children.TICKET.is_true, range(start, start + 5))) == 3


def test_no_two_seeds_share_a_ticket():
    assert len({*map(children.TICKET.number_of, range(9000))}) == 9000


def test_an_escort_is_an_act_of_one_flight(scenarios):
    scenario = next(each for each in scenarios if "save-escort" in controls(each))
    world, data = FAMILY.world(scenario), registry.site_data("crm")
    listed = [each for each in forms.to_do(scenario) if each.control == "save-escort"]
    for each in listed:
        found, place = looking.booking(world, each.reference), int(each.parts[1])
        assert not escorts.escorted(world, found, place)
        forms.do(world, data, [each])
        assert escorts.escorted(world, found, place) == {
            int(key.partition(".")[2]) for key in each.values
        }
        undone = dict.fromkeys(each.values, "")
        escorts.save_escorts(world, each.reference, place, undone)
        assert not escorts.escorted(world, found, place)


def test_the_seat_of_an_infant_is_a_fee_of_its_own(scenarios):
    sold = [
        each["values"]
        for scenario in scenarios
        for each in scenario.gold["errands"]
        if each["values"].get("passenger")
    ]
    assert sold and {each["fee-kind"] for each in sold} == {"seats"}


def test_nothing_is_changed_where_the_ticket_is_refused_or_passed_on(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] in ("refused", "passed-on"):
            assert {table for table, *_ in scenario.gold["changes"]} == {"tickets"}
