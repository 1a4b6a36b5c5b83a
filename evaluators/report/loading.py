"""Read a run for its report: what can be read of each episode, and a line for what cannot."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from agent.llm.recording.cassette import Cassette, CassetteAbsent, CassetteFault
from evaluators.records import run_folder
from evaluators.report.progress_curves import progress_curves
from evaluators.report.spending import spendings

BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What the reading of a record of another shape raises."""

Value = TypeVar("Value")
Line = tuple[int, dict[str, Any]]
"""A line of a trace with its number, from 1."""
Tables = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class LoadedEpisode:
    """What one episode left. `place` is its folder within the run; `faults` are one line each."""

    place: Path
    record: Mapping[str, Any] | None
    trace: tuple[Line, ...] = ()
    cassette: Cassette | None = None
    world: Tables = field(default_factory=dict)
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """A run's folder as read: `about` is its run.json."""

    folder: Path
    about: Mapping[str, Any]
    episodes: tuple[LoadedEpisode, ...]

    @property
    def records(self) -> list[Mapping[str, Any]]:
        """The records that can be summed up."""
        return [each.record for each in self.episodes if each.record is not None]


def read(folder: Path) -> Run:
    """Raises `records.CorruptRecord` where there is no readable `run.json`."""
    about = run_folder.load(folder / "run.json")
    homes = sorted(path for path in (folder / "episodes").glob("*/*/*") if path.is_dir())
    return Run(folder, about, tuple(sorted((_episode(folder, home) for home in homes), key=_order)))


def _order(kept: LoadedEpisode) -> tuple[Any, ...]:
    """As in `records.episodes`; what has no record comes last."""
    record = kept.record
    if record is None:
        return (1, str(kept.place))
    return (0, *(record[key] for key in ("agent", "site", "family", "seed", "trial")))


def _episode(run: Path, home: Path) -> LoadedEpisode:
    faults: list[str] = []
    record: Mapping[str, Any] | None = None
    trace: tuple[Line, ...] = ()
    cassette: Cassette | None = None
    world: Tables = {}
    record = _try(partial(_record, home / "episode.json"), record, run, faults)
    trace = _try(partial(_trace, home / "trace.jsonl", run, faults), trace, run, faults)
    cassette = _try(partial(_cassette, home / "llm.jsonl", record), cassette, run, faults)
    world = _try(partial(_world, home / "final_world.json"), world, run, faults)
    return LoadedEpisode(home.relative_to(run), record, trace, cassette, world, tuple(faults))


def _try(get: Callable[[], Value], default: Value, run: Path, faults: list[str]) -> Value:
    try:
        return get()
    except (OSError, ValueError, CassetteFault) as error:
        faults.append(_told(error, run))
        return default


def _told(error: Exception, run: Path) -> str:
    """One line, with paths from the run's folder on."""
    return " ".join(str(error).replace(f"{run}/", "").split())


def _record(path: Path) -> Mapping[str, Any]:
    """A record that can be put in order and summed up."""
    record = run_folder.load(path)
    try:
        for name, kind in _KINDS.items():
            if not isinstance(record[name], kind):
                raise TypeError(f"{name!r} is {record[name]!r}")
        run_folder.summary("", [record])
        progress_curves([record])
        spendings([record])
    except BROKEN as error:
        lack = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        advice = "delete its folder and resume the run"
        raise run_folder.CorruptRecord(f"{path}: {lack}; {advice}") from None
    return record


_KINDS = {"agent": str, "site": str, "family": str, "seed": int, "trial": int}


def _trace(path: Path, run: Path, faults: list[str]) -> tuple[Line, ...]:
    """The lines that can be read. A line ends in a line feed and in nothing else."""
    lines = []
    for number, data in enumerate(path.read_bytes().split(b"\n"), start=1):
        if data:
            try:
                lines.append((number, _object(data)))
            except ValueError as error:
                faults.append(_told(ValueError(f"{path}, line {number}: {error}"), run))
    return tuple(lines)


def _object(data: bytes) -> dict[str, Any]:
    value = json.loads(data)
    if not isinstance(value, dict) or "kind" not in value:
        raise ValueError("not a line of a trace")
    return value


def _cassette(path: Path, record: Mapping[str, Any] | None) -> Cassette | None:
    """The calls; none where no model was asked."""
    try:
        return Cassette.read(path)
    except CassetteAbsent:
        if record and record["llm_calls"]:
            raise ValueError(f"{path} is missing, so that the prompts are not shown") from None
        return None


def _world(path: Path) -> Tables:
    tables = run_folder.load(path)
    for name, rows in tables.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ValueError(f"{path}: {name!r} is no table")
    return tables
