"""Run coroutines wherever the caller is: also inside an event loop, as in a notebook.

A loop that runs already holds its thread, so ours then runs on a thread of its own while the caller
waits. Without one everything stays on the caller's thread, as with `asyncio.run`.
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
    """Do what `asyncio.run` does, also inside an event loop. Raises what the coroutine raises."""
    with Runner() as runner:
        return runner.run(coroutine)


def is_running() -> bool:
    """Whether an event loop runs on this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Runner:
    """An `asyncio.Runner` whose `run` and `close` also work inside an event loop.

    Ctrl-C cancels the coroutine, waits until it has ended, and is raised then.
    """

    def __init__(self) -> None:
        self._runner = asyncio.Runner()  # makes its loop in `run`: here it would replace a caller's
        self._thread: ThreadPoolExecutor | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine in this runner's loop. Raises what it raises."""
        if not is_running():
            return self._runner.run(coroutine)
        step, context = _Interruptible(coroutine), contextvars.copy_context()
        return self._wait(lambda: self._runner.run(step.run(), context=context), step.cancel)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """The loop of this runner."""
        return self._runner.get_loop()

    def close(self) -> None:
        """Cancel what is left, and close the loop."""
        if is_running():
            self._wait(self._runner.close, lambda: None)
        else:
            self._runner.close()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def _wait(self, call: Callable[[], Result], cancel: Callable[[], object]) -> Result:
        """Return what the call returns on our thread, or raise what it raises."""
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
    """A coroutine that another thread can cancel, also before its first step."""

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
