"""Who has which episodes under way; those of a worker that died are played by another."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Generic, TypeVar

from evaluators.episode.spec import EpisodeSpec
from rehearsal_errors import RunFailed

MOST_DEATHS = 3
"""How often the worker of an episode may die; then it is no accident."""

Worker = TypeVar("Worker", bound=Hashable)


class WorkerLost(RunFailed, RuntimeError):
    """A worker process ended before its work was done."""


@dataclass
class JobQueue(Generic[Worker]):
    """The jobs that are left, and those that each worker has in flight."""

    queue: Iterator[EpisodeSpec]
    in_flight: dict[Worker, list[EpisodeSpec]] = field(default_factory=dict)
    failed_starts: int = 0
    """How many workers have died before their first job."""
    spent: bool = False
    """Whether the queue gave out its last job."""

    def enter(self, worker: Worker) -> None:
        self.in_flight[worker] = []

    def take(self, worker: Worker) -> EpisodeSpec | None:
        """The next job, which is this worker's from now on; None if there is none."""
        spec = next(self.queue, None)
        if spec is None:
            self.spent = True
        else:
            self.in_flight[worker].append(spec)
        return spec

    def done(self, worker: Worker, episode: str) -> None:
        self.in_flight[worker] = [spec for spec in self.in_flight[worker] if spec.name != episode]

    def requeue(self, worker: Worker, cause: str = "") -> None:
        """What a dead worker had in flight is to be played next. Raises `WorkerLost` where that
        has happened too often."""
        lost = [replace(spec, deaths=spec.deaths + 1) for spec in self.in_flight.pop(worker)]
        self.failed_starts += not lost
        deaths = {f"plays {spec.name}": spec.deaths for spec in lost}
        for each, times in (deaths or {"has just begun": self.failed_starts}).items():
            if times >= MOST_DEATHS:
                raise WorkerLost(
                    f"the worker process that {each} has ended {MOST_DEATHS} times{cause};"
                    " what is done is kept, resume with -o"
                )
        self.queue, self.spent = chain(lost, self.queue), False
