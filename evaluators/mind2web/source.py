"""The tasks of an offline run: the data, the ranks of candidates, the trajectories of `train`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agent.agent_spec import Agent
from agent.mind2web import exemplars, files, ranks
from agent.mind2web.methods import OpenTask
from agent.mind2web.task import RecordedTask
from rehearsal_errors import RehearsalError

TRAIN = "train"
RECENT = 8
"""The most tasks that a reader keeps; a task of the published data takes a few megabytes."""


class NoSuchTask(RehearsalError, ValueError):
    """The data have no task of this number."""


@dataclass(frozen=True)
class TaskSource:
    """The data of an offline run.

    Attributes:
        data: The folder of the data set.
        split: The split that is run.
        ranks: The file of ranks.
        folder: The folder with the trajectories of `train`, the run's.
        digest: A SHA-256 of the split's files and of the ranks.
    """

    data: Path
    split: str
    ranks: Path
    folder: Path
    digest: str

    def open_task(self, index: int, agent: Agent, record: Callable[..., None]) -> OpenTask:
        """Return a task whose steps an agent is to predict.

        Args:
            index: The task's place in the split, from 0.
            agent: The agent.
            record: Adds an event to the episode's trace.

        Raises:
            NoSuchTask: The split has no such task.
        """
        task = _reader(self.data, self.split, agent.name).task(index)
        shows = shows_exemplars(agent)
        known = exemplars.load(exemplar_file(self.folder, agent.build().past)) if shows else ()
        return OpenTask(task, ranks.orders(self.ranks, [task]), known, record)


def exemplar_file(folder: Path, past: int) -> Path:
    """Return the file of the trajectories of `train` with this number of elements a page."""
    return folder / f"exemplars-{past}.jsonl"


def shows_exemplars(agent: Agent) -> bool:
    """Return whether an agent's prompts show trajectories of `train`."""
    shows = agent.module().exemplars
    return bool(shows and shows(agent.build()))


class _Reader:
    """Reads the tasks of a split in their order, and keeps the last ones."""

    def __init__(self, data: Path, split: str) -> None:
        self._data, self._split = data, split
        self._recent: OrderedDict[int, RecordedTask] = OrderedDict()
        self._coming: Iterator[tuple[int, RecordedTask]] = iter(())
        self._next = -1

    def task(self, index: int) -> RecordedTask:
        """Return a task by its place in the split; an earlier one may be read again."""
        if index not in self._recent:
            if not 0 <= self._next <= index:
                self._coming, self._next = enumerate(files.tasks(self._data, self._split)), 0
            for at, task in self._coming:
                self._keep(at, task)
                if at == index:
                    break
        if index not in self._recent:
            self._next = -1
            raise NoSuchTask(f"{self._data}: {self._split} has no task {index}")
        return self._recent[index]

    def _keep(self, at: int, task: RecordedTask) -> None:
        self._recent[at], self._next = task, at + 1
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)


@lru_cache(maxsize=32)
def _reader(data: Path, split: str, agent: str) -> _Reader:
    """Return the reader of a split for an agent.

    An agent's episodes begin in the order of the tasks, and agents are not equally fast. So each
    has a reader of its own, which seldom goes back.
    """
    return _Reader(data, split)
