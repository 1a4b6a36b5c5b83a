"""A queue of episodes: those in flight on a worker that died go to another worker."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Generic, TypeVar

from evaluators.episode.spec import EpisodeSpec
from rehearsal_errors import RunFailed

MOST_DEATHS = 3
"""Once this many workers of one episode have died, it is no accident."""

Worker = TypeVar("Worker", bound=Hashable)


class WorkerLost(RunFailed, RuntimeError):
    """A worker process ended before its work was done."""


@dataclass
class JobQueue(Generic[Worker]):
    """The episodes that are left, and those that each worker has in flight."""

    queue: Iterator[EpisodeSpec]
    in_flight: dict[Worker, list[EpisodeSpec]] = field(default_factory=dict)
    failed_starts: int = 0
    """How many workers died before their first episode."""
    empty: bool = False
    """Whether the queue gave out its last episode."""

    def add_worker(self, worker: Worker) -> None:
        self.in_flight[worker] = []

    def take(self, worker: Worker) -> EpisodeSpec | None:
        """Assign the next episode to this worker; None if there is none."""
        spec = next(self.queue, None)
        if spec is None:
            self.empty = True
        else:
            self.in_flight[worker].append(spec)
        return spec

    def done(self, worker: Worker, episode: str) -> None:
        self.in_flight[worker] = [spec for spec in self.in_flight[worker] if spec.name != episode]

    def requeue(self, worker: Worker, cause: str = "") -> None:
        """Put what a dead worker had in flight back to the front; `cause` completes the message.

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
        self.queue, self.empty = chain(lost, self.queue), False
