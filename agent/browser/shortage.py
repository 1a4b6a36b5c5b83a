"""Checks that the machine has enough open files, processes, memory and temporary disk for a
browser.

A Chromium that lacks one of these starts, then hangs or dies, and reports another error.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile

from agent.browser.faults import NoBrowser

FILES, WANTED_FILES = 256, 4096
"""Numbers of files that a process may have open: the least with which an episode can run (FILES),
and the limit to request (WANTED_FILES).
"""
PROCESSES = 128
"""The least number of processes and threads that the user may have; a browser with one page has
about ninety.
"""
ADDRESSES = 64 << 30
"""The least address space in bytes; a browser reserves many times the memory that it uses."""
DISK = 64 << 20
"""The least free space in bytes on the temporary disk, for a browser's profile and shared
memory.
"""


class TooLittle(NoBrowser):
    """The machine, or a limit of the shell, gives a browser too few resources."""

    exit_code = os.EX_OSERR


def check() -> None:
    """Raise the limit of open files as far as this process may, and check all limits.

    Raises:
        TooLittle: A limit is too low for a browser.
    """
    _raise_files()
    files, processes, addresses = map(_limit, _LIMITS)
    if files < FILES:
        raise TooLittle(
            f"only {files} files may be open at once, and a browser needs {FILES}",
            f"raise the limit: ulimit -n {WANTED_FILES}",
        )
    if processes < PROCESSES and os.geteuid() != 0:  # the limit does not apply to root
        raise TooLittle(
            f"only {processes} processes may run at once, and a browser needs {PROCESSES}",
            "raise the limit: ulimit -u 4096",
        )
    if addresses < ADDRESSES:
        raise TooLittle(
            f"a process may have only {addresses >> 20} MB of addresses, and a browser reserves"
            f" {ADDRESSES >> 20}",
            "lift the limit: ulimit -v unlimited",
        )
    _check_temporary()


_LIMITS = (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_AS)


def _limit(kind: int) -> int:
    soft, _ = resource.getrlimit(kind)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def _raise_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _check_temporary() -> None:
    """Raise `TooLittle` unless the temporary folder exists, is writable and has enough free
    space.
    """
    named = os.environ.get("TMPDIR", "")
    try:
        folder = tempfile.gettempdir()
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise TooLittle(
            f"there is no temporary folder that can be written (TMPDIR is {named!r}: {error})",
            "make room, or let TMPDIR name a folder that can be written",
        ) from None
    if free < DISK:
        raise TooLittle(
            f"the temporary folder {folder} has {free >> 20} MB left, and a browser needs"
            f" {DISK >> 20}",
            "make room there, or let TMPDIR name another folder",
        )
