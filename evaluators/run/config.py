"""How a run is carried out: who answers, what it may cost, in how many processes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.browsergym.process import THIS_PYTHON, GymPython
from agent.prompting import FOLDER
from evaluators.episode.approval import ApprovalPolicy
from evaluators.episode.budget import NO_LIMITS, Limits

if TYPE_CHECKING:
    from evaluators.episode.channel import Channel
    from sites.store.shop.data import CatalogueSource

OFFLINE, MOST_LIVE = 2, 50
PAGE_BYTES = 150 * 2**20
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
    def shown(self) -> dict[str, Any]:
        """How the browser looks, for who starts it."""
        return {"headed": self.headed, "slow_ms": self.slow_ms}

    @property
    def single_process(self) -> bool:
        """Whether every episode runs in this process."""
        return self.engine == PROCESSES and self.processes == 1


@dataclass(frozen=True)
class RunConfig:
    """How a run is carried out.

    `limits` are those of an episode, `dollars` is what it may cost, `run_dollars` what the run may;
    `request_seconds` is how long a request may take, 0 for no limit;
    `rpm` and `tpm` are requests and tokens a minute, 0 for no limit; with `isolate` agents have
    processes of their own; `catalogue` is what the store sells in place of its own products;
    `client` leads to a client outside that decides for a method which needs one; `gym_python` runs
    environments of BrowserGym.
    """

    llm: str = "scripted"
    record: Path | None = None
    model: str = ""
    mistakes: str = "sticky"
    context: int | None = None
    reasoning_effort: str = ""
    request_seconds: float | None = None
    prompts: Path = FOLDER
    trials: int = 1
    strict: bool = False
    dollars: float | None = None
    run_dollars: float | None = None
    limits: Limits = NO_LIMITS
    rpm: float = 0
    tpm: float = 0
    confirm: str | ApprovalPolicy | None = None
    shard: str = ""
    isolate: bool = False
    catalogue: CatalogueSource | None = None
    client: Channel | None = None
    gym_python: GymPython = THIS_PYTHON
    executor: ExecutorConfig = field(default_factory=ExecutorConfig)
    out: Path | None = None


def default_concurrency(llm_kind: str, processes: int) -> int:
    """Episodes at once in each process: two where the model answers at once; for a live one as
    many as memory allows, at most fifty in all."""
    if llm_kind != "live":
        return OFFLINE
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(OFFLINE, min(MOST_LIVE, free // PAGE_BYTES) // processes)
