"""A bug report: one file with all that is known of an episode that our own code has failed."""

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
"""The same episode makes the same bytes."""


def place(run: Path, home: Path) -> Path:
    """Where the report on the episode of that folder goes."""
    return run / FOLDER / f"{'_'.join(home.parts[-3:])}.zip"


def write(run: Path, home: Path, about: Mapping[str, Any]) -> None:
    """Put the files of an episode's folder and `bug.json`, with `about` in it, into one archive.

    `about` has the traceback, the scenario with its gold and the world before; the folder has the
    world after, the trace and what the model said. None of them holds a key.
    """
    told = {**about, "python": sys.version, "platform": platform.platform()}
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(each for each in home.iterdir() if each.is_file()):
            archive.writestr(_entry(path.name), path.read_bytes())
        text = json.dumps(told, indent=1, ensure_ascii=False, default=str)
        archive.writestr(_entry("bug.json"), text.encode("utf-8", "replace"))
    files.write(place(run, home), made.getvalue())


def _entry(name: str) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name, EPOCH)
    made.compress_type = zipfile.ZIP_DEFLATED
    return made
