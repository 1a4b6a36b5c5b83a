"""A worker: a process that runs episodes in its environments and retries infrastructure errors."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from agent.browser.faults import NotInThisLane
from agent.llm.model_source import connections
from agent.llm.recording.cassette import CassetteFault
from evaluators.episode.environment import EnvironmentPool, open_environments
from evaluators.episode.isolated import Isolation
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.episode.termination import FAULTS, ClientGone, described
from evaluators.records.models import INFRA, EpisodeRecord
from evaluators.run import catalogues, event_loop, signals
from evaluators.run.config import ExecutorConfig
from evaluators.run.job_queue import Backlog
from rehearsal_errors import RehearsalError, RunFailed

CLIENT = FAULTS[ClientGone]
LASTING = {FAULTS[CassetteFault], FAULTS[NotInThisLane]}
"""Causes that end every try of an episode."""
MOST_TRIES = 3
"""The most times that an episode runs if infrastructure errors end it.

An episode may run more often if its client never saw the task.
"""


class StrictError(RunFailed):
    """An agent of the user's own raised an exception in a run that stops at the first."""


OnRecord = Callable[[EpisodeRecord], None]


@dataclass(frozen=True)
class WorkerSetup:
    """The data that a worker process needs before its first episode.

    `asks` says whether any agent has prompts, so that it will call a model.
    """

    sites: Sequence[str]
    run_context: RunContext
    executor: ExecutorConfig
    asks: bool = False


@dataclass(frozen=True)
class Batch:
    """Episodes to run, with the setup of the workers; `on_record` gets each episode's record."""

    setup: WorkerSetup
    backlog: Backlog
    on_record: OnRecord


def run_here(batch: Batch) -> None:
    """Run the episodes in this process, `concurrency` at a time."""
    try:
        event_loop.run(_run_all(batch))
    except BaseExceptionGroup as group:
        raise first_error(group) from group


async def _run_all(batch: Batch) -> None:
    with signals.graceful_stop(_leave(batch.setup.run_context)):
        process = open_worker(batch.setup)
        async with process as (environments, context), asyncio.TaskGroup() as group:
            for _ in range(min(batch.setup.executor.concurrency, len(batch.backlog))):
                group.create_task(_run_queue(batch, environments, context))


def _leave(context: RunContext) -> Callable[[], object] | None:
    """Return the handler of the first signal to stop a run with a client outside, or None without a
    client.

    A client sends a signal to a server that is slow to end. The handler disconnects the client, and
    the open episode is scored as the client left it.
    """
    if context.client is None:
        return None
    return partial(asyncio.get_running_loop().call_soon_threadsafe, context.client.hang_up)


async def _run_queue(batch: Batch, environments: EnvironmentPool, context: RunContext) -> None:
    spec = None
    while await _is_wanted(batch, context) and (spec := batch.backlog.take(after=spec)):
        batch.on_record(await run_with_retry(spec, environments, context))


async def _is_wanted(batch: Batch, context: RunContext) -> bool:
    """Return whether another episode should begin; an outside client begins episodes by asking."""
    if context.client and len(batch.backlog):
        return await context.client.wants_task()
    return True


@asynccontextmanager
async def open_worker(setup: WorkerSetup) -> AsyncIterator[tuple[EnvironmentPool, RunContext]]:
    """Open a process's environments and, for a live model, its connections.

    Yields:
        The environments, and the run context completed with the connections and the isolation.
    """
    context, look = setup.run_context, setup.executor
    if setup.asks:  # import the client's package early: the first request would wait for it
        asyncio.get_running_loop().run_in_executor(None, importlib.import_module, "openai")
    with catalogues.opened(context.catalogue):
        async with (
            connections(context.model_source) as live,
            open_environments(setup.sites, context.gym_python, **look.shown) as environments,
        ):
            isolation = Isolation(context.prompts, (context.folder,)) if context.isolate else None
            try:
                yield environments, replace(context, live=live, isolation=isolation)
            finally:
                if isolation is not None:
                    isolation.close()


async def run_with_retry(
    spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext
) -> EpisodeRecord:
    """Run an episode, and run it again after an infrastructure error that may be temporary.

    It is not run again at once if the client that decides has gone.

    Args:
        spec: The agent, the scenario and the trial.
        environments: The sites and the browser of this process.
        run_context: The settings and connections that all episodes of the run share.

    Returns:
        The record of the last try.

    Raises:
        StrictError: The run is strict, and the agent's own file raised an exception.
    """
    try:
        record = await _once(spec, environments, run_context)
    except Exception as error:
        if run_context.strict and (line := _of_own_file(error, spec)):
            raise StrictError(line, "without --strict the trace keeps the traceback") from error
        raise
    if should_retry(record) and record.cause != CLIENT:
        record = await _once(spec, environments, run_context)
    return record


async def _once(
    spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext
) -> EpisodeRecord:
    if run_context.offline is not None:
        return await run_context.offline.run(spec, run_context)
    return await run_episode(spec, environments, run_context)


def _of_own_file(error: Exception, spec: EpisodeSpec) -> str:
    """Return one line about an exception that the user's own file raised, with the place in this
    file; "" for any other exception.
    """
    text, _ = described(error, spec.agent.path)
    is_own = text.startswith(f"{Path(spec.agent.path).name}:")
    return f"{spec.name}: {text}" if is_own and not isinstance(error, RehearsalError) else ""


def should_retry(record: EpisodeRecord) -> bool:
    """Return whether an infrastructure error ended the episode and another try may succeed.

    A missing recording would fail again, and so would a page that the lane cannot show. A task that
    its client did not see is retried without limit, so that a client cannot skip a task by hanging
    up.
    """
    fault = record.ended == INFRA and record.cause not in LASTING
    return fault and (record.cause == CLIENT or record.tries < MOST_TRIES)


def first_error(error: BaseException) -> BaseException:
    """Return the first exception in nested exception groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
