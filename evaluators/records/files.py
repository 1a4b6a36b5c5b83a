"""Write the files of a run atomically, read them with one-line errors, and checksum them."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agent import plain_files
from agent.storage_errors import writing
from evaluators.records import plain_json, untrusted_json
from evaluators.records.models import SCHEMA_VERSION
from evaluators.records.untrusted_json import BadJson, short
from rehearsal_errors import RehearsalError

Model = TypeVar("Model", bound=BaseModel)

SUMS = "SHA256SUMS"
EPISODE = "episode.json"
ATTEMPT = "attempt-{}.json"
_ATTEMPT = re.compile(r"attempt-\d{1,9}\.json")
EVIDENCE = ("final_world.json", "llm.jsonl", "trace.jsonl")
REMEDY = "delete its folder and resume the run"
FOLDERS = 4
"""The number of folders from a run's folder to an episode's: `episodes/<agent>/<task>/<trial>`."""
RECORD = 2**26
"""The largest record or database file that is read, in bytes."""


class CorruptRecord(RehearsalError, ValueError):
    """A file of a run cannot be read; the message names the file, the field and the remedy."""


def save(path: Path, value: Any, *, synced: bool = True) -> None:
    """Write a value as JSON, atomically, as `write` does."""
    write(path, json_bytes(value), synced=synced)


def json_bytes(value: Any) -> bytes:
    """Return JSON in UTF-8; a lone surrogate, which a page can contain, becomes a question mark."""
    return f"{plain_json.text(value, indent=1)}\n".encode("utf-8", "replace")


def write(path: Path, data: bytes, *, synced: bool = True) -> None:
    """Write a file atomically: a reader sees either the old file or the new one.

    Args:
        path: The file.
        data: Its content.
        synced: Wait until the file is on the disk, so that it survives a loss of power.

    Raises:
        NotWritten: The file could not be written.
    """
    part = path.with_suffix(path.suffix + ".part")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)  # it may be a link to another file
        try:
            with part.open("xb") as file:
                file.write(data)
            if synced:
                _sync(part)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)  # free the space on a full disk
            raise
        if synced:
            _sync(path.parent)


def sync(folder: Path) -> None:
    """Flush the files and the directory of a folder to disk. Raise `NotWritten` if that fails."""
    with writing(folder), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                _sync(Path(entry))
        _sync(folder)


def _sync(path: Path) -> None:
    """Flush a file, or the directory of a folder, to disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def load(path: Path, folders: int = 0) -> dict[str, Any]:
    """Read a JSON object from a file.

    Args:
        path: The file.
        folders: How many of the last folders of the path must not be links (`plain_files.opened`).

    Raises:
        CorruptRecord: The file is missing, unreadable, or no JSON object.
    """
    data = content(path, folders, RECORD)
    try:
        value = untrusted_json.read(data)
    except BadJson as error:
        raise CorruptRecord(f"{path}: {error}; {REMEDY}") from None
    if not isinstance(value, dict):
        raise CorruptRecord(f"{path}: not a JSON object; {REMEDY}")
    return value


def content(path: Path, folders: int = 0, most: int = plain_files.MOST) -> bytes:
    """Return the bytes of a plain file.

    Args:
        path: The file.
        folders: How many of the last folders of the path must not be links (`plain_files.opened`).
        most: The most bytes.

    Raises:
        CorruptRecord: The file is missing, too large, a link, or cannot be read.
    """
    try:
        return plain_files.read(path, folders, most)
    except FileNotFoundError:
        raise CorruptRecord(f"there is no {path}; is this the folder of a run?") from None
    except OSError as error:
        raise CorruptRecord(f"{path}: {error.strerror}; {REMEDY}") from None


def read(model: type[Model], path: Path, folders: int = 0) -> Model:
    """Read a record from a file.

    Args:
        model: The class of the record.
        path: The file.
        folders: How many of the last folders of the path must not be links (`plain_files.opened`).

    Raises:
        CorruptRecord: The file cannot be read, has another `schema_version`, or a wrong field.
    """
    value = load(path, folders)
    version = value.get("schema_version")
    if version != SCHEMA_VERSION:
        raise CorruptRecord(
            f"{path}: schema_version is {short(version)}, and this version of Rehearsal reads"
            f" {SCHEMA_VERSION}; read it with the version that wrote it, or run it again"
        )
    try:
        return parse(model, value)
    except ValidationError as error:
        raise CorruptRecord(f"{path}: {first_error(error)}; {REMEDY}") from None
    except RecursionError:
        raise CorruptRecord(f"{path}: its values are nested too deep; {REMEDY}") from None


def parse(model: type[Model], value: Mapping[str, Any]) -> Model:
    """Return a record of this class from plain values, with the same checks as for a file.

    Raises `ValidationError`.
    """
    return model.model_validate_json(json_bytes(value))


def first_error(error: ValidationError) -> str:
    """Return one line about the first wrong field of a record, with the field's value."""
    first, *others = error.errors(include_url=False)
    field = ".".join(map(_key, first["loc"]))
    value = "" if first["type"] == "missing" else f", not {short(first['input'])}"
    more = f" (and {len(others)} more)" if others else ""
    return f"{field}: {first['msg']}{value}{more}".removeprefix(": ")


def _key(key: int | str) -> str:
    """Return the name of a field as a message shows it.

    In a stranger's file it may be long or contain line ends; then it is quoted and shortened.
    """
    return str(key) if isinstance(key, int) or key.isidentifier() else short(key)


def sums(home: Path, *more: str) -> dict[str, str]:
    """Return the SHA-256 of an episode's trace, databases and other evidence files, by file name.

    Args:
        home: The episode's folder.
        *more: Names of further files.

    Raises:
        CorruptRecord: A file is a link, or cannot be read.
    """
    known, listed = {*EVIDENCE, *more}, os.listdir(home) if home.is_dir() else []
    names = [name for name in listed if name in known or _ATTEMPT.fullmatch(name)]
    return {name: _sum(home / name) for name in names}


def sum_lines(found: Mapping[str, str]) -> bytes:
    """Return checksums in the format of `sha256sum -c`."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(found.items())).encode()


def check(home: Path) -> dict[str, str]:
    """Return the checksums of an episode's files by name, if they equal the recorded checksums.

    Raises:
        CorruptRecord: A file is not as it was recorded.
    """
    found = sums(home, EPISODE)
    for name in changed(home, found):
        raise CorruptRecord(not_recorded(home / name))
    return found


def not_recorded(path: Path) -> str:
    """Return the error message for a file that `changed` names."""
    if path.name == SUMS:
        return f"{path} is missing or cannot be read; {REMEDY}"
    return f"{path}: not what was recorded ({SUMS}); {REMEDY}"


def changed(home: Path, found: Mapping[str, str]) -> list[str]:
    """Return the names of an episode's files whose checksum is not recorded or differs.

    If the episode has no readable checksums, return only the name of the checksum file.

    Args:
        home: The episode's folder.
        found: The checksums of the files as they are now, by name.
    """
    if not os.path.lexists(home / SUMS):
        return [SUMS]
    recorded = content(home / SUMS, FOLDERS, RECORD)
    lines = (line.partition("  ") for line in recorded.decode("utf-8", "replace").splitlines())
    before = {name: digest for digest, _, name in lines}
    if recorded != sum_lines(before):
        return [SUMS]
    return sorted(name for name in {*before, *found} if before.get(name) != found.get(name))


def _sum(path: Path) -> str:
    try:
        with plain_files.opened(path, FOLDERS) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CorruptRecord(f"{path}: {error.strerror}; {REMEDY}") from None


def copy(home: Path, target: Path) -> None:
    """Copy an episode's files and their checksums, the record last.

    Raises:
        CorruptRecord: A file is not as it was recorded.
        NotWritten: A file could not be written.
    """
    found = check(home)
    write(target / SUMS, sum_lines(found), synced=False)
    for name in sorted(found, key=lambda name: (name == EPISODE, name)):
        data = content(home / name, FOLDERS)
        if hashlib.sha256(data).hexdigest() != found[name]:
            raise CorruptRecord(not_recorded(home / name))
        write(target / name, data, synced=False)
