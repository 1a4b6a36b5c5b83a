"""Find the episodes that an interrupted run left unfinished."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evaluators.records import run_folder

MOST = 3
"""The largest number of unfinished episodes that are named; the others are only counted."""


def notes(run: Path) -> Iterator[str]:
    """Yield lines that name the episodes that were begun and have no record."""
    found = [home for home in run_folder.homes(run) if not run_folder.is_done(home)]
    for home in found[:MOST]:
        name = home.relative_to(run / "episodes").as_posix()
        yield f"{name}: interrupted when the run ended; it is run again, whole"
    if len(found) > MOST:
        yield f"and {len(found) - MOST} more that were interrupted"
