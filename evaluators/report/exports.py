"""Write a run for a paper: CSV tables, a LaTeX table, charts as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluators.records import files
from evaluators.records.run_folder import check_plain
from evaluators.report import csv_tables, latex_table, loading, svg_files


@dataclass(frozen=True)
class Exports:
    """The places to write to; None writes nothing of that kind."""

    csv: Path | None = None
    latex: Path | None = None
    svg: Path | None = None


def write(run_folder: Path, wanted: Exports) -> list[Path]:
    """Write the tables and charts of a run.

    Args:
        run_folder: The folder of the run.
        wanted: A folder for the CSV tables, a file for the LaTeX table, a folder for the charts.

    Returns:
        The paths of all files that were written.

    Raises:
        CorruptRecord: The folder has no readable `run.json`.
        NotWritten: A file could not be written.
    """
    check_plain(run_folder)
    run = loading.read(run_folder)
    made = csv_tables.write(run, wanted.csv) if wanted.csv else []
    if wanted.latex:
        files.write(wanted.latex, latex_table.text(run).encode("utf-8"), synced=False)
        made.append(wanted.latex)
    return [*made, *(svg_files.write(run, wanted.svg) if wanted.svg else [])]
