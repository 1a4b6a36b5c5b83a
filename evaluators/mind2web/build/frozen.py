"""Frozen data sets: the digest of every task, so that a build can be compared with the frozen one.

The data itself is not kept; a user builds it. A manifest lies beside its split file; `python
-m tools.freeze_mind2web` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluators.mind2web.build.splits import HERE
from evaluators.mind2web.build.writing import INDEX

Digests = Mapping[str, Mapping[str, str]]
"""By split and scenario: the digest of the task, or why it is left out."""


def path_of(name: str) -> Path:
    """Return the path of the manifest of a data set."""
    return HERE / f"{name}.json"


def digests(name: str) -> Digests:
    """Return the frozen digests of a data set; none if it is not frozen."""
    path = path_of(name)
    if not path.exists():
        return {}
    found: Digests = json.loads(path.read_text(encoding="utf-8"))["scenarios"]
    return found


def changed(name: str, built: Digests) -> list[str]:
    """Return the built scenarios whose task is another one than the frozen one."""
    kept = digests(name)
    return [
        scenario
        for split, tasks in built.items()
        for scenario, digest in tasks.items()
        if kept.get(split, {}).get(scenario) != digest
    ]


def save(folders: Iterable[Path]) -> Path:
    """Freeze a data set, of which each folder has some splits, and return the manifest's path."""
    parts = [json.loads((each / INDEX).read_text(encoding="utf-8")) for each in folders]
    manifest = {
        "name": parts[0]["name"],
        "scenarios": dict(_joined(parts, "scenarios")),
        "files": dict(_joined(parts, "files")),
    }
    path = path_of(manifest["name"])
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _joined(parts: Iterable[Mapping[str, Any]], key: str) -> Iterator[tuple[str, Any]]:
    for part in parts:
        yield from part[key].items()
