"""The sites of this process, on one thread, for all tasks that are open in it."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import cache
from threading import Lock

from anyio.from_thread import BlockingPortal, start_blocking_portal

from evaluators.training.session import Ground, open_ground


class OpenSites:
    """A context manager for the open sites: the first entry opens them, the last exit closes them.

    CUBE calls tasks from many threads. The sites run on a thread of their own, and `portal` calls
    their coroutines there.
    """

    portal: BlockingPortal
    ground: Ground

    def __init__(self) -> None:
        self._lock, self._entered, self._stack = Lock(), 0, ExitStack()

    def __enter__(self) -> OpenSites:
        with self._lock:
            if not self._entered:
                self._open()
            self._entered += 1
        return self

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            self._entered -= 1
            if not self._entered:
                self._stack.close()

    def _open(self) -> None:
        with ExitStack() as stack:
            self.portal = stack.enter_context(start_blocking_portal())
            opened = self.portal.wrap_async_context_manager(open_ground())
            self.ground = stack.enter_context(opened)
            self._stack = stack.pop_all()


@cache
def _of_process(pid: int) -> OpenSites:
    return OpenSites()


def open_sites() -> OpenSites:
    """Return the open sites of this process; a forked process gets sites of its own."""
    return _of_process(os.getpid())
