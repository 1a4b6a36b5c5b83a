"""Limits for a catalogue from an untrusted source, checked before anything is expanded or
stored.
"""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

LONGEST_TEXT, LONGEST_BULLET, LONGEST_DESCRIPTION = 5_000, 20_000, 4_000_000
"""The largest number of characters of a name (LONGEST_TEXT), of a bullet, and of a description."""
MOST_LISTED, MOST_OPTIONS, MOST_VALUES = 1_000, 100, 2_000
"""The largest number of texts in a list, of options of a product, and of values of an option, in
this order.
"""
MOST_PRICE = 1e9
MOST_COMBINATIONS = 10_000
"""The most goals that the options of one product may make."""
MOST_PRODUCTS, MOST_GOALS, MOST_GOAL_LETTERS = 2_000_000, 1_000_000, 500_000_000
"""The largest number of products and of goals of a catalogue, and of characters of all its
instructions together, in this order.
"""
MOST_STREAMED, MOST_WHOLE = 16 << 30, 256 << 20
"""The largest number of bytes of a file that is read product by product (MOST_STREAMED), and of a
file that is read at once (MOST_WHOLE).
"""


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
