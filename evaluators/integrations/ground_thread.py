"""A training ground on a thread of its own, for callers with another event loop or with none."""

from __future__ import annotations

import asyncio
import atexit
import os
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import AsyncExitStack
from threading import Lock, Thread
from typing import Any, TypeVar

from evaluators.training.session import LIMIT, Ground, open_ground

Result = TypeVar("Result")


class GroundThread:
    """The sites of this process with their sessions, in an event loop on a thread of its own.

    Args:
        shaping: The reward for reaching progress 1, which is spread over the steps; 0 for none.
        limit: The most sessions.
    """

    ground: Ground

    def __init__(self, shaping: float = 0.0, limit: int = LIMIT) -> None:
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._thread = Thread(target=self._loop.run_forever, name="rehearsal", daemon=True)
        self._thread.start()
        try:
            opened = open_ground(shaping=shaping, limit=limit)
            self.ground = self.run(self._stack.enter_async_context(opened))
        except BaseException:
            self.close()
            raise

    def submit(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Begin a coroutine on the ground's thread."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine on the ground's thread; return its result or raise its exception."""
        return self.submit(coroutine).result()

    def close(self) -> None:
        """Close the sessions and the sites, and end the thread."""
        self.run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


_SHARED: dict[tuple[int, float, int], GroundThread] = {}
_SHARING = Lock()


def shared(shaping: float = 0.0, limit: int = LIMIT) -> GroundThread:
    """Return the ground of this process; the first call opens it, and the end of the process closes
    it. A forked process has a ground of its own.
    """
    key = os.getpid(), shaping, limit
    with _SHARING:
        if key not in _SHARED:
            _SHARED[key] = GroundThread(shaping, limit)
        return _SHARED[key]


@atexit.register
def close() -> None:
    """Close the shared grounds of this process; the next call of `shared` opens another."""
    with _SHARING:
        for key in [each for each in _SHARED if each[0] == os.getpid()]:
            _SHARED.pop(key).close()
