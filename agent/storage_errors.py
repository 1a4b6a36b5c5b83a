"""Errors for files that cannot be written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rehearsal_errors import RunFailed


class NotWritten(RunFailed, OSError):
    """A file of the run could not be written, because the disk is full or the permission is
    missing.

    The run ends, and finished episodes are kept.
    """

    exit_code = os.EX_IOERR


FULL = (errno.ENOSPC, errno.EDQUOT)
ELSEWHERE = "give another folder, one that can be written"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert errors of writing a file inside this context manager to `NotWritten`; the error for a
    locked file is passed on unchanged.
    """
    try:
        yield
    except (NotWritten, TimeoutError):
        raise
    except OSError as error:
        remedy = "make room there, then resume with -o" if error.errno in FULL else ELSEWHERE
        raise NotWritten(
            f"cannot write {path} ({error.strerror or error}); what is done is kept", remedy
        ) from error
