"""A bug report: one archive with all that is known of an episode that Rehearsal itself failed."""

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
"""A fixed date: the same episode makes the same bytes."""


def place(run: Path, folder: Path) -> Path:
    """The path of the report on the episode in this folder."""
    return run / FOLDER / f"{'_'.join(folder.parts[-3:])}.zip"


def write(run: Path, folder: Path, about: Mapping[str, Any]) -> None:
    """Write the files of an episode's folder and `bug.json`, which holds `about`, to an archive.

    `about` has the traceback, the scenario with its gold and the world before; the folder has the
    world after, the trace and the model's replies. None of them holds an API key.
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
