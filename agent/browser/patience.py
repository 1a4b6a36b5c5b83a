"""Longer time limits on a busy machine, where every page takes longer to arrive and to settle."""

from __future__ import annotations

import os

BUSY = 4.0
"""The load per processor up to which a limit stays as it is."""
MOST = 2.5
"""The largest factor by which a limit grows. An action still ends before its own limit."""


def patient(limit: float) -> float:
    """Return a time limit that is longer if far more processes want to run than can.

    The limit grows in proportion to the load of the last minute, once this load is more than `BUSY`
    for each processor. On a system that tells no load, it stays as it is.

    Args:
        limit: The limit on an idle machine, in any unit of time.
    """
    if not hasattr(os, "getloadavg"):
        return limit
    return limit * min(MOST, max(1.0, os.getloadavg()[0] / BUSY / (os.cpu_count() or 1)))
