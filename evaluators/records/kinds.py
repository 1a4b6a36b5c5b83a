"""The kinds of runs: agents act on living pages, or predict recorded steps (offline)."""

from __future__ import annotations

from pathlib import Path

from evaluators.records import run_folder
from rehearsal_errors import RehearsalError


class OtherKind(RehearsalError, ValueError):
    """A run is of another kind than the command needs."""


def is_offline(run: Path) -> bool:
    """Return whether a run is offline. Raises `CorruptRecord` if `run.json` cannot be read."""
    return run_folder.load_manifest(run).config.kind == "offline"


def check_living(run: Path) -> None:
    """Raise `OtherKind` if a run is offline."""
    if is_offline(run):
        raise OtherKind(
            f"{run} is a run on recorded tasks, without worlds",
            "see `rehearse mind2web score`, `rehearse report` and `rehearse estimate`",
        )


def check_offline(run: Path) -> None:
    """Raise `OtherKind` if a run is not offline."""
    if not is_offline(run):
        raise OtherKind(f"{run} is a run on living pages", "see `rehearse score` and `report`")


def check_alike(run_a: Path, run_b: Path) -> None:
    """Raise `OtherKind` if one run is offline and the other is not."""
    if is_offline(run_a) != is_offline(run_b):
        offline, living = (run_a, run_b) if is_offline(run_a) else (run_b, run_a)
        raise OtherKind(
            f"{offline} predicts recorded steps and {living} acts on living pages: their figures"
            " measure different things",
            "compare runs of one kind",
        )
