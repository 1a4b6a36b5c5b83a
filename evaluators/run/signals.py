"""Stop a run by signals: the first one stops it in order, the second one at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

STOPPED = 130
HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AT_ONCE = b"stopped at once; what is done is kept, resume with -o\n"


@contextmanager
def graceful_stop(instead: Callable[[], object] | None = None) -> Iterator[None]:
    """Within the block, let the first SIGINT, SIGTERM or SIGHUP stop the run and a second one exit.

    A signal that a shell or `nohup` ignores stays ignored. Only the main thread gets signals; in
    another thread this does nothing.

    Args:
        instead: Called at the first signal; None for the handler of SIGINT.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in HANDLED}
    replaced = {
        each: handler for each, handler in before.items() if handler not in (signal.SIG_IGN, None)
    }
    interrupt = before[signal.SIGINT]
    first = interrupt if callable(interrupt) else signal.default_int_handler
    received: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if received:
            os.write(2, AT_ONCE)
            os._exit(STOPPED)
        received.append(number)
        if instead is None:
            first(signal.SIGINT, frame)
        else:
            instead()

    for each in replaced:
        signal.signal(each, handle)
    try:
        yield
    finally:
        for each, handler in replaced.items():
            signal.signal(each, handler)


@contextmanager
def interruptible() -> Iterator[None]:
    """Within the block, let SIGINT raise `KeyboardInterrupt`, even inside an event loop.

    A loop's own handler only marks its task as cancelled, which a blocking call never notices. This
    does nothing outside the main thread or if SIGINT is ignored.
    """
    before = signal.getsignal(signal.SIGINT)
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or before in (signal.SIG_IGN, None):
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
