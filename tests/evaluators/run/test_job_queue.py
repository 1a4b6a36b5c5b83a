"""Which worker runs which episode."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from agent import agent_spec
from evaluators.episode.spec import EpisodeSpec
from evaluators.run.job_queue import MOST_DEATHS, Backlog, JobQueue, WorkerLost

SPECS = [EpisodeSpec(agent_spec.read("nothing"), f"store/buy_item/{seed}") for seed in range(4)]


def filled(*workers: str) -> JobQueue[str]:
    """Each worker has two episodes in flight, as far as there are any."""
    queue: JobQueue[str] = JobQueue(Backlog(SPECS))
    for worker in workers:
        queue.add_worker(worker)
        queue.take(worker)
        queue.take(worker)
    return queue


@pytest.fixture
def mixed() -> list[EpisodeSpec]:
    """Three tasks of two agents, four seeds each."""
    tasks = ("store/buy_item", "crm/add_contact", "widgets/click-button")
    names = [f"{task}/{seed}" for task in tasks for seed in range(4)]
    agents = [agent_spec.read("nothing"), agent_spec.read("refuse")]
    return [EpisodeSpec(agent, name) for agent in agents for name in names]


def task(spec: EpisodeSpec) -> tuple[str, str]:
    return spec.agent.name, spec.scenario.split("/")[1]


def test_one_who_asks_alone_gets_the_episodes_in_their_order(mixed):
    mixed = mixed[::5] + mixed  # tasks that come again later
    backlog, taken = Backlog(mixed), []
    while spec := backlog.take(taken[-1] if taken else None):
        taken.append(spec)
    assert taken == mixed


@pytest.mark.parametrize("many", range(2, 9))
def test_those_who_ask_together_keep_to_a_task_and_get_every_episode_once(mixed, many):
    backlog, rng = Backlog(mixed), Random(many)
    had = [[spec] for _ in range(many) if (spec := backlog.take())]
    assert len({task(mine[0]) for mine in had}) == min(many, 6), "each begins one of its own"
    while left := len(backlog):
        mine = rng.choice(had)
        spec = backlog.take(after=mine[-1])
        assert spec and len(backlog) == left - 1, "nobody waits while one is left"
        given = {each.name for one in had for each in one}
        same = [each for each in mixed if task(each) == task(mine[-1]) and each.name not in given]
        assert spec in (same or [spec])
        mine.append(spec)
    assert backlog.take() is None
    assert sorted(each.name for one in had for each in one) == sorted(each.name for each in mixed)


def test_none_is_given_out_once_the_run_is_to_stop(mixed):
    spent: list[EpisodeSpec] = []
    backlog = Backlog(mixed, stopped=lambda: len(spent) == 2)
    while spec := backlog.take():
        spent.append(spec)
    assert len(spent) == 2 and len(backlog) == len(mixed) - 2


def died(spec: EpisodeSpec) -> EpisodeSpec:
    """The episode once a worker of it has died."""
    return replace(spec, worker_deaths=1)


def test_what_a_worker_has_run_decides_what_it_gets_next(mixed):
    queue = JobQueue(Backlog(mixed))
    queue.add_worker("a")
    first, second = queue.take("a"), queue.take("a")
    assert first and second and task(first) != task(second)
    assert queue.done("a", second.name) == second and queue.in_flight == {"a": [first]}
    third = queue.take("a", after=second)
    assert third and task(third) == task(second)


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
    queue: JobQueue[int] = JobQueue(Backlog(SPECS))
    for death in range(MOST_DEATHS):
        queue.add_worker(death)
        for _ in range(specs):
            queue.take(death)
        if death < MOST_DEATHS - 1:
            queue.requeue(death, f" (cause {death})")
    named = f"runs {SPECS[0].name}" if specs else "has just started"
    with pytest.raises(WorkerLost, match=rf"{named} has ended 3 times \(no room\);.*-o"):
        queue.requeue(MOST_DEATHS - 1, " (no room)")
