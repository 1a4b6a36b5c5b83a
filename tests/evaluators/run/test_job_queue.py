"""Which worker runs which episode."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent import agent_spec
from evaluators.episode.spec import EpisodeSpec
from evaluators.run.job_queue import MOST_DEATHS, JobQueue, WorkerLost

SPECS = [EpisodeSpec(agent_spec.read("nothing"), f"store/buy_item/{seed}") for seed in range(4)]


def filled(*workers: str) -> JobQueue[str]:
    """Each worker has two episodes in flight, as far as there are any."""
    queue: JobQueue[str] = JobQueue(iter(SPECS))
    for worker in workers:
        queue.add_worker(worker)
        queue.take(worker)
        queue.take(worker)
    return queue


def died(spec: EpisodeSpec) -> EpisodeSpec:
    """The episode once a worker of it has died."""
    return replace(spec, worker_deaths=1)


def test_what_a_dead_worker_had_is_played_next():
    queue = filled("a")
    queue.requeue("a")
    queue.add_worker("b")
    assert [queue.take("b") for _ in range(5)] == [*map(died, SPECS[:2]), *SPECS[2:], None]
    assert queue.empty


def test_a_queue_that_was_spent_is_not_when_a_worker_dies():
    queue = filled("a", "b")
    assert queue.take("a") is None and queue.empty
    queue.requeue("b")
    assert not queue.empty and queue.take("a") == died(SPECS[2])


def test_what_is_done_is_not_played_again():
    queue = filled("a")
    queue.done("a", SPECS[0].name)
    queue.requeue("a")
    queue.add_worker("b")
    assert queue.take("b") == died(SPECS[1]) and queue.take("b") == SPECS[2]


@pytest.mark.parametrize("specs", [1, 0])
def test_an_episode_that_ends_its_worker_thrice_ends_the_run(specs):
    queue: JobQueue[int] = JobQueue(iter(SPECS))
    for death in range(MOST_DEATHS):
        queue.add_worker(death)
        for _ in range(specs):
            queue.take(death)
        if death < MOST_DEATHS - 1:
            queue.requeue(death, f" (cause {death})")
    named = f"runs {SPECS[0].name}" if specs else "has just started"
    with pytest.raises(WorkerLost, match=rf"{named} has ended 3 times \(no room\);.*-o"):
        queue.requeue(MOST_DEATHS - 1, " (no room)")
