"""The lock of a run under way: one process at a time runs a run's episodes or adds to the run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from agent.storage_errors import writing
from rehearsal_errors import RehearsalError

LOCK = "run.lock"
"""The lock file of a run in progress; the lock ends with the process that holds it."""


class RunLocked(RehearsalError, ValueError):
    """Another process is running this run."""

    exit_code = os.EX_TEMPFAIL


@contextmanager
def locked(run: Path) -> Iterator[None]:
    """Hold the run's lock for the block. Raise `RunLocked` if another process has it."""
    try:
        with writing(run):
            run.mkdir(parents=True, exist_ok=True)
            lock = FileLock(run / LOCK, blocking=False).acquire()
    except Timeout:
        raise RunLocked(f"{run} is under way already; wait for it, or give another -o") from None
    with lock:
        yield
