"""Recorded episodes, replayed several at a time: each waits for its pages most of the time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from agent.llm.recording.cassette import Cassette
from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records.models import EpisodeRecord

AT_ONCE = 3
MOST = 6
NONE: Mapping[Path, str] = {}


def groups(folder: Path, recorded: Iterable[Path], depth: int) -> dict[str, list[Path]]:
    """Recordings by the names of the folders around them, to a depth; `MOST` at most each."""

    def name(path: Path) -> str:
        return "-".join(path.relative_to(folder).parts[:depth])

    found = {each: [*paths] for each, paths in groupby(sorted(recorded), name)}
    return {
        f"{each}-{at // MOST}": paths[at : at + MOST]
        for each, paths in found.items()
        for at in range(0, len(paths), MOST)
    }


async def replay(
    specs: Sequence[EpisodeSpec], environments: EnvironmentPool, run_context: RunContext
) -> list[EpisodeRecord]:
    """The episodes as they are played from their recordings, in their order."""
    free = asyncio.Semaphore(AT_ONCE)

    async def replayed(spec: EpisodeSpec) -> EpisodeRecord:
        async with free:
            return await run_episode(spec, environments, run_context)

    return await asyncio.gather(*map(replayed, specs))


def differences(
    paths: Sequence[Path], records: Sequence[EpisodeRecord], lost: Mapping[Path, str] = NONE
) -> dict[str, str]:
    """What is wrong, by recordings: each episode succeeds, with all requests of its recording.

    Those that were `lost` fail, and end as this mapping says.
    """
    found = {}
    for path, record in zip(paths, records, strict=True):
        asked, calls = record.llm_calls, len(Cassette.read(path).calls)
        wanted = (lost.get(path, "answered"), path not in lost, calls)
        if (record.ended, record.success, asked) != wanted:
            found[str(path)] = f"{record.ended}, {asked} requests of {calls}: {record.error}"
    return found
