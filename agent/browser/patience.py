"""Longer time limits on a busy machine, where every page takes longer to arrive and to settle."""

from __future__ import annotations

import os

MOST = 12.0
"""The largest factor by which a limit grows."""


def patient(limit: float) -> float:
    """Return a time limit that is longer if more processes want to run than there are processors.

    The limit is multiplied by the load of the last minute per processor, but at least by 1 and at
    most by `MOST`. On a system that tells no load, it stays as it is.

    Args:
        limit: The limit on an idle machine, in any unit of time.
    """
    if not hasattr(os, "getloadavg"):
        return limit
    return limit * min(MOST, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
