"""Where data that can be made again is kept, and how it gets there in one piece."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from rehearsal_errors import RunFailed


class CacheError(RunFailed):
    """The cache folder cannot be written; the message says where it is and what to do."""


def cache_folder() -> Path:
    """`REHEARSE_CACHE`, else `rehearsal` in the user's cache folder (XDG base directories)."""
    if own := os.environ.get("REHEARSE_CACHE"):
        return Path(own).expanduser()
    xdg = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (xdg if xdg.is_absolute() else Path.home() / ".cache") / "rehearsal"


def build_once(folder: Path, make: Callable[[Path], None]) -> None:
    """See that `folder` exists and is whole: `make` fills a temporary one, which is then renamed.

    Processes that build at the same time each fill their own; the first to finish wins and the
    others drop theirs. Nothing is left behind when `make` fails. Raises `CacheError`.
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
