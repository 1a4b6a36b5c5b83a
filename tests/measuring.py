"""What measuring costs and what it tells: coverage left out, and the processor's time of a call."""

from __future__ import annotations

import gc
import os
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import coverage

DEEP = bool(os.environ.get("REHEARSE_DEEP"))
"""Whether this is the long run, in which every test walks all of its cases."""
HANG = 1800
"""Seconds after which something hangs. It measures no speed: on a busy machine a program of one
second may take a minute."""
SEED = "seed"
"""The argument of tests by seeds: coverage is measured on the first of them."""


_paused: list[coverage.Coverage] = []
"""What measures in this process and does not at the moment."""


@contextmanager
def unmeasured() -> Iterator[None]:
    """No coverage is measured in the block, in this process and in those that are started there."""
    measuring = coverage.Coverage.current()
    inherited = {name for name in os.environ if name.startswith("COVERAGE_PROCESS")}
    kept = {name: os.environ.pop(name) for name in inherited}
    if measuring:
        measuring.stop()
        _paused.append(measuring)
    try:
        yield
    finally:
        os.environ.update(kept)
        if measuring:
            _start(_paused.pop())


@contextmanager
def measured() -> Iterator[None]:
    """Coverage is measured in the block, in this process, also within `unmeasured`, where the run
    measures it at all."""
    measuring = _paused[-1] if _paused and not coverage.Coverage.current() else None
    if measuring:
        _start(measuring)
    try:
        yield
    finally:
        if measuring:
            measuring.stop()


def _start(measuring: coverage.Coverage) -> None:
    """Again, after a pause: what was imported before it is measured, though coverage doubts it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", coverage.exceptions.CoverageWarning)
        measuring.start()


def draws(many: int, measure: int = 20) -> Iterator[int]:
    """The numbers below `many`, for tests that count what random draws bring: coverage is measured
    on the first of them, the others run the same lines."""
    yield from range(min(measure, many))
    with unmeasured():
        yield from range(measure, many)


def cpu_seconds(call: Callable[[], object], times: int = 3, enough: float = 0) -> float:
    """The processor's time of a call, the least of several; no more of them once one takes less
    than `enough`.

    The collector rests meanwhile: what it would walk through belongs to the tests that ran before
    in this process, half a second of it near the end of a whole run.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        least = _once(call)
        for _ in range(times - 1):
            if least >= enough:
                least = min(least, _once(call))
        return least
    finally:
        if collecting:
            gc.enable()


def _once(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
