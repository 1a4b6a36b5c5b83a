"""What null agents that guess are given, and what guessing wins in the browser."""

from __future__ import annotations

import pytest

from agent.plugins import OwnFile
from evaluators.episode import guesses
from evaluators.episode.guesses import frequent_answer, only_looks
from evaluators.scoring import answers
from scenarios import registry
from scenarios.scenario import answer_schema
from tests.each import for_each

NAME = "change_shipped_address"
POSSIBLE, IMPOSSIBLE = 0, 3


def looks(name: str) -> bool:
    scenario = registry.scenario(name)
    family = registry.family(scenario.family)
    return only_looks(family, scenario, family.world(scenario))


@for_each(
    ("name", "only"),
    [
        ("store/spend_in_month/0", True),
        ("store/review_mentions/0", True),
        (f"store/{NAME}/{IMPOSSIBLE}", True),
        (f"store/{NAME}/{POSSIBLE}", False),
        ("store/buy_item/0", False),
        ("widgets/click-test/0", False),
    ],
)
def test_only_a_question_is_looked_up(name, only):
    assert looks(name) == only


def test_the_most_frequent_answer_is_of_the_kind_that_is_asked_for():
    kinds = {}
    for seed in range(12):
        scenario = registry.scenario(f"store/latest_order/{seed}")
        asked = answer_schema(registry.family("latest_order"), scenario)
        kinds[asked.kind] = answers.read(asked, frequent_answer("latest_order", scenario))
    assert len(kinds) == 3 and not any(
        isinstance(each, answers.Unreadable) for each in kinds.values()
    )


def test_the_most_frequent_answer_is_that():
    scenario = registry.scenario(f"store/{NAME}/{POSSIBLE}")
    assert frequent_answer(NAME, scenario) == "NOT_ACHIEVABLE"
    assert frequent_answer("buy_item", registry.scenario("store/buy_item/0")) == ""


OWN = """
from dataclasses import replace
from scenarios.scenario import public_id
from scenarios.store.account.spend_in_month import *
from scenarios.store.account import spend_in_month as base

def generate(seed, data):
    start = "/" + public_id(f"store/own/{seed}")
    return replace(base.generate(seed % 50, data), family="own", seed=seed, start=start)

def solve(scenario, world, data):
    return "of the first" if scenario.seed == FIRST else f"of {scenario.seed}"
"""


def test_the_scenario_that_is_played_is_not_among_the_draws(tmp_path):
    """A file of one's own has draws too; each answer is as frequent, and the first drawn wins."""
    first = guesses.SEEDS[0]
    path = tmp_path / "own.py"
    path.write_text(OWN.replace("FIRST", str(first)))
    asked = registry.family(OwnFile(path)).generate
    data = registry.site_data("store")
    assert frequent_answer(OwnFile(path), asked(3, data)) == "of the first"
    assert frequent_answer(OwnFile(path), asked(first, data)) == f"of {first + 1}"


QUESTIONS = ("review_mentions", "spend_in_month", "cheapest_of_category", "bought_configuration")
GUESSERS = ("first-shown", "most-frequent")


@pytest.mark.wide
@pytest.mark.parametrize(
    ("agent", "family"),
    [
        pytest.param(agent, family, marks=[pytest.mark.deep] if (row + column) % 2 else [])
        for row, agent in enumerate(GUESSERS)
        for column, family in enumerate(QUESTIONS)
    ],
)
def test_a_guess_opens_what_tells_and_only_its_answer_is_wrong(harness, tmp_path, agent, family):
    record = harness.run(agent, f"store/{family}/0", tmp_path, strict=True).record
    held = {check["name"]: check["held"] for check in record["checks"]}
    assert held == {"pages opened": True, "answer": False, "nothing else changed": True}
    assert (record["ended"], record["llm_calls"], record["asks"]) == ("answered", 0, True)
    assert record["answer"]


@pytest.mark.wide
def test_a_guess_wins_where_the_answer_is_common(harness, tmp_path):
    """One in four of these cannot be done, whatever the pages say."""
    name = f"store/{NAME}/{IMPOSSIBLE}"
    assert harness.run("most-frequent", name, tmp_path / "a", strict=True).record["success"]
    blind = harness.run("most-frequent:opens=false", name, tmp_path / "b", strict=True).record
    assert not blind["success"] and blind["steps"] == 0


@pytest.mark.wide
@pytest.mark.parametrize("agent", GUESSERS)
@pytest.mark.parametrize("name", [f"store/{NAME}/{POSSIBLE}", "store/buy_item/0"])
def test_a_guess_does_nothing_of_a_task(harness, tmp_path, agent, name):
    record = harness.run(agent, name, tmp_path, strict=True).record
    assert (record["success"], record["steps"], record["progress"]) == (False, 0, 0)
