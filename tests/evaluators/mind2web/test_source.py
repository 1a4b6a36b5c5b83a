"""Tasks are found by their place in a split, whatever the order in which they are asked for."""

from __future__ import annotations

import pytest

from agent.mind2web import agents, files
from evaluators.mind2web.source import RECENT, NoSuchTask, TaskSource
from tests import mind2web_data

AGENTS = [agents.read(name) for name in ("mindact", "synapse:no-trajectory")]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    data = mind2web_data.write(tmp_path_factory.mktemp("data"))
    many = [mind2web_data.film(f"film {number}") for number in range(2 * RECENT)]
    mind2web_data.write_shard(data / "test_task" / "test_task_11.json", many)
    ranks = data / "ranks.jsonl"
    ranks.write_text('{"format": "ranks"}\n', encoding="utf-8")
    return TaskSource(data, "test_task", ranks, data, "")


def test_tasks_are_found_forwards_backwards_and_by_several_agents(source):
    ids = [each.id for each in files.tasks(source.data, source.split)]
    last = len(ids) - 1
    for index in (0, 1, 1, last, 0, RECENT + 1, 2, last):
        for agent in AGENTS:
            opened = source.open_task(index, agent, print)
            assert opened.recorded.id == ids[index]


def test_a_task_that_the_split_does_not_have_is_refused_and_others_are_still_found(source):
    for _ in range(2):
        with pytest.raises(NoSuchTask, match="test_task has no task 99"):
            source.open_task(99, AGENTS[0], print)
    assert source.open_task(0, AGENTS[0], print).recorded.website == "bluedoor"


def test_a_step_without_ranks_is_out_of_reach(source):
    opened = source.open_task(0, AGENTS[0], print)
    assert [each.rank for each in opened.steps] == [None] * 3
    assert opened.within_reach(50) == []
