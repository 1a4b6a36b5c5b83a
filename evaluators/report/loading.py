"""Read a run for its report: what can be read of each episode, and a line per unreadable file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from agent.llm.recording.cassette import Cassette, CassetteAbsent, CassetteFault
from evaluators.records import run_folder
from evaluators.records.files import FOLDERS, SUMS, CorruptRecord, not_recorded
from evaluators.records.models import EpisodeRecord, RunManifest
from evaluators.records.run_folder import Tables
from evaluators.records.run_plan import RunPlan
from evaluators.records.trace_events import TraceEvent, read_trace
from evaluators.run.run_lock import running_since

Value = TypeVar("Value")


@dataclass(frozen=True)
class LoadedEpisode:
    """An episode for the report, with the content of all files that can be read.

    `place` is its folder within the run; `faults` has a line for each file that cannot be read.
    """

    place: Path
    record: EpisodeRecord | None
    trace: tuple[TraceEvent, ...] = ()
    cassette: Cassette | None = None
    world: Tables = field(default_factory=dict)
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """A run for the report.

    Attributes:
        folder: Its folder.
        manifest: Its manifest.
        episodes: Its episodes that have ended.
        begun: The number of episodes that were begun and have no record: they are under way, or
            were interrupted and are to be run again.
        is_running: Whether a process is running the run.
    """

    folder: Path
    manifest: RunManifest
    episodes: tuple[LoadedEpisode, ...]
    begun: int = 0
    is_running: bool = False

    @property
    def missing(self) -> int:
        """The number of episodes that the run is to have and that have not ended."""
        return max(0, RunPlan(self.manifest).episodes - len(self.episodes))

    @property
    def records(self) -> list[EpisodeRecord]:
        """The records of the run's episodes that can be read."""
        return [each.record for each in self.episodes if each.record is not None]


def read(folder: Path) -> Run:
    """Read a run's folder. Raise `CorruptRecord` if it has no readable `run.json`."""
    manifest = run_folder.load_manifest(folder)
    is_running = running_since(folder) is not None
    homes = run_folder.homes(folder)
    ended = [home for home in homes if run_folder.is_done(home)]
    found = sorted((_episode(folder, home) for home in ended), key=_order)
    return Run(folder, manifest, tuple(found), len(homes) - len(ended), is_running)


def _order(episode: LoadedEpisode) -> tuple[Any, ...]:
    """Return the sort key of an episode: the order of `run_folder.episodes`, then those without a
    record.
    """
    record = episode.record
    return (1, str(episode.place)) if record is None else (0, *record.order)


def _episode(run: Path, home: Path) -> LoadedEpisode:
    faults: list[str] = []
    record = _try(partial(run_folder.load_episode, home), run, faults)
    trace = _try(partial(_trace, home / "trace.jsonl", run, faults), run, faults) or ()
    cassette = _try(partial(_cassette, home / "llm.jsonl", record), run, faults)
    world = _try(partial(run_folder.load_world, home / "final_world.json"), run, faults) or {}
    if record and not _is_recorded(home, run, record, faults):
        record = None
    return LoadedEpisode(home.relative_to(run), record, trace, cassette, world, tuple(faults))


def _is_recorded(home: Path, run: Path, record: EpisodeRecord, faults: list[str]) -> bool:
    """Return whether an episode's record is as it was written.

    Each changed file of the episode adds a line to `faults`, unless it has one.
    """
    changed = _try(partial(run_folder.changed, home, record), run, faults)
    for name in changed or []:
        if not any(f"/{name}" in fault for fault in faults):
            faults.append(_in_one_line(not_recorded(home / name), run))
    return changed is not None and not {run_folder.EPISODE, SUMS} & {*changed}


def _try(get: Callable[[], Value], run: Path, faults: list[str]) -> Value | None:
    """Return the result of `get`, or add a line to `faults` if a file cannot be read."""
    try:
        return get()
    except (OSError, CorruptRecord, CassetteFault) as error:
        faults.append(_in_one_line(str(error), run))
        return None


def _in_one_line(message: str, run: Path) -> str:
    """Return the message in one line, with paths relative to the run's folder."""
    return " ".join(message.replace(f"{run}/", "").split())


def _trace(path: Path, run: Path, faults: list[str]) -> tuple[TraceEvent, ...]:
    """Return the events of a trace; lines that cannot be read go to `faults`."""
    events, wrong = read_trace(path)
    faults += [_in_one_line(each, run) for each in wrong]
    return tuple(events)


def _cassette(path: Path, record: EpisodeRecord | None) -> Cassette | None:
    """Return the recorded model calls, or None if no model was called."""
    try:
        return Cassette.read(path, FOLDERS)
    except CassetteAbsent:
        if record and record.llm_calls:
            message = f"{path} is missing, so that the prompts are not shown"
            raise CorruptRecord(message) from None
        return None
