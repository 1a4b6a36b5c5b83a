"""The report of a run: one HTML file that loads nothing but its pictures where these are many."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

NAME = "report.html"


def write(
    run_folder: Path, pictures: str = "", on_line: Callable[[str], None] = lambda line: None
) -> Path:
    """Write `report.html` into the run's folder and return its path.

    The view of an episode lists which of its files cannot be read; only a folder without a
    readable `run.json` raises `CorruptRecord`. Measured times are shown as recorded, so that the
    same records make the same bytes.

    `pictures` chooses episodes (failed, all, or a number of them) that are replayed for pictures of
    their steps; `on_line` gets a line on how far that is, and on each episode that cannot be.
    """
    from evaluators.records import files
    from evaluators.records.run_folder import check_plain
    from evaluators.report import loading, page
    from evaluators.report import pictures as drawn

    check_plain(Path(run_folder))
    run = loading.read(Path(run_folder))
    chosen = drawn.choose(run, pictures) if pictures else []
    drawn.clear(run.folder)
    albums = drawn.take(run, chosen, on_line) if pictures else {}
    target = Path(run_folder) / NAME
    files.write(target, page.html(run, albums), synced=False)
    return target
