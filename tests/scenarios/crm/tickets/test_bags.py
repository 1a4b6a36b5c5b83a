"""What `ticket_bags` draws: rules and slips that count, what comes first, mails and receipts."""

from __future__ import annotations

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.crm.airline_desk import forms
from scenarios.crm.airline_desk.forms import Do
from scenarios.crm.tickets import bags, ticket_service
from scenarios.scenario import Scenario
from sites.crm.airline_desk.model import prices
from tests.drawing import drawn, missed
from tests.measuring import DEEP

SEEDS = range(200) if DEEP else (0, 1, 2, 4, 10)
FAMILY = registry.family("ticket_bags")


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return [drawn("ticket_bags", seed) for seed in SEEDS]


def labels(scenario: Scenario, kind: str) -> list[str]:
    """What stands after the colon in the labels of near misses of a kind."""
    listed = (each.partition(": ") for each in missed(scenario))
    return [which for named, _, which in listed if named == kind]


def controls(scenario: Scenario) -> list[str]:
    return [each["control"] for each in scenario.gold["errands"]]


def test_what_is_done_hangs_on_two_rules_and_four_things_to_see_at_least(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] in ("done", "in-part"):
            assert len(labels(scenario, "rule left out")) >= 2, scenario.name
            assert len(labels(scenario, "overlooked")) >= 4, scenario.name


def test_everything_that_can_be_overlooked_counts_in_some_ticket(scenarios):
    seen = {which for scenario in scenarios for which in labels(scenario, "overlooked")}
    assert seen >= {
        *("the distance", "the tier", "less for being early", "sports items as pieces"),
        *("bags that were paid", "the days of receipts", "whose receipt it is"),
        *("one most for all", "the day of arrival"),
    }


def test_three_claims_of_five_hold():
    for start in range(0, 100, 5):
        assert sum(map(bags.TICKET.is_true, range(start, start + 5))) == 3


def test_no_two_seeds_share_a_ticket():
    assert len({*map(bags.TICKET.number_of, range(9000))}) == 9000


def test_a_price_that_is_charged_stands_in_no_row(scenarios):
    for scenario in scenarios:
        for each in scenario.gold["errands"]:
            if each["values"].get("fee-kind") == "bags":
                amount = each["values"]["fee-amount"]
                texts = [row["entry"] for row in scenario.gold["rows"]["history"]]
                texts += [row["body"] for row in scenario.gold["rows"]["messages"]]
                assert not any(f" ${amount} " in text for text in texts), scenario.name


def test_no_passenger_brings_more_than_a_form_takes(scenarios):
    pieces = [
        int(value)
        for scenario in scenarios
        for each in scenario.gold["errands"]
        if each["control"] == "save-bags"
        for value in each["values"].values()
    ]
    assert max(pieces) == prices.MOST_BAGS


def test_lost_bags_and_balances_come_before_the_sale(scenarios):
    both = [each for each in scenarios if {"give-payout", "save-bags"} <= {*controls(each)}]
    assert both
    for scenario in both:
        assert controls(scenario).index("give-payout") < controls(scenario).index("save-bags")
        assert scenario.gold["order"]


def test_who_sells_first_ends_with_the_same_rows_and_without_success(scenarios):
    scenario = next(each for each in scenarios if controls(each).count("give-payout"))
    world, data = FAMILY.world(scenario), registry.site_data("crm")
    context = ScoringContext.of(scenario, before=world.snapshot())
    *steps, end = forms.to_do(scenario)
    ticket_service.TICKETS.read(scenario, world)
    forms.do(world, data, [*sorted(steps, key=is_given), end])
    score = context.score(world.snapshot(), "")
    assert [each.name for each in score.checks if not each.held] == ["order"]
    assert not score.success and score.progress < 1


def is_given(each: Do) -> bool:
    return each.control == "give-payout"


def test_nothing_is_changed_where_the_ticket_is_refused_or_passed_on(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] in ("refused", "passed-on"):
            assert {table for table, *_ in scenario.gold["changes"]} == {"tickets"}
            assert ["booking", scenario.gold["reference"]] in scenario.gold["evidence"]


def test_receipts_are_attached_and_the_loss_stands_in_the_history(scenarios):
    lost = [each for each in scenarios if "give-payout" in controls(each)]
    assert lost
    for scenario in lost:
        rows = scenario.gold["rows"]
        assert len(rows["attachments"]) >= 3
        assert any("report of their loss" in each["entry"] for each in rows["history"])
