"""Many episodes: in this process or in several, a few in flight in each, resumed by `-o`."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from agent.llm.voices import connections
from evaluators import records
from evaluators.agents import Agent
from evaluators.casting import Cast
from evaluators.episode import Job, Terms, run_episode
from evaluators.stage import Stage, open_stage

MOST_TRIES = 3
"""How often an episode that ended by a fault of ours is played in all."""

Heard = Callable[[dict[str, Any]], None]


class WorkerLost(RuntimeError):
    """A worker process ended before its work was done."""


@dataclass(frozen=True)
class Manpower:
    """How many processes, how many episodes at once in each, and how the browser looks."""

    processes: int = 1
    concurrency: int = 2
    headed: bool = False
    slow_ms: float = 0


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


def play(work: Sequence[Job], terms: Terms, manpower: Manpower, heard: Heard) -> None:
    """Play what the run does not hold yet; `heard` gets each record as it is written."""
    left = [job for job in work if not _finished(job, terms.run)]
    if not left:
        return
    if manpower.processes == 1:
        try:
            asyncio.run(_perform(left, terms, manpower, heard))
        except BaseExceptionGroup as group:
            raise _leaf(group) from group
    else:
        _distribute(left, terms, manpower, heard)


def _finished(job: Job, run: Path) -> bool:
    """Whether the run holds this episode; one of ours to blame is played again, thrice at most."""
    agent, (_, family, seed) = job.agent, job.scenario.split("/")
    path = records.folder(run, agent.name, family, int(seed), job.trial) / "episode.json"
    if not path.exists():
        return False
    return not _again(records.load(path))


async def _perform(work: Sequence[Job], terms: Terms, manpower: Manpower, heard: Heard) -> None:
    """Play jobs in this process, `concurrency` at a time."""
    async with _ready(_sites(work), terms, manpower) as (stage, ours), asyncio.TaskGroup() as group:
        queue = iter(work)
        for _ in range(min(manpower.concurrency, len(work))):
            group.create_task(_player(queue, stage, ours, heard))


@asynccontextmanager
async def _ready(
    sites: Sequence[str], terms: Terms, manpower: Manpower
) -> AsyncIterator[tuple[Stage, Terms]]:
    """A process's stage, and the terms with its connections to a live model."""
    async with (
        connections(terms.voice) as live,
        open_stage(sites, headed=manpower.headed, slow_ms=manpower.slow_ms) as stage,
    ):
        yield stage, replace(terms, live=live)


async def _player(queue: Iterator[Job], stage: Stage, terms: Terms, heard: Heard) -> None:
    for job in queue:
        heard(await _once_more(job, stage, terms))


async def _once_more(job: Job, stage: Stage, terms: Terms) -> dict[str, Any]:
    """A fault of ours is tried once more at once; a fault of a recording would only repeat."""
    record = await run_episode(job, stage, terms)
    return await run_episode(job, stage, terms) if _again(record) else record


def _again(record: Mapping[str, Any]) -> bool:
    fault = record["ended"] == records.INFRA and record["cause"] != "cassette"
    return bool(fault and record["tries"] < MOST_TRIES)


def _sites(work: Sequence[Job]) -> list[str]:
    return sorted({job.scenario.split("/")[0] for job in work})


# Several processes -------------------------------------------------------------------------------


def _distribute(work: Sequence[Job], terms: Terms, manpower: Manpower, heard: Heard) -> None:
    """Hand jobs to spawned workers, each as many as it keeps in flight."""
    context = multiprocessing.get_context("spawn")
    queue, pipes, workers = iter(work), [], []
    try:
        for _ in range(min(manpower.processes, len(work))):
            ours, theirs = context.Pipe()
            worker = context.Process(
                target=_work, args=(theirs, _sites(work), terms, manpower), daemon=True
            )
            worker.start()
            theirs.close()
            pipes.append(ours)
            workers.append(worker)
        _serve(queue, pipes, manpower.concurrency, heard)
    finally:
        for pipe in pipes:
            pipe.close()
        for worker in workers:
            worker.join(10)
            if worker.is_alive():
                worker.kill()


def _serve(queue: Iterator[Job], pipes: list[Connection], concurrency: int, heard: Heard) -> None:
    flying = {pipe: sum(_send(pipe, queue) for _ in range(concurrency)) for pipe in pipes}
    while any(flying.values()):
        for pipe in wait([pipe for pipe, count in flying.items() if count]):
            assert isinstance(pipe, Connection)
            heard(_receive(pipe))
            flying[pipe] += _send(pipe, queue) - 1


def _send(pipe: Connection, queue: Iterator[Job]) -> int:
    """Send the next job, if there is one; how many were sent."""
    job = next(queue, None)
    if job is None:
        return 0
    pipe.send(job)
    return 1


def _receive(pipe: Connection) -> dict[str, Any]:
    try:
        answer = pipe.recv()
    except (EOFError, OSError):
        raise WorkerLost("a worker process ended; what is done is kept, resume with -o") from None
    if isinstance(answer, BaseException):
        raise answer
    assert isinstance(answer, dict)
    return answer


def _work(pipe: Connection, sites: Sequence[str], terms: Terms, manpower: Manpower) -> None:
    """A worker process: plays what comes through the pipe and ends when the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and closes the pipe
    try:
        asyncio.run(_employed(pipe, sites, terms, manpower))
    except BaseException as error:  # the parent raises it; without it there would only be silence
        leaf = _leaf(error)
        with contextlib.suppress(OSError):
            pipe.send(leaf if isinstance(leaf, Exception) else WorkerLost(repr(leaf)))


def _leaf(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _employed(
    pipe: Connection, sites: Sequence[str], terms: Terms, manpower: Manpower
) -> None:
    inbox: asyncio.Queue[Job | None] = asyncio.Queue()
    reader = threading.Thread(
        target=_read_jobs, args=(pipe, asyncio.get_running_loop(), inbox), daemon=True
    )
    reader.start()
    async with _ready(sites, terms, manpower) as (stage, ours), asyncio.TaskGroup() as group:
        tasks = []
        while (job := await inbox.get()) is not None:
            tasks.append(group.create_task(_answer(pipe, job, stage, ours)))
        for task in tasks:  # nobody is left to hear of what is still under way
            task.cancel()


async def _answer(pipe: Connection, job: Job, stage: Stage, terms: Terms) -> None:
    pipe.send(await _once_more(job, stage, terms))


def _read_jobs(
    pipe: Connection, loop: asyncio.AbstractEventLoop, inbox: asyncio.Queue[Job | None]
) -> None:
    """Pass jobs on from the pipe; None when the parent has closed it or is gone."""
    job: Job | None
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            job = None
        with contextlib.suppress(RuntimeError):  # the loop has ended with an error of its own
            loop.call_soon_threadsafe(inbox.put_nowait, job)
        if job is None:
            return
