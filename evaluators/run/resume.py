"""Find the episodes that an interrupted run left unfinished."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evaluators.records import run_folder

MOST = 3
"""So many are named, the rest is counted."""


def incomplete(run: Path) -> list[str]:
    """The folders of episodes that were begun and have no record, within the run."""
    left = (home for home in run_folder.homes(run) if not run_folder.is_done(home))
    return [home.relative_to(run / "episodes").as_posix() for home in left]


def notes(run: Path) -> Iterator[str]:
    """Lines that name the episodes that are run again for that."""
    found = incomplete(run)
    for each in found[:MOST]:
        yield f"{each}: interrupted when the run ended; it is run again, whole"
    if len(found) > MOST:
        yield f"and {len(found) - MOST} more that were interrupted"
