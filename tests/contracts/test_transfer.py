"""LASER in another shop: with the store's graph through a map of pages, and with its own."""

from __future__ import annotations

import pytest

from scenarios import registry

AGENTS = ("laser", "laser:graph=store")
SEEDS = (3, 5)
"""Nothing fits; something does."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("agent", AGENTS)
def test_it_meets_the_wishes_of_the_outlet(harness, tmp_path, agent, seed):
    name = f"store/buy_wish.outlet/{seed}"
    record = harness.run(agent, name, tmp_path, strict=True).record
    assert record["success"] and record["progress"] == 1
    assert record["invalid_actions"] == 0


def test_one_of_the_seeds_is_met_by_nothing():
    possible = [
        registry.scenario(f"store/buy_wish.outlet/{each}").gold["possible"] for each in SEEDS
    ]
    assert sorted(possible) == [False, True]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_model_without_skill_fails(harness, tmp_path, agent):
    """Its choices are wrong ones, on either graph."""
    episode = harness.run(f"{agent}@scripted-0", "store/buy_wish.outlet/5", tmp_path, strict=True)
    assert episode.record["success"] is False
