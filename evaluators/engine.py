"""Many episodes: resumed by `-o`, within a purse, by whoever has the means to play them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from agent.disk import writing
from evaluators import crew, playing, ray_engine, records
from evaluators.agents import Agent
from evaluators.casting import Cast
from evaluators.manpower import RAY, Manpower
from evaluators.play import Job, Terms
from evaluators.playing import Heard
from evaluators.purse import Purse

LOCK = "run.lock"
"""Held while a run is played; it goes with the process that holds it."""

Driver = Callable[[Sequence[Job], Iterator[Job], Terms, Manpower, Heard], None]
"""Plays the jobs of a queue, all of the given ones at most, and tells of each that is done."""


class AlreadyPlaying(ValueError):
    """Another process plays this run."""

    exit_code = os.EX_TEMPFAIL


def jobs(agents: Sequence[Agent], cast: Cast, trials: int) -> list[Job]:
    """Every agent on every scenario, `trials` times."""
    return [
        Job(
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


def play(
    work: Sequence[Job],
    terms: Terms,
    manpower: Manpower,
    heard: Heard,
    purse: float | None = None,
) -> None:
    """Play what the run does not hold yet; `heard` gets each record as it is written.

    Raises `AlreadyPlaying`, `PurseEmpty`, `WorkerLost`, `CorruptRecord`, `AccessRefused`,
    `NotWritten`.
    """
    with _alone(terms.run):
        money = Purse(purse)
        left = []
        for job in work:
            done = _kept(job, terms.run)
            if done is None or playing.again(done):
                left.append(job)
            if done is not None:
                money.pay(done)

        def paid(record: dict[str, Any]) -> None:
            money.pay(record)
            heard(record)

        if left:
            _driver(manpower)(left, money.guard(left), terms, manpower, paid)
        money.close()


def _driver(manpower: Manpower) -> Driver:
    if manpower.engine == RAY:
        return ray_engine.distribute
    return playing.play_here if manpower.alone else crew.distribute


@contextmanager
def _alone(run: Path) -> Iterator[None]:
    """Raises `AlreadyPlaying`."""
    try:
        with writing(run):
            run.mkdir(parents=True, exist_ok=True)
            lock = FileLock(run / LOCK, blocking=False).acquire()
    except Timeout:
        raise AlreadyPlaying(
            f"{run} is being played already; wait for it, or give another -o"
        ) from None
    with lock:
        yield


def _kept(job: Job, run: Path) -> dict[str, Any] | None:
    """What the run holds of an episode. Raises `CorruptRecord` where that was changed since."""
    agent, (_, family, seed) = job.agent, job.scenario.split("/")
    home = records.folder(run, agent.name, family, int(seed), job.trial)
    if not (home / "episode.json").exists():
        return None
    done = records.load(home / "episode.json")
    if not playing.again(done):  # one that is played again may have been killed in the middle
        records.check(home)
    return done
