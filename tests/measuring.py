"""Where coverage is not measured, since it would tell nothing new and cost much."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import coverage


@contextmanager
def unmeasured() -> Iterator[None]:
    """No coverage is measured in the block, in this process and in those that are started there."""
    measuring = coverage.Coverage.current()
    inherited = {name for name in os.environ if name.startswith("COVERAGE_PROCESS")}
    kept = {name: os.environ.pop(name) for name in inherited}
    if measuring:
        measuring.stop()
    try:
        yield
    finally:
        os.environ.update(kept)
        if measuring:
            measuring.start()
