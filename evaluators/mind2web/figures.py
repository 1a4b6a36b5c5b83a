"""The figures of many steps: macro and micro means with intervals, and the ranker's recall.

The published tables are macro: the mean over tasks of the mean over their steps. Micro is the mean
over steps. The intervals are over tasks, because the steps of a task resemble each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Protocol

import numpy as np

from evaluators.analysis import intervals
from sites.sums import in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

AT = (1, 3, 5, 10, 20, 50)
"""The numbers of best candidates for which recall is given."""
FAILED = ("0", "1", "2", "3", ">3")
"""The numbers of failed steps by which tasks are counted."""
RESAMPLES = 2000


class ScoredStep(Protocol):
    """A step with its score.

    Attributes:
        rank: The best rank of a right element, from 0; None if the page has none.
        reachable: The right elements among the ranker's best.
    """

    @property
    def rank(self) -> int | None: ...

    @property
    def reachable(self) -> Collection[str]: ...

    @property
    def element(self) -> float: ...

    @property
    def f1(self) -> float: ...

    @property
    def success(self) -> float: ...


@dataclass(frozen=True)
class Figure:
    """A mean from 0 to 1 with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Means:
    """The figures of steps. `recall` is the ranker's, the cap: no other figure can exceed it.

    Attributes:
        element: Element accuracy.
        f1: Operation F1.
        success: Step success.
        recall: The share of steps with a right element among the best that the method may use.
    """

    element: Figure
    f1: Figure
    success: Figure
    recall: Figure


@dataclass(frozen=True)
class Figures:
    """The figures of a set of tasks.

    Attributes:
        tasks: How many tasks there are.
        steps: How many steps they have.
        lost: Steps whose right element cleaning has lost; they count as failed.
        macro: The means over tasks of the means over their steps, as the published tables.
        micro: The means over steps.
        within_reach: The means over the steps that the ranker left within reach; None if there are
            none.
        success: The share of tasks whose steps all succeed.
        failed: The share of tasks by the number of their failed steps (`FAILED`).
        recall: The ranker's recall at the numbers in `AT`, over steps.
    """

    tasks: int
    steps: int
    lost: int
    macro: Means
    micro: Means
    within_reach: Means | None
    success: Figure
    failed: Mapping[str, float]
    recall: Mapping[int, Figure]


def of_tasks(tasks: Iterable[Sequence[ScoredStep]]) -> Figures | None:
    """Return the figures of tasks; None if no task has a step.

    Args:
        tasks: The scored steps of each task. Tasks without steps are left out.
    """
    known = [each for each in tasks if each]
    if not known:
        return None
    draws = _draws(len(known))
    steps = [step for task in known for step in task]
    reached = [[step for step in task if step.reachable] for task in known]
    return Figures(
        tasks=len(known),
        steps=len(steps),
        lost=sum(each.rank is None for each in steps),
        macro=_means(known, draws, macro=True),
        micro=_means(known, draws),
        within_reach=_means(reached, draws) if any(reached) else None,
        success=_success(known),
        failed=_failed(known),
        recall={at: _figure(known, draws, _within(at)) for at in AT},
    )


def _means(tasks: Sequence[Sequence[ScoredStep]], draws: Numbers, macro: bool = False) -> Means:
    values: list[Callable[[ScoredStep], float]] = [
        lambda step: step.element,
        lambda step: step.f1,
        lambda step: step.success,
        lambda step: float(bool(step.reachable)),
    ]
    return Means(*(_figure(tasks, draws, value, macro) for value in values))


def _within(at: int) -> Callable[[ScoredStep], float]:
    return lambda step: float(step.rank is not None and step.rank < at)


def _figure(
    tasks: Sequence[Sequence[ScoredStep]],
    draws: Numbers,
    value: Callable[[ScoredStep], float],
    macro: bool = False,
) -> Figure:
    """Return the mean of a value of the steps, with the interval of a bootstrap over tasks."""
    sums = np.array([in_order(map(value, task)) for task in tasks])
    counts = np.array([float(len(task)) for task in tasks])
    if macro:
        sums, counts = sums / counts, np.ones(len(tasks))
    mean = float(sums.sum() / counts.sum())
    return Figure(round(mean, 6), *_interval(sums, counts, draws))


def _interval(sums: Numbers, counts: Numbers, draws: Numbers) -> tuple[float, float]:
    """Return the interval: between the 2.5 % quantiles of the resampled means.

    If the resamples do not differ, as for figures that are all 0, they show nothing; then it is
    the score interval of a rate over tasks.
    """
    weights = draws @ counts
    means = (draws @ sums)[weights > 0] / weights[weights > 0]
    low, high = (float(each) for each in np.quantile(means, [0.025, 0.975]))
    if high - low < 1e-9:
        shares = (sums / np.maximum(counts, 1))[counts > 0]
        low, high = intervals.bounded_mean([min(1.0, float(each)) for each in shares])
    return round(low, 6), round(high, 6)


def _draws(tasks: int) -> Numbers:
    """Return, for each resample, how often each task is in it; shape (resamples, tasks)."""
    random = Random(f"bootstrap over {tasks} tasks")
    every = range(tasks)
    drawn = (random.choices(every, k=tasks) for _ in range(RESAMPLES))
    return np.stack([np.bincount(each, minlength=tasks) for each in drawn]).astype(np.float64)


def _success(tasks: Sequence[Sequence[ScoredStep]]) -> Figure:
    """Return the share of tasks whose steps all succeed, with Wilson's interval."""
    won = sum(all(step.success for step in task) for task in tasks)
    low, high = intervals.wilson(won, len(tasks))
    return Figure(round(won / len(tasks), 6), round(low, 6), round(high, 6))


def _failed(tasks: Sequence[Sequence[ScoredStep]]) -> dict[str, float]:
    counts = [sum(not step.success for step in task) for task in tasks]
    names = [FAILED[min(each, len(FAILED) - 1)] for each in counts]
    return {name: round(names.count(name) / len(tasks), 6) for name in FAILED}
