"""What a run that was broken off has left unfinished."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MOST = 3
"""So many are named, the rest is counted."""


def incomplete(run: Path) -> list[str]:
    """The folders of episodes that were begun and never acknowledged, within the run."""
    homes = sorted(path for path in (run / "episodes").glob("*/*/*") if path.is_dir())
    left = (home for home in homes if not (home / "episode.json").exists())
    return [home.relative_to(run / "episodes").as_posix() for home in left]


def notes(run: Path) -> Iterator[str]:
    """Lines that say which episodes are played again for that."""
    found = incomplete(run)
    for each in found[:MOST]:
        yield f"{each}: broken off when the run ended; it is played again, whole"
    if len(found) > MOST:
        yield f"and {len(found) - MOST} more that were broken off"
