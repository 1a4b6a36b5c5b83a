"""A terminal for tests: a program writes to it and finds out how wide it is."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path


def written(
    arguments: list[str], folder: Path, environment: Mapping[str, str], columns: int = 0
) -> str:
    """Run Python with these arguments on a terminal, and return what it wrote.

    Args:
        arguments: The arguments of `python`.
        folder: The working folder.
        environment: All environment variables.
        columns: The width of the terminal; 0 leaves it unknown.
    """
    master, slave = pty.openpty()
    if columns:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder, env=environment, stdin=slave, stdout=slave, stderr=slave,
    ):  # fmt: skip
        os.close(slave)
        found = b""
        try:
            while part := os.read(master, 65536):
                found += part
        except OSError:  # the other end is closed
            pass
    os.close(master)
    return found.decode()
