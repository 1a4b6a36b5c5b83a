"""Who has which episodes under way; those of a worker that died are played by another."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Generic, TypeVar

from evaluators.play import Job

MOST_DEATHS = 3
"""How often the worker of an episode may die; then it is no accident."""

Worker = TypeVar("Worker", bound=Hashable)


class WorkerLost(RuntimeError):
    """A worker process ended before its work was done."""


@dataclass
class Rota(Generic[Worker]):
    """The jobs that are left, and those that each worker has in flight."""

    queue: Iterator[Job]
    flying: dict[Worker, list[Job]] = field(default_factory=dict)
    stillborn: int = 0
    """How many workers have died before their first job."""
    spent: bool = False
    """Whether the queue gave out its last job."""

    def enter(self, worker: Worker) -> None:
        self.flying[worker] = []

    def take(self, worker: Worker) -> Job | None:
        """The next job, which is this worker's from now on; None if there is none."""
        job = next(self.queue, None)
        if job is None:
            self.spent = True
        else:
            self.flying[worker].append(job)
        return job

    def done(self, worker: Worker, episode: str) -> None:
        self.flying[worker] = [job for job in self.flying[worker] if job.name != episode]

    def bury(self, worker: Worker, cause: str = "") -> None:
        """What a dead worker had in flight is to be played next. Raises `WorkerLost` where that
        has happened too often."""
        lost = [replace(job, deaths=job.deaths + 1) for job in self.flying.pop(worker)]
        self.stillborn += not lost
        deaths = {f"plays {job.name}": job.deaths for job in lost}
        for each, times in (deaths or {"has just begun": self.stillborn}).items():
            if times >= MOST_DEATHS:
                raise WorkerLost(
                    f"the worker process that {each} has ended {MOST_DEATHS} times{cause};"
                    " what is done is kept, resume with -o"
                )
        self.queue, self.spent = chain(lost, self.queue), False
