"""Run episodes in several processes: spawned workers get episodes through pipes."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.run import event_loop, signals
from evaluators.run.job_queue import JobQueue, WorkerLost
from evaluators.run.worker import (
    Batch,
    OnRecord,
    WorkerSetup,
    first_error,
    open_worker,
    run_with_retry,
)


def run_in_pool(batch: Batch) -> None:
    """Run the episodes in spawned workers, each with `concurrency` episodes at once."""
    pool = ProcessPool(JobQueue(batch.backlog), batch.setup)
    with signals.interruptible() if event_loop.is_running() else signals.graceful_stop():
        try:
            for _ in range(min(batch.setup.executor.processes, len(batch.backlog))):
                pool.spawn()
            while busy := [pipe for pipe, specs in pool.queue.in_flight.items() if specs]:
                for pipe in wait(busy):
                    assert isinstance(pipe, Connection)
                    pool.receive(pipe, batch.on_record)
        finally:
            pool.shutdown()


@dataclass
class ProcessPool:
    """Worker processes, each with the pipe to it. A worker that dies is replaced."""

    queue: JobQueue[Connection]
    setup: WorkerSetup
    workers: list[BaseProcess] = field(default_factory=list)

    def spawn(self) -> None:
        """Start a worker and send it its first episodes."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        worker = context.Process(target=_worker_process, args=(theirs, self.setup), daemon=True)
        worker.start()
        theirs.close()
        self.workers.append(worker)
        self.queue.add_worker(ours)
        for _ in range(self.setup.executor.concurrency):
            self.assign(ours)

    def assign(self, pipe: Connection, after: EpisodeSpec | None = None) -> None:
        """Send the next episode to a worker, if any is left."""
        spec = self.queue.take(pipe, after)
        if spec is not None:
            with contextlib.suppress(OSError):  # `receive` notices a worker that has just died
                pipe.send(spec)

    def receive(self, pipe: Connection, on_record: OnRecord) -> None:
        """Wait for an episode's record from a worker, report it and send the worker the next
        episode.

        Raises the error that the worker raised, or `WorkerLost` if workers die too often.
        """
        try:
            answer = pipe.recv()
        except (EOFError, OSError):
            pipe.close()
            self.queue.requeue(pipe)
            self.spawn()
            return
        if isinstance(answer, BaseException):
            raise answer
        ended = self.queue.done(pipe, answer.episode)
        on_record(answer)
        self.assign(pipe, ended)

    def shutdown(self) -> None:
        """Stop the workers by closing their pipes; kill a worker that does not end."""
        for pipe in self.queue.in_flight:
            pipe.close()
        for worker in self.workers:
            worker.join(10)
            if worker.is_alive():
                worker.kill()


def _worker_process(pipe: Connection, setup: WorkerSetup) -> None:
    """Run the episodes that come through the pipe, until the parent closes it."""
    for each in (signal.SIGINT, signal.SIGHUP):  # the parent gets them and closes the pipe
        signal.signal(each, signal.SIG_IGN)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy reads it when an embedder imports it
    try:
        asyncio.run(_serve_specs(pipe, setup))
    except BaseException as error:  # the parent raises it
        first = first_error(error)
        with contextlib.suppress(OSError):
            pipe.send(first if isinstance(first, Exception) else WorkerLost(repr(first)))


async def _serve_specs(pipe: Connection, setup: WorkerSetup) -> None:
    inbox: asyncio.Queue[EpisodeSpec | None] = asyncio.Queue()
    reader = threading.Thread(
        target=_read_specs, args=(pipe, asyncio.get_running_loop(), inbox), daemon=True
    )
    reader.start()
    async with (
        open_worker(setup) as (environments, context),
        asyncio.TaskGroup() as group,
    ):
        tasks = []
        while (spec := await inbox.get()) is not None:
            tasks.append(group.create_task(_run_and_send(pipe, spec, environments, context)))
        for task in tasks:  # nobody receives the records of what is still running
            task.cancel()


async def _run_and_send(
    pipe: Connection, spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext
) -> None:
    pipe.send(await run_with_retry(spec, environments, run_context))


def _read_specs(
    pipe: Connection, loop: asyncio.AbstractEventLoop, inbox: asyncio.Queue[EpisodeSpec | None]
) -> None:
    """Put each episode that the pipe brings into the inbox, and None once the parent process has
    closed the pipe.
    """
    spec: EpisodeSpec | None
    while True:
        try:
            spec = pipe.recv()
        except (EOFError, OSError):
            spec = None
            if _orphaned():  # the browser ends when its pipe closes
                os._exit(os.EX_TEMPFAIL)
        with contextlib.suppress(RuntimeError):  # the loop has ended with an error
            loop.call_soon_threadsafe(inbox.put_nowait, spec)
        if spec is None:
            return


def _orphaned() -> bool:
    """Return whether the parent process is dead, so that it did not close the pipe itself."""
    parent = multiprocessing.parent_process()
    return parent is not None and not parent.is_alive()
