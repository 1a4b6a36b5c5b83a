"""Several environments that are reset and stepped together."""

from __future__ import annotations

import pytest

from evaluators.training import splits
from evaluators.training.session import TrainingError
from evaluators.training.vector import Environments

TRAIN = splits.split("vote_newest:train")


def test_a_group_begins_alike_and_goes_its_own_ways():
    with Environments(3, sites=["forum"]) as environments:
        first = environments.reset_many([TRAIN.scenario(5)] * 3)
        assert len({each.text for each in first}) == 1 == len({*environments.goals})
        turns = environments.step_many(["click [1]", None, "stop []"])
        assert turns[1] is None
        assert [each.done for each in turns if each] == [False, True]


def test_as_many_are_needed_as_there_are_environments():
    with Environments(2, sites=["forum"]) as environments:
        with pytest.raises(TrainingError, match="1 were given for 2 environments"):
            environments.reset_many([TRAIN.scenario(0)])
        environments.reset_many([TRAIN.scenario(0), TRAIN.scenario(1)])
        with pytest.raises(TrainingError, match="3 were given"):
            environments.step_many(["stop []"] * 3)


def test_many_episodes_leave_no_database_behind():
    with Environments(2, sites=["forum"]) as environments:
        for turn in range(3):
            environments.reset_many([TRAIN.scenario(turn)] * 2)
        worlds = environments._sessions[0]._ground.pool.sites["forum"].worlds
        assert len(worlds._by_token) == 2
        environments.step_many(["stop []"] * 2)
        assert not worlds._by_token
