"""The report of a run: one HTML file that loads nothing."""

from __future__ import annotations

from pathlib import Path

NAME = "report.html"


def write(run_folder: Path) -> Path:
    """Write `report.html` into the run's folder and return its path.

    The view of an episode lists which of its files cannot be read; only a folder without a
    readable `run.json` raises `CorruptRecord`. Measured times are shown as recorded, so that the
    same records make the same bytes.
    """
    from evaluators.report import loading, page

    target = Path(run_folder) / NAME
    part = target.with_suffix(".part")
    part.write_bytes(page.html(loading.read(Path(run_folder))))
    return part.replace(target)
