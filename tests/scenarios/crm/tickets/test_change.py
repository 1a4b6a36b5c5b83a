"""What `ticket_change` draws: rules that decide together, flights in an order, claims, money."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from scenarios.crm.tickets import change
from scenarios.crm.tickets.change import case
from scenarios.crm.tickets.change.case import DONE, LEAST_RULES, OUTCOMES
from scenarios.crm.tickets.change.order import ARRIVES, FEWEST, LEAVES, NEAR, by_times, orders
from scenarios.scenario import Scenario
from sites.crm.airline_desk.operations.correspondent import Script
from tests.drawing import drawn, missed
from tests.measuring import DEEP

SEEDS = range(200) if DEEP else (0, 1, 2, 4)
NAME = change.TICKET.name


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return [drawn(NAME, seed) for seed in SEEDS]


def controls(scenario: Scenario) -> list[str]:
    return [each["control"] for each in scenario.gold["errands"]]


def moved(scenario: Scenario) -> dict[str, str]:
    """The form that moves the direction."""
    [found] = [e["values"] for e in scenario.gold["errands"] if e["control"] == "save-flights"]
    return found


def test_of_twenty_tickets_seven_are_done_and_five_are_refused_or_passed_on(scenarios):
    ends = {seed: OUTCOMES[change.TICKET.kind_of(seed)].replace(" ", "-") for seed in range(200)}
    for deck in range(0, 200, 20):
        outcomes = Counter(ends[seed] for seed in range(deck, deck + 20))
        assert outcomes == {"done": 7, "in-part": 8, "refused": 3, "passed-on": 2}
    for scenario in scenarios:
        assert scenario.details["outcome"] == ends[scenario.seed]


def test_three_claims_of_five_hold():
    for start in range(0, 100, 5):
        assert sum(map(change.TICKET.is_true, range(start, start + 5))) == 3


def test_no_two_seeds_share_a_ticket():
    assert len({*map(change.TICKET.number_of, range(9000))}) == 9000


def test_where_flights_are_moved_three_rules_cannot_be_left_out(scenarios):
    for scenario in scenarios:
        rules = sum(each.startswith("rule left out") for each in missed(scenario))
        assert rules >= min(2, LEAST_RULES[change.TICKET.kind_of(scenario.seed)] - 1)
    assert LEAST_RULES[DONE] == 3 and {*LEAST_RULES} == {*OUTCOMES}


def test_each_offer_comes_before_what_it_is_about_and_has_the_same_amount(scenarios):
    for scenario in scenarios:
        if "save-flights" not in controls(scenario):
            continue
        errands = scenario.gold["errands"]
        offers = [each["values"] for each in errands if each["control"] == "send-offer"]
        values = moved(scenario)
        due = sum(int(values.get(key, "0")) for key in ("fee-amount", "difference-amount"))
        paid = sum(int(values.get(key, "0")) for key in ("voucher-amount", "card-amount"))
        assert due == paid == int(offers[-1]["offer-amount"])
        assert due == int(errands[-1]["values"]["close-amount"])
        assert controls(scenario).index("send-offer") < controls(scenario).index("save-flights")
        if "charge" in controls(scenario):
            assert controls(scenario)[:2] == ["send-offer", "charge"]


def test_what_a_mail_limits_is_kept(scenarios):
    limited = 0
    for scenario in scenarios:
        text = scenario.gold["rows"]["messages"][0]["body"]
        if "save-flights" in controls(scenario) and "$" in text.split("\n")[0]:
            most = int(text.split("\n")[0].partition("$")[2].split()[0].strip(".,;:"))
            assert int(scenario.gold["errands"][-1]["values"]["close-amount"]) <= most
            limited += 1
    assert limited


def test_the_ticket_is_about_two_bookings_of_which_one_is_named_by_its_city(scenarios):
    for scenario in scenarios:
        rows = scenario.gold["rows"]
        assert len(rows["ticket_bookings"]) == 2 == len(rows["bookings"])
        assert scenario.gold["reference"] not in rows["messages"][0]["body"]


def test_the_customer_agrees_to_any_amount(scenarios):
    for scenario in scenarios[:3]:
        script = Script.of(scenario.gold["rows"]["scripts"][0]["script"])
        assert all(each.amount is None and each.flights is None for each in script.takes)


def test_an_order_tells_all_offers_apart(data):
    ways = [(one, other) for one in ("OSL", "GVA", "ATL") for other in ("LIS", "MAD", "YYZ")]
    listed = [data.network.offers(*way, "2026-02-03") for way in ways]
    found = [(offers, each) for offers in listed for each in orders(offers)]
    assert {each.kind for _, each in found} == {ARRIVES, LEAVES, NEAR}
    for offers, each in found:
        assert {*each.offers} == {*offers} and len(offers) >= FEWEST
        if each.kind == NEAR:
            far = [abs(one.departs - each.clock) for one in each.offers]
            assert far == sorted({*far})


def test_one_flight_is_named_only_where_its_times_are_its_own(data):
    offers = data.network.offers("OSL", "LIS", "2026-02-03")
    one = by_times(Random(1), offers, offers)
    assert one is not None and len(one.offers) == 1
    assert by_times(Random(1), [*offers, one.offers[0]], one.offers) is None


def test_who_believes_a_false_claim_decides_otherwise(scenarios):
    assert any("claim believed" in missed(each) for each in scenarios)
    for scenario in scenarios:
        kind = change.TICKET.kind_of(scenario.seed)
        if kind in case.MISLED and not change.TICKET.is_true(scenario.seed):
            assert "claim believed" in missed(scenario) or kind == case.FIXED
