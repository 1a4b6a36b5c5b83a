"""What `ticket_name` draws: names by what is wrong with them, papers, check-ins, and what waits."""

from __future__ import annotations

from random import Random

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.crm.policy.travelling import letters_wrong
from scenarios.crm.tickets import name as ticket_name
from scenarios.crm.tickets.name import matters
from scenarios.crm.tickets.wishes import TOO_EARLY
from scenarios.scenario import Scenario
from tests.drawing import drawn, missed
from tests.each import for_each
from tests.measuring import DEEP

SEEDS = range(200) if DEEP else (0, 1, 2, 3, 4, 13)
FAMILY = registry.family("ticket_name")


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return [drawn("ticket_name", seed) for seed in SEEDS]


def labels(scenario: Scenario, kind: str) -> list[str]:
    """What stands after the colon in the labels of near misses of a kind."""
    listed = (each.partition(": ") for each in missed(scenario))
    return [which for named, _, which in listed if named == kind]


def controls(scenario: Scenario) -> list[str]:
    return [each["control"] for each in scenario.gold["errands"]]


def fees(scenario: Scenario) -> set[str]:
    return {each["values"].get("fee-kind", "") for each in scenario.gold["errands"]} - {""}


def test_what_is_done_hangs_on_two_rules_and_two_things_to_see_at_least(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] in ("done", "in-part"):
            assert len(labels(scenario, "rule left out")) >= 2, scenario.name
            assert len(labels(scenario, "overlooked")) >= 2, scenario.name


def test_everything_that_can_be_overlooked_counts_in_some_ticket(scenarios):
    seen = {which for scenario in scenarios for which in labels(scenario, "overlooked")}
    assert seen == {
        *("one letter more", "one letter less", "the paper", "whose paper it is"),
        *("the check-in", "accents are no letters", "the first name, too"),
    }
    rules = {which for scenario in scenarios for which in labels(scenario, "rule left out")}
    assert rules >= {"14", "19", "21", "24"} and any(each.startswith("B") for each in rules)


def test_three_claims_of_five_hold():
    for start in range(0, 100, 5):
        assert sum(map(ticket_name.TICKET.is_true, range(start, start + 5))) == 3


def test_no_two_seeds_share_a_ticket():
    assert len({*map(ticket_name.TICKET.number_of, range(9000))}) == 9000


def test_a_balance_is_paid_where_seats_are_asked_for_and_only_there(scenarios):
    owing = [each for each in scenarios if each.gold["rows"]["terms"][0]["balance"]]
    assert {"seats" in fees(each) for each in owing} == {True, False}
    for scenario in scenarios:
        assert ("balance" in fees(scenario)) == (scenario in owing and "seats" in fees(scenario))
        assert bool(scenario.gold["order"]) == ("balance" in fees(scenario))


def test_who_pays_for_seats_first_fails_by_the_order_alone(scenarios):
    scenario = next(each for each in scenarios if each.gold["order"])
    world, data = FAMILY.world(scenario), registry.site_data("crm")
    context = ScoringContext.of(scenario, before=world.snapshot())
    FAMILY.near_misses(scenario, data)[TOO_EARLY].apply(world)
    score = context.score(world.snapshot(), "")
    assert [each.name for each in score.checks if not each.held] == ["order"]


def test_who_was_checked_in_is_so_again_by_the_right_name(scenarios):
    both = [each for each in scenarios if {"save-checkin", "save-person"} <= {*controls(each)}]
    assert len(both) >= 3
    for scenario in both:
        tables = {table for table, *_ in scenario.gold["changes"]}
        assert "checkins" not in tables and "passengers" in tables


def test_a_claim_holds_up_a_ticket_with_seats_and_no_other(scenarios):
    ends = {
        (scenario.details["outcome"] == "passed-on", bool(scenario.gold["rows"]["notes"]))
        for scenario in scenarios
    }
    assert ends == {(True, True), (False, True), (False, False)}


@for_each("count", [1, 2, 3, 4, 5])
def test_a_name_has_so_many_letters_wrong(count):
    rng = Random(count)
    for name in (("Ann", "Lee"), ("Christopher", "Featherstone"), ("Zoe", "Bond")):
        wrong = matters.misspelt(rng, name, count)
        assert letters_wrong(wrong, name) == count
        assert [each[0] for each in wrong] == [each[0] for each in name]
