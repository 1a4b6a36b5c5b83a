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
        raise _refusal(run) from None
    with lock:
        with writing(run):
            os.utime(run / LOCK)
        yield


def check(run: Path) -> None:
    """Raise `RunLocked` if another process is running the run; take no lock."""
    if running_since(run) is not None:
        raise _refusal(run)


def running_since(run: Path) -> float | None:
    """Return when the process that is running the run began, or None if no process is running it.

    The kernel is asked who holds the lock, because trying to take it could stop a run from
    starting.
    """
    try:
        lock = (run / LOCK).stat()
        held = Path("/proc/locks").read_text(encoding="ascii")
    except OSError:
        return None
    return lock.st_mtime if f":{lock.st_ino} " in held else None


def _refusal(run: Path) -> RunLocked:
    return RunLocked(f"{run} is under way already; wait for it, or give another -o")
