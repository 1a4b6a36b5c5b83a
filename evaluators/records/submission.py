"""A run in one file, to be handed in: JSON lines, the run's manifest first, then its episodes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import JsonValue, TypeAdapter, ValidationError

from evaluators.records import files, run_folder
from evaluators.records.models import EpisodeRecord, Record, RunManifest
from rehearsal_errors import RehearsalError

NAME = "submission.jsonl"
REMEDY = "make it anew by rehearse export RUN"
Model = TypeVar("Model", bound=Record)


class BadSubmission(RehearsalError, ValueError):
    """A file that is no submission; names the line and what is wrong there."""


class SubmissionHead(Record):
    """The first line. `run` is the run's `run.json`, without the paths of one's own methods."""

    submission: Literal[1]
    run: RunManifest


class SubmittedEpisode(Record):
    """A further line. `worlds` are what the attempts left, the last one the end; empty where the
    episode is not scored. `files` has the SHA-256 of all files of the episode, by name."""

    episode: EpisodeRecord
    worlds: tuple[dict[str, list[dict[str, JsonValue]]], ...]
    files: dict[str, str]


LINE: TypeAdapter[SubmissionHead | SubmittedEpisode] = TypeAdapter(
    SubmissionHead | SubmittedEpisode
)
"""Any line."""


def export(run: Path, out: Path) -> int:
    """Write the finished episodes of a run to `out`; returns how many. Raises `CorruptRecord`,
    `NotWritten`."""
    manifest = run_folder.load_manifest(run)
    settings = manifest.config.model_copy(update={"agent_files": {}})
    head = SubmissionHead(
        submission=1, run=manifest.model_copy(update={"run": run.name, "config": settings})
    )
    submitted = [_submitted(home, record) for home, record in run_folder.checked(run)]
    files.write(out, b"".join(map(_line, [head, *submitted])))
    return len(submitted)


def _submitted(home: Path, record: EpisodeRecord) -> SubmittedEpisode:
    return files.parse(
        SubmittedEpisode,
        {
            "files": files.check(home),
            "episode": record.to_json(),
            "worlds": run_folder.worlds(home, record) if record.is_scored else [],
        },
    )


def _line(record: Record) -> bytes:
    return f"{record.model_dump_json()}\n".encode()


def read(path: Path) -> tuple[RunManifest, Iterator[SubmittedEpisode]]:
    """The manifest and, as they are asked for, the episodes. Raises `BadSubmission`."""
    lines = enumerate(_lines(path), start=1)
    for number, line in lines:
        head = _parsed(SubmissionHead, path, number, line)
        return head.run, (_parsed(SubmittedEpisode, path, *numbered) for numbered in lines)
    raise BadSubmission(f"{path} is empty", REMEDY)


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise BadSubmission(f"{path}: {error.strerror or error}", REMEDY) from None


def _parsed(model: type[Model], path: Path, number: int, line: bytes) -> Model:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        found = files.first_error(error)
        raise BadSubmission(f"{path}, line {number}: {found}", REMEDY) from None
