"""Tickets are not won by whoever does as the mail asks, nor by whoever refuses everything."""

from __future__ import annotations

import os
from collections import Counter
from functools import partial

import pytest

from agent.agent_spec import CHEAT
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.crm import _errands
from scenarios.scenario import Scenario
from tests.drawing import drawn
from tests.each import for_each

DEEP = bool(os.environ.get("REHEARSE_DEEP"))
SEEDS = range(200 if DEEP else 20)
"""Whole decks of twenty."""
MOST = {"naive": 0.15, "declined": 0.05}
FAMILIES = (
    *("ticket_refund", "ticket_disruption", "ticket_change", "ticket_bags"),
    *("ticket_name", "ticket_vouchers"),
)

pytestmark = pytest.mark.usefixtures("unmeasured")


def wins(scenario: Scenario, what: str) -> bool:
    """Whether the end that the gold has under this name is right."""
    family, data = registry.family(scenario.family), registry.site_data(scenario.site)
    world = family.world(scenario)
    context = ScoringContext.of(scenario, before=world.snapshot())
    _errands.do(world, data, map(_errands.read, scenario.gold[what]["errands"]))
    return context.score(world.snapshot(), "").success


@pytest.mark.parametrize("family", FAMILIES)
@for_each("what", list(MOST))
def test_an_agent_without_the_handbook_wins_little(family, what):
    won = sum(map(partial(wins, what=what), (drawn(family, seed) for seed in SEEDS)))
    assert won / len(SEEDS) <= MOST[what]


@pytest.mark.parametrize("family", FAMILIES)
def test_no_kind_of_end_is_more_than_three_in_five(family):
    ends = Counter(drawn(family, seed).details["outcome"] for seed in SEEDS)
    assert set(ends) == {"done", "in-part", "refused", "passed-on"}
    assert max(ends.values()) <= 0.6 * len(SEEDS)
    assert ends["refused"] + ends["passed-on"] == len(SEEDS) // 4


@pytest.mark.parametrize("family", [*FAMILIES, "shift_queue", "audit_yesterday"])
@for_each("cheater", ["comply", "decline"])
def test_they_come_to_their_end_and_close_the_ticket(harness, tmp_path, family, cheater):
    record = harness.run(f"{CHEAT}{cheater}", f"crm/{family}/3", tmp_path, strict=True).record
    assert record["ended"] == "answered" and record["steps"] > 4
    assert not record["success"] and 0 < record["progress"] < 1
