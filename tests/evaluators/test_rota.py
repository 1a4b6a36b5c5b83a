"""Who plays what, whatever the workers are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators import agents
from evaluators.play import Job
from evaluators.rota import MOST_DEATHS, Rota, WorkerLost

JOBS = [Job(agents.read("nothing"), f"store/buy_item/{seed}") for seed in range(4)]


def filled(*workers: str) -> Rota[str]:
    """Each worker has two jobs in flight, as far as there are any."""
    rota: Rota[str] = Rota(iter(JOBS))
    for worker in workers:
        rota.enter(worker)
        rota.take(worker)
        rota.take(worker)
    return rota


def died(job: Job) -> Job:
    """The job once its worker has died at it."""
    return replace(job, deaths=1)


def test_what_a_dead_worker_had_is_played_next():
    rota = filled("a")
    rota.bury("a")
    rota.enter("b")
    assert [rota.take("b") for _ in range(5)] == [*map(died, JOBS[:2]), *JOBS[2:], None]
    assert rota.spent


def test_a_queue_that_was_spent_is_not_when_a_worker_dies():
    rota = filled("a", "b")
    assert rota.take("a") is None and rota.spent
    rota.bury("b")
    assert not rota.spent and rota.take("a") == died(JOBS[2])


def test_what_is_done_is_not_played_again():
    rota = filled("a")
    rota.done("a", JOBS[0].name)
    rota.bury("a")
    rota.enter("b")
    assert rota.take("b") == died(JOBS[1]) and rota.take("b") == JOBS[2]


@pytest.mark.parametrize("jobs", [1, 0])
def test_an_episode_that_ends_its_worker_thrice_ends_the_run(jobs):
    rota: Rota[int] = Rota(iter(JOBS))
    for death in range(MOST_DEATHS):
        rota.enter(death)
        for _ in range(jobs):
            rota.take(death)
        if death < MOST_DEATHS - 1:
            rota.bury(death, f" (cause {death})")
    named = f"plays {JOBS[0].name}" if jobs else "has just begun"
    with pytest.raises(WorkerLost, match=rf"{named} has ended 3 times \(no room\);.*-o"):
        rota.bury(MOST_DEATHS - 1, " (no room)")
