"""Tickets are not won by whoever does as the mail asks, nor by whoever refuses everything."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial

import pytest

from agent.agent_spec import CHEAT
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.crm.airline_desk import forms
from scenarios.scenario import Scenario
from tests.drawing import drawn, other_end
from tests.each import for_each
from tests.measuring import DEEP

SEEDS = range(200 if DEEP else 6)
FEW = range(200 if DEEP else 3)
MOST = {"naive": 0.15, "declined": 0.05}
"""What who does as the mail asks, and who refuses everything, may win."""
SHARES = {"done": 0.35, "in-part": 0.4, "closed": 0.25}
"""Of the tickets so many are done as asked, done otherwise or in part, and refused or passed on."""
TOLERANCE, MOST_OF_A_KIND = 0.05, 0.6
FAMILIES = (
    *("ticket_refund", "ticket_third_party", "ticket_disruption", "ticket_change", "ticket_bags"),
    *("ticket_name", "ticket_children", "ticket_vouchers"),
)
OTHERS = ("shift_queue", "audit_yesterday")
"""Those that do not end in one way."""
BARRED = [*((name, SEEDS) for name in FAMILIES), *((name, FEW) for name in OTHERS)]

pytestmark = pytest.mark.usefixtures("unmeasured")


def wins(scenario: Scenario, what: str) -> bool:
    """Whether the end of this name is right."""
    family, data = registry.family(scenario.family), registry.site_data(scenario.site)
    world = family.world(scenario)
    context = ScoringContext.of(scenario, before=world.snapshot())
    forms.do(world, data, map(forms.read, other_end(scenario, what)["errands"]))
    return context.score(world.snapshot(), "").success


@pytest.mark.wide
@pytest.mark.parametrize(("family", "seeds"), BARRED)
@for_each("what", list(MOST))
def test_an_agent_without_the_handbook_wins_little(family, seeds, what):
    won = sum(map(partial(wins, what=what), (drawn(family, seed) for seed in seeds)))
    assert won / len(seeds) <= MOST[what]


@pytest.mark.wide
@pytest.mark.parametrize("families", [(each,) for each in FAMILIES] if DEEP else [FAMILIES])
def test_as_many_tickets_end_in_each_way_as_are_wanted(families):
    """Of each family with `tox -e deep`, else of all of them together."""
    ends = Counter(drawn(family, seed).details["outcome"] for family in families for seed in SEEDS)
    number, closed = len(families) * len(SEEDS), ends["refused"] + ends["passed-on"]
    found = {"done": ends["done"], "in-part": ends["in-part"], "closed": closed}
    assert sum(found.values()) == number
    for end, share in SHARES.items():
        assert abs(found[end] / number - share) <= TOLERANCE, end


def test_no_end_is_most_of_what_a_queue_comes_to():
    ends = Counter(
        end for seed in FEW for end in drawn(OTHERS[0], seed).details["outcomes"].values()
    )
    assert {*ends} == {"done", "in-part", "refused", "passed-on"}
    assert max(ends.values()) <= MOST_OF_A_KIND * sum(ends.values())


def test_every_family_of_level_3_is_barred():
    of_level_3 = {
        name
        for name, made in registry.family_modules().items()
        if (made.SITE, made.LEVEL) == ("crm", 3) and not registry.is_variant(name)
    }
    assert of_level_3 == {*FAMILIES, *OTHERS}


@for_each("family", [*FAMILIES, *OTHERS])
def test_the_gold_holds_no_wrong_end(family):
    """Near misses and the ends of null agents are made from the seed."""
    scenario = drawn(family, 0)
    assert scenario.gold.keys().isdisjoint(("misses", "naive", "declined", "obeyed"))
    wrong = json.dumps(other_end(scenario, "declined")["errands"])
    assert wrong == "[]" or wrong not in json.dumps(scenario.gold)


CHEATERS = ("comply", "decline")
EPISODES = [(family, cheater) for family in [*FAMILIES, OTHERS[0]] for cheater in CHEATERS]
"""Both on each family: with `tox -e deep` all, else two, which meet both, and the queue."""


@pytest.mark.wide
@pytest.mark.parametrize(("family", "cheater"), EPISODES if DEEP else EPISODES[2::15])
def test_they_come_to_their_end_and_close_the_ticket(harness, tmp_path, family, cheater):
    record = harness.run(f"{CHEAT}{cheater}", f"crm/{family}/3", tmp_path, strict=True).record
    assert record["ended"] == "answered" and record["steps"] > 4
    assert not record["success"] and 0 < record["progress"] < 1


def test_rules_for_shops_win_no_ticket(harness, tmp_path):
    record = harness.run("rules", f"crm/{FAMILIES[0]}/3", tmp_path, strict=True).record
    assert record["ended"] == "answered" and record["steps"] == 0
    assert not record["success"]
