"""The folder of a run: where its files lie, and the one place that reads and writes its records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evaluators.records import files
from evaluators.records.files import CorruptRecord
from evaluators.records.models import EpisodeRecord, RunManifest, Summary

Tables = Mapping[str, list[dict[str, Any]]]
EPISODE, MANIFEST, SUMMARY = "episode.json", "run.json", "summary.json"


def folder(run: Path, agent: str, family: str, seed: int, trial: int) -> Path:
    return run / "episodes" / slug(agent) / f"{family}-{seed}" / str(trial)


def home(run: Path, record: EpisodeRecord) -> Path:
    """The folder of an episode that was recorded."""
    return folder(run, record.agent, record.family, record.seed, record.trial)


def homes(run: Path) -> list[Path]:
    """The folders of all episodes that were begun, sorted."""
    return sorted(path for path in (run / "episodes").glob("*/*/*") if path.is_dir())


def key(place: Path) -> str:
    """How the report's address names an episode; `place` is its folder within the run."""
    return quote("/".join(place.parts[1:]), safe="/@=,:", errors="surrogateescape")


def attempt(home: Path, number: int) -> Path:
    """Where an episode keeps the world that an attempt left, from 1; the last one's is final."""
    return home / files.ATTEMPT.format(number)


def slug(agent: str) -> str:
    """An agent's name as the name of a folder; two names never share one."""
    return quote(agent, safe=":@=,+ ")


def commit(home: Path, record: EpisodeRecord) -> None:
    """Write an episode's record once its other files are on disk: with it the episode is done.

    The checksums beside it are of all its files, in the format of `sha256sum -c`.
    """
    data = files.json_bytes(record.to_json())
    found = {EPISODE: hashlib.sha256(data).hexdigest(), **files.sums(home)}
    files.write(home / files.SUMS, files.sum_lines(found), synced=False)
    files.sync(home)
    files.write(home / EPISODE, data)


def load_episode(home: Path) -> EpisodeRecord:
    """Raises `CorruptRecord`."""
    return files.read(EpisodeRecord, home / EPISODE)


def is_done(home: Path) -> bool:
    """Whether an episode's record was written."""
    return (home / EPISODE).exists()


def episodes(run: Path) -> Iterator[EpisodeRecord]:
    """The finished episodes of a run, in a fixed order. Raises `CorruptRecord`."""
    load_manifest(run)
    found = [load_episode(each) for each in homes(run) if is_done(each)]
    yield from sorted(found, key=lambda each: each.order)


def load_manifest(run: Path) -> RunManifest:
    """Raises `CorruptRecord`."""
    return files.read(RunManifest, run / MANIFEST)


def save_manifest(run: Path, manifest: RunManifest) -> None:
    files.save(run / MANIFEST, manifest.to_json())


def load_summary(run: Path) -> Summary:
    """Raises `CorruptRecord`."""
    return files.read(Summary, run / SUMMARY)


def save_summary(run: Path, summary: Summary) -> None:
    files.save(run / SUMMARY, summary.to_json())


def worlds(home: Path, record: EpisodeRecord) -> list[dict[str, list[dict[str, Any]]]]:
    """The worlds that the attempts of a scored episode left, the last one the end."""
    return [load_world(home / name) for name in world_names(record)]


def world_names(record: EpisodeRecord) -> list[str]:
    """The files of these worlds."""
    earlier = (files.ATTEMPT.format(number) for number in range(1, len(record.attempts)))
    return [*earlier, "final_world.json"]


def load_world(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The tables of a world that was kept. Raises `CorruptRecord`."""
    tables = files.load(path)
    for name, rows in tables.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise CorruptRecord(f"{path}: {name!r} is no table; run the episode again")
    return tables
