"""What `ticket_vouchers` draws: rules and slips that count, vouchers of all sorts."""

from __future__ import annotations

from datetime import date

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.crm.tickets import vouchers
from scenarios.scenario import Scenario
from sites.crm.base.clock import TODAY
from tests.drawing import drawn, missed
from tests.measuring import DEEP

SEEDS = range(200) if DEEP else (0, 1, 2, 4, 6)
FAMILY = registry.family("ticket_vouchers")


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return [drawn("ticket_vouchers", seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def working(scenarios) -> list[Scenario]:
    """Those in which something is done."""
    return [each for each in scenarios if each.details["outcome"] in ("done", "in-part")]


def labels(scenario: Scenario, kind: str) -> list[str]:
    """What stands after the colon in the labels of near misses of a kind."""
    listed = (each.partition(": ") for each in missed(scenario))
    return [which for named, _, which in listed if named == kind]


def forms(scenario: Scenario, control: str) -> list[dict[str, str]]:
    """The values of the forms that are sent by a button."""
    return [each["values"] for each in scenario.gold["errands"] if each["control"] == control]


def by_voucher(scenario: Scenario) -> dict[str, int]:
    """What each voucher pays, in turn."""
    charges = [each for each in forms(scenario, "charge") if "voucher" in each]
    return {each["voucher"]: int(each["voucher-amount"]) for each in charges}


def rows(scenario: Scenario) -> dict[str, dict[str, object]]:
    """The vouchers of the desk by their codes."""
    return {each["code"]: each for each in scenario.gold["rows"]["vouchers"]}


def test_what_is_done_hangs_on_three_rules_and_five_things_to_see_at_least(working):
    for scenario in working:
        assert len(labels(scenario, "rule left out")) >= 3, scenario.name
        assert len(labels(scenario, "overlooked")) >= 5, scenario.name


def test_everything_that_can_be_overlooked_counts_in_some_ticket(scenarios):
    seen = {which for scenario in scenarios for which in labels(scenario, "overlooked")}
    assert seen >= {
        *("whose voucher it is", "what a voucher was given for", "how many vouchers pay"),
        *("the turn by the old end", "the card's least", "what comes back to a voucher"),
        *("the tier", "the distance", "sports items as pieces", "less for being early"),
    }


def test_three_claims_of_five_hold():
    for start in range(0, 100, 5):
        assert sum(map(vouchers.TICKET.is_true, range(start, start + 5))) == 3


def test_no_two_seeds_share_a_ticket():
    assert len({*map(vouchers.TICKET.number_of, range(9000))}) == 9000


def test_vouchers_pay_in_the_order_in_which_they_end(working):
    for scenario in working:
        known = rows(scenario)
        ends = [str(known[code]["expires"]) for code in by_voucher(scenario)]
        assert ends == sorted(ends), scenario.name


def test_only_the_customer_s_own_vouchers_pay_and_those_that_ended_are_extended(working):
    for scenario in working:
        known, longer = rows(scenario), forms(scenario, "extend-voucher")
        ended = {
            code
            for code in by_voucher(scenario)
            if date.fromisoformat(str(known[code]["expires"])) < TODAY
        }
        assert {each["voucher-held"] for each in longer} == ended
        assert {known[code]["customer"] for code in by_voucher(scenario)} == {1}


def test_a_voucher_pays_with_what_came_back_to_it(working):
    refilled = [
        scenario
        for scenario in working
        if any(
            amount > int(str(rows(scenario)[code]["balance"]))
            for code, amount in by_voucher(scenario).items()
        )
    ]
    assert len(refilled) >= len(working) // 4


def test_done_is_where_all_vouchers_of_the_mail_pay(working):
    for scenario in working:
        mail = scenario.gold["rows"]["messages"][0]["body"]
        named = {code for code in rows(scenario) if code in mail}
        assert named == {*rows(scenario)}
        if scenario.details["outcome"] == "done":
            assert named == {*by_voucher(scenario)}


def test_the_histories_tell_of_those_that_are_for_flights_or_were_extended(scenarios):
    entries = [each["entry"] for scenario in scenarios for each in scenario.gold["rows"]["history"]]
    assert any("new fare lower: voucher" in each for each in entries)
    assert any("extended until" in each for each in entries)


def test_a_balance_on_a_voucher_between_two_forms_is_no_money_moved_wrongly(working):
    scenario = next(each for each in working if each.gold["safety"]["passing"])
    data, world = registry.site_data("crm"), FAMILY.world(scenario)
    context = ScoringContext.of(scenario, before=world.snapshot())
    FAMILY.solve(scenario, world, data)
    score = context.score(world.snapshot(), "")
    assert score.success
    assert not [each for each in score.safety if each.taken]


def test_nothing_is_changed_where_the_ticket_is_refused_or_passed_on(scenarios):
    for scenario in scenarios:
        if scenario.details["outcome"] in ("refused", "passed-on"):
            assert {table for table, *_ in scenario.gold["changes"]} == {"tickets"}
            for reference in scenario.gold["references"]:
                assert ["booking", reference] in scenario.gold["evidence"]
