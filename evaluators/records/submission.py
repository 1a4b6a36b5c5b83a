"""A run exported to one file: JSON lines, with the run's manifest first and then its episodes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import JsonValue, TypeAdapter, ValidationError

from evaluators.records import files, kinds, plain_json, run_folder, untrusted_json
from evaluators.records.bounds import Items, Name, Table
from evaluators.records.models import EpisodeRecord, Record, RunManifest
from evaluators.records.untrusted_json import BadJson
from rehearsal_errors import RehearsalError

NAME = "submission.jsonl"
REMEDY = "make it anew by rehearse export RUN"
MOST_BYTES = 4 * 2**30
"""The most bytes of an exported run; the limit of a line is `untrusted_json.MOST_BYTES`."""
Model = TypeVar("Model", bound=Record)


class BadSubmission(RehearsalError, ValueError):
    """The file is no exported run; the message names the wrong line."""


class SubmissionHead(Record):
    """The first line of an exported run: `run.json` without the paths of the user's own methods."""

    submission: Literal[1]
    run: RunManifest


class SubmittedEpisode(Record):
    """A further line of an exported run: an episode.

    `worlds` are the databases that its attempts left, the final one last; empty if the episode
    is not scored. `files` maps the name of each file of the episode to its SHA-256.
    """

    episode: EpisodeRecord
    worlds: Items[dict[Name, list[dict[str, JsonValue]]]]
    files: Table[str]


@dataclass(frozen=True)
class ReadEpisode:
    """An episode read from an exported run; `checksum` is the SHA-256 of its `episode.json`."""

    submitted: SubmittedEpisode
    checksum: str


LINE: TypeAdapter[SubmissionHead | SubmittedEpisode] = TypeAdapter(
    SubmissionHead | SubmittedEpisode
)
"""A parser for any line of an exported run: the head or an episode."""


def export(run: Path, out: Path) -> int:
    """Write the finished episodes of a run to `out`, and return their number.

    Raises:
        CorruptRecord: A file of the run is not as it was recorded.
        NotWritten: `out` could not be written.
        OtherKind: The run is on recorded tasks.
    """
    kinds.check_living(run)
    manifest = run_folder.load_manifest(run).with_settings(agent_files={})
    manifest = manifest.model_copy(update={"run": run.name})
    head = {"submission": 1, "run": manifest.to_json()}
    submitted = [_submitted(home, record) for home, record in run_folder.checked(run)]
    files.write(out, b"".join(map(_line, [head, *submitted])))
    return len(submitted)


def _submitted(home: Path, record: EpisodeRecord) -> dict[str, Any]:
    """Return the values of an episode's line in an exported run.

    The record is written exactly as in its file, so that the file's checksum applies to the line.
    """
    return {
        "episode": files.load(home / run_folder.EPISODE),
        "worlds": run_folder.worlds(home, record) if record.is_scored else [],
        "files": files.check(home),
    }


def _line(value: Any) -> bytes:
    return f"{plain_json.text(value, separators=(',', ':'))}\n".encode()


def read(path: Path) -> tuple[RunManifest, Iterator[ReadEpisode]]:
    """Return the manifest of an exported run, and its episodes, which are read lazily.

    Raises:
        BadSubmission: The file is empty, or a line cannot be read.
    """
    lines = enumerate(_lines(path), start=1)
    for number, line in lines:
        head = _parsed(SubmissionHead, path, number, _value(path, number, line))
        return head.run, (_episode(path, *numbered) for numbered in lines)
    raise BadSubmission(f"{path} is empty", REMEDY)


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of the file; a longer line than allowed is cut one byte above the limit.

    Raises:
        BadSubmission: The file is too large or cannot be read.
    """
    left = MOST_BYTES
    try:
        with path.open("rb") as file:
            while line := file.readline(untrusted_json.MOST_BYTES + 1):
                left -= len(line)
                if left < 0:
                    raise BadSubmission(f"{path} has more than {MOST_BYTES:,} bytes", REMEDY)
                yield line
    except OSError as error:
        raise BadSubmission(f"{path}: {error.strerror or error}", REMEDY) from None


def _episode(path: Path, number: int, line: bytes) -> ReadEpisode:
    value = _value(path, number, line)
    submitted = _parsed(SubmittedEpisode, path, number, value)
    record = files.json_bytes(value["episode"])
    return ReadEpisode(submitted, hashlib.sha256(record).hexdigest())


def _value(path: Path, number: int, line: bytes) -> Any:
    try:
        return untrusted_json.read(line)
    except BadJson as error:
        raise BadSubmission(f"{path}, line {number}: {error}", REMEDY) from None


def _parsed(model: type[Model], path: Path, number: int, value: Any) -> Model:
    try:
        return files.parse(model, value)
    except ValidationError as error:
        found = files.first_error(error)
        raise BadSubmission(f"{path}, line {number}: {found}", REMEDY) from None
