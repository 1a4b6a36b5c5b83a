"""Reads files that may come from strangers: only plain files, not through links, up to a size."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

MOST = 2**28
"""Largest size of a file that is read, in bytes; recordings with pictures can be large."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


def read(path: Path, folders: int = 0, most: int = MOST) -> bytes:
    """Return the bytes of a plain file, opened by `opened`. Raises OSError."""
    with opened(path, folders, most) as file:
        return file.read(most)


@contextmanager
def opened(path: Path, folders: int = 0, most: int = MOST) -> Iterator[BufferedReader]:
    """Open a plain file for reading.

    Args:
        path: The file.
        folders: Number of the last folders of its path that must not be links, either.
        most: The largest size, in bytes.

    Raises:
        OSError: The file does not exist, cannot be read, is too large, or is no plain file. Links,
            pipes and devices are not opened.
    """
    count = min(folders, len(path.parents) - 1)
    folder = os.open(path.parents[count], _FOLDER)
    try:
        for name in path.parts[len(path.parts) - 1 - count : -1]:
            _check(os.lstat(name, dir_fd=folder), path, stat.S_ISDIR)
            inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        _check(os.lstat(path.name, dir_fd=folder), path, stat.S_ISREG)
        file = open(os.open(path.name, _FILE, dir_fd=folder), "rb")  # noqa: SIM115 (`with` below)
    finally:
        os.close(folder)
    with file:
        found = os.fstat(file.fileno())
        _check(found, path, stat.S_ISREG)
        if found.st_size > most:
            raise OSError(errno.EFBIG, f"{found.st_size:,} bytes, more than {most:,}", str(path))
        yield file


def is_plain(mode: int) -> bool:
    """Return whether a file's mode (`st_mode`) is that of a plain file or a folder."""
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def kind(mode: int) -> str:
    """Return the kind of file that a mode (`st_mode`) stands for in words, such as `a link`."""
    return _KINDS.get(stat.S_IFMT(mode), "a device")


def _check(found: os.stat_result, path: Path, is_wanted: Callable[[int], bool]) -> None:
    if not is_wanted(found.st_mode):
        raise OSError(errno.EINVAL, f"{kind(found.st_mode)}, and a plain file is needed", str(path))
