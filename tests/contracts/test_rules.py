"""The rules on the real store: one purchase an episode, by what the pages show, without a model."""

from __future__ import annotations

import json

import pytest

from scenarios import registry
from tests.each import for_each

CASES = [
    ("rules", 0),
    ("rules:results=1", 1),
    ("rules:results=1,embedder=hashed", 2),
    *(("rules:webshop", seed) for seed in range(3)),
]


def bought(episode):
    world = json.loads((episode.home / "final_world.json").read_text())
    return [row["asin"] for row in world["purchases"]]


@pytest.mark.parametrize(("agent", "seed"), CASES)
def test_rules_buy_one_product_and_ask_no_model(harness, agent, seed, tmp_path, unmeasured):
    episode = harness.run(agent, f"store/buy_item/{seed}", tmp_path, strict=True)
    record = episode.record
    assert (record["ended"], record["llm_calls"], record["answer"]) == ("answered", 0, "")
    assert record["invalid_actions"] == 0 and record["reward"] > 0
    if agent == "rules:webshop":
        scenario = registry.scenario(f"store/buy_item/{seed}")
        first = registry.site_data("store").search.search(scenario.instruction)[:1]
        assert bought(episode) == first
    else:
        assert len(bought(episode)) == 1
    if agent == "rules":
        assert record["success"] and record["steps"] > 60, "it has read two pages of products"


@for_each("agent", ["rules", "rules:webshop"])
def test_where_nothing_is_sold_they_do_nothing(harness, agent, tmp_path_factory):
    record = harness.run(agent, "widgets/click-test/0", tmp_path_factory.mktemp("run")).record
    assert (record["ended"], record["steps"], record["success"]) == ("answered", 0, False)
