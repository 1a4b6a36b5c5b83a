"""Write the files of a run in one step, read them with one line on what is wrong, sum them."""

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
"""An episode's folder lies so deep in that of its run: `episodes/<agent>/<task>/<trial>`."""
RECORD = 2**26
"""Bytes of the largest record or world that is read."""


class CorruptRecord(RehearsalError, ValueError):
    """A file of a run that cannot be read; names the file, the field and the remedy."""


def save(path: Path, value: Any, *, synced: bool = True) -> None:
    """Write JSON in one step, as `write` does."""
    write(path, json_bytes(value), synced=synced)


def json_bytes(value: Any) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which a page can hold, becomes a question mark."""
    return f"{plain_json.text(value, indent=1)}\n".encode("utf-8", "replace")


def write(path: Path, data: bytes, *, synced: bool = True) -> None:
    """Write in one step: a reader sees the old file or the new one; where it is `synced`, also
    after a loss of power. Raises `NotWritten`."""
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
            part.unlink(missing_ok=True)  # a full disk needs the room
            raise
        if synced:
            _sync(path.parent)


def sync(folder: Path) -> None:
    """Make the files and the names in a folder last. Raises `NotWritten`."""
    with writing(folder), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                _sync(Path(entry))
        _sync(folder)


def _sync(path: Path) -> None:
    """Make a file, or the names in a folder, last."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def load(path: Path, folders: int = 0) -> dict[str, Any]:
    """Read a JSON object; `folders` as in `plain_files.opened`. Raises `CorruptRecord`."""
    data = content(path, folders, RECORD)
    try:
        value = untrusted_json.read(data)
    except BadJson as error:
        raise CorruptRecord(f"{path}: {error}; {REMEDY}") from None
    if not isinstance(value, dict):
        raise CorruptRecord(f"{path}: not a JSON object; {REMEDY}")
    return value


def content(path: Path, folders: int = 0, most: int = plain_files.MOST) -> bytes:
    """The bytes of a plain file; see `plain_files.opened`. Raises `CorruptRecord`."""
    try:
        return plain_files.read(path, folders, most)
    except FileNotFoundError:
        raise CorruptRecord(f"there is no {path}; is this the folder of a run?") from None
    except OSError as error:
        raise CorruptRecord(f"{path}: {error.strerror}; {REMEDY}") from None


def read(model: type[Model], path: Path, folders: int = 0) -> Model:
    """Read a record of the current `schema_version`. Raises `CorruptRecord`."""
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
    """A record of plain values, exactly as a file of it is read. Raises `ValidationError`."""
    return model.model_validate_json(json_bytes(value))


def first_error(error: ValidationError) -> str:
    """The first wrong field in one line, with its value."""
    first, *others = error.errors(include_url=False)
    field = ".".join(map(_key, first["loc"]))
    value = "" if first["type"] == "missing" else f", not {short(first['input'])}"
    more = f" (and {len(others)} more)" if others else ""
    return f"{field}: {first['msg']}{value}{more}".removeprefix(": ")


def _key(key: int | str) -> str:
    """A key as a message names it; one that a stranger made up may be long, or hold line ends."""
    return str(key) if isinstance(key, int) or key.isidentifier() else short(key)


def sums(home: Path, *more: str) -> dict[str, str]:
    """The checksums of an episode's evidence, and of more of its files, by name. Raises
    `CorruptRecord` for one that is no plain file."""
    known, listed = {*EVIDENCE, *more}, os.listdir(home) if home.is_dir() else []
    names = [name for name in listed if name in known or _ATTEMPT.fullmatch(name)]
    return {name: _sum(home / name) for name in names}


def sum_lines(found: Mapping[str, str]) -> bytes:
    """Checksums in the format of `sha256sum -c`."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(found.items())).encode()


def check(home: Path) -> dict[str, str]:
    """The checksums of an episode's files, by name. Raises `CorruptRecord` where one of them is not
    what was written."""
    found = sums(home, EPISODE)
    for name in changed(home, found):
        raise CorruptRecord(not_recorded(home / name))
    return found


def not_recorded(path: Path) -> str:
    """The line on a file that `changed` names."""
    if path.name == SUMS:
        return f"{path} is missing or cannot be read; {REMEDY}"
    return f"{path}: not what was recorded ({SUMS}); {REMEDY}"


def changed(home: Path, found: Mapping[str, str]) -> list[str]:
    """The files whose checksum is another one than was recorded, or that only one of both has; of
    an episode without readable checksums the name of their file."""
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
    """Copy the files of an episode that its checksums name, and these, its record last. Raises
    `CorruptRecord`, `NotWritten`."""
    found = check(home)
    write(target / SUMS, sum_lines(found), synced=False)
    for name in sorted(found, key=lambda name: (name == EPISODE, name)):
        data = content(home / name, FOLDERS)
        if hashlib.sha256(data).hexdigest() != found[name]:
            raise CorruptRecord(not_recorded(home / name))
        write(target / name, data, synced=False)
