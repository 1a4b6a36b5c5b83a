"""The report of a run: one HTML file. Only pictures that do not fit into it are files of
their own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

NAME = "report.html"


def write(
    run_folder: Path,
    pictures: str = "",
    on_line: Callable[[str], None] = lambda line: None,
    paper: str = "",
) -> Path:
    """Write `report.html` into the run's folder.

    The page of an episode lists its files that cannot be read. Measured times are shown as
    recorded, so the same records give the same bytes.

    Args:
        run_folder: The folder of the run.
        pictures: The episodes to replay for pictures of their steps: "failed", "all" or a number of
            episodes; "" for no pictures.
        on_line: Called with a line of text about the progress of the pictures, and about each
            episode that cannot be replayed.
        paper: The paper beside whose figures the run is drawn; "" for none.

    Returns:
        The path of the report.

    Raises:
        CorruptRecord: The folder has no readable `run.json`.
        UnknownName: The figures of this paper are not here.
        NothingBeside: The paper has no figure for any task of the run.
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
    files.write(target, page.html(run, albums, paper), synced=False)
    return target
