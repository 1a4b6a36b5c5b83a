"""LASER in another shop: with the store's graph through a map of pages, and with its own."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from tests.contracts import test_honesty as honesty
from tests.contracts.test_honesty import Asked, answered
from tests.drawing import drawn
from tests.measuring import DEEP, unmeasured

OWN_GRAPH = "laser"
AGENTS = (OWN_GRAPH, "laser:graph=store")
SEEDS = (3, 6)
"""Nothing fits; something does."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", ["buy_wish.outlet"])
@pytest.mark.parametrize("agent", AGENTS)
def test_it_meets_the_wishes_of_the_outlet(shared_episodes, agent, family, seed):
    with unmeasured() if agent == OWN_GRAPH and seed == SEEDS[0] else nullcontext():
        record = shared_episodes.get(agent, family, seed).record
    assert record["success"] and record["progress"] == 1
    assert record["invalid_actions"] == 0


def test_one_of_the_seeds_is_met_by_nothing():
    possible = [drawn("buy_wish.outlet", each).gold["possible"] for each in SEEDS]
    assert sorted(possible) == [False, True]


@pytest.mark.wide
@pytest.mark.parametrize("agent", AGENTS)
def test_a_model_without_skill_fails(harness, tmp_path, agent):
    """Its choices are wrong ones, on either graph. Coverage sees those on the store's."""
    scenario = "store/buy_wish.outlet/6"
    with unmeasured() if agent == OWN_GRAPH else nullcontext():
        episode = harness.run(f"{agent}@scripted-0", scenario, tmp_path, strict=True)
    assert episode.record["success"] is False


def _asked_of(agent: str) -> tuple[int, ...]:
    """ReAct, whose other episodes are played elsewhere, is asked of one."""
    return SEEDS if DEEP or agent in AGENTS else SEEDS[1:]


@pytest.mark.parametrize("family", ["buy_wish.outlet"])
@pytest.mark.parametrize("agent", [*AGENTS, "react"])
def test_the_model_knows_what_its_requests_say_and_nothing_else(shared_episodes, agent, family):
    requests = [
        Asked(
            episode.scenario, call.purpose, dict(call.request), answered(call.reply, call.request)
        )
        for episode in (shared_episodes.get(agent, family, seed) for seed in _asked_of(agent))
        for call in episode.calls
    ]
    honesty.the_unchanged_request_gets_the_recorded_reply(requests)
    honesty.everything_that_it_names_stands_in_the_request(requests)
    # What is typed on the first page stands there as a link, too.
    later = [each for each in requests if "Well-known makers" not in each.page]
    honesty.a_target_that_is_not_shown_is_not_used(later)
    honesty.without_the_instruction_it_does_not_know_what_to_do(requests)
