"""The score of an episode in an environment: the rewards that were reported of it."""

from __future__ import annotations

import json

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from sites.browsergym import LONGEST, Data, Reports
from sites.world import World
from tests.each import for_each

NAME = "browsergym/openended"
SCENARIO = registry.scenario(f"{NAME}/0", NAME)
RESET = {"goal": "Do it.", "url": "http://there/", "versions": {"browsergym-core": "0.14.3"}}
MOST = 0.99


def reported(*reports: dict) -> World:
    world = registry.family(NAME).world(SCENARIO)
    take = Reports(world, Data())
    for each in reports:
        take(0, json.dumps(each))
    return world


def step(reward: float, *, terminated: bool = False, info: object = None) -> dict:
    return {"reward": reward, "terminated": terminated, "truncated": False, "info": info}


def scored(world: World, answer: str = "") -> Score:
    return ScoringContext.of(SCENARIO, registry.family(NAME)).score(world.snapshot(), answer)


@for_each(
    ("rewards", "success", "progress"),
    [
        ([], False, 0.0),
        ([0, 0], False, 0.0),
        ([0, 1], True, 1.0),
        ([0.5, 0.5], True, 1.0),
        ([0.25], False, 0.25),
        ([0.995], False, MOST),
        ([-1], False, 0.0),
        ([1, -1], False, 0.0),
    ],
)
def test_rewards_add_up(rewards, success, progress):
    score = scored(reported(RESET, *map(step, rewards)))
    assert (score.success, score.progress, score.reward) == (success, progress, sum(rewards))


def test_ten_tenths_are_no_1_on_any_python():
    """The sum of `sum` is 1 from Python 3.12 on."""
    score = scored(reported(RESET, *map(step, [0.1] * 10)))
    assert (score.success, score.reward) == (False, 0.9999999999999999)


def test_nothing_counts_that_was_never_reset():
    assert not scored(reported(step(1))).success


def test_the_checks_show_what_was_opened_and_what_the_task_said_last():
    world = reported(RESET, step(0, info={"seen": 1}), step(1, terminated=True, info={"ok": "yes"}))
    opened, added = scored(world).checks
    assert opened.found == "a reset of browsergym-core 0.14.3"
    assert added.found == '1 in 2 steps: {"ok": "yes"}' and added.wanted == "at least 1"


def test_what_a_task_says_is_kept_up_to_a_length_and_half_characters_are_not():
    long = step(0, info={"page": "x" * 2 * LONGEST, "half": "\ud800"})
    world = reported({**RESET, "goal": "Say \ud800."}, long)
    [row] = world.snapshot()["rewards"]
    assert len(row["info"]) == LONGEST
    assert world.snapshot()["log_resets"][0]["goal"] == "Say ?."
