"""What a signal does to a run: the first one ends it in order, the second one at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPED = 130
HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AT_ONCE = b"stopped at once; what is done is kept, resume with -o\n"


@contextmanager
def in_order() -> Iterator[None]:
    """SIGTERM and SIGHUP do in this block what SIGINT would; whatever comes second ends the
    process where it stands.

    What a shell or `nohup` has set to be ignored stays ignored. Does nothing in another thread
    than the main one, which hears no signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in HEARD}
    ours = {each: told for each, told in before.items() if told not in (signal.SIG_IGN, None)}
    interrupt = before[signal.SIGINT]
    first = interrupt if callable(interrupt) else signal.default_int_handler
    heard: list[int] = []

    def hear(number: int, frame: FrameType | None) -> None:
        if heard:
            os.write(2, AT_ONCE)
            os._exit(STOPPED)
        heard.append(number)
        first(signal.SIGINT, frame)

    for each in ours:
        signal.signal(each, hear)
    try:
        yield
    finally:
        for each, told in ours.items():
            signal.signal(each, told)
