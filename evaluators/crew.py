"""Several processes of this machine: spawned workers that are handed jobs through pipes."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from evaluators import stopping
from evaluators.manpower import Manpower
from evaluators.play import Job, Terms
from evaluators.playing import Heard, leaf, once_more, ready, sites
from evaluators.rota import Rota, WorkerLost
from evaluators.stage import Stage


def distribute(
    work: Sequence[Job], queue: Iterator[Job], terms: Terms, manpower: Manpower, heard: Heard
) -> None:
    """Hand jobs to spawned workers, each as many as it keeps in flight."""
    crew = _Crew(Rota(queue), terms, manpower, sites(work))
    with stopping.in_order():
        try:
            for _ in range(min(manpower.processes, len(work))):
                crew.hire()
            while busy := [pipe for pipe, jobs in crew.rota.flying.items() if jobs]:
                for pipe in wait(busy):
                    assert isinstance(pipe, Connection)
                    crew.hear(pipe, heard)
        finally:
            crew.dismiss()


@dataclass
class _Crew:
    """Worker processes, known by their pipes. One that dies is replaced."""

    rota: Rota[Connection]
    terms: Terms
    manpower: Manpower
    sites: Sequence[str]
    workers: list[BaseProcess] = field(default_factory=list)

    def hire(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        told = (theirs, self.sites, self.terms, self.manpower)
        worker = context.Process(target=_work, args=told, daemon=True)
        worker.start()
        theirs.close()
        self.workers.append(worker)
        self.rota.enter(ours)
        for _ in range(self.manpower.concurrency):
            self.give(ours)

    def give(self, pipe: Connection) -> None:
        """Send the next job, if there is one."""
        job = self.rota.take(pipe)
        if job is not None:
            with contextlib.suppress(OSError):  # a worker that has just died is heard of next
                pipe.send(job)

    def hear(self, pipe: Connection, heard: Heard) -> None:
        """Take a worker's answer. Raises what it raised, or `WorkerLost`."""
        try:
            answer = pipe.recv()
        except (EOFError, OSError):
            pipe.close()
            self.rota.bury(pipe)
            self.hire()
            return
        if isinstance(answer, BaseException):
            raise answer
        self.rota.done(pipe, answer["episode"])
        heard(answer)
        self.give(pipe)

    def dismiss(self) -> None:
        """End the workers: they stop when their pipes close."""
        for pipe in self.rota.flying:
            pipe.close()
        for worker in self.workers:
            worker.join(10)
            if worker.is_alive():
                worker.kill()


def _work(pipe: Connection, sites: Sequence[str], terms: Terms, manpower: Manpower) -> None:
    """A worker process: plays what comes through the pipe and ends when the pipe is closed."""
    for each in (signal.SIGINT, signal.SIGHUP):  # the parent hears them and closes the pipe
        signal.signal(each, signal.SIG_IGN)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read once numpy is imported by an embedder
    try:
        asyncio.run(_employed(pipe, sites, terms, manpower))
    except BaseException as error:  # the parent raises it; without it there would only be silence
        first = leaf(error)
        with contextlib.suppress(OSError):
            pipe.send(first if isinstance(first, Exception) else WorkerLost(repr(first)))


async def _employed(
    pipe: Connection, sites: Sequence[str], terms: Terms, manpower: Manpower
) -> None:
    inbox: asyncio.Queue[Job | None] = asyncio.Queue()
    reader = threading.Thread(
        target=_read_jobs, args=(pipe, asyncio.get_running_loop(), inbox), daemon=True
    )
    reader.start()
    async with ready(sites, terms, manpower) as (stage, ours), asyncio.TaskGroup() as group:
        tasks = []
        while (job := await inbox.get()) is not None:
            tasks.append(group.create_task(_answer(pipe, job, stage, ours)))
        for task in tasks:  # nobody is left to hear of what is still under way
            task.cancel()


async def _answer(pipe: Connection, job: Job, stage: Stage, terms: Terms) -> None:
    pipe.send(await once_more(job, stage, terms))


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
            if _orphaned():  # Playwright's driver ends the browser when its pipe closes
                os._exit(os.EX_TEMPFAIL)
        with contextlib.suppress(RuntimeError):  # the loop has ended with an error of its own
            loop.call_soon_threadsafe(inbox.put_nowait, job)
        if job is None:
            return


def _orphaned() -> bool:
    """Whether the parent was killed, and did not close the pipe to end this process in order."""
    parent = multiprocessing.parent_process()
    return parent is not None and not parent.is_alive()
