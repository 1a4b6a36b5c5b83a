"""Merge the parts of a run: `--shard 1/4` to `4/4`, each run on another machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluators.records import files, run_folder
from evaluators.records.models import RunManifest, RunSettings, Summary
from evaluators.run.api import summarize
from evaluators.run.manifest import ChangedRun, differing
from rehearsal_errors import RehearsalError


class MergeTargetExists(RehearsalError, ValueError):
    """The folder for the merged run already exists."""


@dataclass(frozen=True)
class Merged:
    """The result of a merge: the summary, and in `doubles` the names of episodes that several parts
    have.
    """

    summary: Summary
    doubles: tuple[str, ...]


def merge(parts: Sequence[Path], out: Path) -> Merged:
    """Copy the episodes of several runs into one run; of duplicates, the first one counts.

    Raises:
        MergeTargetExists: `out` exists already.
        ChangedRun: The parts were begun with different configurations.
        CorruptRecord: A part cannot be read.
    """
    if out.exists():
        raise MergeTargetExists(f"{out} is there already; give another -o")
    manifest = _whole(parts)
    found = [(run, home) for run in parts for home, _ in run_folder.checked(run)]
    doubles = []
    for run, home in found:
        target = out / home.relative_to(run)
        if target.exists():
            doubles.append(target.relative_to(out / run_folder.EPISODES).as_posix())
        else:
            files.copy(home, target)
    run_folder.save_manifest(out, manifest.model_copy(update={"run": out.name}))
    return Merged(summarize(out), tuple(doubles))


def _whole(parts: Sequence[Path]) -> RunManifest:
    """Return the manifest of the whole run; raise `ChangedRun` if the parts' configurations
    differ.
    """
    first, *others = (run_folder.load_manifest(run) for run in parts)
    for run, other in zip(parts[1:], others, strict=True):
        changed = differing(_unsharded(first.config), _unsharded(other.config))
        if changed:
            raise ChangedRun(
                f"{parts[0]} and {run} were begun differently ({', '.join(changed)}),"
                " so they are not parts of one run"
            )
    return first.model_copy(update={"config": _unsharded(first.config)})


def _unsharded(settings: RunSettings) -> RunSettings:
    return settings.model_copy(update={"shard": ""})
