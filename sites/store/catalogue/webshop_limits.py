"""How much a stranger's catalogue may hold: checked before anything is expanded or kept."""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

LONGEST_TEXT, LONGEST_BULLET, LONGEST_DESCRIPTION = 5_000, 20_000, 4_000_000
"""Characters of a name, of a point of a list, and of a description."""
MOST_LISTED, MOST_OPTIONS, MOST_VALUES = 1_000, 100, 2_000
"""Texts of a list, options of a product, and values of an option."""
MOST_PRICE = 1e9
MOST_COMBINATIONS = 10_000
"""Goals that the options of one product make."""
MOST_PRODUCTS, MOST_GOALS, MOST_GOAL_LETTERS = 2_000_000, 1_000_000, 500_000_000
"""Of a catalogue; the letters are those of all instructions."""
MOST_STREAMED, MOST_WHOLE = 16 << 30, 256 << 20
"""Bytes of a file that is read product by product, and of one that is read whole."""


class OverLimit(OSError):
    """A catalogue holds more than it may; `strerror` says of what."""


def opened(file: Path, most: int) -> BufferedReader:
    """A regular file of at most `most` bytes, open for reading.

    A device, pipe or socket is never read, and a pipe without a writer is not waited for. Raises
    `OverLimit` and `OSError`.
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
