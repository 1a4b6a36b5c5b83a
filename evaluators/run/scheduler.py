"""Many episodes: resumed by `-o`, within a purse, by whoever has the means to play them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from agent.agent_spec import Agent
from agent.storage_errors import writing
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records import files, run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.run import process_pool, ray_executor, worker
from evaluators.run.cost_limit import CostLimit
from evaluators.run.executor_config import RAY, ExecutorConfig
from evaluators.run.worker import OnRecord
from rehearsal_errors import RehearsalError
from scenarios.registry import TaskSet

LOCK = "run.lock"
"""Held while a run is played; it goes with the process that holds it."""

Executor = Callable[
    [Sequence[EpisodeSpec], Iterator[EpisodeSpec], RunContext, ExecutorConfig, OnRecord], None
]
"""Plays the jobs of a queue, all of the given ones at most, and tells of each that is done."""


class RunLocked(RehearsalError, ValueError):
    """Another process plays this run."""

    exit_code = os.EX_TEMPFAIL


def episode_specs(agents: Sequence[Agent], cast: TaskSet, trials: int) -> list[EpisodeSpec]:
    """Every agent on every scenario, `trials` times."""
    return [
        EpisodeSpec(
            agent,
            scenario,
            trial,
            cast.hashes.get(scenario, ""),
            cast.expert.get(scenario.split("/")[1], 0),
            cast.source,
        )
        for agent in agents
        for scenario in cast.names
        for trial in range(trials)
    ]


def run_episodes(
    work: Sequence[EpisodeSpec],
    run_context: RunContext,
    executor: ExecutorConfig,
    heard: OnRecord,
    purse: float | None = None,
) -> None:
    """Play what the run does not hold yet; `heard` gets each record as it is written.

    Raises `AlreadyPlaying`, `PurseEmpty`, `WorkerLost`, `CorruptRecord`, `AccessRefused`,
    `NotWritten`.
    """
    with _locked(run_context.run):
        money = CostLimit(purse)
        left = []
        for spec in work:
            done = _recorded(spec, run_context.run)
            if done is None or worker.should_retry(done):
                left.append(spec)
            if done is not None:
                money.pay(done)

        def paid(record: EpisodeRecord) -> None:
            money.pay(record)
            heard(record)

        if left:
            _executor(executor)(left, money.guard(left), run_context, executor, paid)
        money.close()


def _executor(executor: ExecutorConfig) -> Executor:
    if executor.engine == RAY:
        return ray_executor.run_on_ray
    return worker.run_here if executor.alone else process_pool.run_in_pool


@contextmanager
def _locked(run: Path) -> Iterator[None]:
    """Raises `AlreadyPlaying`."""
    try:
        with writing(run):
            run.mkdir(parents=True, exist_ok=True)
            lock = FileLock(run / LOCK, blocking=False).acquire()
    except Timeout:
        raise RunLocked(f"{run} is being played already; wait for it, or give another -o") from None
    with lock:
        yield


def _recorded(spec: EpisodeSpec, run: Path) -> EpisodeRecord | None:
    """What the run holds of an episode. Raises `CorruptRecord` where that was changed since."""
    agent, (_, family, seed) = spec.agent, spec.scenario.split("/")
    home = run_folder.folder(run, agent.name, family, int(seed), spec.trial)
    if not run_folder.is_done(home):
        return None
    done = run_folder.load_episode(home)
    if not worker.should_retry(done):  # one that is played again may have been killed in the middle
        files.check(home)
    return done
