"""Scenarios of the airline's desk on the control plane: the published keys and figures."""

from __future__ import annotations

import pytest

from evaluators.episode.environment import bind_site
from evaluators.server.sessions import Sessions
from scenarios import registry
from scenarios.crm.airline_desk import reference_solution
from scenarios.crm.published_desk import TASK_BOOK_FLIGHT
from sites.world import WorldClosed

PUBLISHED = {
    "TASK_FIND_FLIGHT",
    "TASK_BOOK_FLIGHT",
    "TASK_FIND_BOOKING",
    "TASK_CANCEL_FLIGHT",
    "TASK_UPDATE_PASSENGER_DETAILS",
    "TASK_UPDATE_FLIGHTS",
}


@pytest.fixture(scope="module")
def sessions():
    site = bind_site("crm")
    with site.server:
        yield Sessions({"crm": site})


@pytest.fixture
def solved(sessions):
    opened = sessions.draw("crm", "TASK_BOOK_FLIGHT", 3)
    TASK_BOOK_FLIGHT.solve(opened.scenario, opened.world, registry.site_data("crm"))
    return opened


def test_what_is_drawn_is_described_as_published(sessions):
    opened = sessions.draw("crm", "TASK_BOOK_FLIGHT", 1)
    described = opened.described()
    assert [*described][:3] == ["scenario", "id", "url"]
    assert described["scenario"] == "TASK_BOOK_FLIGHT"
    assert described["url"].endswith(f"/?scenario={opened.world.session}")
    assert {"flight", "passenger", "payment"} <= described["details"].keys()
    assert {"from", "to", "departure", "return"} <= described["details"]["flight"].keys()


FLIGHT = {"from", "to", "departure", "outward-departure-time", "outward-arrival-time"}
FIELDS = {
    "TASK_FIND_FLIGHT": {"flight"},
    "TASK_BOOK_FLIGHT": {"flight", "passenger", "payment"},
    "TASK_FIND_BOOKING": {"booking-reference"},
    "TASK_CANCEL_FLIGHT": {"booking-reference"},
    "TASK_UPDATE_PASSENGER_DETAILS": {"booking-reference", "passenger"},
    "TASK_UPDATE_FLIGHTS": {"booking-reference", "flight"},
}


@pytest.mark.parametrize("family", [*FIELDS, "TASK_CANCEL_FLIGHT_BARE"])
def test_details_are_the_published_fields_and_no_more(sessions, family):
    """Neither the other bookings, nor the plan, nor the spellings that are accepted."""
    for seed in range(8):
        opened = sessions.draw("crm", family, seed)
        details = opened.described()["details"]
        assert details.keys() == FIELDS[family.removesuffix("_BARE")]
        assert details.items() <= opened.scenario.details.items()
        if "flight" in details:
            back = {"return", "return-departure-time", "return-arrival-time"}
            assert details["flight"].keys() in (FLIGHT, FLIGHT | back)


def test_only_the_published_types_are_drawn_where_none_is_named(sessions):
    drawn = {sessions.draw("crm").scenario.family for _ in range(80)}
    assert drawn <= PUBLISHED and len(drawn) >= 5
    named = sessions.draw("crm", "TASK_BOOK_FLIGHT_BARE", 1)
    assert named.scenario.family == "TASK_BOOK_FLIGHT_BARE"


def test_an_evaluation_has_the_keys_of_the_published_one_and_more(solved):
    seen = solved.evaluated()
    keys = ("scenario", "id", "closed", "success", "success_published", "progress", "steps")
    assert {*keys, "gold_action_recall", "actions", "collateral", "checks"} <= seen.keys()
    assert (seen["success"], seen["progress"], seen["gold_action_recall"]) == (True, 1, 1)
    assert [step["name"] for step in seen["steps"]] == [*TASK_BOOK_FLIGHT.STEPS]
    assert seen["actions"] == (5 + 1) + (2 + 1) + (5 + 1) + (3 + 1)
    assert seen["requests"] >= seen["actions"]
    assert solved.evaluated() == seen and not seen["closed"]


def test_half_way_is_told(sessions):
    opened = sessions.draw("crm", "TASK_CANCEL_FLIGHT", 5)
    reference_solution.find(opened.world, opened.scenario.gold["reference"])
    seen = opened.evaluated()
    assert [step["progress"] for step in seen["steps"]] == [1, 0, 0]
    assert (seen["progress"], seen["gold_action_recall"], seen["actions"]) == (0.3333, 0.4, 2)


def test_what_is_finished_stays_as_it_is(sessions, solved):
    seen = sessions.finish(solved.scenario.id, "").evaluated()
    assert seen["closed"] and seen["success"]
    other = reference_solution.another(solved.scenario)
    with pytest.raises(WorldClosed):
        reference_solution.cancel(solved.world, other)
    assert solved.evaluated() == seen
