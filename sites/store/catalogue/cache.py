"""The cache of generated data; a folder in it is complete or absent."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from rehearsal_errors import RunFailed


class CacheError(RunFailed):
    """The cache folder cannot be written; the message names the folder and the remedy."""


def cache_folder() -> Path:
    """Return the folder of the cache.

    It is `REHEARSE_CACHE` if that is set, else `rehearsal` in the user's cache folder (XDG base
    directories).

    Raises:
        CacheError: If the user's home folder is unknown.
    """
    own, xdg = os.environ.get("REHEARSE_CACHE"), Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        if own:
            return Path(own).expanduser()
        return (xdg if xdg.is_absolute() else Path.home() / ".cache") / "rehearsal"
    except RuntimeError:  # no HOME, and no such user
        raise CacheError(
            f"there is no home folder for the cache (REHEARSE_CACHE is {own!r})",
            "set REHEARSE_CACHE to a folder that you can write to",
        ) from None


def digest_of(files: Iterable[Path]) -> str:
    """Return the SHA-256 of the names and contents of these files, in this order, to identify data
    made from them.

    It identifies the sources from which data was made.
    """
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()


def build_once(folder: Path, make: Callable[[Path], None]) -> None:
    """Make sure that `folder` exists and is complete.

    `make` fills a temporary folder, which is then renamed. Processes that build at the same time
    each fill their own temporary folder; the first to finish wins, and the others delete theirs. If
    `make` fails, nothing is left behind.

    Args:
        folder: The folder to build.
        make: Fills the folder that it gets.

    Raises:
        CacheError: If the cache cannot be written.
    """
    if folder.is_dir():
        return
    temporary = _beside(folder)
    try:
        make(temporary)
        _move(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _beside(folder: Path) -> Path:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise CacheError(
            f"cannot write to {folder.parent} ({error.strerror})",
            "set REHEARSE_CACHE to a folder that you can write to",
        ) from None


def _move(temporary: Path, folder: Path) -> None:
    try:
        temporary.replace(folder)
    except OSError:
        if not folder.is_dir():
            raise
