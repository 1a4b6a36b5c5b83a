"""A process that runs episodes in its environments, and retries infra errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from agent.llm.model_source import connections
from evaluators.episode.environment import EnvironmentPool, open_environments
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records.models import INFRA, EpisodeRecord
from evaluators.run import signals
from evaluators.run.config import ExecutorConfig

MOST_TRIES = 3
"""How often an episode that an infra error ended runs in all."""

OnRecord = Callable[[EpisodeRecord], None]


def run_here(
    work: Sequence[EpisodeSpec],
    queue: Iterator[EpisodeSpec],
    run_context: RunContext,
    executor: ExecutorConfig,
    on_record: OnRecord,
) -> None:
    """Run the episodes of the queue in this process, `concurrency` at a time."""
    try:
        asyncio.run(_run_all(work, queue, run_context, executor, on_record))
    except BaseExceptionGroup as group:
        raise first_error(group) from group


async def _run_all(
    work: Sequence[EpisodeSpec],
    queue: Iterator[EpisodeSpec],
    run_context: RunContext,
    executor: ExecutorConfig,
    on_record: OnRecord,
) -> None:
    with signals.graceful_stop():
        process = open_worker(sites(work), run_context, executor)
        async with process as (environments, context), asyncio.TaskGroup() as group:
            for _ in range(min(executor.concurrency, len(work))):
                group.create_task(_run_queue(queue, environments, context, on_record))


async def _run_queue(
    queue: Iterator[EpisodeSpec],
    environments: EnvironmentPool,
    run_context: RunContext,
    on_record: OnRecord,
) -> None:
    for spec in queue:
        on_record(await run_with_retry(spec, environments, run_context))


@asynccontextmanager
async def open_worker(
    sites: Sequence[str], run_context: RunContext, executor: ExecutorConfig
) -> AsyncIterator[tuple[EnvironmentPool, RunContext]]:
    """Open a process's environments, and its connection to a live model."""
    async with (
        connections(run_context.model_source) as live,
        open_environments(sites, headed=executor.headed, slow_ms=executor.slow_ms) as environments,
    ):
        yield environments, replace(run_context, live=live)


async def run_with_retry(
    spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext
) -> EpisodeRecord:
    """Run an episode; after an infra error that may not repeat, run it once more."""
    record = await run_episode(spec, environments, run_context)
    return await run_episode(spec, environments, run_context) if should_retry(record) else record


def should_retry(record: EpisodeRecord) -> bool:
    """Whether an infra error ended the episode that may not repeat; one of a recording would."""
    fault = record.ended == INFRA and record.cause != "cassette"
    return fault and record.tries < MOST_TRIES


def sites(work: Sequence[EpisodeSpec]) -> list[str]:
    return sorted({spec.scenario.split("/")[0] for spec in work})


def first_error(error: BaseException) -> BaseException:
    """The first error of a group of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
