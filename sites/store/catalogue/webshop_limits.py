"""Limits for a catalogue from a stranger, checked before anything is expanded or kept."""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

LONGEST_TEXT, LONGEST_BULLET, LONGEST_DESCRIPTION = 5_000, 20_000, 4_000_000
"""The most characters of a name, of a bullet, and of a description."""
MOST_LISTED, MOST_OPTIONS, MOST_VALUES = 1_000, 100, 2_000
"""The most texts of a list, options of a product, and values of an option."""
MOST_PRICE = 1e9
MOST_COMBINATIONS = 10_000
"""The most goals that the options of one product may make."""
MOST_PRODUCTS, MOST_GOALS, MOST_GOAL_LETTERS = 2_000_000, 1_000_000, 500_000_000
"""The most products and goals of a catalogue, and characters of all its instructions."""
MOST_STREAMED, MOST_WHOLE = 16 << 30, 256 << 20
"""The most bytes of a file that is read product by product, and of a file that is read at once."""


class OverLimit(OSError):
    """A catalogue exceeds a limit; `strerror` says which."""


def opened(file: Path, most: int) -> BufferedReader:
    """Open a regular file of at most `most` bytes for reading.

    A device, pipe or socket is never read, and the function does not wait for a pipe without a
    writer.

    Raises:
        OverLimit: If the file is too large or not a regular file.
        OSError: If the file cannot be opened.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise OverLimit(0, "it is no regular file")
        if about.st_size > most:
            raise OverLimit(0, f"it has {about.st_size:,} bytes; at most {most:,} are read")
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise
