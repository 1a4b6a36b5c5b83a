"""The folder of a run: the paths of its files, and the only code that reads and writes its
records.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from agent import plain_files
from evaluators.records import files
from evaluators.records.files import CorruptRecord
from evaluators.records.models import INFRA, EpisodeRecord, RunManifest, Summary
from rehearsal_errors import RehearsalError

Tables = Mapping[str, list[dict[str, Any]]]
EPISODE, MANIFEST, SUMMARY = files.EPISODE, "run.json", "summary.json"
EPISODES = "episodes"
UNLINK = "nothing of a run is read or written through links; remove it"


class BadFolderName(RehearsalError, ValueError):
    """The name of an agent or a family cannot be the name of a folder."""


def folder(run: Path, agent: str, family: str, seed: int, trial: int) -> Path:
    """Return the folder of an episode. Raise `BadFolderName` for a name that cannot name a
    folder.
    """
    return run / EPISODES / slug(agent) / f"{slug(family)}-{seed}" / str(trial)


def home(run: Path, record: EpisodeRecord) -> Path:
    """Return the folder of a recorded episode."""
    return folder(run, record.agent, record.family, record.seed, record.trial)


def homes(run: Path) -> list[Path]:
    """Return the folders of all episodes that were begun, sorted.

    Raises:
        CorruptRecord: A folder is a link.
    """
    found = [each for each in _folders(run) if each.name == EPISODES]
    for _ in range(files.FOLDERS - 1):
        found = [inner for each in found for inner in _folders(each)]
    return sorted(found)


def _folders(outer: Path) -> list[Path]:
    """Return the folders directly in `outer`. Raise `CorruptRecord` if any of them is a link."""
    if not outer.is_dir():
        return []
    with _reading(outer), os.scandir(outer) as entries:
        found = [each for each in entries if each.is_dir()]
    for each in found:
        if each.is_symlink():
            raise CorruptRecord(f"{each.path} is a link; {UNLINK}")
    return [outer / each.name for each in found]


def check_plain(run: Path) -> None:
    """Check a run's folder before writing to it.

    Raises:
        CorruptRecord: It contains a link or a special file, through which writes would go
            elsewhere.
    """
    with _reading(run):
        for folder, inner, names in os.walk(run):
            for path in (Path(folder, name) for name in (*inner, *names)):
                mode = path.lstat().st_mode
                if not plain_files.is_plain(mode):
                    raise CorruptRecord(f"{path} is {plain_files.kind(mode)}; {UNLINK}")


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Turn errors of listing a folder in this block into `CorruptRecord`."""
    try:
        yield
    except OSError as error:
        raise CorruptRecord(f"{folder}: {error.strerror}") from None


def key(place: Path) -> str:
    """Return an episode's name as addresses in the report encode it.

    Args:
        place: The episode's folder, relative to the run's.
    """
    return quote("/".join(place.parts[1:]), safe="/@=,:", errors="surrogateescape")


def attempt(home: Path, number: int) -> Path:
    """Return the path of the file with the database that an attempt left; attempts count from 1.

    The last attempt's file is `final_world.json` instead.
    """
    return home / files.ATTEMPT.format(number)


def slug(name: str) -> str:
    """Return a folder name for the name of an agent or a family; different names never share one.

    Raises:
        BadFolderName: The name is "", "." or "..".
    """
    if name in {"", ".", ".."}:
        raise BadFolderName(f"{name!r} cannot name a folder", "give it another name")
    return quote(name, safe=":@=,+ ")


def commit(home: Path, record: EpisodeRecord) -> None:
    """Write an episode's record after all its other files are on disk; it marks the episode as
    done.

    The checksums beside the record cover all its files, in the format of `sha256sum -c`.
    """
    data = files.json_bytes(record.to_json())
    found = {EPISODE: hashlib.sha256(data).hexdigest(), **files.sums(home)}
    files.write(home / files.SUMS, files.sum_lines(found), synced=False)
    files.sync(home)
    files.write(home / EPISODE, data)


def load_episode(home: Path) -> EpisodeRecord:
    """Return the record in an episode's folder.

    Raises:
        CorruptRecord: It cannot be read, or names another folder.
    """
    record = files.read(EpisodeRecord, home / EPISODE, files.FOLDERS)
    if not _names(record, home):
        raise CorruptRecord(
            f"{home / EPISODE}: agent, family, seed or trial is not that of its folder;"
            f" {files.REMEDY}"
        )
    return record


def _names(record: EpisodeRecord, home: Path) -> bool:
    """Return whether a record belongs to the episode with this folder."""
    try:
        named = folder(Path(), record.agent, record.family, record.seed, record.trial)
    except BadFolderName:
        return False
    return named.parts[1:] == home.parts[-3:]


def is_done(home: Path) -> bool:
    """Return whether an episode is done: its record has been written."""
    return os.path.lexists(home / EPISODE)


def found(run: Path) -> list[tuple[Path, EpisodeRecord]]:
    """Return the folder and the record of each finished episode of a run, in a fixed order.

    Raises:
        CorruptRecord: The manifest or a record cannot be read.
    """
    load_manifest(run)
    made = [(each, load_episode(each)) for each in homes(run) if is_done(each)]
    return sorted(made, key=lambda each: each[1].order)


def checked(run: Path) -> list[tuple[Path, EpisodeRecord]]:
    """Return (folder, record) of each finished episode of a run, in a fixed order.

    Raises:
        CorruptRecord: A file cannot be read, or is not as it was recorded.
    """
    made = found(run)
    for home, record in made:
        for name in changed(home, record):
            raise CorruptRecord(files.not_recorded(home / name))
    return made


def changed(home: Path, record: EpisodeRecord) -> list[str]:
    """Return the names of a finished episode's files that are not as they were recorded.

    An episode that an infrastructure error ended may be running again, so only its record is
    checked.

    Raises:
        CorruptRecord: A file is a link, or cannot be read.
    """
    names = files.changed(home, files.sums(home, EPISODE))
    return [each for each in names if record.ended != INFRA or each in {EPISODE, files.SUMS}]


def episodes(run: Path) -> Iterator[EpisodeRecord]:
    """Return an iterator over the records of a run's finished episodes, in a fixed order.

    Raises `CorruptRecord` if a record is unreadable.
    """
    return (record for _, record in found(run))


def load_manifest(run: Path) -> RunManifest:
    """Return a run's `run.json`. Raise `CorruptRecord` if it cannot be read."""
    return files.read(RunManifest, run / MANIFEST)


def save_manifest(run: Path, manifest: RunManifest) -> None:
    """Write a run's `run.json`."""
    files.save(run / MANIFEST, manifest.to_json())


def save_summary(run: Path, summary: Summary) -> None:
    """Write a run's `summary.json`."""
    files.save(run / SUMMARY, summary.to_json())


def worlds(home: Path, record: EpisodeRecord) -> list[dict[str, list[dict[str, Any]]]]:
    """Return the tables of the database that each attempt of a scored episode left, the last one
    last.
    """
    return [load_world(home / name) for name in world_names(record)]


def world_names(record: EpisodeRecord) -> list[str]:
    """Return the names of the files with the databases that an episode's attempts left."""
    earlier = (files.ATTEMPT.format(number) for number in range(1, len(record.attempts)))
    return [*earlier, "final_world.json"]


def load_world(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return a recorded database's tables by name. Raise `CorruptRecord` if it cannot be read."""
    tables = files.load(path, files.FOLDERS)
    for name, rows in tables.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise CorruptRecord(f"{path}: {name!r} is no table; run the episode again")
    return tables
