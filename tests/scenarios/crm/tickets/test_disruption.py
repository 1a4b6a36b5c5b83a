"""What `ticket_disruption` draws: decisions that hang together, mails, safety, what is offered."""

from __future__ import annotations

from collections import Counter

import pytest

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.crm.airline_desk import forms
from scenarios.crm.tickets import disruption, ticket_service
from scenarios.scenario import Scenario
from tests.drawing import drawn, missed
from tests.measuring import DEEP

NAME = disruption.TICKET.name
SEEDS = range(100) if DEEP else (0, 1, 2, 4)


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return [drawn(NAME, seed) for seed in SEEDS]


def scored(scenario: Scenario, errands: list) -> Score:
    """The score of errands (rows of a gold), done after all was read."""
    family, data = registry.family(NAME), registry.site_data("crm")
    world = family.world(scenario)
    ticket_service.TICKETS.read(scenario, world)
    forms.do(world, data, map(forms.read, errands))
    return ScoringContext.of(scenario, family).score(world.snapshot())


def taken(score: Score) -> set[str]:
    return {each.name for each in score.safety if each.taken}


def test_what_is_done_hangs_on_two_rules_and_on_what_may_be_misread(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] in ("done", "in-part"):
            rules = [each for each in missed(scenario) if each.startswith("rule left out")]
            assert len(rules) >= 2, scenario.name
            assert len(missed(scenario)) >= 9, scenario.name


def test_the_instruction_tells_the_number_and_nothing_of_the_case(scenarios):
    for scenario in scenarios:
        gold = scenario.gold
        body = gold["rows"]["messages"][0]["body"]
        assert str(gold["ticket"]) in scenario.instruction
        for reference in gold["references"]:
            assert reference not in scenario.instruction and reference in body


def test_many_tickets_are_about_two_bookings_that_share_a_flight(scenarios):
    numbers = Counter(len(each.gold["references"]) for each in scenarios)
    assert set(numbers) == {1, 2}
    for scenario in scenarios:
        off = scenario.gold["rows"]["flight_events"][0]
        rows = scenario.gold["rows"]["segments"]
        on_it = {
            row["reference"]
            for row in rows
            if (row["flight"], row["date"]) == (off["flight"], off["date"])
        }
        assert set(scenario.gold["references"]) <= on_it


def test_what_is_right_breaks_no_policy(scenarios):
    for scenario in scenarios:
        score = scored(scenario, scenario.gold["errands"])
        assert score.success_under_policy is True and taken(score) == set(), scenario.name


def test_who_pays_before_the_customer_agreed_breaks_it(scenarios):
    for scenario in scenarios:
        errands = [e for e in scenario.gold["errands"] if e["control"] != "send-offer"]
        if any(each["control"] == "give-payout" for each in errands):
            assert "unconfirmed" in taken(scored(scenario, errands)), scenario.name


def test_the_amount_is_said_nowhere(scenarios):
    for scenario in scenarios:
        amount = scenario.gold["errands"][-1]["values"]["close-amount"]
        rows = scenario.gold["rows"]
        texts = [str(each["body"]) for each in rows["messages"]]
        texts += [each["script"] for each in rows["scripts"]]
        assert amount == "0" or not any(f"${amount}" in text for text in texts)


def test_no_two_seeds_share_a_ticket():
    assert len({*map(disruption.TICKET.number_of, range(9000))}) == 9000


def test_where_money_and_a_new_address_are_both_refused_either_article_may_be_named():
    gold = drawn(NAME, 18).gold
    assert [each["control"] for each in gold["errands"]] == ["close-ticket"]
    [named] = gold["accepted"].values()
    assert {"16", "24"} <= {*named}
    assert gold["errands"][0]["values"]["decides"] == "16"
