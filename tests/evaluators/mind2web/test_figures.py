"""Figures over tasks: macro and micro by hand, recall as the cap, intervals."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from evaluators.mind2web import figures


@dataclass(frozen=True)
class Step:
    rank: int | None
    element: float = 0.0
    f1: float = 0.0
    success: float = 0.0
    top: int = 5

    @property
    def reachable(self):
        return ["1"] if self.rank is not None and self.rank < self.top else []


RIGHT = Step(0, 1, 1, 1)
TASKS = [
    [RIGHT],
    [RIGHT, Step(4, 1, 0.5, 0), Step(7), Step(None)],
    [],
]
"""A task of one step, which is right, and one of four: right, half right, out of reach, lost."""


def test_macro_is_the_mean_over_tasks_and_micro_over_steps():
    found = figures.of_tasks(TASKS)
    assert (found.tasks, found.steps, found.lost) == (2, 5, 1)
    macro, micro = found.macro, found.micro
    assert [macro.element.mean, macro.f1.mean, macro.success.mean] == [0.75, 0.6875, 0.625]
    assert [micro.element.mean, micro.f1.mean, micro.success.mean] == [0.6, 0.5, 0.4]


def test_recall_is_the_cap_beside_the_figures():
    found = figures.of_tasks(TASKS)
    assert (found.macro.recall.mean, found.micro.recall.mean) == (0.75, 0.6)
    recall = {at: each.mean for at, each in found.recall.items()}
    assert recall == {1: 0.4, 3: 0.4, 5: 0.6, 10: 0.8, 20: 0.8, 50: 0.8}


def test_steps_within_reach_tell_the_reader_from_the_ranker():
    found = figures.of_tasks(TASKS).within_reach
    assert found.recall.mean == 1
    assert [found.element.mean, found.success.mean] == [1, pytest.approx(2 / 3, abs=1e-6)]
    assert figures.of_tasks([[Step(9)]]).within_reach is None


def test_a_task_succeeds_if_all_its_steps_do():
    found = figures.of_tasks([*TASKS, [RIGHT, Step(9)], [Step(9)] * 6])
    assert found.success.mean == 0.25
    assert found.failed == {"0": 0.25, "1": 0.25, "2": 0, "3": 0.25, ">3": 0.25}


def test_there_are_no_figures_without_steps():
    assert figures.of_tasks([[], []]) is None


def test_intervals_are_over_tasks_and_the_same_each_time():
    """Twenty steps of one task say less than twenty tasks of one step."""
    random = Random(0)
    tasks = [[RIGHT if random.random() < 0.5 else Step(9)] * 5 for _ in range(40)]
    found = figures.of_tasks(tasks)
    assert found == figures.of_tasks(tasks)
    as_tasks = figures.of_tasks([[step] for task in tasks for step in task])
    assert width(found.micro.element) > 1.8 * width(as_tasks.micro.element)
    assert found.macro.element.low < found.macro.element.mean < found.macro.element.high


def width(figure):
    return figure.high - figure.low


@pytest.mark.wide
def test_an_interval_covers_the_mean_of_the_population():
    """Tasks differ: the chance of a right step is drawn for each. 95 % of the intervals should hold
    0.5; fewer than 88 of 100 would come by chance in 1 case of 300.
    """
    held = 0
    for sample in range(100):
        random = Random(f"sample {sample}")
        tasks = []
        for _ in range(60):
            chance = random.random()
            steps = random.randint(1, 10)
            tasks.append([RIGHT if random.random() < chance else Step(9) for _ in range(steps)])
        found = figures.of_tasks(tasks).macro.success
        held += found.low <= 0.5 <= found.high
    assert held >= 88


def test_an_interval_of_figures_that_are_all_alike_is_no_point():
    found = figures.of_tasks([[Step(9)]] * 30)
    assert (found.micro.element.mean, found.micro.element.low) == (0, 0)
    assert 0.05 < found.micro.element.high < 0.2
    found = figures.of_tasks([[RIGHT]] * 30)
    assert found.success.high == 1
    assert 0.8 < found.success.low < 0.95
