"""Several machines: actors of a Ray cluster that are handed jobs (extra `ray`)."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import secrets
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent.llm.transport.rate_limit import RateLimit
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records.models import EpisodeRecord
from evaluators.run import signals
from evaluators.run.executor_config import ExecutorConfig
from evaluators.run.job_queue import JobQueue, WorkerLost
from evaluators.run.ray_cluster import cluster
from evaluators.run.worker import OnRecord, first_error, open_worker, run_with_retry, sites
from rehearsal_errors import RehearsalError

REMEDY = "pip install 'rehearsal-web[ray]'"
CLOSE_SECONDS = 10
MOST_TOLD = 200
"""Characters of the end of what Ray says of an actor that could not begin."""
TOLD = ("OPENAI_", "REHEARSE_PRICES")
"""How the variables begin that every actor is told, wherever it is."""
MARK = ".shared"


class RayMissing(RehearsalError, ValueError):
    """Ray is not installed."""


class NotShared(RehearsalError, ValueError):
    """A machine of the cluster does not see the run's folder."""


def check() -> None:
    """Raises `RayMissing` with what to install."""
    if importlib.util.find_spec("ray") is None:
        raise RayMissing(f"--engine ray needs Ray; {REMEDY}")


def run_on_ray(
    work: Sequence[EpisodeSpec],
    queue: Iterator[EpisodeSpec],
    run_context: RunContext,
    executor: ExecutorConfig,
    heard: OnRecord,
) -> None:
    """Hand jobs to actors, each as many as it keeps in flight.

    Raises `RayMissing`, `NoCluster`, `NotShared`, `WorkerLost`, and what an actor raised.
    """
    check()
    with cluster(executor.processes), signals.in_order(), _marked(run_context.run) as mark:
        pool = ActorPool(JobQueue(queue), _worker_setup(work, run_context, executor, mark))
        try:
            for _ in range(min(executor.processes, len(work))):
                pool.spawn()
            while any(pool.queue.in_flight.values()) or not pool.queue.spent:
                pool.hear(heard)
        finally:
            pool.shutdown()


@contextmanager
def _marked(run: Path) -> Iterator[str]:
    """A word in the run's folder by which an actor knows that it sees the same one."""
    mark = secrets.token_hex(8)
    (run / MARK).write_text(mark)
    try:
        yield mark
    finally:
        (run / MARK).unlink(missing_ok=True)


@dataclass(frozen=True)
class WorkerSetup:
    """What an actor is told before its first job.

    `folder` is what relative paths mean. Actors share no memory, so each keeps its part of the
    requests and tokens a minute (`rates`).
    """

    folder: Path
    mark: str
    environment: Mapping[str, str]
    sites: Sequence[str]
    run_context: RunContext
    executor: ExecutorConfig
    rates: tuple[float, float] | None


def _worker_setup(
    work: Sequence[EpisodeSpec], run_context: RunContext, executor: ExecutorConfig, mark: str
) -> WorkerSetup:
    model_source = run_context.model_source
    return WorkerSetup(
        Path.cwd(),
        mark,
        {name: value for name, value in os.environ.items() if name.startswith(TOLD)},
        sites(work),
        replace(run_context, model_source=replace(model_source, pace=None)),
        executor,
        model_source.pace.part(executor.processes) if model_source.pace else None,
    )


@dataclass
class ActorPool:
    """The actors; one that dies is replaced. One for which there is no room yet has no job."""

    queue: JobQueue[Any]
    orders: WorkerSetup
    calls: dict[Any, Any] = field(default_factory=dict)
    """Whose each call that is under way is."""
    opened: set[Any] = field(default_factory=set)

    def spawn(self) -> None:
        import ray

        most = self.orders.executor.concurrency + 1  # and one to close it
        actor = ray.remote(EpisodeActor).options(num_cpus=1, max_concurrency=most).remote()
        self.queue.enter(actor)
        self.calls[actor.open.remote(self.orders)] = actor

    def give(self, actor: Any) -> None:
        """Hand over the next job, if there is one."""
        spec = self.queue.take(actor)
        if spec is not None:
            self.calls[actor.play.remote(spec)] = actor

    def hear(self, heard: OnRecord) -> None:
        """Take an actor's answer. Raises what it raised, or `WorkerLost`."""
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
            self._begin(actor)
        else:
            self.queue.done(actor, answer.episode)
            heard(answer)
            self.give(actor)

    def _begin(self, actor: Any) -> None:
        self.opened.add(actor)
        for _ in range(self.orders.executor.concurrency):
            self.give(actor)

    def _replace(self, actor: Any, cause: str) -> None:
        import ray

        ray.kill(actor)  # it may only be out of reach, and must not write what another one plays
        self.calls = {call: whose for call, whose in self.calls.items() if whose != actor}
        told = "" if actor in self.opened else f" ({' '.join(cause.split())[-MOST_TOLD:]})"
        self.opened.discard(actor)
        self.queue.requeue(actor, told)
        self.spawn()

    def shutdown(self) -> None:
        """Let the actors close their browsers, then end them."""
        import ray

        closing = [actor.close.remote() for actor in self.opened]
        if closing:
            ray.wait(closing, num_returns=len(closing), timeout=CLOSE_SECONDS)
        for actor in self.queue.in_flight:
            ray.kill(actor)


class EpisodeActor:
    """An actor: a stage of its own, and the episodes that it is handed, some at once.

    What goes wrong is an answer like any other, and raised by whoever hears it.
    """

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self, orders: WorkerSetup) -> Exception | None:
        try:
            _enter_run_folder(orders)
            made = open_worker(orders.sites, _rate_limited(orders), orders.executor)
            self._environments, self._run_context = await self._stack.enter_async_context(made)
        except Exception as error:
            return error
        return None

    async def play(self, spec: EpisodeSpec) -> EpisodeRecord | Exception:
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
        """Nobody is left to hear of what is still under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()


def _enter_run_folder(orders: WorkerSetup) -> None:
    """Stand where the run was begun. Raises `NotShared`."""
    os.environ.update(orders.environment)
    seen = ""
    with suppress(OSError):
        os.chdir(orders.folder)
        seen = (orders.run_context.run / MARK).read_text()
    if seen != orders.mark:
        raise NotShared(
            f"{socket.gethostname()} does not see {orders.folder / orders.run_context.run};"
            " begin a run on a cluster in a folder that all its machines share, under the same path"
        )


def _rate_limited(orders: WorkerSetup) -> RunContext:
    if orders.rates is None:
        return orders.run_context
    return replace(
        orders.run_context,
        model_source=replace(orders.run_context.model_source, pace=RateLimit(*orders.rates)),
    )
