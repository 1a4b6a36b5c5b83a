"""The configuration of a run: its model, its limits, its processes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.browsergym.process import THIS_PYTHON, GymPython
from agent.prompting import FOLDER
from evaluators.episode.approval import ApprovalPolicy
from evaluators.episode.budget import NO_LIMITS, Limits
from evaluators.episode.environment_lanes import BROWSER
from evaluators.run.engines import PROCESSES

if TYPE_CHECKING:
    from evaluators.episode.channel import Channel
    from sites.store.shop.data import CatalogueSource

OFFLINE, MOST_LIVE = 2, 50
PAGE_BYTES = 150 * 2**20
"""The most memory, roughly, that an episode's page takes in the browser."""


@dataclass(frozen=True)
class ExecutorConfig:
    """How many processes run, how many episodes at once each of them runs, how the browser looks.

    `lane` is "browser" for Chromium, or "text" for episodes without a browser.
    `engine` is "processes" for processes of this machine, or "ray" for actors of a Ray cluster.
    `slow_ms` is a pause in milliseconds at each action.
    """

    processes: int = 1
    concurrency: int = OFFLINE
    headed: bool = False
    slow_ms: float = 0
    engine: str = PROCESSES
    lane: str = BROWSER

    @property
    def shown(self) -> dict[str, Any]:
        """The lane and how the browser looks, as arguments for `open_environments`."""
        return {"lane": self.lane, "headed": self.headed, "slow_ms": self.slow_ms}

    @property
    def single_process(self) -> bool:
        """Whether every episode runs in this process."""
        return self.engine == PROCESSES and self.processes == 1


@dataclass(frozen=True)
class RunConfig:
    """The configuration of a run.

    Attributes:
        llm: The model source: "scripted", "live", "replay:DIR" or "person".
        record: A folder for recordings of the model's replies, or None.
        model: The name of a live model, "" for the default.
        mistakes: The kinds of mistakes that the scripted model makes, separated by commas.
        context: The model's context in tokens, or None for the default.
        reasoning_effort: How much a live model should reason, "" for the server's default.
        request_seconds: The longest time for a request, 0 for no limit, None for the default.
        prompts: The folder of prompts.
        trials: How often each agent runs each scenario.
        strict: Stop at the first exception of a method.
        dollars: The most US dollars that an episode may cost, or None.
        run_dollars: The most US dollars that the run may cost, or None.
        limits: Limits of an episode's steps, calls and seconds.
        rpm: Requests per minute to a live model, 0 for no limit.
        tpm: Tokens per minute to a live model, 0 for no limit.
        confirm: The approval policy before an action that cannot be undone, or None.
        shard: The part of the run to do, such as "2/4"; "" for all.
        isolate: Run each agent in a process of its own.
        catalogue: What the store sells instead of its own products, or None.
        client: The channel to a client outside that decides for a method such as `outside`.
        gym_python: The Python that runs environments of BrowserGym.
        executor: Processes, concurrency and browser.
        out: The run's folder, or None for a new one.
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
    """Return how many episodes each process should run at once.

    It is two if the model answers immediately; with a live model as many as memory allows, and at
    most fifty over all processes.
    """
    if llm_kind != "live":
        return OFFLINE
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(OFFLINE, min(MOST_LIVE, free // PAGE_BYTES) // processes)
