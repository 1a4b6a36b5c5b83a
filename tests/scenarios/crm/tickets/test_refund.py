"""What `ticket_refund` draws: rules that decide together, claims, mails, budgets, articles."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from evaluators.episode.budget import standard_of
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.crm.airline_desk import forms
from scenarios.crm.tickets import refund as ticket_refund
from scenarios.crm.tickets import ticket_service
from scenarios.scenario import Scenario
from sites.crm.airline_desk.handbook.article import articles
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.operations import money
from tests.drawing import drawn, missed
from tests.measuring import DEEP

SEEDS = range(200) if DEEP else (0, 1, 2, 4)
FAMILY = registry.family("ticket_refund")


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return [drawn("ticket_refund", seed) for seed in SEEDS]


def left_out(scenario: Scenario) -> list[str]:
    """The rules without which something else would be done."""
    labels = missed(scenario)
    return [each.partition(": ")[2] for each in labels if each.startswith("rule left out")]


def test_money_goes_back_by_two_rules_at_least(scenarios):
    for scenario in scenarios:
        if scenario.gold["errands"][0]["control"] == "send-offer":
            assert len(left_out(scenario)) >= 2, scenario.name


def test_three_claims_of_five_hold():
    for start in range(0, 100, 5):
        assert sum(map(ticket_refund.TICKET.is_true, range(start, start + 5))) == 3


def test_no_two_seeds_share_a_ticket():
    assert len({*map(ticket_refund.TICKET.number_of, range(9000))}) == 9000


def test_the_instruction_tells_the_number_and_nothing_of_the_case(scenarios):
    for scenario in scenarios:
        gold = scenario.gold
        assert str(gold["ticket"]) in scenario.instruction
        assert gold["reference"] not in scenario.instruction
        assert gold["reference"] in gold["rows"]["messages"][0]["body"]


def test_the_right_amount_stands_in_no_row_of_what_is_given_in_part(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] == "in-part":
            amount = next(iter(scenario.gold["errands"]))["values"]["offer-amount"]
            mails = json.dumps(
                [scenario.gold["rows"]["messages"], scenario.gold["rows"]["scripts"]]
            )
            assert f"${amount}" not in mails


def test_any_of_the_accepted_articles_will_do_and_no_other(scenarios):
    several = [
        each for each in scenarios if len(each.gold["accepted"][str(each.gold["ticket"])]) > 1
    ]
    assert several
    for scenario in several[:5]:
        first, *others = scenario.gold["accepted"][str(scenario.gold["ticket"])]
        for article, right in ((first, True), (others[-1], True), ("X1", False)):
            assert success(scenario, article) is right


def success(scenario: Scenario, article: str) -> bool:
    """Whether all that is right, closed by this article, is a success."""
    world, data = FAMILY.world(scenario), registry.site_data("crm")
    context = ScoringContext.of(scenario, before=world.snapshot())
    *before, last = forms.to_do(scenario)
    ticket_service.TICKETS.read(scenario, world)
    forms.do(world, data, before)
    closing = {**last.values, "decides": article}
    forms.do(world, data, [forms.Do(last.control, last.parts, closing)])
    return context.score(world.snapshot(), "").success


def test_who_reads_the_whole_handbook_still_finishes(scenarios):
    for scenario in scenarios[:5]:
        edition = Edition.from_json(scenario.gold["edition"])
        number = len(articles(edition, airlines()[scenario.details["airline"]]))
        steps = standard_of(FAMILY, scenario).steps
        assert steps in {2 * FAMILY.length(scenario) + 20 + number + odd for odd in (0, 1)}


def test_nothing_is_changed_where_the_ticket_is_refused_or_passed_on(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] in ("refused", "passed-on"):
            assert {table for table, *_ in scenario.gold["changes"]} == {"tickets"}
            assert ["booking", scenario.gold["reference"]] in scenario.gold["evidence"]


def test_money_that_went_back_by_a_form_of_its_own_is_not_given_twice():
    """Whoever gives it back first and cancels then ends where the solution ends."""
    scenario, data = drawn("ticket_refund", 1), registry.site_data("crm")
    context, world = ScoringContext.of(scenario), FAMILY.world(scenario)
    *before, cancel, _ = forms.to_do(scenario)
    assert cancel.control == "confirm-cancel"
    refund = replace(cancel, control="give-refund")
    forms.do(world, data, [*before, refund])
    assert context.is_solvable(world)
    answer = FAMILY.solve(scenario, world, data)
    assert context.score(world.snapshot(), answer).success


def test_who_gave_more_back_than_was_due_has_no_right_end_any_more():
    scenario = drawn("ticket_refund", 4)
    context, world = ScoringContext.of(scenario), FAMILY.world(scenario)
    reference = scenario.gold["reference"]
    for paid in money.paid(world, reference):
        money.give_refund(world, reference, {f"refund-amount.{paid.number}": str(paid.left)})
    assert not context.is_solvable(world)
