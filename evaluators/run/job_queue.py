"""The queue of a run's episodes, and which worker is running which of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Generic, TypeVar

from evaluators.episode.spec import EpisodeSpec
from rehearsal_errors import RunFailed

MOST_DEATHS = 3
"""The number of dead workers after which an episode is blamed for them and the run stops."""

Worker = TypeVar("Worker", bound=Hashable)


class WorkerLost(RunFailed, RuntimeError):
    """A worker process ended before its work was done."""


class Backlog:
    """The episodes that no worker has begun.

    A worker that asks again gets the next episode of the same task, because its open page can then
    restart in place. Otherwise it gets the first episode of a task that no worker has begun, or
    else an episode of the task with the most episodes left. A single worker gets all episodes in
    order. While `stopped()` is true, no episode is given out.
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
        """Return the next episode for a worker that has just run `after`, or None if none is
        left.
        """
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
    """The episodes of a run that are left, and the episodes that each worker is running.

    Episodes of a worker that died go to another worker.
    """

    backlog: Backlog
    in_flight: dict[Worker, list[EpisodeSpec]] = field(default_factory=dict)
    lost: deque[EpisodeSpec] = field(default_factory=deque)
    """The episodes that workers were running when they died."""
    failed_starts: int = 0
    """The number of workers that died before their first episode."""
    empty: bool = False
    """Whether the last request for an episode found none."""

    def add_worker(self, worker: Worker) -> None:
        """Add a worker without episodes."""
        self.in_flight[worker] = []

    def take(self, worker: Worker, after: EpisodeSpec | None = None) -> EpisodeSpec | None:
        """Assign the next episode to a worker that has run `after`; return None if none is left."""
        spec = self.lost.popleft() if self.lost else self.backlog.take(after)
        if spec is None:
            self.empty = True
        else:
            self.in_flight[worker].append(spec)
        return spec

    def done(self, worker: Worker, episode: str) -> EpisodeSpec:
        """Remove a finished episode, by its name, from the worker's episodes in flight and return
        it.
        """
        ended = next(spec for spec in self.in_flight[worker] if spec.name == episode)
        self.in_flight[worker].remove(ended)
        return ended

    def requeue(self, worker: Worker, cause: str = "") -> None:
        """Give a dead worker's episodes back to the queue; `cause` completes the error message.

        Raises:
            WorkerLost: Workers have died too often with an episode, or before their first one.
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
