"""One run out of several parts of it: `--shard 1/4` to `4/4`, each played on another machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluators.records import run_folder
from evaluators.run.api import summarize
from evaluators.run.manifest import ChangedRun
from rehearsal_errors import RehearsalError

Config = Mapping[str, Any]


class MergeTargetExists(RehearsalError, ValueError):
    """There is something where the whole would go."""


@dataclass(frozen=True)
class Merged:
    """The summary of the whole; `doubles` are the episodes that a later part had again."""

    summary: dict[str, Any]
    doubles: tuple[str, ...]


def merge(parts: Sequence[Path], out: Path) -> Merged:
    """Copy the episodes of these runs into one; of an episode that two have, the first counts.

    Raises `NotMerged` where `out` is there already, `ChangedRun` where the runs were begun
    differently, `CorruptRecord`.
    """
    if out.exists():
        raise MergeTargetExists(f"{out} is there already; give another -o")
    whole = _whole(parts)
    doubles = []
    for home, run in _homes(parts):
        run_folder.check(home)
        target = out / home.relative_to(run)
        if target.exists():
            doubles.append(target.relative_to(out / "episodes").as_posix())
        else:
            shutil.copytree(home, target)
    run_folder.save(out / "run.json", {**whole, "run": out.name})
    return Merged(summarize(out), tuple(doubles))


def _homes(parts: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """The folders of the episodes that are done, each with its run."""
    for run in parts:
        for path in sorted((run / "episodes").glob("*/*/*/episode.json")):
            yield path.parent, run


def _whole(parts: Sequence[Path]) -> dict[str, Any]:
    """What `run.json` says of the parts, which must have been begun alike."""
    first, *others = (run_folder.load(run / "run.json") for run in parts)
    for run, other in zip(parts[1:], others, strict=True):
        one, two = _shared(first["config"]), _shared(other["config"])
        changed = sorted(key for key in {*one, *two} if one.get(key) != two.get(key))
        if changed:
            raise ChangedRun(
                f"{parts[0]} and {run} were begun differently ({', '.join(changed)}),"
                " so they are not parts of one run"
            )
    return {**first, "config": {**first["config"], "shard": ""}}


def _shared(config: Config) -> Config:
    return {key: value for key, value in config.items() if key != "shard"}
