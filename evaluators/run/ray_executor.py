"""Run episodes on several machines, in actors of a Ray cluster (extra `ray`)."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent.llm.transport.gate import Gates
from agent.llm.transport.rate_limit import RateLimit
from evaluators.episode.spec import EpisodeSpec
from evaluators.records.models import EpisodeRecord
from evaluators.run import signals
from evaluators.run.job_queue import JobQueue, WorkerLost
from evaluators.run.ray_cluster import cluster
from evaluators.run.worker import (
    Batch,
    OnRecord,
    WorkerSetup,
    first_error,
    open_worker,
    run_with_retry,
)
from rehearsal_errors import RehearsalError

REMEDY = "pip install 'rehearsal-web[ray]'"
CLOSE_SECONDS = 10
CAUSE_LENGTH = 200
"""The number of characters, from the end of Ray's message about an actor that did not start, that
are shown.
"""
FORWARDED = ("OPENAI_", "REHEARSE_PRICES")
"""Prefixes of the environment variables that every actor gets."""
MARK = ".shared"


class RayMissing(RehearsalError, ValueError):
    """Ray is not installed."""


class NotShared(RehearsalError, ValueError):
    """A machine of the cluster does not see the run's folder."""


def check() -> None:
    """Raise `RayMissing` if Ray is not installed; the message says what to install."""
    if importlib.util.find_spec("ray") is None:
        raise RayMissing(f"--engine ray needs Ray; {REMEDY}")


def run_on_ray(batch: Batch) -> None:
    """Run the episodes in actors, each with `concurrency` episodes at once.

    Raises:
        RayMissing: Ray is not installed.
        NoCluster: The cluster cannot be reached.
        NotShared: A machine of the cluster does not see the run's folder.
        WorkerLost: Actors died too often.
    """
    check()
    processes, folder = batch.setup.executor.processes, batch.setup.run_context.folder
    with cluster(processes), signals.graceful_stop(), _marked(folder) as mark:
        pool = ActorPool(JobQueue(batch.backlog), _actor_setup(batch.setup, mark))
        try:
            for _ in range(min(processes, len(batch.backlog))):
                pool.spawn()
            while any(pool.queue.in_flight.values()) or not pool.queue.empty:
                pool.receive(batch.on_record)
        finally:
            pool.shutdown()


@contextmanager
def _marked(run: Path) -> Iterator[str]:
    """Write a random word into the run's folder, so that an actor can check that it sees the
    folder.
    """
    mark = secrets.token_hex(8)
    (run / MARK).write_text(mark)
    try:
        yield mark
    finally:
        (run / MARK).unlink(missing_ok=True)


@dataclass(frozen=True)
class ActorSetup:
    """The data that an actor needs before its first episode.

    Relative paths start at `folder`. `mark` is the word in the run's folder that the actor must
    find. Actors share no memory, so each keeps to its part of the requests and tokens per minute
    (`rates`).
    """

    folder: Path
    mark: str
    environment: Mapping[str, str]
    worker: WorkerSetup
    rates: tuple[float, float] | None


def _actor_setup(worker: WorkerSetup, mark: str) -> ActorSetup:
    pace = worker.run_context.model_source.pace
    return ActorSetup(
        Path.cwd(),
        mark,
        {name: value for name, value in os.environ.items() if name.startswith(FORWARDED)},
        _sharing(worker, None, None),
        pace.part(worker.executor.processes) if pace else None,
    )


def _sharing(worker: WorkerSetup, pace: RateLimit | None, gates: Gates | None) -> WorkerSetup:
    """Return the worker's setup with these rate limits for model requests, which its episodes
    share.

    An actor gets None and makes its own: locks cannot be sent to another process.
    """
    model_source = replace(worker.run_context.model_source, pace=pace, gates=gates)
    return replace(worker, run_context=replace(worker.run_context, model_source=model_source))


@dataclass
class ActorPool:
    """The actors of a run on Ray. An actor that dies is replaced; an actor that waits has no
    episodes.
    """

    queue: JobQueue[Any]
    setup: ActorSetup
    calls: dict[Any, Any] = field(default_factory=dict)
    """The actor of each pending call."""
    opened: set[Any] = field(default_factory=set)

    def spawn(self) -> None:
        """Start an actor and let it open its environments (sites and browser)."""
        import ray

        most = self.setup.worker.executor.concurrency + 1  # one more for the call that closes it
        actor = ray.remote(EpisodeActor).options(num_cpus=1, max_concurrency=most).remote()
        self.queue.add_worker(actor)
        self.calls[actor.open.remote(self.setup)] = actor

    def assign(self, actor: Any, after: EpisodeSpec | None = None) -> None:
        """Send the next episode to an actor, if any is left."""
        spec = self.queue.take(actor, after)
        if spec is not None:
            self.calls[actor.run.remote(spec)] = actor

    def receive(self, on_record: OnRecord) -> None:
        """Wait for an episode's record from an actor, report it and send the actor the next
        episode.

        Raises the error that the actor raised, or `WorkerLost` if actors die too often.
        """
        import ray
        from ray.exceptions import RayActorError

        [call], _ = ray.wait(list(self.calls))
        actor = self.calls.pop(call)
        try:
            answer = ray.get(call)
        except RayActorError as error:
            self._replace(actor, str(error))
            return
        if isinstance(answer, BaseException):
            raise answer
        if answer is None:
            self._start(actor)
        else:
            ended = self.queue.done(actor, answer.episode)
            on_record(answer)
            self.assign(actor, ended)

    def _start(self, actor: Any) -> None:
        self.opened.add(actor)
        for _ in range(self.setup.worker.executor.concurrency):
            self.assign(actor)

    def _replace(self, actor: Any, cause: str) -> None:
        import ray

        ray.kill(actor)  # it may only be out of reach, and another one will write its episodes
        self.calls = {call: owner for call, owner in self.calls.items() if owner != actor}
        message = "" if actor in self.opened else f" ({' '.join(cause.split())[-CAUSE_LENGTH:]})"
        self.opened.discard(actor)
        self.queue.requeue(actor, message)
        self.spawn()

    def shutdown(self) -> None:
        """Let the actors close their browsers, then kill the actors."""
        import ray

        closing = [actor.close.remote() for actor in self.opened]
        if closing:
            ray.wait(closing, num_returns=len(closing), timeout=CLOSE_SECONDS)
        for actor in self.queue.in_flight:
            ray.kill(actor)


class EpisodeActor:
    """An actor that runs episodes in environments of its own, several at once.

    It returns its errors, which `ActorPool.receive` raises.
    """

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self, setup: ActorSetup) -> Exception | None:
        """Open the actor's environments; return an error instead of raising it."""
        try:
            _enter_run_folder(setup)
            pace = RateLimit(*setup.rates) if setup.rates else None
            opened = open_worker(_sharing(setup.worker, pace, Gates()))
            self._environments, self._run_context = await self._stack.enter_async_context(opened)
        except Exception as error:
            return error
        return None

    async def run(self, spec: EpisodeSpec) -> EpisodeRecord | Exception:
        """Run an episode and return its record, or an error instead of raising it."""
        task = asyncio.ensure_future(run_with_retry(spec, self._environments, self._run_context))
        self._tasks.add(task)
        try:
            return await task
        except BaseException as error:
            first = first_error(error)
            return first if isinstance(first, Exception) else WorkerLost(repr(first))
        finally:
            self._tasks.discard(task)

    async def close(self) -> None:
        """Cancel running episodes and close the browser."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()


def _enter_run_folder(setup: ActorSetup) -> None:
    """Change to the folder that the run was started in.

    Raises `NotShared` if the run's folder lacks the word by which an actor recognizes it.
    """
    run = setup.worker.run_context.folder
    os.environ.update(setup.environment)
    seen = ""
    with suppress(OSError):
        os.chdir(setup.folder)
        seen = (run / MARK).read_text()
    if seen != setup.mark:
        raise NotShared(
            f"{socket.gethostname()} does not see {setup.folder / run};"
            " start a run on a cluster in a folder that all its machines share, under the same path"
        )
