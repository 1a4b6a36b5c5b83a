"""Follow a run in progress: each reading of its folder takes only the changes since the last
reading.

Folders are listed again, and records read again, only if their times have changed. Of the recording
of an episode in progress only the appended part is read.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from agent import plain_files
from agent.llm import completion, prices
from evaluators.records import files, run_folder
from evaluators.records.files import CorruptRecord
from evaluators.records.models import EpisodeRecord, RunManifest
from evaluators.run.run_lock import running_since

RECORDING = "llm.jsonl.part"
"""The name of an episode's recording in progress (`agent.llm.recording.cassette`)."""
SETTLED_NS = 10**9
"""The age, in nanoseconds, below which a file may change again without a new modification time."""


@dataclass(frozen=True)
class EpisodeUnderWay:
    """An episode in progress, as its recording shows it. Times are seconds since the epoch."""

    key: str
    agent: str
    scenario: str
    trial: int
    since: float
    speaker: str = ""
    calls: int = 0
    purpose: str = ""
    tokens: int = 0
    cost_usd: float | None = 0.0
    replied_at: float | None = None


@dataclass(frozen=True)
class Finished:
    """A finished episode: its record, and the time when it ended, in seconds since the epoch."""

    key: str
    record: EpisodeRecord
    at: float


@dataclass(frozen=True)
class RunSoFar:
    """The present state of a run, as a reading of its folder found it.

    `begun_at` is when the process of the run began, None if no process is running it.
    `unreadable` has a line for each record that cannot be read.
    """

    manifest: RunManifest
    finished: tuple[Finished, ...] = ()
    under_way: tuple[EpisodeUnderWay, ...] = ()
    unreadable: tuple[str, ...] = ()
    begun_at: float | None = None

    @cached_property
    def records(self) -> list[EpisodeRecord]:
        """The records of the finished episodes, in a fixed order."""
        return sorted((each.record for each in self.finished), key=lambda each: each.order)


class LiveRun:
    """Follows a run's folder. Raises `CorruptRecord` if it has no readable `run.json`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._manifest = run_folder.load_manifest(folder)
        self._begun = 0
        self._listed: dict[Path, tuple[int, list[Path]]] = {}
        self._homes: dict[Path, _Home] = {}

    def look(self) -> RunSoFar:
        """Read what has changed in the folder, and return the present state of the run."""
        self._look_at_manifest()
        begun_at = running_since(self.folder)
        homes = [self._homes.setdefault(path, _Home(path)) for path in self._paths()]
        for home in homes:
            home.look()
        active = [home for home in homes if home.is_open and home.is_active(begun_at)]
        return RunSoFar(
            self._manifest,
            tuple(each.finished for each in homes if each.finished and each not in active),
            tuple(each.under_way for each in active),
            tuple(each.fault for each in homes if each.fault),
            begun_at,
        )

    def _look_at_manifest(self) -> None:
        """Read `run.json` again if it has changed: a run may grow."""
        changed = _changed(self.folder / run_folder.MANIFEST)
        if changed != self._begun or not _settled(changed):
            self._manifest, self._begun = run_folder.load_manifest(self.folder), changed

    def _paths(self) -> Iterator[Path]:
        for agent in self._folders(self.folder / "episodes"):
            for scenario in self._folders(agent):
                yield from self._folders(scenario)

    def _folders(self, path: Path) -> list[Path]:
        """Return the folders in a folder; list it again only if its modification time has
        changed.
        """
        changed = _changed(path)
        known = self._listed.get(path)
        if known is None or known[0] != changed or not _settled(changed):
            found = [each for each in path.iterdir() if _is_folder(each)] if changed else []
            known = self._listed[path] = changed, sorted(found)
        return known[1]


class _Home:
    """The folder of an episode, which is read again only if it has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.finished: Finished | None = None
        self.fault = ""
        self._changed = 0
        self._recorded = 0
        self._recording = _Recording(path / RECORDING)

    def look(self) -> None:
        changed = _changed(self.path)
        if changed != self._changed or not _settled(changed):
            self._changed = changed
            self._look_at_record()
        if self.is_open:
            self._recording.read()

    @property
    def is_open(self) -> bool:
        """Whether the episode has no record yet, or is being run again."""
        return not (self.finished or self.fault) or self._recording.path.exists()

    def is_active(self, begun_at: float | None) -> bool:
        """Return whether a process that began at this time is running the episode.

        A folder without changes since then belongs to an earlier process.
        """
        last = max(_changed(self.path), _changed(self._recording.path))
        return begun_at is not None and last >= begun_at * 1e9

    @property
    def under_way(self) -> EpisodeUnderWay:
        agent, scenario, trial = self.path.parts[-3:]
        family, _, seed = scenario.rpartition("-")
        place = Path(*self.path.parts[-4:])
        return EpisodeUnderWay(
            run_folder.key(place),
            unquote(agent),
            f"{family}/{seed}",
            int(trial) if trial.isdigit() else 0,
            self._changed / 1e9 if self._recording.since is None else self._recording.since,
            **self._recording.facts,
        )

    def _look_at_record(self) -> None:
        path = self.path / run_folder.EPISODE
        recorded = _changed(path)
        if recorded == self._recorded:
            return
        self._recorded, self.fault = recorded, ""
        try:
            key = run_folder.key(Path(*self.path.parts[-4:]))
            record = run_folder.load_episode(self.path)
            for name in run_folder.changed(self.path, record):
                raise CorruptRecord(files.not_recorded(self.path / name))
            self.finished = Finished(key, record, recorded / 1e9)
        except CorruptRecord as error:
            self.finished, self.fault = None, str(error)


@dataclass
class _Recording:
    """The recorded calls of an episode in progress; each read takes only the appended part."""

    path: Path
    facts: dict[str, Any] = field(default_factory=dict)
    since: float | None = None
    _file: int = 0
    _read: int = 0
    _rest: bytes = b""

    def read(self) -> None:
        try:
            with plain_files.opened(self.path, files.FOLDERS) as file:
                self._begin(os.fstat(file.fileno()).st_ino, file.seek(0, 2))
                file.seek(self._read)
                data = file.read(plain_files.MOST)
        except OSError:
            self._begin(0, 0)
            return
        self._read += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError):
                self._take(json.loads(line))  # a line of our own recording always can be read

    def _begin(self, file: int, size: int) -> None:
        """Reset the state if the file has been replaced or begun again since the last reading."""
        if file != self._file or size < self._read:
            self._file, self._read, self._rest = file, 0, b""
            self.facts, self.since = {}, None

    def _take(self, line: dict[str, Any]) -> None:
        if line["kind"] == "header":
            self.since = _changed(self.path) / 1e9
            self.facts = {"speaker": line["speaker"]}
        elif line["kind"] == "call":
            usage, known = completion.usage(line["reply"]), self.facts
            cost, dollars = known.get("cost_usd", 0.0), prices.cost(known["speaker"], usage)
            self.facts = known | {
                "calls": known.get("calls", 0) + 1,
                "purpose": line["purpose"],
                "tokens": known.get("tokens", 0) + (usage.prompt or 0) + (usage.completion or 0),
                "cost_usd": None if cost is None or dollars is None else cost + dollars,
                "replied_at": _changed(self.path) / 1e9,
            }


def _changed(path: Path) -> int:
    """Return when a file or a folder last changed, in nanoseconds; 0 if it does not exist."""
    try:
        return path.lstat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _is_folder(path: Path) -> bool:
    """Return whether this is a folder and not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except FileNotFoundError:
        return False


def _settled(changed: int) -> bool:
    return time.time_ns() - changed > SETTLED_NS
