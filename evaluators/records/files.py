"""Write the files of a run in one step, read them with one line on what is wrong, sum them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agent.storage_errors import writing
from evaluators.records import plain_json, untrusted_json
from evaluators.records.models import SCHEMA_VERSION
from evaluators.records.untrusted_json import BadJson, short
from rehearsal_errors import RehearsalError

Model = TypeVar("Model", bound=BaseModel)

SUMS = "SHA256SUMS"
ATTEMPT = "attempt-{}.json"
EVIDENCE = ("final_world.json", "llm.jsonl", "trace.jsonl")
REMEDY = "delete its folder and resume the run"


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
        try:
            part.write_bytes(data)
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
    with writing(folder):
        for path in [*folder.iterdir(), folder]:
            _sync(path)


def _sync(path: Path) -> None:
    """Make a file, or the names in a folder, last."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def load(path: Path) -> dict[str, Any]:
    """Read a JSON object. Raises `CorruptRecord`."""
    try:
        value = untrusted_json.read(path.read_bytes())
    except FileNotFoundError:
        raise CorruptRecord(f"there is no {path}; is this the folder of a run?") from None
    except BadJson as error:
        raise CorruptRecord(f"{path}: {error}; {REMEDY}") from None
    if not isinstance(value, dict):
        raise CorruptRecord(f"{path}: not a JSON object; {REMEDY}")
    return value


def read(model: type[Model], path: Path) -> Model:
    """Read a record of the current `schema_version`. Raises `CorruptRecord`."""
    value = load(path)
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
    """The checksums of an episode's evidence, and of more of its files, by name."""
    paths = [home / name for name in (*EVIDENCE, *more) if (home / name).exists()]
    return {path.name: _sum(path) for path in [*paths, *home.glob(ATTEMPT.format("*"))]}


def sum_lines(found: Mapping[str, str]) -> bytes:
    """Checksums in the format of `sha256sum -c`."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(found.items())).encode()


def check(home: Path) -> dict[str, str]:
    """The checksums of an episode's files, by name. Raises `CorruptRecord` where one of them is not
    what was written."""
    if not (home / SUMS).exists():
        raise CorruptRecord(f"{home / SUMS} is missing; {REMEDY}")
    recorded, found = (home / SUMS).read_bytes(), sums(home, "episode.json")
    if recorded != sum_lines(found):
        name = _changed(recorded, found)
        raise CorruptRecord(f"{home / name}: not what was recorded ({SUMS}); {REMEDY}")
    return found


def _changed(recorded: bytes, found: Mapping[str, str]) -> str:
    """A file whose checksum differs; the file of checksums itself where there is none."""
    lines = (line.partition("  ") for line in recorded.decode("utf-8", "replace").splitlines())
    before = {name: digest for digest, _, name in lines}
    wrong = (name for name in sorted(found) if before.get(name) != found[name])
    return next(wrong, next((name for name in before if name not in found), SUMS))


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
