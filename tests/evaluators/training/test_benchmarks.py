"""The benchmarks of training: many episodes leave nothing behind, and a policy learns."""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from benchmarks import learning
from benchmarks.learning_policy import (
    PLACE,
    SIZE,
    Memory,
    chances,
    choices,
    matrix,
    spans,
    start,
    worded,
)
from benchmarks.training import Long, many
from evaluators.training import splits
from evaluators.training.vector import Environments

pytestmark = pytest.mark.usefixtures("unmeasured")


def _many(episodes: int, samples: int) -> Long:
    return asyncio.run(many(episodes, samples))


def test_many_episodes_leave_no_handle_and_no_world_and_repeat_exactly():
    with ProcessPoolExecutor(1, get_context("spawn")) as process:  # nothing else opens a handle
        found = process.submit(_many, 200, 20).result()
    assert (found.masked, found.wrong, len(found.samples)) == (0, [], 20)
    assert len({each.digest for each in found.samples}) > 10
    assert {each.worlds for each in found.states} == {0}
    assert len({each.handles for each in found.states[1:]}) == 1
    assert found.states[-1].episodes == 200


def test_a_task_names_texts_to_type():
    assert spans("Put Northay Round Runner on my wish list, and nothing else.") == (
        ("Northay Round Runner", False),
        ("Put Northay Round Runner", False),
    )
    assert spans("Set the biography on my profile to “I keep reeds.”.") == (
        ("I keep reeds.", True),
    )


def test_a_choice_is_more_likely_after_an_episode_that_made_it_was_rewarded():
    test = splits.split("edit_bio:train")
    with Environments(2, sites=["forum"]) as environments:
        rollouts = learning.play(
            environments, [test.scenario(0)] * 2, start(), np.random.default_rng(1)
        )
    good, bad = rollouts
    good.reward, bad.reward = 1.0, 0.0
    learner, at = learning.Learner(), good.steps[0]
    before = chances(at.features, learner.weights)[at.chosen]
    learner.learn(rollouts)
    assert chances(at.features, learner.weights)[at.chosen] > before


def test_an_episode_that_does_not_stop_is_stopped():
    weights = start()
    weights[PLACE["stop"]] = -100.0
    weights[[PLACE["answer"], PLACE["other answer"]]] = -100.0
    with Environments(1, sites=["forum"]) as environments:
        [rollout] = learning.play(
            environments, [splits.split("edit_bio:train").scenario(0)], weights
        )
    assert len(rollout.steps) == learning.HORIZON
    last = rollout.steps[-1]
    assert last.features[last.chosen][PLACE["stop"]] == 1.0


def test_a_success_is_worth_more_if_it_took_fewer_steps():
    features = np.zeros((2, SIZE), np.float32)
    short, long = (learning.Rollout([learning.Step(features, 0)] * count) for count in (3, 4))
    assert 0 < long.worth(1.0) < short.worth(1.0) < 1


def test_words_in_another_order_are_other_features():
    up, down = (
        dict(zip(*worded("link", name, "the cheapest first"), strict=True))
        for name in ("Price: low to high", "Price: high to low")
    )
    assert up.keys() != down.keys()


def test_an_episode_of_our_fault_teaches_nothing():
    learner = learning.Learner()
    with Environments(1, sites=["forum"]) as environments:
        [turn] = environments.reset_many([splits.split("edit_bio:train").scenario(0)])
        features = matrix(choices(turn.observation, Memory(environments.goals[0])))
    masked = learning.Rollout([learning.Step(features, 0)], None)
    learner.learn([masked, learning.Rollout([learning.Step(features, 1)], 0.0)])
    assert learner.updates == 0
    assert np.array_equal(learner.weights, start())


def test_the_curves_are_drawn_and_the_bar_is_told():
    def curve(end: float) -> list[learning.Point]:
        return [learning.Point(0, 0, 0.1, 0.0, 0.0), learning.Point(128, 400, end, 0.2, 9.0)]

    curves = {("edit_bio", 0.0): curve(0.9), ("edit_bio", 1.0): curve(0.4)}
    first, second = learning.table(curves).splitlines()[1:]
    assert first.endswith(" met") and second.endswith("MISSED")
    assert "edit_bio" in learning.drawn(curves) and learning.drawn(curves).count("<path") > 4
