"""The episodes of a run, in their order, and the worker that each is in flight on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Generic, TypeVar

from evaluators.episode.spec import EpisodeSpec
from rehearsal_errors import RunFailed

MOST_DEATHS = 3
"""Once this many workers of one episode have died, it is no accident."""

Worker = TypeVar("Worker", bound=Hashable)


class WorkerLost(RunFailed, RuntimeError):
    """A worker process ended before its work was done."""


class Backlog:
    """Episodes that were not begun. Whoever asks again gets the next one of the same task, since
    the page that he has open restarts in place; else the first of a task that nobody has begun;
    else one of the task of which most are left. One who asks alone gets all in their order.

    None is given out while `stopped` is true.
    """

    def __init__(
        self, specs: Iterable[EpisodeSpec], stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self._unbegun = deque(deque(group) for _, group in groupby(specs, _task))
        self._begun: list[deque[EpisodeSpec]] = []
        self._stopped = stopped

    def __len__(self) -> int:
        return sum(map(len, (*self._unbegun, *self._begun)))

    def take(self, after: EpisodeSpec | None = None) -> EpisodeSpec | None:
        """The next episode for one who has just run `after`; None if there is none."""
        if self._stopped():
            return None
        self._begun = [group for group in self._begun if group]
        same = (group for group in self._begun if after and _task(group[0]) == _task(after))
        chosen = next(same, None) or self._begin() or max(self._begun, key=len, default=None)
        return chosen.popleft() if chosen else None

    def _begin(self) -> deque[EpisodeSpec] | None:
        if not self._unbegun:
            return None
        self._begun.append(self._unbegun.popleft())
        return self._begun[-1]


def _task(spec: EpisodeSpec) -> tuple[str, str]:
    return spec.agent.name, spec.scenario.rpartition("/")[0]


@dataclass
class JobQueue(Generic[Worker]):
    """The episodes that are left, and those that each worker has in flight.

    Those of a worker that died go to another worker.
    """

    backlog: Backlog
    in_flight: dict[Worker, list[EpisodeSpec]] = field(default_factory=dict)
    lost: deque[EpisodeSpec] = field(default_factory=deque)
    """What dead workers had in flight."""
    failed_starts: int = 0
    """How many workers died before their first episode."""
    empty: bool = False
    """Whether the queue gave out its last episode."""

    def add_worker(self, worker: Worker) -> None:
        self.in_flight[worker] = []

    def take(self, worker: Worker, after: EpisodeSpec | None = None) -> EpisodeSpec | None:
        """Assign the next episode to this worker, which has run `after`; None if there is none."""
        spec = self.lost.popleft() if self.lost else self.backlog.take(after)
        if spec is None:
            self.empty = True
        else:
            self.in_flight[worker].append(spec)
        return spec

    def done(self, worker: Worker, episode: str) -> EpisodeSpec:
        """An episode that has ended, by its name."""
        ended = next(spec for spec in self.in_flight[worker] if spec.name == episode)
        self.in_flight[worker].remove(ended)
        return ended

    def requeue(self, worker: Worker, cause: str = "") -> None:
        """Let others run what a dead worker had in flight; `cause` completes the message.

        Raises `WorkerLost` where that has happened too often.
        """
        lost = [
            replace(spec, worker_deaths=spec.worker_deaths + 1)
            for spec in self.in_flight.pop(worker)
        ]
        self.failed_starts += not lost
        deaths = {f"runs {spec.name}": spec.worker_deaths for spec in lost}
        for each, times in (deaths or {"has just started": self.failed_starts}).items():
            if times >= MOST_DEATHS:
                raise WorkerLost(
                    f"the worker process that {each} has ended {MOST_DEATHS} times{cause};"
                    " what is done is kept, resume with -o"
                )
        self.lost.extend(lost)
        self.empty = False
