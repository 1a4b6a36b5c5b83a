"""One process that plays: its stage, its connections, and a fault of ours tried once more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from agent.llm.voices import connections
from evaluators import records, stopping
from evaluators.episode import run_episode
from evaluators.manpower import Manpower
from evaluators.play import Job, Terms
from evaluators.stage import Stage, open_stage

MOST_TRIES = 3
"""How often an episode that ended by a fault of ours is played in all."""

Heard = Callable[[dict[str, Any]], None]


def play_here(
    work: Sequence[Job], queue: Iterator[Job], terms: Terms, manpower: Manpower, heard: Heard
) -> None:
    """Play the jobs of the queue in this process, `concurrency` at a time."""
    try:
        asyncio.run(_perform(work, queue, terms, manpower, heard))
    except BaseExceptionGroup as group:
        raise leaf(group) from group


async def _perform(
    work: Sequence[Job], queue: Iterator[Job], terms: Terms, manpower: Manpower, heard: Heard
) -> None:
    with stopping.in_order():
        process = ready(sites(work), terms, manpower)
        async with process as (stage, ours), asyncio.TaskGroup() as group:
            for _ in range(min(manpower.concurrency, len(work))):
                group.create_task(_player(queue, stage, ours, heard))


async def _player(queue: Iterator[Job], stage: Stage, terms: Terms, heard: Heard) -> None:
    for job in queue:
        heard(await once_more(job, stage, terms))


@asynccontextmanager
async def ready(
    sites: Sequence[str], terms: Terms, manpower: Manpower
) -> AsyncIterator[tuple[Stage, Terms]]:
    """A process's stage, and the terms with its connections to a live model."""
    async with (
        connections(terms.voice) as live,
        open_stage(sites, headed=manpower.headed, slow_ms=manpower.slow_ms) as stage,
    ):
        yield stage, replace(terms, live=live)


async def once_more(job: Job, stage: Stage, terms: Terms) -> dict[str, Any]:
    """A fault of ours is tried once more at once; a fault of a recording would only repeat."""
    record = await run_episode(job, stage, terms)
    return await run_episode(job, stage, terms) if again(record) else record


def again(record: Mapping[str, Any]) -> bool:
    """Whether an episode ended by a fault of ours that may not come again."""
    fault = record["ended"] == records.INFRA and record["cause"] != "cassette"
    return bool(fault and record["tries"] < MOST_TRIES)


def sites(work: Sequence[Job]) -> list[str]:
    return sorted({job.scenario.split("/")[0] for job in work})


def leaf(error: BaseException) -> BaseException:
    """The first error of a group of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
