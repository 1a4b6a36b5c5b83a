"""Run coroutines from any caller, including one inside a running event loop, as in a notebook.

A running loop occupies its thread, so the coroutine then runs in a loop on a thread of its own
while the caller waits. Otherwise everything stays on the caller's thread, as with `asyncio.run`.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Generic, TypeVar

from evaluators.run import signals

Result = TypeVar("Result")


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine as `asyncio.run` does, but also from inside an event loop.

    Raises what the coroutine raises.
    """
    with Runner() as runner:
        return runner.run(coroutine)


def is_running() -> bool:
    """Return whether an event loop is running on this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Runner:
    """An `asyncio.Runner` whose `run` and `close` also work inside an event loop.

    Ctrl-C cancels the coroutine and waits for its end before `KeyboardInterrupt` is raised.
    """

    def __init__(self) -> None:
        self._runner = asyncio.Runner()  # makes its loop in `run`: here it would replace a caller's
        self._thread: ThreadPoolExecutor | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine in this runner's loop; raise what it raises."""
        if not is_running():
            return self._runner.run(coroutine)
        step, context = _Interruptible(coroutine), contextvars.copy_context()
        return self._wait(lambda: self._runner.run(step.run(), context=context), step.cancel)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """Return this runner's loop."""
        return self._runner.get_loop()

    def close(self) -> None:
        """Cancel remaining tasks and close the loop."""
        if is_running():
            self._wait(self._runner.close, lambda: None)
        else:
            self._runner.close()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def _wait(self, call: Callable[[], Result], cancel: Callable[[], object]) -> Result:
        """Run the call on the runner's own thread; return its result or raise its exception."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "rehearsal")
        with signals.interruptible():
            future: Future[Result] = self._thread.submit(call)
            try:
                return future.result()
            except KeyboardInterrupt:
                if not future.done():
                    cancel()
                    wait([future])
                raise


class _Interruptible(Generic[Result]):
    """A coroutine that another thread can cancel, even before its first step."""

    def __init__(self, coroutine: Coroutine[Any, Any, Result]) -> None:
        self._coroutine = coroutine
        self._task: asyncio.Task[Any] | None = None
        self._is_cancelled = False

    async def run(self) -> Result:
        self._task = asyncio.current_task()
        if self._is_cancelled:  # read after the task is set, which `cancel` reads after this is set
            self._coroutine.close()
            raise asyncio.CancelledError
        return await self._coroutine

    def cancel(self) -> None:
        self._is_cancelled = True
        if self._task is not None:
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)
