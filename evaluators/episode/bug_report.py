"""A bug report: an archive of everything known about an episode that failed in Rehearsal itself."""

from __future__ import annotations

import json
import platform
import sys
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from evaluators.records import files

FOLDER = "bugs"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the archive; it is fixed so that equal reports have equal bytes."""


def place(run: Path, folder: Path) -> Path:
    """Return the path of the bug report for the episode in this folder."""
    return run / FOLDER / f"{'_'.join(folder.parts[-3:])}.zip"


def write(run: Path, folder: Path, about: Mapping[str, Any]) -> None:
    """Write an archive with the files of an episode's folder and a file `bug.json`.

    The archive contains no API key.

    Args:
        run: The run's folder.
        folder: The episode's folder, with its trace, the model's replies and the final database.
        about: The content of `bug.json`: the traceback, the scenario with its solution, and the
            database at the start.
    """
    facts = {**about, "python": sys.version, "platform": platform.platform()}
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(each for each in folder.iterdir() if each.is_file()):
            archive.writestr(_entry(path.name), path.read_bytes())
        text = json.dumps(facts, indent=1, ensure_ascii=False, default=str)
        archive.writestr(_entry("bug.json"), text.encode("utf-8", "replace"))
    files.write(place(run, folder), data.getvalue())


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry
