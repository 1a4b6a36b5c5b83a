"""A disk that takes no more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rehearsal_errors import RunFailed


class NotWritten(RunFailed, OSError):
    """A file of the run could not be written: no room, no permission. Nobody's doing; it ends the
    run, and what is done is kept."""

    exit_code = os.EX_IOERR


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Give the errors of writing a file our name; a lock that is held is none. Raises
    `NotWritten`."""
    try:
        yield
    except (NotWritten, TimeoutError):
        raise
    except OSError as error:
        raise NotWritten(
            f"cannot write {path} ({error.strerror or error})",
            "what is done is kept: make room there, then resume with -o",
        ) from error
