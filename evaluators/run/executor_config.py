"""Who plays: in how many processes, how many episodes at once in each, and where these run."""

from __future__ import annotations

import os
from dataclasses import dataclass

OFFLINE, MOST_LIVE = 2, 50
LANE_BYTES = 150 * 2**20
"""What an episode's page takes in the browser at most, about."""
PROCESSES, RAY = "processes", "ray"
ENGINES = (PROCESSES, RAY)


@dataclass(frozen=True)
class ExecutorConfig:
    """How many processes, how many episodes at once in each, and how the browser looks.

    `engine`: processes of this machine, or actors of a Ray cluster.
    """

    processes: int = 1
    concurrency: int = OFFLINE
    headed: bool = False
    slow_ms: float = 0
    engine: str = PROCESSES

    @property
    def single_process(self) -> bool:
        """Whether every episode runs in this process."""
        return self.engine == PROCESSES and self.processes == 1


def concurrency(kind: str, processes: int) -> int:
    """How many episodes a process keeps in flight if nobody says: few where the model answers at
    once, and as many as memory allows, fifty in all at most, where they wait for a live one."""
    if kind != "live":
        return OFFLINE
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(OFFLINE, min(MOST_LIVE, free // LANE_BYTES) // processes)
